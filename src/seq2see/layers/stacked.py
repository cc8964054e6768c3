"""Recurrent cells on top of each other."""

from collections.abc import Sequence

from jaxtyping import Float
from torch import Tensor, nn

from seq2see.layers.dropout import Dropout
from seq2see.layers.recurrent_cell import RecurrentCell
from seq2see.linear import Linear


class StackedCells(RecurrentCell):
    r"""Every cell reads the hidden state of the one below it.

    .. math:: h'^{(l)} = \mathrm{cell}^{(l)}(W^{(l)} h'^{(l-1)} + b^{(l)}, h^{(l)})

    The parts of the state are those of the top layer, then of the one below it, and so on.

    Args:
        cells: From the lowest to the highest, at least two, of one size.
        dropout: Share of the values between layers that are zeroed in training.
    """

    def __init__(self, *, cells: Sequence[RecurrentCell], dropout: float) -> None:
        super().__init__()
        self.cells = nn.ModuleList(cells)
        self.projections = nn.ModuleList(Linear(cell.hidden_size, cell.gates_size) for cell in cells[1:])
        self.dropout = Dropout(dropout)
        self.num_parts = len(cells[0].state_names)
        self.hidden_size, self.gates_size = cells[0].hidden_size, cells[0].gates_size
        self.state_names = tuple(
            f"layer{layer}.{name}" for layer in reversed(range(len(cells))) for name in cells[layer].state_names
        )

    def forward(self, from_input: Float[Tensor, "B G"], state: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
        """Return the new state of all layers, the top layer first."""
        size = self.num_parts
        states = [state[start : start + size] for start in range(0, len(state), size)][::-1]
        after: list[tuple[Tensor, ...]] = []
        for layer, cell in enumerate(self.cells):
            if layer > 0:
                from_input = self.projections[layer - 1](self.dropout(after[-1][0]))
            after.append(cell(from_input, states[layer]))
        return tuple(part for parts in reversed(after) for part in parts)
