"""Gated recurrent unit."""

from typing import ClassVar

from jaxtyping import Float
from torch import Tensor, nn

from seq2see.layers.recurrent_cell import RecurrentCell


def gru_gates(
    from_input: Float[Tensor, "B G"], from_hidden: Float[Tensor, "B G"], hidden: Float[Tensor, "B H"]
) -> Float[Tensor, "B H"]:
    """Apply the gates (order: reset, update, candidate) and return the new hidden state."""
    reset_input, update_input, candidate_input = from_input.chunk(3, dim=-1)
    reset_hidden, update_hidden, candidate_hidden = from_hidden.chunk(3, dim=-1)
    reset = (reset_input + reset_hidden).sigmoid()
    update = (update_input + update_hidden).sigmoid()
    candidate = (candidate_input + reset * candidate_hidden).tanh()
    return update * hidden + (1.0 - update) * candidate


class GRUCell(RecurrentCell):
    r"""A hidden state that a gate keeps or replaces; the cell of Bahdanau et al.

    .. math::
        r &= \sigma(W_r [x; c] + U_r h + b_r) \qquad z = \sigma(W_z [x; c] + U_z h + b_z) \\
        n &= \tanh(W_n [x; c] + b_n + r \odot (U_n h + b_{hn})) \\
        h' &= z \odot h + (1 - z) \odot n

    As torch has it: the reset gate acts on :math:`U_n h + b_{hn}`, and :math:`z` keeps the old state. In the paper
    it acts on :math:`h` itself, and :math:`z` takes the new one.

    Args:
        input_size: Size of x.
        context_size: Size of c.
        hidden_size: Size of h.

    References:
        Cho et al. 2014 (arXiv:1406.1078); Bahdanau et al. 2015, appendix A.1.1 (arXiv:1409.0473).
    """

    state_names: ClassVar[tuple[str, ...]] = ("hidden",)

    def __init__(self, *, input_size: int, context_size: int, hidden_size: int) -> None:
        super().__init__()
        self.input_projection = nn.Linear(input_size, 3 * hidden_size)
        self.context_projection = nn.Linear(context_size, 3 * hidden_size, bias=False)
        self.hidden_projection = nn.Linear(hidden_size, 3 * hidden_size)

    def project_input(self, inputs: Float[Tensor, "*batch E"]) -> Float[Tensor, "*batch G"]:
        """W_x x + b."""
        projected: Tensor = self.input_projection(inputs)
        return projected

    def forward(
        self, projected_input: Float[Tensor, "B G"], context: Float[Tensor, "B M"], state: tuple[Tensor, ...]
    ) -> tuple[Tensor, ...]:
        """Return the new (hidden,)."""
        (hidden,) = state
        from_input = projected_input + self.context_projection(context)
        return (gru_gates(from_input, self.hidden_projection(hidden), hidden),)
