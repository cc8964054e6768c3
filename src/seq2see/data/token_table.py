"""Examples in files, mapped into memory."""

from array import array
from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from seq2see.data.batches import Example
from seq2see.data.lazy_sequence import LazySequence

ID_BYTES = 4
COLUMNS = ("source", "target", "tags", "copy_ids")


class TokenTable(LazySequence[Example]):
    """Examples whose ids stand in files, of which only what is used is in memory.

    A column is two files: ``NAME.ids``, the 32-bit ids of all examples after each other, and ``NAME.ends.npy``, where
    each example's ids end.

    Args:
        folder: Written by ``write_table``.

    Raises:
        OSError: A file is missing.
        ValueError: A file has not the ids that there should be.
    """

    def __init__(self, folder: Path) -> None:
        self._ends = {name: np.load(folder / f"{name}.ends.npy", mmap_mode="r") for name in COLUMNS}
        self._ids: dict[str, NDArray[np.int32]] = {}
        for name in COLUMNS:
            path = folder / f"{name}.ids"
            empty = path.stat().st_size == 0  # which cannot be mapped
            wanted = int(self._ends[name][-1]) if len(self._ends[name]) else 0
            if path.stat().st_size != ID_BYTES * wanted:
                raise ValueError(f"{path.name} has {path.stat().st_size} bytes, wanted {ID_BYTES * wanted}")
            self._ids[name] = np.zeros(0, np.int32) if empty else np.memmap(path, dtype=np.int32, mode="r")

    def __len__(self) -> int:
        return len(self._ends["source"])

    def make(self, number: int) -> Example:
        """Read one example."""
        source, target, tags, copy_ids = (self._row(name, number) for name in COLUMNS)
        return Example(source, target, tags, copy_ids)

    def _row(self, name: str, number: int) -> list[int]:
        ends = self._ends[name]
        start = int(ends[number - 1]) if number else 0
        ids: list[int] = self._ids[name][start : int(ends[number])].tolist()
        return ids

    def lengths(self) -> NDArray[np.int64]:
        """(n, 2): ``Example.length`` and the length of the source, of every example."""
        counts = {name: np.diff(self._ends[name], prepend=0) for name in COLUMNS}
        return np.stack([np.maximum(counts["source"] + counts["tags"], counts["target"] + 1), counts["source"]], axis=1)


def write_table(folder: Path, examples: Iterable[Example]) -> int:
    """Write examples as they come; return how many.

    Args:
        folder: Must be there.
        examples: Without links.
    """
    ends = {name: array("q") for name in COLUMNS}
    files: dict[str, BinaryIO] = {}
    totals = dict.fromkeys(COLUMNS, 0)
    try:
        for name in COLUMNS:
            files[name] = (folder / f"{name}.ids").open("wb")
        for example in examples:
            for name in COLUMNS:
                ids: list[int] = getattr(example, name)
                files[name].write(array("i", ids).tobytes())
                totals[name] += len(ids)
                ends[name].append(totals[name])
    finally:
        for file in files.values():
            file.close()
    for name in COLUMNS:
        np.save(folder / f"{name}.ends.npy", np.array(ends[name], dtype=np.int64))
    return len(ends["source"])
