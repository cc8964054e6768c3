"""What users of other toolkits met with at attention weights and alignments."""

import io
import json
from pathlib import Path
from typing import get_args

import numpy as np
import pytest

from seq2see.alignment import Alignment, merge_to_words, npz_bytes
from seq2see.bundle import save_bundle
from seq2see.cli.output_lines import Format, format_lines
from seq2see.data.pairs import Pair
from seq2see.data.tokenizer import TokenType
from seq2see.data.tokenizer_training import train_tokenizer
from seq2see.errors import DataError
from seq2see.inference import Translation, Translator
from seq2see.training.guidance import with_links
from tests.cli.running import run
from tests.small import small_translator
from tests.toys import strings

TRANSFORMER = ["model.embedding_size=12", "model.decoder.hidden_size=12", "model.decoder.type=transformer"]
MODELS = {
    "bahdanau": [],
    "luong": ["model.decoder.order=luong"],
    "transformer": [*TRANSFORMER, "model.decoder.num_layers=2", "model.attention.num_heads=2"],
    "copies": ["model.decoder.copies=true"],
}


@pytest.mark.parametrize("settings", MODELS.values(), ids=MODELS)
def test_an_alignment_in_a_batch_is_that_alone(settings: list[str]) -> None:
    """fairseq#3625: alignments of an LSTM are shifted, since tokens are padded left and attention right."""
    translator = small_translator(*settings, spread=3.0)
    given = ["ab", "thequickbrownfoxjumps"]
    together = translator.translate(given, beam=3)
    for text, one in zip(given, together, strict=True):
        (alone,) = translator.translate([text], beam=3)
        assert one.alignment.links() == alone.alignment.links()
        np.testing.assert_allclose(one.weights, alone.weights, atol=1e-5)
    forced = translator.score(given, ["xyz", "w"])
    for text, target, scored in zip(given, ["xyz", "w"], forced, strict=True):
        np.testing.assert_allclose(scored.alignment.weights, translator.align(text, target).weights, atol=1e-5)


def check_diagonal(translator: Translator, *, backwards: bool) -> None:
    """Every output token attends most to the source token that it is, searched and forced, at every length."""
    mistakes = 0
    for text in strings(60, seed=77, longest=15):
        wanted = text[::-1] if backwards else text
        last = len(text) - 1
        diagonal = [(last - i if backwards else i, i) for i in range(len(text))]
        for beam in (1, 4):
            (found,) = translator.translate([text], beam=beam)
            if found.text != wanted:  # one string in a hundred or so is not learnt by so small a model
                mistakes += 1
                continue
            assert found.weights.shape == (len(text), len(text))  # no row for the end, no column either
            assert found.alignment.links() == diagonal
        assert translator.align(text, wanted).links() == diagonal
    assert mistakes <= 6  # of 120


def test_a_model_that_reverses_has_the_anti_diagonal(reverse_model: Translator) -> None:
    """OpenNMT-tf#304: alignments are off by one, because of the sign for the beginning."""
    check_diagonal(reverse_model, backwards=True)


def test_a_model_that_copies_has_the_diagonal(copy_model: Translator) -> None:
    """OpenNMT-tf#304, fairseq#3625: alignments are off by one."""
    check_diagonal(copy_model, backwards=False)


@pytest.mark.parametrize("settings", MODELS.values(), ids=MODELS)
def test_a_row_for_each_token_of_every_hypothesis(settings: list[str]) -> None:
    """OpenNMT-py#1787, #1788, #2311: alignments belong to the given target in place of the output."""
    translator = small_translator(*settings, spread=3.0)
    for source in ("abc", "q", "thequickbrown"):
        (hypotheses,) = translator.translate_n_best([source], n_best=5, beam=5)
        assert len({one.text for one in hypotheses}) == len(hypotheses) > 1
        for one in hypotheses:
            assert one.weights.shape == (len(one.tokens), len(source))
            assert [target for _, target in one.alignment.links()] == list(range(len(one.tokens)))
            (forced,) = translator.score([source], [one.text])
            np.testing.assert_allclose(one.weights, forced.alignment.weights, atol=1e-5)


def test_links_between_words_of_parts_of_words() -> None:
    """OpenNMT-tf#815, marian-dev#466, #411, #651: links count parts of words, and lengths do not agree."""
    source_tokens, target_tokens = ["un", "believ", "able", " story"], ["tol", "le", " Geschichte"]
    weights = np.array([[0.4, 0.3, 0.2, 0.1], [0.3, 0.2, 0.2, 0.3], [0.1, 0.1, 0.1, 0.7]], dtype=np.float32)
    between_tokens = Alignment(source_tokens, target_tokens, weights)
    merged = merge_to_words(between_tokens, "unbelievable story", "tolle Geschichte")
    assert merged.source_tokens == ["unbelievable", "story"]
    assert merged.pharaoh() == "0-0 1-1"
    np.testing.assert_allclose(merged.weights, [[0.8, 0.2], [0.3, 0.7]], rtol=1e-6)


