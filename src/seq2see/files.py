"""Files that appear whole or not at all."""

import contextlib
import os
import re
import secrets
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from seq2see.errors import OutputError

TEMPORARY = re.compile(r"\.(.+)\.[0-9a-f]{8}")


def write_file(path: Path, content: str | bytes) -> None:
    """Write a file so that a reader sees the old content or the new, never a part.

    Writes a temporary file beside it, forces it to disk, and renames it. A link is followed; a device or pipe, such
    as /dev/stdout, is written to as it is. Text is UTF-8.

    Raises:
        OutputError: The folder cannot be written or the disk is full; what stood there before still does.
    """
    write_parts(path, [content.encode("utf-8") if isinstance(content, str) else content])


def write_lines(path: Path, lines: Iterable[str]) -> None:
    """As ``write_file``, line by line as they come."""
    write_parts(path, (f"{line}\n".encode() for line in lines))


def write_parts(path: Path, parts: Iterable[bytes]) -> None:
    """As ``write_file``, part by part; what making a part raises, other than by the system, is raised as it is."""
    with output_errors(path):
        target = path.resolve()
        if target.exists() and not target.is_file() and not target.is_dir():
            with target.open("wb") as file:
                file.writelines(parts)
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        temporary = target.parent / f".{target.name[:100]}.{secrets.token_hex(4)}"
        try:
            with temporary.open("xb") as file:
                file.writelines(parts)
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(target)
        except BaseException:
            with contextlib.suppress(OSError):
                temporary.unlink()
            raise


def left_behind(folder: Path, names: Collection[str]) -> list[Path]:
    """The temporary files of a process that was killed while it wrote files of such names into a folder."""
    if not folder.is_dir():
        return []
    matches = ((path, TEMPORARY.fullmatch(path.name)) for path in folder.iterdir())
    return [path for path, match in matches if match and match[1] in names]


@contextlib.contextmanager
def output_errors(path: Path) -> Iterator[None]:
    """Turn the operating system's refusals into an ``OutputError`` that names the path."""
    try:
        yield
    except (OSError, ValueError) as error:  # ValueError: a path with U+0000
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise OutputError(f"{path}: cannot be written: {reason}") from None
