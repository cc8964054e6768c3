"""An output of search, and the way back to it."""

from dataclasses import dataclass
from typing import NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A finished output.

    Args:
        tokens: Its tokens, EOS left out.
        log_prob: Sum of the log-probabilities of its tokens and of EOS, in nats.
        score: ``log_prob`` after the length penalty; hypotheses are ranked by it.
        weights: Attention weights, a row per token.
        token_log_probs: log p of each token and, last, of EOS; ``log_prob`` is their sum.
    """

    tokens: list[int]
    log_prob: float
    score: float
    weights: Float[Tensor, "T S"]
    token_log_probs: list[float]


def ranked(hypotheses: list[Hypothesis]) -> list[Hypothesis]:
    """The hypotheses, best score first."""
    return sorted(hypotheses, key=lambda hypothesis: -hypothesis.score)


class Past(NamedTuple):
    """What a row of a search has written.

    Args:
        tokens: Its tokens.
        weights: Attention weights, a row per token.
        token_log_probs: log p of each.
    """

    tokens: list[int]
    weights: Float[Tensor, "T S"]
    token_log_probs: list[float]


class Trace:
    """Tokens, back-pointers and weights of every step of a search.

    Row r of step t continues row ``parents[t][r]`` of step t − 1. Hypotheses are read by walking back, so rows
    may be reordered, repeated or dropped at each step and every weight stays with its own token.
    """

    def __init__(self) -> None:
        self._tokens: list[list[int]] = []
        self._parents: list[list[int]] = []
        self._weights: list[Tensor] = []
        self._log_probs: list[list[float]] = []

    def __len__(self) -> int:
        """Steps recorded."""
        return len(self._tokens)

    def append(
        self,
        tokens: Int[Tensor, " B"],
        parents: Int[Tensor, " B"],
        weights: Float[Tensor, "LW S"],
        log_probs: Float[Tensor, "LW V"],
    ) -> None:
        """Record a step.

        Args:
            tokens: The token of each row after the step.
            parents: The row before the step that each row continues.
            weights: The weights of the step, by row before the step.
            log_probs: log p of every token, by row before the step.
        """
        self._tokens.append(tokens.tolist())
        self._parents.append(parents.tolist())
        self._weights.append(weights.index_select(0, parents))
        self._log_probs.append(log_probs[parents, tokens].tolist())

    def pasts(self, num_rows: int) -> list[list[int]]:
        """The tokens that each row of the last step has written; all nothing before the first step.

        Args:
            num_rows: Rows of the search now.
        """
        if not self._tokens:
            return [[] for _ in range(num_rows)]
        rows = list(range(num_rows))
        found: list[list[int]] = [[] for _ in rows]
        for step in reversed(range(len(self._tokens))):
            for number, row in enumerate(rows):
                found[number].append(self._tokens[step][row])
                rows[number] = self._parents[step][row]
        return [past[::-1] for past in found]

    def read(self, row: int, no_weights: Float[Tensor, "0 S"]) -> Past:
        """Return what a row of the last step has written; ``no_weights`` is for a row without tokens."""
        tokens, weights, log_probs = [], [], []
        for step in reversed(range(len(self._tokens))):
            tokens.append(self._tokens[step][row])
            weights.append(self._weights[step][row])
            log_probs.append(self._log_probs[step][row])
            row = self._parents[step][row]
        return Past(tokens[::-1], torch.stack(weights[::-1]) if weights else no_weights, log_probs[::-1])