@pytest.mark.parametrize("token_type", get_args(TokenType))
def test_links_between_words_are_within_the_words_of_any_tokens(token_type: TokenType) -> None:
    """OpenNMT-tf#815, marian-dev#411: links name words that are not there."""
    texts = ["unbelievable story, isn't it?", "an un@@ believ@@ able  story ", "a"]
    tokenizer = train_tokenizer(texts, token_type, vocab_size=60, min_frequency=1)
    translator = small_translator("search.min_length=3", "search.max_length=12", tokenizer=tokenizer)
    for one in translator.translate(texts):
        merged = merge_to_words(one.alignment, one.source, one.text)
        assert merged.source_tokens == one.source.split()
        assert merged.target_tokens == one.text.split()
        assert merged.weights.shape == (len(one.text.split()), len(one.source.split()))
        assert (np.isclose(merged.weights.sum(axis=1), 1.0) | (merged.weights.sum(axis=1) == 0.0)).all()


def test_a_link_to_a_word_that_is_not_there_is_refused_with_its_line(tmp_path: Path) -> None:
    """marian-dev#651, OpenNMT-tf#815, OpusTrainer#57: a bad index crashes the training long after the start."""
    (tmp_path / "links").write_text("0-0\n0-0 2-1\n")
    with pytest.raises(DataError, match=r"links: line 2: 2-1 is no link between a source of 2 words and a target of 2"):
        with_links([Pair("a", "b"), Pair("a b", "c d")], tmp_path / "links", tags=False)


@pytest.mark.parametrize("beam", [1, 4])
@pytest.mark.parametrize("settings", MODELS.values(), ids=MODELS)
def test_weights_of_every_model_and_search_in_every_form(settings: list[str], beam: int, tmp_path: Path) -> None:
    """sockeye#385, #1105, tensorflow/nmt#227, #358, #138, #36, OpenNMT-py#623, #736, #575, #897: how to get weights?"""
    translator = small_translator(*settings, "search.min_length=2", spread=3.0)
    (one,) = translator.translate(["hello"], beam=beam)
    assert one.weights.dtype == np.float32
    np.testing.assert_allclose(one.weights.sum(axis=1), 1.0, atol=1e-5)
    assert one.weights.max() > 0.0
    with np.load(io.BytesIO(npz_bytes([one.alignment]))) as arrays:
        np.testing.assert_array_equal(arrays["weights_0"], one.weights)
    (line,) = format_lines([one], Format.jsonl, weights=True)
    np.testing.assert_allclose(json.loads(line)["weights"], one.weights, atol=5e-5)
    assert json.loads(line)["alignment"] == one.alignment.pharaoh()
    (with_links_added,) = format_lines([one], Format.text, links=[one.alignment.pharaoh()])
    assert with_links_added == f"{one.text} ||| {one.alignment.pharaoh()}"


@pytest.mark.parametrize(("ending", "begins"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("html", b"<!doctype html>")])
def test_a_picture_of_one_call(translator: Translator, tmp_path: Path, ending: str, begins: bytes) -> None:
    """OpenNMT-py#1517, #629, tensorflow#13154: how to plot attention, with beam search?"""
    (one,) = translator.with_search(min_length=2).translate(["hello"], beam=4)
    one.plot(tmp_path / f"a.{ending}")
    assert (tmp_path / f"a.{ending}").read_bytes().startswith(begins)


def test_a_layer_or_a_head_of_a_transformer_can_be_chosen() -> None:
    """sockeye#385, fairseq#832: weights of a Transformer are a mean of all, or zero."""
    translator = small_translator(*MODELS["transformer"], "search.min_length=2", spread=3.0)
    shown: list[Translation] = []
    for layer, head in [(1, 1), (1, 2), (2, 1), (2, 2)]:
        chosen = translator.with_search(attention_layer=layer, attention_head=head)
        shown += chosen.translate(["hello"], beam=4)
    (mean,) = translator.translate(["hello"], beam=4)
    assert len({one.text for one in shown}) == 1
    np.testing.assert_allclose(np.mean([one.weights for one in shown], axis=0), mean.weights, atol=1e-6)
    assert len({one.weights.tobytes() for one in shown}) == 4


def test_links_in_the_format_of_moses_by_one_flag(tmp_path: Path) -> None:
    """CTranslate2#563, #767: alignments in the format of Moses are asked for, and declined."""
    translator = small_translator("search.min_length=2", "search.max_length=6")
    save_bundle(tmp_path / "model", translator.bundle, {}, "")
    options = ["--alignments", "pharaoh-tokens", "--beam", "3", "--threads", "1"]
    done = run("translate", tmp_path / "model", *options, stdin=b"abc\n\nhello\n")
    assert done.returncode == 0, done.stderr.decode()
    found = translator.translate(["abc", "", "hello"], beam=3)
    lines = done.stdout.decode().removesuffix("\n").split("\n")
    assert lines == [f"{one.text} ||| {one.alignment.pharaoh()}" for one in found]
    for one in found:
        pairs = [link.split("-") for link in one.alignment.pharaoh().split()]
        assert [int(target) for _, target in pairs] == list(range(len(one.tokens)))
        assert [int(source) for source, _ in pairs] == one.weights.argmax(axis=1).tolist() if pairs else True
