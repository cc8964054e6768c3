"""An output with its score and what it looked at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from seq2see.alignment import Alignment

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Translation:
    """An output with its score and what each of its tokens attended to.

    Args:
        source: The raw source.
        text: The output.
        log_prob: Log-probability of the output's tokens under the model, its end included, in nats; NaN where there
            is no output. A word that was copied for an unknown token (``search.copy_unknown``) counts as that token.
        score: ``log_prob`` after the length penalty.
        alignment: Source tokens, target tokens and weights.
        token_log_probs: log p of each token and, last, of the end; ``log_prob`` is their sum.
        problem: Why there is no output, where there is none; else ''.
        token_ids: The output tokens in the target vocabulary; ids from its size on are copies from the source, and
            unknown ones may have another text in ``tokens`` (``search.copy_unknown``).
    """

    source: str
    text: str
    log_prob: float
    score: float
    alignment: Alignment
    token_log_probs: list[float]
    problem: str = ""
    token_ids: Sequence[int] = ()

    @property
    def tokens(self) -> list[str]:
        """The T output tokens."""
        return self.alignment.target_tokens

    @property
    def source_tokens(self) -> list[str]:
        """The S source tokens."""
        return self.alignment.source_tokens

    @property
    def weights(self) -> NDArray[np.float32]:
        """Attention weights, (T, S)."""
        return self.alignment.weights

    def plot(self, path: str | Path, kind: str = "heatmap") -> None:
        """Draw the alignment; the ending of the path (svg, png, html) says how, ``kind`` (heatmap, lines) what.

        Raises:
            OutputError: The file cannot be written, or its ending or the kind is not known.
        """
        from seq2see.plotting import save_plot

        save_plot(self.alignment, Path(path), kind)
