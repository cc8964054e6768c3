"""Pairs of source and target, from one file or two parallel files."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from seq2see.data.formats import NO_PAIR, read_format
from seq2see.data.text_file import read_lines
from seq2see.errors import DataError


class Pair(NamedTuple):
    """A source and the target that belongs to it, as raw text; a source with tags is ``text TAB tags``.

    Args:
        source: As raw text.
        target: As raw text.
        links: Which words belong together, (source word, target word) from 0, words being what white space divides;
            None where nobody has said.
    """

    source: str
    target: str
    links: frozenset[tuple[int, int]] | None = None


def split_tags(source: str) -> tuple[str, str | None]:
    """Split ``text TAB tags``; None where there is no TAB."""
    text, tab, tags = source.rpartition("\t")
    return (text, tags) if tab else (source, None)


class ReferencePair(NamedTuple):
    """A source with every target that is given for it."""

    source: str
    targets: tuple[str, ...]


def read_tsv(path: Path, *, tags: bool = False) -> list[Pair]:
    """Read ``source TAB target`` lines, or ``source TAB target TAB tags``; no quoting, so quotation marks are text.

    Args:
        path: The file.
        tags: Whether there is a third column.

    Raises:
        DataError: The file is unreadable or empty, or a line has not exactly two columns (three with tags).
    """
    pairs = []
    for number, line in enumerate(read_lines(path), start=1):
        pairs.append(parse_tsv_line(line, f"{path}: line {number}", tags=tags))
    return _not_empty(pairs, str(path))


def parse_tsv_line(line: str, place: str, *, tags: bool) -> Pair:
    """Read one ``source TAB target`` line, or ``source TAB target TAB tags``.

    Args:
        line: Without its end.
        place: For messages.
        tags: Whether there is a third column.

    Raises:
        DataError: It has not exactly two columns (three with tags).
    """
    columns = line.split("\t")
    if len(columns) != (3 if tags else 2):
        raise DataError(f"{place}: {_columns_fault(columns, tags)}")
    source, target, *given = columns
    return Pair("\t".join([source, *given]), target)


def _columns_fault(columns: Sequence[str], tags: bool) -> str:
    wanted = "3 columns (source TAB target TAB tags)" if tags else "2 (source TAB target)"
    if columns == [""]:
        return "is empty, wanted " + (wanted if tags else "2 columns (source TAB target)")
    if len(columns) == 1:
        return f"1 column {_shorten(columns[0])}, wanted {wanted}"
    if len(columns) == 2:
        return f"2 columns, wanted {wanted}, since model.encoder.tags is set"
    told = f"{len(columns)} columns, wanted {wanted}"
    if tags:
        return f"{told}; the fourth is {_shorten(columns[3])}"
    return f"{told}; the third is {_shorten(columns[2])}; model.encoder.tags=attended (or added) reads it as tags"


def _shorten(text: str, limit: int = 40) -> str:
    return repr(text if len(text) <= limit else text[:limit] + "…")


def read_parallel(source: Path, target: Path) -> list[Pair]:
    """Read two files whose line n belong together.

    Raises:
        DataError: A file is unreadable, both are empty, or the numbers of lines differ.
    """
    sources, targets = read_lines(source), read_lines(target)
    if len(sources) != len(targets):
        raise DataError(
            f"{source} has {len(sources):,} lines and {target} has {len(targets):,}; "
            "wanted as many, since line n of one belongs to line n of the other"
        )
    return _not_empty([Pair(*pair) for pair in zip(sources, targets, strict=True)], f"{source} and {target}")


def _not_empty(pairs: list[Pair], name: str, told: str = "empty") -> list[Pair]:
    if not pairs:
        raise DataError(f"{name}: {told}, wanted at least one pair")
    return pairs


def read_pairs(
    data: Path | None, source: Path | None, target: Path | None, *, name: str = "data", tags: bool = False
) -> list[Pair]:
    """Read pairs from whichever was given: one file of pairs, or two parallel files.

    Args:
        data: A TSV file, or JSON Lines, gettext or a translation memory: its name ends in .jsonl, .po or .tmx.
        source: A file of sources, with ``target``.
        target: A file of targets, with ``source``.
        name: What the options are called, for messages: ``data`` or ``valid``.
        tags: Whether sources have tags: the third column of a TSV file, the second of a file of sources.

    Raises:
        DataError: None or too many of them were given, or a file is not as it should be.
    """
    prefix = "" if name == "data" else f"{name}-"
    if data is not None and source is None and target is None:
        placed = read_format(data, tags=tags)
        if placed is None:
            return read_tsv(data, tags=tags)
        told = NO_PAIR[data.suffix.lower()]
        return _not_empty([Pair(pair.source, pair.target) for pair in placed], str(data), told)
    if data is None and source is not None and target is not None:
        return read_parallel(source, target)
    raise DataError(f"wanted either --{name} FILE.tsv, or --{prefix}source FILE and --{prefix}target FILE")


def group_references(pairs: Sequence[Pair]) -> list[ReferencePair]:
    """Gather the targets of equal sources: several lines with one source are alternatives.

    Order is that of each source's first line; a target given twice counts once.
    """
    targets: dict[str, dict[str, None]] = {}
    for pair in pairs:
        targets.setdefault(pair.source, {})[pair.target] = None
    return [ReferencePair(source, tuple(found)) for source, found in targets.items()]


def hold_out(pairs: Sequence[Pair], share: float, most: int) -> tuple[list[Pair], list[Pair]]:
    """Set some sources, with all their targets, aside for validation.

    Takes every k-th distinct source, so that the choice depends on the data alone.

    Args:
        pairs: All pairs, of at least two distinct sources.
        share: Share of the distinct sources to set aside.
        most: At most so many sources.

    Returns:
        (pairs to train on, pairs held out)
    """
    sources = list(dict.fromkeys(pair.source for pair in pairs))
    count = min(most, max(1, round(len(sources) * share)))
    held = {sources[i * len(sources) // count] for i in range(count)}
    return [p for p in pairs if p.source not in held], [p for p in pairs if p.source in held]
