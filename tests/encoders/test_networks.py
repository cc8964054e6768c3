"""Padded batches, against torch's packed ones."""

import pytest
import torch
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from seq2see.encoders import LSTM
from seq2see.linear import reduce_products

LENGTHS = torch.tensor([9, 21, 1, 21, 4, 13, 2, 17, 20])
INPUT, HIDDEN = 6, 10


def read_packed(network: torch.nn.LSTM, inputs: torch.Tensor) -> torch.Tensor:
    packed = pack_padded_sequence(inputs, LENGTHS, batch_first=True, enforce_sorted=False)
    states, _ = pad_packed_sequence(network(packed)[0], batch_first=True, total_length=inputs.shape[1])
    return states


def with_gradients(network: torch.nn.LSTM, states: torch.Tensor, *others: torch.Tensor) -> list[torch.Tensor]:
    weights = torch.linspace(-1, 1, states.numel()).view(states.shape)
    return [states, *torch.autograd.grad((states * weights).sum(), [*others, *network.parameters()])]


@pytest.mark.parametrize("layers", [1, 3])
@pytest.mark.parametrize("both", [False, True])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_states_and_gradients_are_those_of_packed_batches(layers: int, both: bool, dtype: torch.dtype) -> None:
    network = LSTM(INPUT, HIDDEN, num_layers=layers, batch_first=True, bidirectional=both, dtype=dtype)
    inputs = torch.randn(len(LENGTHS), 21, INPUT, dtype=dtype, requires_grad=True)
    expected = with_gradients(network, read_packed(network, inputs), inputs)
    found = with_gradients(network, network.read_padded(inputs, LENGTHS), inputs)
    for one, other in zip(found, expected, strict=True):
        torch.testing.assert_close(one, other, rtol=1e-4, atol=1e-4 if dtype == torch.float32 else 1e-12)


def test_reduced_in_training_alone_and_near() -> None:
    network = LSTM(INPUT, HIDDEN, batch_first=True, bidirectional=True)
    inputs = torch.randn(len(LENGTHS), 21, INPUT, requires_grad=True)
    exact = with_gradients(network, network.read(inputs, LENGTHS), inputs)
    reduce_products(network, reduced=True)
    reduced = with_gradients(network, network.read(inputs, LENGTHS), inputs)
    assert not torch.equal(reduced[0], exact[0])
    for one, other in zip(reduced, exact, strict=True):
        assert one.dtype == torch.float32
        assert float(((one - other).norm() / other.norm()).detach()) < 0.02
    network.eval()
    assert torch.equal(network.read(inputs, LENGTHS), exact[0])


def test_dropout_between_layers() -> None:
    network = LSTM(INPUT, 50, num_layers=2, batch_first=True, dropout=0.5)
    reduce_products(network, reduced=True)
    inputs = torch.randn(len(LENGTHS), 21, INPUT)
    assert not torch.equal(network.read(inputs, LENGTHS), network.read(inputs, LENGTHS))
    network.eval()
    assert torch.equal(network.read(inputs, LENGTHS), network.read(inputs, LENGTHS))
