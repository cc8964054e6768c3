"""What is fuzzed: everything that reads a user's file or setting, given any bytes at all.

Each function gives a result that holds what the rest of the package relies on, or a ``Seq2SeeError``; any other
exception is a fault.
"""

import contextlib
import json
from collections.abc import Callable
from pathlib import Path

import yaml

from seq2see.config import dump_config, load_config, parse_config, parse_settings
from seq2see.data.doctor import examine
from seq2see.data.pairs import Pair, read_pairs, read_parallel
from seq2see.errors import DataError, Seq2SeeError
from seq2see.training.guidance import with_links

Target = Callable[[bytes, Path], None]


def _write(content: bytes, path: Path) -> Path:
    path.write_bytes(content)
    return path


def _check_pairs(pairs: list[Pair]) -> None:
    assert pairs
    for pair in pairs:
        (pair.source + pair.target).encode("utf-8")


def _read(content: bytes, path: Path, *, tags: bool = False) -> None:
    """Pairs from one file, and what check-data says of it; they agree on whether training is refused."""
    _write(content, path)
    try:
        _check_pairs(read_pairs(path, None, None, tags=tags))
        refused = False
    except DataError:
        refused = True
    try:
        diagnosis = examine([path, path], tags=tags)
    except DataError:
        assert refused
    else:
        assert diagnosis.breaks_training == refused
        for finding in diagnosis.findings:
            json.dumps(finding.what).encode()


def tsv(content: bytes, folder: Path) -> None:
    """``source TAB target`` lines."""
    _read(content, folder / "a.tsv")


def tsv_with_tags(content: bytes, folder: Path) -> None:
    """``source TAB target TAB tags`` lines."""
    _read(content, folder / "a.tsv", tags=True)


def jsonl(content: bytes, folder: Path) -> None:
    """JSON Lines."""
    _read(content, folder / "a.jsonl")


def jsonl_with_tags(content: bytes, folder: Path) -> None:
    """JSON Lines with tags."""
    _read(content, folder / "a.jsonl", tags=True)


def po(content: bytes, folder: Path) -> None:
    """Gettext."""
    _read(content, folder / "a.po")


def tmx(content: bytes, folder: Path) -> None:
    """A translation memory."""
    _read(content, folder / "a.tmx")


def parallel(content: bytes, folder: Path) -> None:
    """Two files, the second beginning at the first zero byte."""
    source, _, target = content.partition(b"\0")
    _check_pairs(read_parallel(_write(source, folder / "a.src"), _write(target, folder / "a.tgt")))


def links(content: bytes, folder: Path) -> None:
    """Links between words: i-j on each line."""
    pairs = [Pair("one two three", "eins zwei drei")] * (content.count(b"\n") + 1)
    path = _write(content, folder / "a.links")
    for some in (pairs, pairs[1:]):
        try:
            linked = with_links(some, path, tags=False)
        except DataError:
            continue
        assert all(0 <= i < 3 and 0 <= j < 3 for pair in linked for i, j in pair.links or ())


def configuration(content: bytes, folder: Path) -> None:
    """A configuration file, and what was read of it written and read again."""
    config = load_config(_write(content, folder / "a.yaml"))
    assert parse_config(yaml.safe_load(dump_config(config)), "again") == config


def settings(content: bytes, folder: Path) -> None:
    """Texts of ``--set``, one a line, with stray bytes as the command line hands them over."""
    texts = content.decode("utf-8", "surrogateescape").split("\n")
    parse_settings(texts)
    dump_config(load_config(None, texts))


SEEDS: dict[Target, tuple[bytes, ...]] = {
    tsv: (b"a\tb\n", "ä b\tc\u2028\r\nd\te\r\n".encode()),
    tsv_with_tags: (b"walk\twalked\tV;PST\n", b"a\tb\t\n"),
    jsonl: (b'{"source": "a", "target": "b"}\n', b'{"source": "\\ud83d\\ude00", "target": "\\n", "id": [1, {}]}'),
    jsonl_with_tags: (b'{"source": "walk", "target": "walked", "tags": "V;PST"}\n',),
    po: (
        b'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n\n#, fuzzy\nmsgid "a"\nmsgstr "b"\n',
        b'#: a.py:1\nmsgctxt "c"\nmsgid "%s file"\nmsgid_plural "%s files"\nmsgstr[0] "x"\nmsgstr[1] "y\\n"\n"z"\n',
        b'#| msgid "c"\nmsgid "a"\nmsgstr "b"\n\n#~ msgid "d"\n#~ msgstr "e"\n',
    ),
    tmx: (
        b'<?xml version="1.0" encoding="utf-8"?><!DOCTYPE tmx SYSTEM "a.dtd"><tmx><header srclang="en"/><body><tu>'
        b'<tuv xml:lang="en"><seg>a<ph>b</ph></seg></tuv>\n<tuv xml:lang="de"><seg>&lt;&#65;</seg></tuv></tu>'
        b"</body></tmx>",
        b'<!DOCTYPE tmx [<!ENTITY a "b">]><tmx><header srclang="*all*"/><tu><tuv lang="x"/></tu></tmx>',
    ),
    parallel: (b"a\nb\n\0c\nd\n",),
    links: (b"0-0 1p1\n2?2\n\n",),
    configuration: (
        b"model: {dropout: 0.4, encoder: &a {hidden_size: 128}, decoder: {<<: *a}}\ntraining:\n  max_epochs: 50\n",
        b"data:\n  train: a.tsv\n  !!binary aaaa: 2024-01-02\n? [a]\n: 0x1F\n",
    ),
    settings: (b"training.seed=3\nmodel.dropout=1e-1", b"search.top_p={a: [1, .inf, 2001-12-14t21:59:43.10-05:00]}"),
}
"""Every target with inputs to begin from."""


NASTY = (
    b"\0",
    b"\xff",
    b"\xed\xa0\x80",
    b"\xef\xbb\xbf",
    b"\\ud800",
    b"&#xD800;",
    b"&a;",
    b"<ph>",
    b"[" * 3000,
    b"{a: " * 500,
    b"9" * 5000,
    b"9" * 5000 + b"-0",
    b"0x" + b"f" * 5000,
    b"1e999",
    b"1:" * 50,
    b"x: 1" + b":1" * 200 + b".0",
    b"0001-01-01 00:00:00+23:59",
    b"!!float",
    b"!!set",
    b"&x [*x]",
    "३-𝟛".encode(),
    b"charset=utf-7",
    b"charset=unicode_escape",
    b'encoding="big5"',
    b'srclang="de"',
)
"""Pieces on which readers have tripped, here or elsewhere."""


def probe(target: Target, content: bytes, folder: Path) -> None:
    """Run a target; whatever is raised but a ``Seq2SeeError`` comes through."""
    with contextlib.suppress(Seq2SeeError):
        target(content, folder)
