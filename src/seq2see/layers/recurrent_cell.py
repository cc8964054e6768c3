"""What every recurrent cell does: one step from state to state."""

from abc import ABC, abstractmethod

from jaxtyping import Float
from torch import Tensor, nn

from seq2see.recurrence import CellParts


class RecurrentCell(nn.Module, ABC):
    """A cell that is given its input as W_x x + b, so that this can be made for all known steps in one product.

    Attributes:
        state_names: What the parts of the state are called; the first is the hidden state, which the rest of a
            decoder sees. All hidden states have names that end in ``hidden``.
        hidden_size: Size H of each part of the state.
        gates_size: Size G of the input: all gates.
    """

    state_names: tuple[str, ...]
    hidden_size: int
    gates_size: int

    def parts(self) -> CellParts | None:
        """What the cell is made of, for the recurrence that is one function; None where that has no such cell."""
        return None

    @abstractmethod
    def forward(self, from_input: Float[Tensor, "B G"], state: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
        """Return the new state.

        Args:
            from_input: W_x x + b for all gates.
            state: One tensor per name.
        """
