"""What every normaliser does: turn energies into weights."""

from abc import ABC, abstractmethod

from jaxtyping import Bool, Float
from torch import Tensor, nn

from seq2see.attention.carry import Carry


class Normaliser(nn.Module, ABC):
    """From energies to weights that are at least 0, sum to 1, and are exactly 0 on padding.

    Attributes:
        is_softmax: Whether it is the softmax over real positions.
    """

    is_softmax = False

    @abstractmethod
    def forward(
        self, energy: Float[Tensor, "B S"], mask: Bool[Tensor, "B S"], query: Float[Tensor, "B Q"], carry: Carry
    ) -> Float[Tensor, "B S"]:
        """Return the weights.

        Args:
            energy: From a scorer.
            mask: True where a position is real.
            query: What the decoder looks with.
            carry: Weights of earlier steps.
        """
