from collections.abc import Callable
from functools import partial

import pytest
import torch

from seq2see.encoders import GRU, LSTM, RNN, TextEncoder
from seq2see.types import Memory, Source

LENGTHS = [3, 40, 1, 17, 3, 2]


def make(
    *,
    network: type[LSTM] | type[GRU] | type[RNN] = LSTM,
    layers: int = 1,
    both: bool = True,
    residual: bool = True,
) -> TextEncoder:
    return TextEncoder(
        embedding=torch.nn.Embedding(19, 5, padding_idx=0),
        rnn=network(input_size=5, hidden_size=7, num_layers=layers, batch_first=True, bidirectional=both),
        residual=residual,
        dropout=0.0,
    ).eval()


def padded(sequences: list[torch.Tensor]) -> tuple[torch.Tensor, torch.Tensor]:
    return torch.nn.utils.rnn.pad_sequence(sequences, batch_first=True), torch.tensor([len(s) for s in sequences])


KINDS = [
    make,
    partial(make, network=GRU),
    partial(make, network=RNN),
    partial(make, both=False),
    partial(make, layers=2),
    partial(make, residual=False),
]


@pytest.mark.parametrize("kind", KINDS)
def test_alone_or_in_a_batch_is_the_same(kind: Callable[[], TextEncoder]) -> None:
    encoder = kind()
    sequences = [torch.randint(1, 19, (length,)) for length in LENGTHS]
    together: Memory = encoder(Source.of(*padded(sequences)))
    for row, sequence in enumerate(sequences):
        alone: Memory = encoder(Source.of(*padded([sequence])))
        torch.testing.assert_close(together.values[row, : len(sequence)], alone.values[0])
        torch.testing.assert_close(together.final[row], alone.final[0])
        assert (together.values[row, len(sequence) :] == 0.0).all()
        assert together.mask[row].sum() == len(sequence)


@pytest.mark.parametrize("kind", KINDS)
def test_content_of_padding_changes_nothing(kind: Callable[[], TextEncoder]) -> None:
    encoder = kind()
    source = Source.of(*padded([torch.randint(1, 19, (length,)) for length in LENGTHS]))
    before: Memory = encoder(source)
    with torch.no_grad():
        encoder.embedding.weight[0] = 1e3
    after: Memory = encoder(source)
    assert torch.equal(before.values, after.values)
    assert torch.equal(before.final, after.final)


def test_states_are_those_of_torch() -> None:
    encoder = make()
    source = torch.randint(1, 19, (1, 11))
    states, (last, _) = encoder.rnn(encoder.embedding(source))
    memory: Memory = encoder(Source.of(source, torch.tensor([11])))
    torch.testing.assert_close(memory.states, states)
    assert encoder.residual is not None
    torch.testing.assert_close(memory.values, states + encoder.residual(encoder.embedding(source)))
    torch.testing.assert_close(memory.final, torch.cat([last[0], last[1]], dim=1))
    # the last forward state stands at the end, the last backward state at the beginning
    torch.testing.assert_close(memory.final, torch.cat([states[:, -1, :7], states[:, 0, 7:]], dim=1))
