"""Reading a padded batch, beside torch's networks."""

import pytest
import torch
from torch import Tensor, nn

from seq2see.layers import Reader

NETWORKS = {"lstm": nn.LSTM, "gru": nn.GRU, "rnn": nn.RNN}
LENGTHS = torch.tensor([5, 2, 7, 1])


def read(reader: Reader, inputs: Tensor, *, learning: bool) -> tuple[Tensor, list[Tensor]]:
    """States, and gradients of a sum of them that tells all apart."""
    reader.train(learning)
    reader.zero_grad()
    inputs = inputs.clone().requires_grad_()
    states = reader(inputs, LENGTHS)
    weights = torch.linspace(-1.0, 2.0, states.numel(), dtype=states.dtype).view_as(states)
    (states * weights).sum().backward()
    gradients = [parameter.grad for parameter in (inputs, *reader.parameters())]
    return states.detach(), [gradient for gradient in gradients if gradient is not None]


def reader_of(kind: str, num_layers: int, bidirectional: bool, dtype: torch.dtype = torch.float64) -> Reader:
    network = NETWORKS[kind](3, 6, num_layers, batch_first=True, bidirectional=bidirectional, dtype=dtype)
    return Reader(network)


@pytest.mark.parametrize("kind", ["lstm", "gru", "rnn"])
@pytest.mark.parametrize("num_layers", [1, 2])
@pytest.mark.parametrize("bidirectional", [True, False])
def test_learning_gives_what_torch_gives(kind: str, num_layers: int, bidirectional: bool) -> None:
    reader = reader_of(kind, num_layers, bidirectional)
    inputs = torch.randn(4, 7, 3, dtype=torch.float64)
    ours, our_gradients = read(reader, inputs, learning=True)
    theirs, their_gradients = read(reader, inputs, learning=False)
    torch.testing.assert_close(ours, theirs, rtol=0, atol=1e-12)
    assert len(our_gradients) == len(their_gradients) == 1 + len(list(reader.parameters()))
    for one, other in zip(our_gradients, their_gradients, strict=True):
        torch.testing.assert_close(one, other, rtol=1e-10, atol=1e-12)


def test_padding_is_neither_read_nor_learnt_from() -> None:
    reader = reader_of("lstm", 2, True).train()
    inputs = torch.randn(4, 7, 3, dtype=torch.float64)
    other = inputs.clone()
    for row, length in enumerate(LENGTHS):
        other[row, length:] = 1e6
    first, of_first = read(reader, inputs, learning=True)
    second, of_second = read(reader, other, learning=True)
    torch.testing.assert_close(first, second, rtol=0, atol=0)
    for one, two in zip(of_first[1:], of_second[1:], strict=True):
        torch.testing.assert_close(one, two, rtol=0, atol=0)
    for row, length in enumerate(LENGTHS):
        assert not first[row, length:].any()
        assert not of_first[0][row, length:].any()


@pytest.mark.parametrize("kind", ["lstm", "gru"])
def test_products_in_bfloat16_are_near(kind: str) -> None:
    reader = reader_of(kind, 1, True, torch.float32)
    inputs = torch.randn(4, 7, 3)
    exact, exact_gradients = read(reader, inputs, learning=True)
    reader.reduced = True
    near, near_gradients = read(reader, inputs, learning=True)
    assert not torch.equal(exact, near)
    torch.testing.assert_close(near, exact, rtol=0, atol=0.02)
    for one, other in zip(near_gradients, exact_gradients, strict=True):
        assert (one - other).norm() < 0.03 * other.norm()


def test_layers_are_dropped_out_between() -> None:
    torch.manual_seed(1)
    reader = Reader(nn.LSTM(3, 6, 2, batch_first=True, dropout=0.5)).train()
    inputs = torch.randn(4, 7, 3)
    assert not torch.equal(reader(inputs, LENGTHS), reader(inputs, LENGTHS))
    one_layer = Reader(nn.LSTM(3, 6, 1, batch_first=True)).train()
    torch.testing.assert_close(one_layer(inputs, LENGTHS), one_layer(inputs, LENGTHS), rtol=0, atol=0)
