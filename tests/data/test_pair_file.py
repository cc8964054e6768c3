from pathlib import Path

import pytest

from seq2see.data.pair_file import PairFile, pairs_fingerprint
from seq2see.data.pairs import read_tsv
from seq2see.errors import DataError

CONTENTS = [
    "a\tb\nc\td\n",
    "a\tb\nc\td",
    "a\tb\r\nc\td\r\n",
    "a\tb\r\nc\td\r",
    "a\tb\r\nc\td\n",
    "\ufeffa\tb\n",
    "a\u2028\x0b\tb\u0085\n\t\n",
    "你好\tü\n",
    "a\tb",
]


@pytest.mark.parametrize("content", CONTENTS)
def test_the_pairs_are_those_of_reading_the_whole_file(tmp_path: Path, content: str) -> None:
    path = tmp_path / "x.tsv"
    path.write_bytes(content.encode())
    pairs, expected = PairFile(path), read_tsv(path)
    assert list(pairs) == expected
    assert [pairs[number] for number in range(len(pairs))] == expected
    assert pairs[-1] == expected[-1]
    assert pairs[:1] == expected[:1]
    assert pairs_fingerprint(pairs) == pairs_fingerprint(expected)


def test_tags(tmp_path: Path) -> None:
    path = tmp_path / "x.tsv"
    path.write_text("walk\twalked\tV;PST\n")
    assert list(PairFile(path, tags=True)) == read_tsv(path, tags=True)


@pytest.mark.parametrize("content", [b"", b"a\tb\n\nc\td\n", b"a\tb\nc\n", b"a\tb\n\xe9\tc\n"])
def test_faults_are_those_of_reading_the_whole_file(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x.tsv"
    path.write_bytes(content)
    with pytest.raises(DataError) as whole:
        read_tsv(path)
    with pytest.raises(DataError) as lazy:
        PairFile(path)
    assert str(lazy.value) == str(whole.value)
