import pytest
import torch

from seq2see.layers import GRUCell, LSTMCell, RecurrentCell, RNNCell, StackedCells

E, H = 3, 7
CELLS = [LSTMCell, GRUCell, RNNCell]
Kind = type[LSTMCell] | type[GRUCell] | type[RNNCell]


def assert_equals_torch(ours: RecurrentCell, theirs: torch.nn.RNNCellBase) -> None:
    """Step both from the same state; the cell of torch projects the input itself."""
    inputs = torch.randn(2, E)
    state = tuple(torch.randn(2, H) for _ in ours.state_names)
    expected = theirs(inputs, state if len(state) > 1 else state[0])
    got = ours(inputs @ theirs.weight_ih.T + theirs.bias_ih, state)
    torch.testing.assert_close(got, expected if len(state) > 1 else (expected,))


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (LSTMCell(hidden_size=H), torch.nn.LSTMCell(E, H)),
        (GRUCell(hidden_size=H), torch.nn.GRUCell(E, H)),
        (RNNCell(hidden_size=H), torch.nn.RNNCell(E, H)),
    ],
    ids=["lstm", "gru", "rnn"],
)
def test_cells_are_those_of_torch(ours: RecurrentCell, theirs: torch.nn.RNNCellBase) -> None:
    with torch.no_grad():
        theirs.weight_hh.copy_(ours.get_parameter("hidden_projection.weight"))
        theirs.bias_hh.zero_()
        if isinstance(ours, GRUCell):
            theirs.bias_hh.copy_(ours.hidden_projection.bias)
    assert_equals_torch(ours, theirs)


def test_stacked_cells_are_those_of_torch() -> None:
    stack = StackedCells(cells=[LSTMCell(hidden_size=H) for _ in range(3)], dropout=0.0)
    theirs = torch.nn.LSTM(E, H, num_layers=3, batch_first=True)
    with torch.no_grad():
        for layer in range(3):
            getattr(theirs, f"weight_hh_l{layer}").copy_(stack.get_parameter(f"cells.{layer}.hidden_projection.weight"))
            getattr(theirs, f"bias_hh_l{layer}").zero_()
            if layer:
                getattr(theirs, f"weight_ih_l{layer}").copy_(stack.get_parameter(f"projections.{layer - 1}.weight"))
                getattr(theirs, f"bias_ih_l{layer}").copy_(stack.get_parameter(f"projections.{layer - 1}.bias"))
    inputs = torch.randn(2, 5, E)
    state = tuple(torch.randn(2, H) for _ in stack.state_names)
    first = (theirs.get_parameter("weight_ih_l0"), theirs.get_parameter("bias_ih_l0"))
    top_first = [torch.stack(state[kind::2]).flip(0) for kind in range(2)]
    expected, (hidden, cell) = theirs(inputs, (top_first[0], top_first[1]))
    for position in range(5):
        state = stack(torch.nn.functional.linear(inputs[:, position], *first), state)
        torch.testing.assert_close(state[0], expected[:, position])
    torch.testing.assert_close(torch.stack(state[0::2]).flip(0), hidden)
    torch.testing.assert_close(torch.stack(state[1::2]).flip(0), cell)
    assert stack.state_names[:2] == ("layer2.hidden", "layer2.cell")


@pytest.mark.parametrize("kind", CELLS)
def test_gradients_are_those_of_finite_differences(kind: Kind) -> None:
    cell = kind(hidden_size=H).double()
    from_input = torch.randn(2, cell.gates_size, dtype=torch.float64, requires_grad=True)
    state = tuple(torch.randn(2, H, dtype=torch.float64, requires_grad=True) for _ in cell.state_names)

    def step(from_input: torch.Tensor, *state: torch.Tensor) -> tuple[torch.Tensor, ...]:
        new: tuple[torch.Tensor, ...] = cell(from_input, state)
        return new

    assert torch.autograd.gradcheck(step, (from_input, *state))
