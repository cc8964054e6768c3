"""What users of other toolkits met with in batches: padding that is seen, and results that depend on neighbours."""

import itertools
import random
from collections.abc import Iterator

import numpy as np
import pytest
import torch

from seq2see.config import load_config
from seq2see.data.batches import Batch, make_batch
from seq2see.data.special import BOS, EOS, PAD
from seq2see.errors import ConfigError
from seq2see.inference import Translation, Translator
from tests.small import small_translator
from tests.toys import LETTERS

CELLS = ["lstm", "gru", "rnn"]
SCORERS = ["additive", "concat", "dot", "general", "scaled_dot", "location_aware", "coverage", "none"]
DECODERS = {
    "bahdanau": ["model.decoder.order=bahdanau"],
    "luong": ["model.decoder.order=luong"],
    "transformer": ["model.decoder.type=transformer"],
}
ENCODERS = {
    "bidirectional": [],
    "one-way": ["model.encoder.bidirectional=false"],
    "two-layers": ["model.encoder.num_layers=2"],
    "transformer": ["model.encoder.type=transformer", "model.encoder.hidden_size=12"],
}
LENGTHS = (5, 1, 40, 5, 17, 2, 40)
EQUAL_SIZES = ["model.embedding_size=12", "model.encoder.hidden_size=6", "model.decoder.hidden_size=12"]
MODELS = {
    "bahdanau": [],
    "luong": DECODERS["luong"],
    "transformers": [*EQUAL_SIZES, *ENCODERS["transformer"], *DECODERS["transformer"]],
}


def texts() -> list[str]:
    generator = random.Random(11)
    return ["".join(generator.choice(LETTERS) for _ in range(length)) for length in LENGTHS]


def kinds() -> Iterator[list[str]]:
    """Every cell with every scorer and every decoder that go together."""
    for decoder in DECODERS.values():
        for cell in CELLS:
            for scorer in SCORERS:
                settings = [f"model.encoder.cell={cell}", *decoder, f"model.attention.scorer={scorer}", *EQUAL_SIZES]
                if "model.decoder.type=transformer" not in decoder:
                    settings.append(f"model.decoder.cell={cell}")
                settings.append("model.attention.attention_size=12")
                try:
                    load_config(None, settings)
                except ConfigError:
                    continue
                yield settings


def assert_same(one: Translation, other: Translation) -> None:
    assert one.tokens == other.tokens
    assert one.log_prob == pytest.approx(other.log_prob, abs=1e-5)
    assert one.token_log_probs == pytest.approx(other.token_log_probs, abs=1e-5)
    np.testing.assert_allclose(one.weights, other.weights, atol=1e-5)


def check_neighbours(translator: Translator, beam: int) -> None:
    """Alone, together, and together in the other order give the same."""
    given = texts()
    alone = [translator.translate([text], beam=beam)[0] for text in given]
    assert len({round(one.log_prob, 2) for one in alone}) > 3  # the model tells sources apart
    for one, other in zip(alone, translator.translate(given, beam=beam), strict=True):
        assert_same(one, other)
    for one, other in zip(reversed(alone), translator.translate(given[::-1], beam=beam), strict=True):
        assert_same(one, other)


@pytest.mark.parametrize("settings", list(kinds()), ids=lambda settings: "-".join(s.split("=")[1] for s in settings))
def test_neighbours_change_nothing_in_any_kind_of_model(settings: list[str]) -> None:
    """pytorch/translate#308: what a recurrent model writes depends on the batch size, by padding."""
    check_neighbours(small_translator(*settings, "search.max_length=12", spread=3.0), beam=2)


@pytest.mark.parametrize("encoder", ENCODERS)
def test_padding_changes_nothing_in_any_encoder(encoder: str) -> None:
    """fairseq#427: BLEU falls as batches grow, since an encoder does not mask padding."""
    settings = [*EQUAL_SIZES, "model.embedding_size=12", *ENCODERS[encoder]]
    check_neighbours(small_translator(*settings, "search.max_length=12", spread=3.0), beam=1)


def test_padding_is_on_the_right_and_order_is_kept(translator: Translator) -> None:
    """fairseq#841, #887, #141: is padding left or right, and must lengths be sorted?"""
    sources = ["ab", "abcd", "a", "ab", "abcd"]
    batch = make_batch(translator.tokenizers.encode_pairs(sources, [source[::-1] for source in sources]))
    decode = translator.tokenizers.source.decode
    assert batch.source.lengths.tolist() == [2, 4, 1, 2, 4]
    for row, source in enumerate(sources):
        ids = batch.source.ids[row].tolist()
        assert ids[len(source) :] == [PAD] * (4 - len(source))
        assert decode(ids[: len(source)]) == source
        assert batch.decoder_input[row, 0] == BOS
        assert batch.labels[row, : len(source) + 1].tolist()[-1] == EOS
        assert set(batch.labels[row, len(source) + 1 :].tolist()) <= {PAD}
    memory = translator.model.encoder(batch.source)
    torch.testing.assert_close(memory.states[0], memory.states[3], rtol=0, atol=1e-6)
    assert memory.mask.sum(dim=1).tolist() == [2, 4, 1, 2, 4]


