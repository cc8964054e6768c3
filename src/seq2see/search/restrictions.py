"""What an output may not hold, or must begin with."""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import torch
from jaxtyping import Float
from torch import Tensor


@runtime_checkable
class Restriction(Protocol):
    """Takes away continuations: their log-probability becomes −∞, that of others stays as it is."""

    def __call__(
        self, log_probs: Float[Tensor, "LW V"], pasts: Sequence[Sequence[int]], sources: Sequence[int]
    ) -> Float[Tensor, "LW V"]:
        """Return the log-probabilities that are left.

        Args:
            log_probs: Of the next token of every row; may be changed in place.
            pasts: What each row has written.
            sources: Which source each row belongs to.
        """


class MinLength:
    """No end before an output has so many tokens.

    Args:
        num_tokens: Fewest tokens.
        eos: Id of the end.
    """

    def __init__(self, num_tokens: int, eos: int) -> None:
        self.num_tokens = num_tokens
        self.eos = eos

    def __call__(
        self, log_probs: Float[Tensor, "LW V"], pasts: Sequence[Sequence[int]], sources: Sequence[int]
    ) -> Float[Tensor, "LW V"]:
        """Forbid the end to short rows."""
        short = [row for row, past in enumerate(pasts) if len(past) < self.num_tokens]
        log_probs[short, self.eos] = -torch.inf
        return log_probs


class NoRepeatedNgrams:
    """No run of n tokens occurs twice in an output.

    Args:
        n: Length of the runs, at least 1.

    References:
        Paulus et al. 2018, §2.5 (arXiv:1705.04304).
    """

    def __init__(self, n: int) -> None:
        self.n = n

    def __call__(
        self, log_probs: Float[Tensor, "LW V"], pasts: Sequence[Sequence[int]], sources: Sequence[int]
    ) -> Float[Tensor, "LW V"]:
        """Forbid what would complete a run that has occurred."""
        for row, past in enumerate(pasts):
            last = tuple(past[len(past) - self.n + 1 :])
            starts = range(len(past) - self.n + 1)
            seen = [past[start + self.n - 1] for start in starts if tuple(past[start : start + self.n - 1]) == last]
            log_probs[row, seen] = -torch.inf
        return log_probs


class Prefix:
    """Outputs begin with given tokens; what else holds for an output holds after them.

    Args:
        prefixes: Tokens for each source; none leaves it free.
        then: Restrictions of what comes after.
    """

    def __init__(self, prefixes: Sequence[Sequence[int]], then: Sequence[Restriction] = ()) -> None:
        self.prefixes = prefixes
        self.then = then

    def __call__(
        self, log_probs: Float[Tensor, "LW V"], pasts: Sequence[Sequence[int]], sources: Sequence[int]
    ) -> Float[Tensor, "LW V"]:
        """Leave the next token of the prefix alone."""
        following = {
            row: self.prefixes[source][len(past)]
            for row, (past, source) in enumerate(zip(pasts, sources, strict=True))
            if len(past) < len(self.prefixes[source])
        }
        alone = {row: log_probs[row, token].clone() for row, token in following.items()}
        for restriction in self.then:
            log_probs = restriction(log_probs, pasts, sources)
        for row, token in following.items():
            log_probs[row] = -torch.inf
            log_probs[row, token] = alone[row]
        return log_probs


class NoSequence:
    """Outputs do not hold given runs of tokens.

    Args:
        sequences: For each source its runs, each of at least one token.
    """

    def __init__(self, sequences: Sequence[Sequence[Sequence[int]]]) -> None:
        self.sequences = sequences

    def __call__(
        self, log_probs: Float[Tensor, "LW V"], pasts: Sequence[Sequence[int]], sources: Sequence[int]
    ) -> Float[Tensor, "LW V"]:
        """Forbid the token that would complete a run."""
        for row, (past, source) in enumerate(zip(pasts, sources, strict=True)):
            for *beginning, last in self.sequences[source]:
                if not beginning or list(past[-len(beginning) :]) == beginning:
                    log_probs[row, last] = -torch.inf
        return log_probs
