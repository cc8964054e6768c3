"""One step of a long short-term memory."""

import torch
from jaxtyping import Float
from torch import Tensor, nn


def lstm_gates(
    gates: Float[Tensor, "B G"], cell: Float[Tensor, "B H"]
) -> tuple[Float[Tensor, "B H"], Float[Tensor, "B H"]]:
    """Apply the gates (order: input, forget, candidate, output) and return the new (hidden, cell)."""
    input_gate, forget_gate, candidate, output_gate = gates.chunk(4, dim=-1)
    cell = forget_gate.sigmoid() * cell + input_gate.sigmoid() * candidate.tanh()
    return output_gate.sigmoid() * cell.tanh(), cell


class LSTMCell(nn.Module):
    r"""A cell whose input comes in two parts: one known for all steps beforehand, one made at the step.

    .. math::
        \begin{pmatrix} i \\ f \\ g \\ o \end{pmatrix} &= W_x x + W_c c + W_h h + b \\
        \mathit{cell}' &= \sigma(f) \odot \mathit{cell} + \sigma(i) \odot \tanh(g) \\
        h' &= \sigma(o) \odot \tanh(\mathit{cell}')

    :math:`x` is the known part (the embedding), :math:`c` the part made at the step (the context).
    :math:`[W_x\;W_c]` is the input matrix of an ordinary LSTM on the concatenation [x; c], so this is that
    LSTM; the split lets W_x x of all target positions be one product. One bias, where torch has two.

    Args:
        input_size: Size of x.
        context_size: Size of c.
        hidden_size: Size of h and of the cell.

    References:
        Hochreiter & Schmidhuber 1997; Gers et al. 2000 (forget gate).
    """

    def __init__(self, *, input_size: int, context_size: int, hidden_size: int) -> None:
        super().__init__()
        self.input_projection = nn.Linear(input_size, 4 * hidden_size)
        self.recurrent_projection = nn.Linear(context_size + hidden_size, 4 * hidden_size, bias=False)

    def project_input(self, inputs: Float[Tensor, "*batch E"]) -> Float[Tensor, "*batch G"]:
        """W_x x + b, for one step or for all steps at once."""
        projected: Tensor = self.input_projection(inputs)
        return projected

    def forward(
        self,
        projected_input: Float[Tensor, "B G"],
        context: Float[Tensor, "B M"],
        hidden: Float[Tensor, "B H"],
        cell: Float[Tensor, "B H"],
    ) -> tuple[Float[Tensor, "B H"], Float[Tensor, "B H"]]:
        """Return the new (hidden, cell)."""
        gates = projected_input + self.recurrent_projection(torch.cat([context, hidden], dim=-1))
        return lstm_gates(gates, cell)
