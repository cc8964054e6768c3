"""Every configuration that is shipped can be trained."""

import itertools
from pathlib import Path

import pytest

from seq2see.config import load_config, replace
from seq2see.data.pairs import Pair
from seq2see.training import train_on_pairs

RECIPES = sorted((Path(__file__).parents[2] / "configs").glob("*.yaml"))
WORDS = ("red", "old", "tree", "house", "river", "under", "near", "the")
SENTENCES = [Pair(f"{a} {b} {c}", f"{c} {b} {a}") for a in WORDS for b in WORDS for c in WORDS[:2]]
PAIRS = {
    "g2p": [Pair(pair.source.replace(" ", ""), " ".join(pair.target.replace(" ", ""))) for pair in SENTENCES],
    "inflection": [Pair(f"{pair.source[:3]}\tV;{pair.source[-1]}", pair.target[:4]) for pair in SENTENCES],
    "transliteration": [Pair(pair.source[:4], pair.target[:5].upper()) for pair in SENTENCES],
}
SMALLER = {
    "model.embedding_size": 8,
    "model.encoder.hidden_size": 8,
    "model.decoder.hidden_size": 8,
    "model.attention.attention_size": 8,
    "training.max_updates": 4,
}


@pytest.mark.parametrize("path", RECIPES, ids=lambda path: path.stem)
def test_a_few_updates(path: Path, tmp_path: Path) -> None:
    config = load_config(path)
    pairs = PAIRS.get(path.stem.split("-")[0], SENTENCES)
    translator = train_on_pairs(pairs[:-8], pairs[-8:], replace(config, SMALLER), out=tmp_path / "model")
    assert len(translator.translate([pair.source for pair in pairs[-3:]], beam=2)) == 3


def test_there_are_recipes_and_each_says_where_its_scores_are() -> None:
    assert len(RECIPES) >= 6
    for path in RECIPES:
        lines = path.read_text(encoding="utf-8").splitlines()
        first = "\n".join(itertools.takewhile(lambda line: line.startswith("#"), lines))
        assert "results.md" in first or "As " in first
