"""The data doctor: what is wrong, or only strange, in files of pairs."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import NamedTuple

from seq2see.data.doctor_text import strange_characters
from seq2see.data.formats import read_format
from seq2see.data.pairs import Pair, split_tags
from seq2see.data.text_file import read_bytes, split_lines

MOST_PLACES = 5
MOST_CHARACTERS = 20
RATIO_OUTLIER = 4.0
LENGTH_EDGES = (1, 5, 10, 20, 40, 80, 160, 320)


class Level(IntEnum):
    """How bad a finding is, the worst first."""

    breaks = 0
    harms = 1
    strange = 2


class Place(NamedTuple):
    """A line of a file; lines count from 1."""

    file: str
    line: int


@dataclass(frozen=True, slots=True)
class Finding:
    """Something found.

    Args:
        level: ``breaks`` training; ``harms`` the model or its figures; or is ``strange`` and may be meant.
        what: In a sentence.
        count: How often.
        places: The first few.
    """

    level: Level
    what: str
    count: int
    places: list[Place]


@dataclass(frozen=True, slots=True)
class FileSummary:
    """A file in figures.

    Args:
        file: Its name.
        pairs: Lines that are pairs.
        sources: Distinct sources.
        source_lengths: Characters of sources: range → how many.
        target_lengths: The same of targets.
    """

    file: str
    pairs: int
    sources: int
    source_lengths: dict[str, int]
    target_lengths: dict[str, int]


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """All that was found, the worst first, and the files in figures."""

    findings: list[Finding]
    files: list[FileSummary]

    @property
    def breaks_training(self) -> bool:
        """Whether training would be refused."""
        return any(finding.level is Level.breaks for finding in self.findings)


class _Row(NamedTuple):
    place: Place
    source: str
    target: str
    text: str
    """The source without its tags."""


class _Notes:
    """Findings by what they say."""

    def __init__(self) -> None:
        self.places: dict[tuple[Level, str], list[Place]] = defaultdict(list)

    def add(self, level: Level, what: str, place: Place) -> None:
        self.places[level, what].append(place)

    def findings(self) -> list[Finding]:
        found = [
            Finding(level, what, len(places), places[:MOST_PLACES]) for (level, what), places in self.places.items()
        ]
        return sorted(found, key=lambda finding: (finding.level, -finding.count))


def examine(paths: Sequence[Path], *, tags: bool = False) -> Diagnosis:
    """Examine files of pairs; the first is what a model would learn from, the others validate and test it.

    Args:
        paths: TSV files, or files whose names end in .jsonl, .po or .tmx.
        tags: Whether lines have a third column of tags.

    Raises:
        DataError: A file cannot be read at all, or is no TSV file and not as its format should be.
    """
    notes = _Notes()
    return _diagnosis({str(path): list(_rows(path, 3 if tags else 2, notes)) for path in paths}, notes)


def examine_pairs(pairs: Mapping[str, Iterable[Pair]], *, tags: bool = False) -> Diagnosis:
    """As ``examine``, of pairs that have been read: the number of a pair stands for its line.

    Args:
        pairs: By the name that places are to have.
        tags: Whether sources are ``text TAB tags``.
    """
    tables = {
        name: [
            _Row(Place(name, number), pair.source, pair.target, split_tags(pair.source)[0] if tags else pair.source)
            for number, pair in enumerate(of_one, start=1)
        ]
        for name, of_one in pairs.items()
    }
    return _diagnosis(tables, _Notes())


def _diagnosis(tables: Mapping[str, Sequence[_Row]], notes: _Notes) -> Diagnosis:
    for name, rows in tables.items():
        if not rows:
            notes.add(Level.breaks, "no pair in the file", Place(name, 1))
        _examine_rows(rows, notes)
    train, *others = tables.values()
    for rows in others:
        _compare(train, rows, notes)
    return Diagnosis(notes.findings(), [_summary(name, rows) for name, rows in tables.items()])


def _rows(path: Path, columns: int, notes: _Notes) -> Iterator[_Row]:
    """The pairs of a file; what is no pair is noted and left out."""
    placed = read_format(path, tags=columns == 3)
    if placed is not None:
        for number, source, target in placed:
            text = split_tags(source)[0] if columns == 3 else source
            yield _Row(Place(str(path), number), source, target, text)
        return
    for number, raw in enumerate(split_lines(read_bytes(path)), start=1):
        place = Place(str(path), number)
        try:
            line = raw.decode("utf-8")
        except UnicodeDecodeError:
            notes.add(Level.breaks, "not UTF-8", place)
            continue
        parts = line.split("\t")
        if len(parts) != columns:
            told = "an empty line" if not line else f"{len(parts)} columns"
            notes.add(Level.breaks, f"{told}, wanted {columns}", place)
            continue
        yield _Row(place, "\t".join([parts[0], *parts[2:]]), parts[1], parts[0])


def _examine_rows(rows: Sequence[_Row], notes: _Notes) -> None:
    """What a file shows by itself."""
    seen: dict[tuple[str, str], Place] = {}
    targets: dict[str, set[str]] = defaultdict(set)
    ratio = sum(len(row.target) for row in rows) / max(1, sum(len(row.text) for row in rows))
    for row in rows:
        for name, text in (("source", row.text), ("target", row.target)):
            if not text.strip():
                notes.add(Level.harms, f"the {name} is empty; such pairs are left out of training", row.place)
            elif text != text.strip():
                notes.add(Level.strange, f"space before or after the {name}", row.place)
            for what in strange_characters(text):
                notes.add(Level.strange, f"{what} in the {name}", row.place)
        if (row.source, row.target) in seen:
            notes.add(Level.strange, "the same pair again", row.place)
        seen.setdefault((row.source, row.target), row.place)
        targets[row.source].add(row.target)
        if row.text and row.target:
            relative = len(row.target) / len(row.text) / max(1e-9, ratio)
            long_enough = max(len(row.text), len(row.target)) >= 20
            if long_enough and not 1 / RATIO_OUTLIER <= relative <= RATIO_OUTLIER:
                notes.add(
                    Level.harms, "source and target of very different length; do they belong together?", row.place
                )
        if row.text == row.target and len(row.text) > 3:
            notes.add(Level.strange, "the target is the source", row.place)
    for row in rows:
        if len(targets[row.source]) > 1:
            notes.add(Level.strange, "a source with several targets (they count as alternatives)", row.place)
            targets[row.source] = set()  # told once


def _compare(train: Sequence[_Row], rows: Sequence[_Row], notes: _Notes) -> None:
    """What a file shows beside the one that is learnt from."""
    sources = {row.source for row in train}
    for row in rows:
        if row.source in sources:
            notes.add(Level.harms, "the source is among those that are learnt from", row.place)
    sides: tuple[tuple[str, Callable[[_Row], str]], ...] = (
        ("source", lambda row: row.text),
        ("target", lambda row: row.target),
    )
    for name, side in sides:
        known = {char for row in train for char in side(row)}
        unseen = [(row.place, set(side(row)) - known) for row in rows if not set(side(row)) <= known]
        shown = sorted(set().union(*(characters for _, characters in unseen)))
        if shown:
            told = " ".join(map(repr, shown[:MOST_CHARACTERS])) + (" …" if len(shown) > MOST_CHARACTERS else "")
            for place, _ in unseen:
                notes.add(Level.strange, f"characters that no {name} of the first file has: {told}", place)


def _summary(file: str, rows: Sequence[_Row]) -> FileSummary:
    return FileSummary(
        file=file,
        pairs=len(rows),
        sources=len({row.source for row in rows}),
        source_lengths=_histogram([len(row.text) for row in rows]),
        target_lengths=_histogram([len(row.target) for row in rows]),
    )


def _histogram(lengths: Sequence[int]) -> dict[str, int]:
    """How many lengths are in each range."""
    counts: dict[str, int] = {}
    edges = (0, *LENGTH_EDGES)
    for low, high in zip(edges, (*LENGTH_EDGES, None), strict=True):
        count = sum(low <= length and (high is None or length < high) for length in lengths)
        if count:
            counts[f"{low}+" if high is None else f"{low}-{high - 1}"] = count
    return counts
