"""What another program wrote is read as it was, and every key of the configuration takes or refuses any value."""

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import polib
import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from seq2see.config import Config, dump_config, load_config
from seq2see.data.pairs import Pair, read_pairs
from seq2see.errors import ConfigError
from tests.fuzz.targets import NASTY

QUICK = settings(max_examples=100, deadline=None, database=None, derandomize=True)
TEXT = st.text(min_size=1, max_size=20)
XML_TEXT = st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff"), min_size=1)


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as name:
        yield Path(name)


@QUICK
@given(st.lists(st.tuples(TEXT, TEXT), min_size=1, max_size=4))
@example([("a\r\n", '\x1c\x85\u2028 \\n\t"')])
def test_po(folder: Path, pairs: list[tuple[str, str]]) -> None:
    file = polib.POFile()
    file.extend(polib.POEntry(msgid=source, msgstr=target) for source, target in pairs)
    (folder / "a.po").write_bytes(str(file).encode("utf-8"))
    assert read_pairs(folder / "a.po", None, None) == [Pair(*pair) for pair in pairs]


@QUICK
@given(st.lists(st.tuples(XML_TEXT, XML_TEXT), min_size=1, max_size=4), st.sampled_from(["utf-8", "utf-16"]))
def test_tmx(folder: Path, pairs: list[tuple[str, str]], encoding: str) -> None:
    root = ElementTree.Element("tmx")
    ElementTree.SubElement(root, "header", srclang="en")
    for pair in pairs:
        unit = ElementTree.SubElement(root, "tu")
        for language, text in zip(("en", "de"), pair, strict=True):
            variant = ElementTree.SubElement(unit, "tuv", {"xml:lang": language})
            ElementTree.SubElement(variant, "seg").text = text
    ElementTree.ElementTree(root).write(folder / "a.tmx", encoding=encoding, xml_declaration=True)
    assert read_pairs(folder / "a.tmx", None, None) == [Pair(*pair) for pair in pairs]


@QUICK
@given(st.lists(st.tuples(st.text(), st.text()), min_size=1, max_size=4), st.booleans())
def test_jsonl(folder: Path, pairs: list[tuple[str, str]], ascii_only: bool) -> None:
    lines = (json.dumps({"target": target, "source": source}, ensure_ascii=ascii_only) for source, target in pairs)
    (folder / "a.jsonl").write_bytes("\n".join(lines).encode("utf-8"))
    assert read_pairs(folder / "a.jsonl", None, None) == [Pair(*pair) for pair in pairs]


def keys(content: dict[str, Any], prefix: str = "") -> Iterator[str]:
    for name, value in content.items():
        yield prefix + name
        if isinstance(value, dict):
            yield from keys(value, f"{prefix}{name}.")


PLAIN = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.dates() | st.binary(max_size=4)
)
VALUES = st.recursive(PLAIN, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner))
WRITTEN = VALUES.map(yaml.safe_dump) | st.sampled_from([piece.decode("utf-8", "surrogateescape") for piece in NASTY])


@QUICK
@given(st.sampled_from(sorted(keys(Config().model_dump()))), WRITTEN)
def test_any_value(key: str, value: str) -> None:
    try:
        config = load_config(None, [f"{key}={value}"])
    except ConfigError as error:
        told = str(error)
    else:
        told = dump_config(config)
    assert told
    assert len(told) < 20_000
