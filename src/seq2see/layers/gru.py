"""Gated recurrent unit."""

from jaxtyping import Float
from torch import Tensor

from seq2see.layers.recurrent_cell import RecurrentCell
from seq2see.linear import Linear
from seq2see.recurrence import CellParts, GRUGates
from seq2see.tanh import tanh


def gru_gates(
    from_input: Float[Tensor, "B G"], from_hidden: Float[Tensor, "B G"], hidden: Float[Tensor, "B H"]
) -> Float[Tensor, "B H"]:
    """Apply the gates (order: reset, update, candidate) and return the new hidden state."""
    reset_input, update_input, candidate_input = from_input.chunk(3, dim=-1)
    reset_hidden, update_hidden, candidate_hidden = from_hidden.chunk(3, dim=-1)
    reset = (reset_input + reset_hidden).sigmoid()
    update = (update_input + update_hidden).sigmoid()
    candidate = tanh(candidate_input + reset * candidate_hidden)
    return update * hidden + (1.0 - update) * candidate


class GRUCell(RecurrentCell):
    r"""A hidden state that a gate keeps or replaces; the cell of Bahdanau et al.

    .. math::
        r &= \sigma(W_r x + U_r h + b_r) \qquad z = \sigma(W_z x + U_z h + b_z) \\
        n &= \tanh(W_n x + b_n + r \odot (U_n h + b_{hn})) \\
        h' &= z \odot h + (1 - z) \odot n

    As torch has it: the reset gate acts on :math:`U_n h + b_{hn}`, and :math:`z` keeps the old state. In the paper
    it acts on :math:`h` itself, and :math:`z` takes the new one.

    Args:
        hidden_size: Size of h.

    References:
        Cho et al. 2014 (arXiv:1406.1078); Bahdanau et al. 2015, appendix A.1.1 (arXiv:1409.0473).
    """

    state_names = ("hidden",)

    def __init__(self, *, hidden_size: int) -> None:
        super().__init__()
        self.hidden_size, self.gates_size = hidden_size, 3 * hidden_size
        self.hidden_projection = Linear(hidden_size, self.gates_size)

    def parts(self) -> CellParts:
        """See ``RecurrentCell``."""
        return CellParts(GRUGates(), self.hidden_projection.weight, self.hidden_projection.bias)

    def forward(self, from_input: Float[Tensor, "B G"], state: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
        """Return the new (hidden,)."""
        (hidden,) = state
        return (gru_gates(from_input, self.hidden_projection(hidden), hidden),)
