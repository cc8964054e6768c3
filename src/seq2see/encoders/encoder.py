"""What every encoder does: turn a source into a memory."""

from abc import ABC, abstractmethod

from torch import nn

from seq2see.types import Memory, Source


class Encoder(nn.Module, ABC):
    """Reads the whole source once and keeps all its states.

    Attributes:
        memory_size: Size M of the memory values.
        final_size: Size F of ``Memory.final``.
    """

    memory_size: int
    final_size: int

    @property
    @abstractmethod
    def token_embedding(self) -> nn.Embedding:
        """The embedding of source tokens."""

    @abstractmethod
    def forward(self, source: Source) -> Memory:
        """Encode a batch of sources."""
