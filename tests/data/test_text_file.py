from pathlib import Path

import pytest

from seq2see.data.text_file import decode_lines, read_lines
from seq2see.errors import DataError


@pytest.mark.parametrize(
    ("raw", "lines"),
    [
        (b"", []),
        (b"\n", [""]),
        (b"a", ["a"]),
        (b"a\n", ["a"]),
        (b"a\n\nb", ["a", "", "b"]),
        ("a\u2028b\u0085c\x0b\x0c\x1c\n".encode(), ["a\u2028b\u0085c\x0b\x0c\x1c"]),
        (b"a\rb\n", ["a\rb"]),
        (b"a\r\nb\r\n", ["a", "b"]),
        (b"a\r\nb\n", ["a\r", "b"]),
        (b"a\tb\r\nc\td", ["a\tb", "c\td"]),
        (b"\xef\xbb\xbfa\n", ["a"]),
        (b"\0\n", ["\0"]),
    ],
)
def test_lines_end_at_line_feeds_alone(raw: bytes, lines: list[str]) -> None:
    assert decode_lines(raw, "name") == lines


def test_a_byte_that_is_not_utf8_is_named_with_its_place(tmp_path: Path) -> None:
    path = tmp_path / "latin.tsv"
    path.write_bytes("ü\ta\n".encode() + b"caf\xe9\tb\n")
    with pytest.raises(DataError, match=r"latin\.tsv: line 2: byte 0xe9 at offset 3 of the line is not UTF-8"):
        read_lines(path)


def test_missing_file_and_directory(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"nowhere\.txt: no such file"):
        read_lines(tmp_path / "nowhere.txt")
    with pytest.raises(DataError, match="is a directory, wanted a text file"):
        read_lines(tmp_path)
