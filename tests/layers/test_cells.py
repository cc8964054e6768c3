import pytest
import torch

from seq2see.layers import GRUCell, LSTMCell, RecurrentCell, RNNCell

E, M, H = 3, 5, 7
CELLS = [LSTMCell, GRUCell, RNNCell]


def make(kind: type[LSTMCell] | type[GRUCell] | type[RNNCell]) -> RecurrentCell:
    return kind(input_size=E, context_size=M, hidden_size=H)


def assert_equals_torch(ours: RecurrentCell, theirs: torch.nn.RNNCellBase, weight_ih: torch.Tensor) -> None:
    """Step both from the same state; ``weight_ih`` is our input matrix on [x; c]."""
    with torch.no_grad():
        theirs.weight_ih.copy_(weight_ih)
    inputs, context = torch.randn(2, E), torch.randn(2, M)
    state = tuple(torch.randn(2, H) for _ in ours.state_names)
    expected = theirs(torch.cat([inputs, context], dim=1), state if len(state) > 1 else state[0])
    got = ours(ours.project_input(inputs), context, state)
    torch.testing.assert_close(got, expected if len(state) > 1 else (expected,))


def test_lstm_equals_torch_on_the_concatenated_input() -> None:
    ours, theirs = LSTMCell(input_size=E, context_size=M, hidden_size=H), torch.nn.LSTMCell(E + M, H)
    recurrent = ours.recurrent_projection.weight
    with torch.no_grad():
        theirs.weight_hh.copy_(recurrent[:, M:])
        theirs.bias_ih.copy_(ours.input_projection.bias)
        theirs.bias_hh.zero_()
    assert_equals_torch(ours, theirs, torch.cat([ours.input_projection.weight, recurrent[:, :M]], dim=1))


def test_gru_equals_torch_on_the_concatenated_input() -> None:
    ours, theirs = GRUCell(input_size=E, context_size=M, hidden_size=H), torch.nn.GRUCell(E + M, H)
    with torch.no_grad():
        theirs.weight_hh.copy_(ours.hidden_projection.weight)
        theirs.bias_ih.copy_(ours.input_projection.bias)
        theirs.bias_hh.copy_(ours.hidden_projection.bias)
    assert_equals_torch(ours, theirs, torch.cat([ours.input_projection.weight, ours.context_projection.weight], dim=1))


def test_rnn_equals_torch_on_the_concatenated_input() -> None:
    ours, theirs = RNNCell(input_size=E, context_size=M, hidden_size=H), torch.nn.RNNCell(E + M, H)
    recurrent = ours.recurrent_projection.weight
    with torch.no_grad():
        theirs.weight_hh.copy_(recurrent[:, M:])
        theirs.bias_ih.copy_(ours.input_projection.bias)
        theirs.bias_hh.zero_()
    assert_equals_torch(ours, theirs, torch.cat([ours.input_projection.weight, recurrent[:, :M]], dim=1))


@pytest.mark.parametrize("kind", CELLS)
def test_gradients_are_those_of_finite_differences(
    kind: type[LSTMCell] | type[GRUCell] | type[RNNCell],
) -> None:
    cell = make(kind).double()
    inputs = torch.randn(2, E, dtype=torch.float64, requires_grad=True)
    context = torch.randn(2, M, dtype=torch.float64, requires_grad=True)
    state = tuple(torch.randn(2, H, dtype=torch.float64, requires_grad=True) for _ in cell.state_names)

    def step(inputs: torch.Tensor, context: torch.Tensor, *state: torch.Tensor) -> tuple[torch.Tensor, ...]:
        new: tuple[torch.Tensor, ...] = cell(cell.project_input(inputs), context, state)
        return new

    assert torch.autograd.gradcheck(step, (inputs, context, *state))
