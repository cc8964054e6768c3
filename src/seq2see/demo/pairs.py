"""The English-Chinese pairs that come with seq2see, and their fixed split."""

import lzma
from importlib import resources
from typing import NamedTuple

from seq2see.data.pairs import Pair
from seq2see.data.text_file import decode_lines

FILE = "tatoeba_eng_cmn.tsv.xz"
CREDIT = "sentence pairs: Tatoeba (tatoeba.org) by way of manythings.org/anki, CC BY 2.0 FR"


class DemoPairs(NamedTuple):
    """Pairs by split; no English sentence is in two of them."""

    train: list[Pair]
    valid: list[Pair]
    test: list[Pair]


def demo_pairs() -> DemoPairs:
    """Read the bundled pairs: 1,000 English sentences each for validation and test, the rest for training."""
    raw = lzma.decompress(resources.files("seq2see.demo").joinpath(FILE).read_bytes())
    pairs = DemoPairs([], [], [])
    for line in decode_lines(raw, FILE):
        split, source, target, _ = line.split("\t")
        getattr(pairs, split).append(Pair(source, target))
    return pairs
