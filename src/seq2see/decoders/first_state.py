"""What every first state does: begin from the summary of the source."""

from abc import ABC, abstractmethod

from jaxtyping import Float
from torch import Tensor, nn


class FirstState(nn.Module, ABC):
    """Makes the parts of a recurrent cell's state before the first step."""

    @abstractmethod
    def forward(self, final: Float[Tensor, "B F"]) -> tuple[Tensor, ...]:
        """Return one tensor per part, each ``Float[Tensor, "B H"]``.

        Args:
            final: ``Memory.final``.
        """
