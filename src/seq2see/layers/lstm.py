"""Long short-term memory."""

from typing import ClassVar

import torch
from jaxtyping import Float
from torch import Tensor, nn

from seq2see.layers.recurrent_cell import RecurrentCell


def lstm_gates(
    gates: Float[Tensor, "B G"], cell: Float[Tensor, "B H"]
) -> tuple[Float[Tensor, "B H"], Float[Tensor, "B H"]]:
    """Apply the gates (order: input, forget, candidate, output) and return the new (hidden, cell)."""
    input_gate, forget_gate, candidate, output_gate = gates.chunk(4, dim=-1)
    cell = forget_gate.sigmoid() * cell + input_gate.sigmoid() * candidate.tanh()
    return output_gate.sigmoid() * cell.tanh(), cell


class LSTMCell(RecurrentCell):
    r"""A hidden state, and a cell that gates let through, add to and show.

    .. math::
        \begin{pmatrix} i \\ f \\ g \\ o \end{pmatrix} &= W_x x + W_c c + W_h h + b \\
        \mathit{cell}' &= \sigma(f) \odot \mathit{cell} + \sigma(i) \odot \tanh(g) \\
        h' &= \sigma(o) \odot \tanh(\mathit{cell}')

    :math:`x` is the known input (the embedding), :math:`c` the one made at the step (the context). One bias,
    where torch has two.

    Args:
        input_size: Size of x.
        context_size: Size of c.
        hidden_size: Size of h and of the cell.

    References:
        Hochreiter & Schmidhuber 1997; Gers et al. 2000 (forget gate).
    """

    state_names: ClassVar[tuple[str, ...]] = ("hidden", "cell")

    def __init__(self, *, input_size: int, context_size: int, hidden_size: int) -> None:
        super().__init__()
        self.input_projection = nn.Linear(input_size, 4 * hidden_size)
        self.recurrent_projection = nn.Linear(context_size + hidden_size, 4 * hidden_size, bias=False)

    def project_input(self, inputs: Float[Tensor, "*batch E"]) -> Float[Tensor, "*batch G"]:
        """W_x x + b."""
        projected: Tensor = self.input_projection(inputs)
        return projected

    def forward(
        self, projected_input: Float[Tensor, "B G"], context: Float[Tensor, "B M"], state: tuple[Tensor, ...]
    ) -> tuple[Tensor, ...]:
        """Return the new (hidden, cell)."""
        hidden, cell = state
        gates = projected_input + self.recurrent_projection(torch.cat([context, hidden], dim=-1))
        return lstm_gates(gates, cell)
