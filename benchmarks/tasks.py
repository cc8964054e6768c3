"""What toolkits are compared on: the same lines of tokens for all, and the same sizes."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from peers.joeynmt import JoeyNMT
from peers.opennmt import OpenNMT
from peers.peer import CHARACTERS, TRANSLATION, Peer, Settings
from peers.token_lines import LineTokenizer, TokenPair, token_pairs
from peers.yoyodyne import Yoyodyne

from seq2see.data.pairs import Pair, read_parallel, read_tsv
from seq2see.demo.pairs import demo_pairs


class Task(NamedTuple):
    """Pairs, and how they are learnt.

    Args:
        train: Lines of tokens.
        valid: Lines of tokens.
        test: Lines of tokens.
        references: Texts of the test targets.
        target: Makes texts of target lines.
        settings: Sizes and numbers.
        peers: Those that can learn it.
    """

    train: list[TokenPair]
    valid: list[TokenPair]
    test: list[TokenPair]
    references: list[str]
    target: LineTokenizer
    settings: Settings
    peers: Sequence[Peer]


def translation(data: Path) -> Task:
    """Multi30k, English to German, 8,000 BPE tokens on each side."""
    folder = data / "multi30k"
    train, valid, test = (
        read_parallel(folder / f"{part}.en", folder / f"{part}.de") for part in ("train", "val", "test_2016_flickr")
    )
    source = LineTokenizer([pair.source for pair in train], "bpe", 8000)
    target = LineTokenizer([pair.target for pair in train], "bpe", 8000)
    return _task((train, valid, test), source, target, TRANSLATION, [OpenNMT(TRANSLATION), JoeyNMT(TRANSLATION)])


def pronunciation(data: Path) -> Task:
    """SIGMORPHON 2020, Hungarian: letters to phones."""
    folder = data / "sigmorphon2020_g2p"
    train, valid, test = (read_tsv(folder / part / f"hun_{part}.tsv") for part in ("train", "dev", "test"))
    source = LineTokenizer([pair.source for pair in train], "char")
    target = LineTokenizer([pair.target for pair in train], "space")
    return _task((train, valid, test), source, target, CHARACTERS, [Yoyodyne(CHARACTERS)])


def demo(data: Path) -> Task:
    """The bundled English–Chinese pairs, words to characters; no peers."""
    pairs = demo_pairs()
    source = LineTokenizer([pair.source for pair in pairs.train], "word", 8000)
    target = LineTokenizer([pair.target for pair in pairs.train], "char")
    return _task((pairs.train, pairs.valid, pairs.test), source, target, TRANSLATION, [])


def _task(
    parts: tuple[list[Pair], list[Pair], list[Pair]],
    source: LineTokenizer,
    target: LineTokenizer,
    settings: Settings,
    peers: Sequence[Peer],
) -> Task:
    train, valid, test = (token_pairs(part, source, target) for part in parts)
    return Task(train, valid, test, [pair.target for pair in parts[2]], target, settings, peers)


TASKS: dict[str, Callable[[Path], Task]] = {"translation": translation, "pronunciation": pronunciation, "demo": demo}
