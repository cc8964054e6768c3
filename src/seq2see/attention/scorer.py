"""What every scorer does: compare one query with all keys of the memory."""

from abc import ABC, abstractmethod
from typing import NamedTuple

from jaxtyping import Float
from torch import Tensor, nn

from seq2see.attention.carry import Carry
from seq2see.recurrence import Energy


class ScorerParts(NamedTuple):
    """A scorer as tensors; see ``AttentionParts``."""

    energy: Energy
    query_weight: Float[Tensor, "A Q"] | None = None
    v: Float[Tensor, " A"] | None = None


class Scorer(nn.Module, ABC):
    """An alignment model a(s, h): how well does memory position j fit the query?

    ``project`` holds all work that depends on the memory alone and is done once per source;
    ``energy`` is done at every step. Nothing is kept on the module between the two.
    """

    @abstractmethod
    def project(self, states: Float[Tensor, "B S M"]) -> Float[Tensor, "B S K"]:
        """Turn memory states into keys, once per source."""

    def parts(self) -> ScorerParts | None:
        """What the scorer is made of, for the recurrence that is one function; None where that has no such energies."""
        return None

    @abstractmethod
    def energy(self, query: Float[Tensor, "B Q"], keys: Float[Tensor, "B S K"], carry: Carry) -> Float[Tensor, "B S"]:
        """Compare the query with every key; not yet masked, not yet normalised.

        Args:
            query: What the decoder looks with.
            keys: From ``project``.
            carry: Weights of earlier steps, for the scorers that look at them.
        """
