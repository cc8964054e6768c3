"""What users of other toolkits met with at words that the model does not know, and at vocabularies."""

import random
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest
import sacrebleu
import torch

from seq2see.bundle import save_bundle
from seq2see.data.pairs import Pair
from seq2see.data.special import UNK
from seq2see.data.tokenizer import TokenType
from seq2see.data.tokenizer_training import train_tokenizer
from seq2see.errors import BundleError
from seq2see.evaluation import evaluate
from seq2see.inference import Translator, load
from seq2see.search import Hypothesis
from tests.small import small_translator

DECODERS = {
    "rnn": ["model.decoder.type=rnn"],
    "transformer": ["model.decoder.type=transformer", "model.decoder.hidden_size=8", "model.embedding_size=8"],
}
UNSEEN = "ɮ"


def words_translator(
    *settings: str, token_type: TokenType = "word", texts: Sequence[str] = ("er lebt lives",)
) -> Translator:
    """A model that copies unknown tokens."""
    tokenizer = train_tokenizer(texts, token_type, vocab_size=100, min_frequency=1)
    return small_translator("search.copy_unknown=true", *settings, tokenizer=tokenizer)


def found_by_hand(monkeypatch: pytest.MonkeyPatch, tokens: list[int], weights: list[list[float]]) -> None:
    """Let search find one output with weights that were made by hand."""
    hypothesis = Hypothesis(tokens, -1.0, -1.0, torch.tensor(weights), [-1.0] * (len(tokens) + 1))
    monkeypatch.setattr("seq2see.inference.translator.search_outputs", lambda *_, **__: [[hypothesis]])


def says_unknown_alone(translator: Translator) -> Translator:
    """The same, where the output layer gives the unknown token only."""
    bias = translator.model.decoder.get_parameter("output.output_projection.bias")
    with torch.no_grad():
        translator.model.decoder.get_parameter("output.output_projection.weight").zero_()
        bias.fill_(-30.0)
        bias[UNK] = 0.0
    return translator


def test_most_weight_on_what_is_no_word_of_the_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """OpenNMT-py#40: replacing unknown words fails where attention is highest on the end of the sentence."""
    translator = words_translator("model.encoder.tags=attended")
    found_by_hand(monkeypatch, [UNK], [[0.1, 0.2, 0.7]])  # two words and a tag
    (one,) = translator.translate(["Zyx Abc\tPL"])
    assert one.source_tokens == ["Zyx", " Abc", "PL"]
    assert one.text == "Abc"


def test_an_unknown_word_is_written_as_it_stands_in_the_source(monkeypatch: pytest.MonkeyPatch) -> None:
    """OpenNMT-py#338: an unknown word is replaced by another unknown sign, looked up in the source vocabulary."""
    translator = words_translator()
    (lebt,) = translator.tokenizers.target.encode("lebt").ids
    found_by_hand(monkeypatch, [UNK, lebt], [[0.9, 0.1], [0.2, 0.8]])
    (one,) = translator.translate(["Zyx lives"])
    assert one.text == "Zyx lebt"
    assert one.tokens == ["Zyx", " lebt"]
    ((other,),) = translator.translate_n_best(["Zyx lives"], lexicon={"Zyx": "Züx"})
    assert other.text == "Züx lebt"


@pytest.mark.parametrize("beam", [1, 5])
@pytest.mark.parametrize("decoder", DECODERS)
@pytest.mark.parametrize("token_type", ["char", "word", "bpe"])
def test_unknown_words_are_copied_by_every_decoder_and_beam(decoder: str, beam: int, token_type: TokenType) -> None:
    """OpenNMT-py#2282, fairseq#832, marian-dev#732, tensorflow/nmt#138: works for some decoders, beams, tokens only."""
    translator = words_translator(*DECODERS[decoder], "search.max_length=2", token_type=token_type, texts=["ab cd"])
    sources = ["ΨΩ", "ΨΩ Φ ΞΔ", "Ω"]
    for one in says_unknown_alone(translator).translate(sources, beam=beam):
        looked_at = [one.source_tokens[column] for column in one.weights.argmax(axis=1)]
        assert len(looked_at) == 2
        assert "".join(one.text.split()) == "".join("".join(looked_at).split())


