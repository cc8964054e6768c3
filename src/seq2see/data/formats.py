"""Files of pairs that are not TSV, known by the endings of their names."""

from pathlib import Path

from seq2see.data.jsonl import read_jsonl
from seq2see.data.placed_pair import PlacedPair
from seq2see.data.po import read_po
from seq2see.data.tmx import read_tmx
from seq2see.errors import DataError

NO_PAIR = {
    ".jsonl": "empty",
    ".po": "no entry that is translated and neither fuzzy nor obsolete",
    ".tmx": "no unit with both languages",
}
"""What is said where a file has no pair, for each ending."""


def has_own_format(path: Path) -> bool:
    """Whether the ending of a name says that the file is not TSV."""
    return path.suffix.lower() in NO_PAIR


def read_format(path: Path, *, tags: bool) -> list[PlacedPair] | None:
    """Read JSON Lines (.jsonl), gettext (.po) or a translation memory (.tmx); None for a name with another ending.

    Raises:
        DataError: The file is not as it should be, or is to have tags and its format has none.
    """
    ending = path.suffix.lower()
    if not has_own_format(path):
        return None
    if ending == ".jsonl":
        return read_jsonl(path, tags=tags)
    if tags:
        raise DataError(f"{path}: {ending} files have no tags, which model.encoder.tags wants; take TSV or .jsonl")
    return read_po(path) if ending == ".po" else read_tmx(path)