def example_batch(translator: Translator) -> Batch:
    given = texts()
    return make_batch(translator.tokenizers.encode_pairs(given, [text[:7][::-1] for text in given]))


@pytest.mark.parametrize(
    ("model", "normaliser"),
    [
        *itertools.product(["bahdanau", "luong"], ["softmax", "sparsemax", "local", "monotonic"]),
        ("transformers", "softmax"),
    ],
)
def test_no_attention_to_padding(model: str, normaliser: str) -> None:
    """IBM/pytorch-seq2seq, pytorch/tutorials#593, mead-baseline#223: attention spends mass on padding."""
    translator = small_translator(*MODELS[model], f"model.attention.normaliser={normaliser}", spread=2.0)
    batch = example_batch(translator)
    before = translator.model(batch.source, batch.decoder_input)
    padding = ~before.mask[:, None, None, :].expand_as(before.head_weights)
    assert padding.any()
    assert (before.head_weights[padding] == 0.0).all()
    torch.testing.assert_close(before.head_weights.sum(dim=-1), torch.ones(before.head_weights.shape[:-1]))
    with torch.no_grad():
        translator.model.encoder.token_embedding.weight[PAD] = 1e3
    after = translator.model(batch.source, batch.decoder_input)
    assert torch.equal(after.logits, before.logits)
    assert torch.equal(after.head_weights, before.head_weights)


def test_states_of_padding_are_zero_after_every_layer() -> None:
    """espnet#397: a linear layer after the encoder makes padding other than zero again."""
    for settings in (*ENCODERS.values(), ["model.encoder.tags=attended"]):
        translator = small_translator(*EQUAL_SIZES, *settings)
        tags = [f"{text}\t{'N;PL'[: 1 + number % 4]}" for number, text in enumerate(texts())]
        given = texts() if translator.tokenizers.tags is None else tags
        batch = make_batch(translator.tokenizers.encode_pairs(given, given))
        memory = translator.model.encoder(batch.source)
        assert (~memory.mask).any()
        for part in (memory.states, memory.values):
            assert (part[~memory.mask] == 0.0).all()
            assert (part[memory.mask] != 0.0).any(dim=-1).all()


@pytest.mark.parametrize("model", MODELS)
def test_steps_of_search_see_what_training_sees(model: str) -> None:
    """speechbrain#1107: decoding leaves out the mask that training has."""
    translator = small_translator(*MODELS[model], spread=2.0)
    batch = example_batch(translator)
    whole = translator.model(batch.source, batch.decoder_input)
    state = translator.model.init_state(batch.source)
    for position in range(batch.decoder_input.shape[1]):
        output = translator.model.step(batch.decoder_input[:, position], state)
        real = batch.labels[:, position] != PAD
        torch.testing.assert_close(output.logits[real], whole.logits[real, position], rtol=1e-5, atol=1e-5)
        torch.testing.assert_close(output.head_weights[real], whole.head_weights[real, position], rtol=0, atol=1e-5)
        state = output.state


@pytest.mark.parametrize("cell", CELLS)
@pytest.mark.parametrize("first_state", ["bridge", "last", "zeros"])
def test_the_first_state_is_that_of_the_sentence_alone(first_state: str, cell: str) -> None:
    """OpenNMT#306: the last state of the encoder is taken at the end of the padding."""
    cells = [f"model.encoder.cell={cell}", f"model.decoder.cell={cell}"]
    translator = small_translator(*EQUAL_SIZES, *cells, f"model.decoder.first_state={first_state}", spread=2.0)
    together = translator.model.init_state(example_batch(translator).source)
    hidden = [name for name, entry in together.items() if entry.shape[1:] == (12,)]
    assert hidden
    for row, text in enumerate(texts()):
        alone = translator.model.init_state(make_batch(translator.tokenizers.encode_pairs([text], ["x"])).source)
        assert alone.keys() == together.keys()
        for name, entry in alone.items():
            same_columns = together[name][row][tuple(slice(size) for size in entry.shape[1:])]
            torch.testing.assert_close(same_columns, entry[0], rtol=0, atol=1e-5)
