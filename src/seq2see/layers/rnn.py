"""The plain recurrent cell."""

from jaxtyping import Float
from torch import Tensor

from seq2see.layers.recurrent_cell import RecurrentCell
from seq2see.linear import Linear
from seq2see.tanh import tanh


class RNNCell(RecurrentCell):
    r"""One layer of tanh over input and state.

    .. math:: h' = \tanh((W_x x + b) + W_h h)

    Args:
        hidden_size: Size of h.

    References:
        Elman 1990.
    """

    state_names = ("hidden",)

    def __init__(self, *, hidden_size: int) -> None:
        super().__init__()
        self.hidden_size, self.gates_size = hidden_size, hidden_size
        self.hidden_projection = Linear(hidden_size, hidden_size, bias=False)

    def forward(self, from_input: Float[Tensor, "B G"], state: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
        """Return the new (hidden,)."""
        (hidden,) = state
        return (tanh(from_input + self.hidden_projection(hidden)),)
