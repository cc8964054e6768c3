from pathlib import Path

import pytest

from seq2see.config import load_config
from seq2see.data.pairs import Pair
from seq2see.errors import ConfigError, DataError
from seq2see.inference import load
from seq2see.training import train, train_on_pairs
from seq2see.training.guidance import with_links
from tests.toys import strings

PAIRS = [Pair("a b", "x y z"), Pair("c", "w")]
SMALL = [
    "model.embedding_size=16",
    "model.encoder.hidden_size=16",
    "model.decoder.hidden_size=16",
    "model.attention.attention_size=16",
    "training.batch_tokens=200",
]


def test_every_pair_gets_the_links_of_its_line(tmp_path: Path) -> None:
    path = tmp_path / "links"
    path.write_text("0-2 1p0\n\n")
    first, second = with_links(PAIRS, path, tags=False)
    assert first.links == frozenset({(0, 2), (1, 0)})
    assert second.links == frozenset()


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("0-0\n", "has 1 lines and there are 2 training pairs"),
        ("0-0\n0:0\n", "line 2: '0:0' is no link"),
        ("0-0\n" + "9" * 5000 + "-0\n", "line 2: '9{40}' is no link"),
        ("0-3\n0-0\n", "line 1: 0-3 is no link between a source of 2 words and a target of 3"),
    ],
)
def test_faults_name_file_and_line(tmp_path: Path, text: str, fault: str) -> None:
    path = tmp_path / "links"
    path.write_text(text)
    with pytest.raises(DataError, match=fault):
        with_links(PAIRS, path, tags=False)


def test_attention_goes_where_the_links_say_even_against_the_task(tmp_path: Path) -> None:
    texts = [" ".join(text) for text in strings(600, longest=6)]
    (tmp_path / "pairs.tsv").write_text("".join(f"{text}\t{text}\n" for text in texts))
    backwards = (" ".join(f"{len(w) - 1 - i}-{i}" for i in range(len(w))) for w in (text.split() for text in texts))
    (tmp_path / "links").write_text("".join(f"{line}\n" for line in backwards))
    settings = [f"data.train={tmp_path / 'pairs.tsv'}", f"data.alignments={tmp_path / 'links'}"]
    config = load_config(None, [*SMALL, *settings, "training.max_epochs=12", "tokens.source.type=word"])
    assert train(config, out=tmp_path / "model")
    alignment = load(tmp_path / "model").align("p q r s", "p q r s")
    assert alignment.pharaoh() == "3-0 2-1 1-2 0-3"


def test_no_attention_cannot_be_guided(tmp_path: Path) -> None:
    pairs = [Pair("a", "b", frozenset({(0, 0)})), Pair("c", "d", frozenset())]
    with pytest.raises(ConfigError, match="no attention could learn from the pairs' links"):
        train_on_pairs(pairs, PAIRS, load_config(None, ["model.attention.scorer=none"]), out=tmp_path / "model")
