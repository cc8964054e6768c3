"""Strings of programs: English to German and Chinese."""

from collections.abc import Iterator
from pathlib import Path

from quality_tables.table import DataSet, Recipe, Table, common, copied
from seq2see.data.pairs import Pair

FOLDER = "software_localisation"
LANGUAGES = {"en-zh": "en-zh_Hans", "en-de": "en-de"}


def read_part(path: Path) -> list[Pair]:
    """English and translation are the third and fourth column; line feeds and tabs in them, escaped, become spaces."""
    pairs = []
    for line in path.read_text(encoding="utf-8").split("\n"):
        columns = line.replace("\\n", " ").replace("\\t", " ").replace("\\\\", "\\").split("\t")
        if len(columns) == 4 and columns[2].strip() and columns[3].strip():
            pairs.append(Pair(columns[2], columns[3]))
    return pairs


def sets(data: Path) -> Iterator[DataSet]:
    """A set for each language."""
    for name, stem in LANGUAGES.items():
        yield DataSet(name, *(read_part(data / FOLDER / f"{stem}.{part}.tsv") for part in ("train", "dev", "test")))


METRICS = ("chrF", "BLEU", "accuracy")

TABLE = Table(
    name="program-strings",
    title="Strings of programs, from English",
    about="Messages of seven Python packages with their translations: 11,697 (German) and 7,633 (Chinese) pairs, 671 "
    "and 433 to test. BLEU by sacrebleu (zh, 13a).",
    sets=sets,
    models={"RNN": Recipe("localisation.yaml", seeds=3)},
    measure=common(METRICS),
    metrics=METRICS,
    baseline=("source as it is", copied),
)
