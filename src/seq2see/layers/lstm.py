"""Long short-term memory."""

from jaxtyping import Float
from torch import Tensor

from seq2see.layers.recurrent_cell import RecurrentCell
from seq2see.linear import Linear
from seq2see.recurrence import CellParts, LSTMGates
from seq2see.tanh import tanh


def lstm_gates(
    gates: Float[Tensor, "B G"], cell: Float[Tensor, "B H"]
) -> tuple[Float[Tensor, "B H"], Float[Tensor, "B H"]]:
    """Apply the gates (order: input, forget, candidate, output) and return the new (hidden, cell)."""
    input_gate, forget_gate, candidate, output_gate = gates.chunk(4, dim=-1)
    cell = forget_gate.sigmoid() * cell + input_gate.sigmoid() * tanh(candidate)
    return output_gate.sigmoid() * tanh(cell), cell


class LSTMCell(RecurrentCell):
    r"""A hidden state, and a cell that gates let through, add to and show.

    .. math::
        \begin{pmatrix} i \\ f \\ g \\ o \end{pmatrix} &= (W_x x + b) + W_h h \\
        \mathit{cell}' &= \sigma(f) \odot \mathit{cell} + \sigma(i) \odot \tanh(g) \\
        h' &= \sigma(o) \odot \tanh(\mathit{cell}')

    :math:`x` is the input. One bias, where torch has two.

    Args:
        hidden_size: Size of h and of the cell.

    References:
        Hochreiter & Schmidhuber 1997; Gers et al. 2000 (forget gate).
    """

    state_names = ("hidden", "cell")

    def __init__(self, *, hidden_size: int) -> None:
        super().__init__()
        self.hidden_size, self.gates_size = hidden_size, 4 * hidden_size
        self.hidden_projection = Linear(hidden_size, self.gates_size, bias=False)

    def parts(self) -> CellParts:
        """See ``RecurrentCell``."""
        return CellParts(LSTMGates(), self.hidden_projection.weight, None)

    def forward(self, from_input: Float[Tensor, "B G"], state: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
        """Return the new (hidden, cell)."""
        hidden, cell = state
        return lstm_gates(from_input + self.hidden_projection(hidden), cell)
