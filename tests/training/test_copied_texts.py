"""Texts that are copied while learning, beside the pairs."""

from pathlib import Path

import pytest

from seq2see.config import load_config
from seq2see.data.pairs import Pair
from seq2see.errors import ConfigError
from seq2see.inference import load
from seq2see.training import Processes, train_on_pairs
from seq2see.training.copied_texts import with_copied_texts
from seq2see.training.preparation import prepare
from tests.small import SIZES

PLAIN = [Pair("ab", "ba"), Pair("ba", "c"), Pair("ab", "d"), Pair("c", "c"), Pair(" ", "")]
TAGGED = [Pair("go\tPST", "went"), Pair("go\tPRS", "go"), Pair("stay\tPST", "stayed")]


def test_every_text_is_copied_once() -> None:
    copied = [Pair(text, text) for text in ("ab", "ba", "d")]
    assert with_copied_texts(PLAIN, tags=False) == [*PLAIN, *copied]


def test_with_tags_a_copy_has_a_tag_of_its_own() -> None:
    copied = [Pair(f"{text}\t<copy>", text) for text in ("go", "went", "stay", "stayed")]
    assert with_copied_texts(TAGGED, tags=True) == [*TAGGED, *copied]


def test_links_do_not_go_with_it() -> None:
    with pytest.raises(ConfigError, match="does not go with pairs that have links"):
        with_copied_texts([Pair("a b", "c d", frozenset({(0, 1)}))], tags=False)


def test_the_tag_of_copies_is_no_other_tag() -> None:
    with pytest.raises(ConfigError, match="the tag <copy>, which is a tag of the pairs"):
        with_copied_texts([Pair("go\tV;<copy>", "went")], tags=True)


def test_tokens_and_metric_are_chosen_without_them() -> None:
    pairs = [Pair(f"the {number} of words", str(number)) for number in range(700)]
    chosen = []
    for copied in ("false", "true"):
        config = prepare(load_config(None, [f"data.copied_texts={copied}"]), pairs, pairs, Processes()).bundle.config
        chosen.append((config.tokens, config.training.metric))
    assert chosen[0] == chosen[1]


@pytest.mark.parametrize("other", ["data.cache=folder", "data.alignments=links.txt"])
def test_other_ways_to_read_pairs_do_not_go_with_it(other: str) -> None:
    with pytest.raises(ConfigError, match=f"data.copied_texts does not go with {other.split('=')[0]}"):
        load_config(None, ["data.copied_texts=true", other])


def test_a_model_learns_from_them_and_says_so(tmp_path: Path) -> None:
    settings = ["data.copied_texts=true", "model.encoder.tags=added", "training.max_updates=2"]
    config = load_config(None, [*SIZES, *settings])
    prepared = prepare(config, TAGGED, TAGGED, Processes())
    assert len(prepared.examples) == 3 + 4
    assert "4 texts to copy beside 3 pairs (data.copied_texts)" in prepared.notes
    train_on_pairs(TAGGED, TAGGED, config, out=tmp_path / "model")
    tokenizers = load(tmp_path / "model").tokenizers
    assert tokenizers.source.encode("w") != tokenizers.source.encode("z")  # only targets have the one, none the other
