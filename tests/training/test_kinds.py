"""Whole runs, from pairs to a loaded model, of the kinds of model that need something of the data."""

from pathlib import Path

import numpy as np
import pytest
import torch

from seq2see.data.pairs import Pair, read_tsv
from seq2see.errors import ConfigError
from seq2see.inference import Translator, load
from seq2see.training import train, train_on_pairs
from tests.training.test_run import Listener, tiny

WORDS = [f"w{number}" for number in range(20)]


def run(pairs: list[Pair], folder: Path, *settings: str) -> Translator:
    return train_on_pairs(pairs, pairs[:20], tiny(*settings), out=folder / "model")


def named_pairs() -> list[Pair]:
    """Sentences that repeat a name nobody else has."""
    return [Pair(f"{WORDS[i % 20]} met Name{i} today", f"Name{i} met {WORDS[i % 20]}") for i in range(120)]


def inflections() -> list[Pair]:
    stems = [a + b + c for a in "bdfg" for b in "aeiou" for c in "klm"]
    return [Pair(f"{stem}\t{tag}", stem + ending) for stem in stems for tag, ending in (("N;PL", "s"), ("V;PST", "ed"))]


@pytest.mark.parametrize("how", ["added", "attended"])
def test_tags_decide_the_output(tmp_path: Path, how: str) -> None:
    sizes = ["model.embedding_size=32", "model.encoder.hidden_size=32", "model.decoder.hidden_size=32"]
    settings = [f"model.encoder.tags={how}", "training.max_epochs=40", "training.batch_tokens=100", *sizes]
    translator = run(inflections(), tmp_path, *settings)
    nouns, verbs = (translator.translate([f"bak\t{tags}", f"gim\t{tags}"]) for tags in ("N;PL", "V;PST"))
    assert [one.text for one in nouns] == ["baks", "gims"]
    assert [one.text for one in verbs] == ["baked", "gimed"]
    assert nouns[0].source_tokens == (["b", "a", "k", "N", "PL"] if how == "attended" else ["b", "a", "k"])
    (without,) = translator.translate(["bak"])
    assert without.text == ""
    assert without.problem == "no tags, wanted source TAB tags; not translated"


def test_pairs_with_tags_are_read_from_three_columns(tmp_path: Path) -> None:
    file = tmp_path / "pairs.tsv"
    file.write_text("".join(f"{p.source.split(chr(9))[0]}\t{p.target}\tN;PL\n" for p in inflections()))
    translator = train(tiny(f"data.train={file}", "model.encoder.tags=attended"), out=tmp_path / "model")
    assert translator.tokenizers.tags is not None
    assert read_tsv(file, tags=True)[0] == Pair("bak\tN;PL", "baks")


def test_names_that_no_vocabulary_has_are_copied(tmp_path: Path) -> None:
    parts = ("embedding_size", "encoder.hidden_size", "decoder.hidden_size", "attention.attention_size")
    sizes = [f"model.{part}=96" for part in parts]
    settings = ["model.decoder.copies=true", "training.max_epochs=60", "training.metric=exact_match", *sizes]
    translator = run(named_pairs(), tmp_path, *settings)
    assert translator.config.tokens.source.type == translator.config.tokens.target.type == "word"
    outputs = [one.text for one in translator.translate(["w3 met Xanthippe today", "w7 met Obi today"])]
    assert outputs == ["Xanthippe met w3", "Obi met w7"]


def test_copying_wants_tokens_of_one_type(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"source\.type is char and .* word, but model\.decoder\.copies wants"):
        run(named_pairs(), tmp_path, "model.decoder.copies=true", "tokens.source.type=char", "tokens.target.type=word")


def test_one_vocabulary_and_one_embedding_for_all(tmp_path: Path) -> None:
    translator = run(
        named_pairs(), tmp_path, "tokens.shared=true", "model.share_embeddings=true", "model.tie_output=true"
    )
    model = translator.model
    assert translator.tokenizers.source.to_json() == translator.tokenizers.target.to_json()
    assert model.encoder.token_embedding.weight is model.decoder.embedding.weight
    assert model.get_parameter("decoder.output.output_projection.weight") is model.decoder.embedding.weight


def test_vectors_are_where_embeddings_start_and_coverage_is_told(tmp_path: Path) -> None:
    listener, vectors = Listener(), tmp_path / "v.txt"
    vectors.write_text("".join(f"{word} {' '.join(['0.5', '-0.5'] * 4)}\n" for word in WORDS))
    pairs = named_pairs()
    settings = ["tokens.source.type=word", f"data.source_vectors={vectors}"]
    train_on_pairs(pairs, pairs[:9], tiny(*settings), out=tmp_path / "model", reporter=listener)
    assert any(note.startswith("data.source_vectors: 20 of ") for note in listener.notes)


@pytest.mark.parametrize(
    "settings",
    [
        ["model.encoder.type=transformer", "model.encoder.num_layers=2"],
        ["model.decoder.type=transformer", "model.decoder.num_layers=2"],
        ["model.attention.normaliser=monotonic"],
        ["training.precision=bfloat16"],
        ["model.attention.scorer=coverage", "training.coverage_loss=1.0", "search.coverage_penalty=0.2"],
    ],
)
def test_trains_and_is_the_same_when_read_again(tmp_path: Path, settings: list[str]) -> None:
    translator = run(named_pairs(), tmp_path, *settings)
    again = load(tmp_path / "model")
    for one, other in zip(*(t.translate(["w1 met Name3 today", "w2"]) for t in (translator, again)), strict=True):
        assert one.text == other.text
        np.testing.assert_array_equal(one.weights, other.weights)
    assert all(torch.isfinite(p).all() for p in translator.model.parameters())
