"""Files that appear whole or not at all."""

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from seq2see.errors import OutputError


def write_file(path: Path, content: str | bytes) -> None:
    """Write a file so that a reader sees the old content or the new, never a part.

    Writes a temporary file beside it, forces it to disk, and renames it. Text is UTF-8.

    Raises:
        OutputError: The folder cannot be written or the disk is full; what stood there before still does.
    """
    data = content.encode("utf-8") if isinstance(content, str) else content
    with output_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            os.chmod(temporary, 0o644)
            os.replace(temporary, path)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
            raise


@contextlib.contextmanager
def output_errors(path: Path) -> Iterator[None]:
    """Turn the operating system's refusals into an ``OutputError`` that names the path."""
    try:
        yield
    except OSError as error:
        raise OutputError(f"{path}: cannot be written: {error.strerror or error}") from None
