"""What every encoder does: turn a source into a memory."""

from abc import ABC, abstractmethod

from jaxtyping import Int
from torch import Tensor, nn

from seq2see.types import Memory


class Encoder(nn.Module, ABC):
    """Reads the whole source once and keeps all its states.

    Attributes:
        memory_size: Size M of the memory values.
        final_size: Size F of ``Memory.final``.
    """

    memory_size: int
    final_size: int

    @abstractmethod
    def forward(self, source: Int[Tensor, "B S"], lengths: Int[Tensor, " B"]) -> Memory:
        """Encode a right-padded batch.

        Args:
            source: Token ids, right-padded.
            lengths: True lengths in tokens, each at least 1.
        """
