r"""Reading UTF-8 text, a line per ``\n`` and nothing else."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from seq2see.errors import DataError

BYTE_ORDER_MARK = b"\xef\xbb\xbf"


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Tell what hinders reading a file as a fault of the data.

    Raises:
        DataError: There is no such file, it is a directory, or it may not be read.
    """
    try:
        yield
    except FileNotFoundError:
        raise DataError(f"{path}: no such file") from None
    except IsADirectoryError:
        raise DataError(f"{path}: is a directory, wanted a text file") from None
    except (OSError, ValueError) as error:  # ValueError: a path with U+0000
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise DataError(f"{path}: cannot be read: {reason}") from None


def read_bytes(path: Path) -> bytes:
    """Read a whole file.

    Raises:
        DataError: There is no such file, it is a directory, or it may not be read.
    """
    with reading(path):
        return path.read_bytes()


def split_lines(raw: bytes) -> list[bytes]:
    r"""Split on ``\n`` alone; a last ``\n`` ends the last line and begins no further one.

    U+2028, form feeds and lone ``\r`` stay inside their line. Where every ``\n`` follows a ``\r`` the file was
    written so by its editor, and the ``\r`` is not part of the text.
    """
    raw = raw.removeprefix(BYTE_ORDER_MARK)
    if not raw:
        return []
    *lines, last = raw.split(b"\n")
    if lines and all(line.endswith(b"\r") for line in lines):
        lines = [line[:-1] for line in lines]
        last = last.removesuffix(b"\r")
    return [*lines, last] if last else lines


def decode_lines(raw: bytes, name: str) -> list[str]:
    """Decode the lines of a UTF-8 file.

    Raises:
        DataError: A byte is not UTF-8; names the line, the byte and its offset in the line.
    """
    return [decode_line(line, number, name) for number, line in enumerate(split_lines(raw), start=1)]


def decode_line(line: bytes, number: int, name: str) -> str:
    """Decode one line of a UTF-8 file.

    Raises:
        DataError: A byte is not UTF-8; names the line, the byte and its offset in the line.
    """
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise DataError(
            f"{name}: line {number}: byte 0x{line[error.start]:02x} at offset {error.start} of the line "
            f"is not UTF-8 ({error.reason}); wanted text in UTF-8"
        ) from None


def read_lines(path: Path) -> list[str]:
    """Read the lines of a UTF-8 file.

    Raises:
        DataError: The file cannot be read, or a byte is not UTF-8.
    """
    return decode_lines(read_bytes(path), str(path))


def read_standard_input() -> list[str]:
    """Read the lines of standard input as UTF-8, whatever the locale says.

    Raises:
        DataError: A byte is not UTF-8.
    """
    return decode_lines(sys.stdin.buffer.read(), "standard input")
