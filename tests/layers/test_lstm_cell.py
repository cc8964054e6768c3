import torch

from seq2see.layers import LSTMCell


def test_equals_torch_on_the_concatenated_input() -> None:
    ours = LSTMCell(input_size=3, context_size=5, hidden_size=7)
    theirs = torch.nn.LSTMCell(3 + 5, 7)
    with torch.no_grad():
        recurrent = ours.recurrent_projection.weight
        theirs.weight_ih.copy_(torch.cat([ours.input_projection.weight, recurrent[:, :5]], dim=1))
        theirs.weight_hh.copy_(recurrent[:, 5:])
        theirs.bias_ih.copy_(ours.input_projection.bias)
        theirs.bias_hh.zero_()
    inputs, context = torch.randn(2, 3), torch.randn(2, 5)
    hidden, cell = torch.randn(2, 7), torch.randn(2, 7)
    expected = theirs(torch.cat([inputs, context], dim=1), (hidden, cell))
    got = ours(ours.project_input(inputs), context, hidden, cell)
    torch.testing.assert_close(got, expected)


def test_gradients_are_those_of_finite_differences() -> None:
    cell = LSTMCell(input_size=3, context_size=2, hidden_size=5).double()
    shapes = [(2, 20), (2, 2), (2, 5), (2, 5)]
    inputs = tuple(torch.randn(*shape, dtype=torch.float64, requires_grad=True) for shape in shapes)
    assert torch.autograd.gradcheck(cell, inputs)
