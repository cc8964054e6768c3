import itertools

import pytest
import torch
from torch import Tensor

from seq2see.data.batches import Batch, make_batch
from seq2see.data.special import EOS, NEVER_PRODUCED, PAD
from seq2see.decoders import TeacherForcedOutput, read_own_tokens
from seq2see.losses import CrossEntropy
from seq2see.seq2seq import Seq2Seq
from tests.small import small_translator

KINDS = [
    [],
    ["model.decoder.order=luong"],
    ["model.decoder.copies=true"],
    ["model.embedding_size=8", "model.decoder.hidden_size=8", "model.decoder.type=transformer"],
]


def read_own(model: Seq2Seq, batch: Batch, own: Tensor) -> TeacherForcedOutput:
    return read_own_tokens(model.decoder, batch.decoder_input, model.encoder(batch.source), own)


@pytest.mark.parametrize("settings", KINDS)
def test_with_the_teacher_alone_it_is_teacher_forcing(settings: list[str]) -> None:
    translator = small_translator(*settings, spread=3.0)
    model = translator.model.double()
    batch = make_batch(translator.tokenizers.encode_pairs(["abc", "defgh"], ["xyzw", "pq"]))
    nothing = torch.zeros(batch.labels.shape, dtype=torch.bool)
    ours = read_own(model, batch, nothing)
    expected = model(batch.source, batch.decoder_input)
    torch.testing.assert_close(ours.logits, expected.logits)
    torch.testing.assert_close(ours.head_weights, expected.head_weights)


@pytest.mark.parametrize("settings", KINDS)
def test_alone_it_reads_what_greedy_search_writes(settings: list[str]) -> None:
    translator = small_translator(*settings)
    sources = ["abcdefgh", "q", "xyab", "hello", "mnop", "zz"]
    batch = make_batch(translator.tokenizers.encode_pairs(sources, ["zzzz"] * len(sources)))
    output = read_own(translator.model, batch, torch.ones(batch.labels.shape, dtype=torch.bool))
    num_read = 0
    for greedy, ids in zip(translator.translate(sources, beam=1), output.logits.argmax(dim=-1).tolist(), strict=True):
        usual = list(itertools.takewhile(lambda number: number not in (*NEVER_PRODUCED, EOS), ids))
        written = translator.tokenizers.target.decode(usual, [])
        assert greedy.text.startswith(written)
        num_read += len(written)
    assert num_read > 4


def test_where_it_reads_its_own_token_is_asked_for_row_by_row() -> None:
    translator = small_translator(spread=3.0)
    model = translator.model
    batch = make_batch(translator.tokenizers.encode_pairs(["abc", "abc"], ["xyzw", "xyzw"]))
    own = torch.zeros(batch.labels.shape, dtype=torch.bool)
    own[1, 2] = True
    logits = read_own(model, batch, own).logits
    torch.testing.assert_close(logits[0, :2], logits[1, :2])
    replaced = batch.decoder_input.clone()
    replaced[1, 2] = logits[1, 1].argmax()
    assert replaced[1, 2] != batch.decoder_input[1, 2]
    torch.testing.assert_close(logits, model(batch.source, replaced).logits)


def test_the_loss_is_that_of_what_was_read() -> None:
    model = small_translator(spread=3.0).model
    batch = make_batch(small_translator().tokenizers.encode_pairs(["abc", "defgh"], ["xyzw", "pq"]))
    cross_entropy = CrossEntropy(0.1, PAD, model.decoder.embedding.num_embeddings)
    all_own = torch.ones(batch.labels.shape, dtype=torch.bool)
    loss = model.loss(batch.source, batch.decoder_input, batch.labels, cross_entropy, all_own)
    expected = cross_entropy.of_logits(read_own(model, batch, all_own).logits, batch.labels)
    torch.testing.assert_close(loss.tokens.total, expected.total)
    forced = model.loss(batch.source, batch.decoder_input, batch.labels, cross_entropy)
    assert forced.tokens.total != loss.tokens.total
