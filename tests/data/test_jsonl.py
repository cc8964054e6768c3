from pathlib import Path

import pytest

from seq2see.data.pairs import Pair, read_pairs
from seq2see.errors import DataError


def test_texts_come_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"source": "a \\u00e9\\u2028", "target": "", "id": 3}\n{"target": "y", "source": "x"}\n')
    assert read_pairs(path, None, None) == [Pair("a é\u2028", ""), Pair("x", "y")]
    path.write_text('{"source": "walk", "target": "walked", "tags": "V;PST"}\n')
    assert read_pairs(path, None, None, tags=True) == [Pair("walk\tV;PST", "walked")]


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("{", r"line 2: not JSON"),
        ("[1]", r"line 2: a list, wanted an object with source, target"),
        ('{"source": "x"}', r"line 2: 'target' is missing, wanted a text"),
        ('{"source": "x", "target": 3}', r"line 2: 'target' is 3, wanted a text"),
        ("", r"line 2: not JSON"),
        ("[" * 3000, r"line 2: lists or objects within each other without end, wanted an object"),
        (
            '{"source": "x\\ud83d", "target": "y"}',
            r"line 2: 'source': U\+D83D at character 1 is half of a surrogate pair",
        ),
        ('{"source": "x", "target": "\\ude00"}', r"line 2: 'target': U\+DE00 at character 0 is half of a surrogate"),
    ],
)
def test_faults_name_line_and_key(tmp_path: Path, line: str, fault: str) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"source": "a", "target": "b"}\n' + line + "\n")
    with pytest.raises(DataError, match=rf"a\.jsonl: {fault}"):
        read_pairs(path, None, None)
    path.write_text("")
    with pytest.raises(DataError, match="empty, wanted at least one pair"):
        read_pairs(path, None, None)
