import os
from pathlib import Path

import pytest

from seq2see.errors import OutputError
from seq2see.files import write_file


def test_text_is_utf8_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    write_file(tmp_path / "new" / "a", "é\n")
    write_file(tmp_path / "new" / "a", "ü\r\n")
    assert (tmp_path / "new" / "a").read_bytes() == "ü\r\n".encode()
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["a"]


def test_a_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("old")
    (tmp_path / "link").symlink_to(tmp_path / "file")
    write_file(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "file").read_text() == "new"


def test_a_device_stays_a_device() -> None:
    write_file(Path("/dev/null"), "x")
    assert not Path("/dev/null").is_file()


def test_the_mask_of_the_process_decides_who_may_read(tmp_path: Path) -> None:
    before = os.umask(0o077)
    try:
        write_file(tmp_path / "a", "secret")
    finally:
        os.umask(before)
    assert (tmp_path / "a").stat().st_mode & 0o777 == 0o600


def test_a_directory_or_an_impossible_name_is_refused(tmp_path: Path) -> None:
    (tmp_path / "d").mkdir()
    for path in (tmp_path / "d", tmp_path / ("x" * 300), tmp_path / "a\0b"):
        with pytest.raises(OutputError, match="cannot be written"):
            write_file(path, "x")
    assert [path.name for path in tmp_path.iterdir()] == ["d"]
