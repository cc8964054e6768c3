"""What every recurrent cell does: one step from state to state."""

from abc import ABC, abstractmethod
from typing import ClassVar

from jaxtyping import Float
from torch import Tensor, nn


class RecurrentCell(nn.Module, ABC):
    """A cell whose input comes in two parts: x, known for all steps beforehand, and c, made at the step.

    The two are an ordinary cell's input [x; c]; the split lets W_x x of all positions be one product.

    Attributes:
        state_names: What the parts of the state are called; the first is the hidden state, which the rest of a
            decoder sees.
    """

    state_names: ClassVar[tuple[str, ...]]

    @abstractmethod
    def project_input(self, inputs: Float[Tensor, "*batch E"]) -> Float[Tensor, "*batch G"]:
        """W_x x + b, for one step or for all steps at once."""

    @abstractmethod
    def forward(
        self, projected_input: Float[Tensor, "B G"], context: Float[Tensor, "B M"], state: tuple[Tensor, ...]
    ) -> tuple[Tensor, ...]:
        """Return the new state; as many parts as ``state_names``, each (B, H)."""
