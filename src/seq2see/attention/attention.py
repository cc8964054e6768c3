"""What every attention does: look back at the memory, with one query at a time."""

from abc import ABC, abstractmethod
from typing import NamedTuple

from jaxtyping import Float
from torch import Tensor, nn

from seq2see.recurrence import AttentionParts
from seq2see.types import DecoderState, Memory


class AttentionOutput(NamedTuple):
    """What one look at the memory gives.

    Args:
        context: The context vector c.
        head_weights: Weights α of every head; each row sums to 1 and is exactly 0 on padding.
        state: The entries of the decoder's state that the look has changed.
    """

    context: Float[Tensor, "B C"]
    head_weights: Float[Tensor, "B N S"]
    state: DecoderState


class Attention(nn.Module, ABC):
    """Looks back at a memory. What it needs of the memory, and remembers between steps, is in the decoder's state.

    Attributes:
        context_size: Size of the context vector.
    """

    context_size: int

    @abstractmethod
    def init_state(self, memory: Memory) -> DecoderState:
        """Do all work that depends on the memory alone: once per source, never per step."""

    def parts(self, state: DecoderState, *, reduced: bool) -> AttentionParts | None:
        """What the attention is made of, for the recurrence that is one function; None where that cannot be.

        Args:
            state: From ``init_state``, with ``mask``.
            reduced: Whether products are made in bfloat16.
        """
        return None

    @abstractmethod
    def contexts(self, state: DecoderState) -> Float[Tensor, "B S C"]:
        """What the context would be were all weight on one position; for every position."""

    @abstractmethod
    def forward(self, query: Float[Tensor, "B Q"], state: DecoderState) -> AttentionOutput:
        """Look back once.

        Args:
            query: What the decoder looks with.
            state: Holds what ``init_state`` made, and ``mask``.
        """
