"""A file of pairs that is too large to be read at once."""

import mmap
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from seq2see.data.lazy_sequence import LazySequence
from seq2see.data.pairs import Pair, parse_tsv_line
from seq2see.data.text_file import BYTE_ORDER_MARK, decode_line, reading
from seq2see.errors import DataError
from seq2see.files import fingerprint

BYTES_AT_ONCE = 1 << 24


class PairFile(LazySequence[Pair]):
    r"""The pairs of a TSV file, read from it when they are asked for; lines are those of ``read_tsv``.

    Args:
        path: The file. It must not change as long as this is used.
        tags: Whether there is a third column.

    Raises:
        DataError: The file is unreadable or empty, or a line is not as it should be; names the line.
    """

    def __init__(self, path: Path, *, tags: bool = False) -> None:
        self.path, self.tags = path, tags
        with reading(path), path.open("rb") as file:
            if file.seek(0, 2) == 0:
                raise DataError(f"{path}: empty, wanted at least one pair")
            self._bytes = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self._starts, self._ends = _line_bounds(self._bytes)
        self.fingerprint = _of(self)  # every line is read, and is as it should be

    def __len__(self) -> int:
        return len(self._starts)

    def make(self, number: int) -> Pair:
        """Read one pair."""
        raw = self._bytes[int(self._starts[number]) : int(self._ends[number])]
        line = decode_line(raw, number + 1, str(self.path))
        return parse_tsv_line(line, f"{self.path}: line {number + 1}", tags=self.tags)


def pairs_fingerprint(pairs: Sequence[Pair]) -> str:
    """What tells these pairs from others."""
    return pairs.fingerprint if isinstance(pairs, PairFile) else _of(pairs)


def _of(pairs: Iterable[Pair]) -> str:
    return fingerprint(
        f"{pair.source}\t{pair.target}\t{'' if pair.links is None else sorted(pair.links)}\n".encode() for pair in pairs
    )


def _line_bounds(content: mmap.mmap) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    r"""Where each line starts and ends; see ``split_lines`` for what a line is."""
    first = len(BYTE_ORDER_MARK) if content[: len(BYTE_ORDER_MARK)] == BYTE_ORDER_MARK else 0
    found = [
        start + np.flatnonzero(np.frombuffer(content[start : start + BYTES_AT_ONCE], dtype=np.uint8) == ord("\n"))
        for start in range(first, len(content), BYTES_AT_ONCE)
    ]
    feeds = np.concatenate(found).astype(np.int64) if found else np.zeros(0, dtype=np.int64)
    starts = np.concatenate(([first], feeds + 1)).astype(np.int64)
    ends = np.append(feeds, len(content))
    if len(feeds) and all(content[end - 1] == ord("\r") for end in feeds.tolist()):
        ends = ends - [int(content[end - 1] == ord("\r")) for end in ends.tolist()]
    num_lines = len(ends) - int(starts[-1] == len(content))  # a last line feed begins no further line
    return starts[:num_lines], ends[:num_lines]
