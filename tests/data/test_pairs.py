from pathlib import Path

import pytest

from seq2see.data.pairs import Pair, group_references, hold_out, read_pairs, read_parallel, read_tsv
from seq2see.errors import DataError


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8", newline="")
    return path


def test_quotation_marks_are_text(tmp_path: Path) -> None:
    path = write(tmp_path / "a.tsv", '"a\tb\nc\td"\n')
    assert read_tsv(path) == [Pair('"a', "b"), Pair("c", 'd"')]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a\tb\nc\n", r"a\.tsv: line 2: 1 column 'c', wanted 2"),
        ("a\tb\n\n", r"a\.tsv: line 2: is empty, wanted 2 columns"),
        ("a\tb\tN;PL\n", r"a\.tsv: line 1: 3 columns, wanted 2 .*'N;PL'.*model.encoder.tags=attended"),
        ("", r"a\.tsv: empty, wanted at least one pair"),
    ],
)
def test_faults_name_file_line_and_what_was_wanted(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        read_tsv(write(tmp_path / "a.tsv", text))


def test_unequal_parallel_files_give_both_counts(tmp_path: Path) -> None:
    source, target = write(tmp_path / "a.en", "x\n" * 3), write(tmp_path / "a.de", "y\n" * 2)
    with pytest.raises(DataError, match=r"a\.en has 3 lines and .*a\.de has 2"):
        read_parallel(source, target)


def test_empty_lines_of_parallel_files_keep_their_place(tmp_path: Path) -> None:
    source, target = write(tmp_path / "a.en", "x\n\nz\n"), write(tmp_path / "a.de", "1\n2\n3\n")
    assert read_parallel(source, target) == [Pair("x", "1"), Pair("", "2"), Pair("z", "3")]


def test_either_one_file_or_two(tmp_path: Path) -> None:
    path = write(tmp_path / "a.tsv", "a\tb\n")
    for data, source, target in [(None, None, None), (path, path, None), (None, path, None), (path, path, path)]:
        with pytest.raises(DataError, match=r"either --valid FILE\.tsv, or --valid-source FILE and --valid-target"):
            read_pairs(data, source, target, name="valid")


def test_equal_sources_are_alternatives() -> None:
    grouped = group_references([Pair("a", "1"), Pair("b", "2"), Pair("a", "3"), Pair("a", "1")])
    assert [(pair.source, pair.targets) for pair in grouped] == [("a", ("1", "3")), ("b", ("2",))]


def test_no_source_is_on_both_sides_of_what_is_held_out() -> None:
    pairs = [Pair(str(number % 50), str(number)) for number in range(200)]
    rest, held = hold_out(pairs, 0.1, 1000)
    assert len({pair.source for pair in held}) == 5
    assert not {pair.source for pair in held} & {pair.source for pair in rest}
    assert sorted(rest + held) == sorted(pairs)
