"""Attention weights of one output, made for people."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Alignment:
    """What every output token attended to.

    Args:
        source_tokens: S tokens as text, the end mark left out.
        target_tokens: T tokens as text, the end mark left out.
        weights: (T, S); each row sums to 1.
    """

    source_tokens: list[str]
    target_tokens: list[str]
    weights: NDArray[np.float32]

    @classmethod
    def empty(cls) -> "Alignment":
        """Of nothing with nothing."""
        return cls([], [], np.zeros((0, 0), dtype=np.float32))

    def links(self, threshold: float | None = None) -> list[tuple[int, int]]:
        """(source index, target index) of what belongs together.

        Args:
            threshold: All source tokens with at least this weight; None takes the most attended one of every target
                token that attended to any.
        """
        if not self.source_tokens:
            return []
        if threshold is not None:
            return [(int(source), int(target)) for target, source in np.argwhere(self.weights >= threshold)]
        most = self.weights.argmax(axis=1)
        return [(int(source), target) for target, source in enumerate(most) if self.weights[target, source] > 0.0]

    def pharaoh(self) -> str:
        """The links as ``i-j`` pairs, source index first, both from 0."""
        return format_links(self.links())


def format_links(links: Iterable[tuple[int, int]]) -> str:
    """Links in the format of Pharaoh: ``i-j`` pairs, in the given order."""
    return " ".join(f"{source}-{target}" for source, target in links)


def label(token: str) -> str:
    """A token as a label: the space before a word is not shown, other spaces and controls are made visible."""
    shown = token.removeprefix(" ") if len(token) > 1 else token
    return "".join(_visible(char) for char in shown)


def _visible(char: str) -> str:
    if char == " ":
        return "␣"
    return char if char.isprintable() else f"\\u{ord(char):04x}"