@pytest.mark.parametrize("tags", ["none", "added", "attended"])
@pytest.mark.parametrize("copies", ["true", "false"])
@pytest.mark.parametrize("decoder", DECODERS)
@pytest.mark.parametrize("encoder", ["rnn", "transformer"])
def test_letters_and_tags_never_seen(encoder: str, decoder: str, copies: str, tags: str) -> None:
    """yoyodyne#172, #18: index out of range at an unseen letter or feature, with a pointer-generator Transformer."""
    settings = [f"model.encoder.type={encoder}", f"model.encoder.tags={tags}", f"model.decoder.copies={copies}"]
    settings += ["model.embedding_size=8", "model.encoder.hidden_size=8", "model.attention.attention_size=8"]
    translator = small_translator(*DECODERS[decoder], *settings, "search.min_length=1")
    sources = [UNSEEN, f"a{UNSEEN}b", UNSEEN * 9]
    if tags != "none":
        sources = [f"{source}\t{tag}" for source, tag in zip(sources, [UNSEEN, "N;DUAL", ""], strict=True)]
    for one in translator.translate(sources, beam=3):
        assert not one.problem
        assert one.text
        (forced,) = translator.score([one.source], [one.text])
        assert forced.log_prob == pytest.approx(one.log_prob, abs=1e-3)


def test_a_vocabulary_of_another_model_is_refused_by_name(tmp_path: Path, translator: Translator) -> None:
    """fairseq#216, XLM#61, MASS#30: sizes do not fit at loading, since the dictionary was made anew."""
    save_bundle(tmp_path / "one", translator.bundle, {}, "")
    more = train_tokenizer(["abcdefgh"], "char", vocab_size=None, min_frequency=1)
    save_bundle(tmp_path / "other", small_translator(tokenizer=more).bundle, {}, "")
    for name in ("source.tokenizer.json", "target.tokenizer.json"):
        shutil.copytree(tmp_path / "one", tmp_path / name)
        shutil.copy(tmp_path / "other" / name, tmp_path / name / name)
        with pytest.raises(BundleError, match=rf"{name}: is not the file that model\.safetensors was saved with"):
            load(tmp_path / name)


def test_a_model_directory_needs_nothing_beside_it(tmp_path: Path, translator: Translator) -> None:
    """fairseq#216, XLM#61: a model needs the data directory that it was trained from."""
    save_bundle(tmp_path / "deep" / "model", translator.bundle, {}, "")
    shutil.move(tmp_path / "deep" / "model", tmp_path / "moved")
    (tmp_path / "deep").rmdir()
    texts = ["abc", UNSEEN]
    assert [one.text for one in load(tmp_path / "moved").translate(texts)] == [
        one.text for one in translator.translate(texts)
    ]


@pytest.mark.parametrize("token_type", ["char", "word", "bpe"])
def test_outputs_are_detokenised_to_what_was_encoded(token_type: TokenType) -> None:
    """joeynmt#91, OpenNMT-py#1733, nematus#87: parts of words are left in the output, or removed without a word."""
    generator = random.Random(5)
    ranges = [(32, 126), (0xA1, 0x17F), (0x300, 0x30F), (0x400, 0x4FF), (0x5D0, 0x5EA), (0x3040, 0x30FF)]
    ranges += [(0x4E00, 0x4E80), (0x1F600, 0x1F640), (0x2581, 0x2581), (0x200B, 0x200F)]
    texts = [
        "".join(chr(generator.randint(*generator.choice(ranges))) for _ in range(generator.randint(0, 30)))
        for _ in range(1000)
    ] + ["un@@ believ@@ able", "▁a ▁b", "  two  spaces  "]
    tokenizer = train_tokenizer(texts, token_type, vocab_size=2000 if token_type == "bpe" else None, min_frequency=1)
    assert [text for text in texts if tokenizer.decode(tokenizer.encode(text).ids) != text] == []


def test_bleu_is_that_of_the_written_text_with_its_signature() -> None:
    """joeynmt#122, xnmt#234, OpenNMT-py#1733: nobody can tell which text was scored, and BLEU cannot be compared."""
    texts = ["it is a fine day, isn't it?", "un@@ believ@@ able", "a day is fine"]
    tokenizer = train_tokenizer(texts, "bpe", vocab_size=60, min_frequency=1)
    translator = small_translator("search.min_length=4", "search.max_length=9", tokenizer=tokenizer)
    outputs = [one.text for one in translator.translate(texts)]
    references = [f"{output.upper()} {output}" for output in outputs]
    found = evaluate(translator, [Pair(*pair) for pair in zip(texts, references, strict=True)])
    expected = sacrebleu.corpus_bleu(outputs, [references])
    assert expected.score > 0.0
    assert found.metrics["bleu"] == pytest.approx(expected.score)
    assert f"version:{sacrebleu.__version__}" in found.signatures["bleu"]
    assert "tok:13a" in found.signatures["bleu"]
