"""Names: Arabic to Latin script."""

from collections.abc import Iterator
from pathlib import Path

from quality_tables.table import DataSet, Recipe, Table, common, copied
from seq2see.data.pairs import read_tsv


def sets(data: Path) -> Iterator[DataSet]:
    """One set."""
    parts = (read_tsv(data / "transliteration_ar2en" / f"ar2en-{part}.txt") for part in ("train", "eval", "test"))
    yield DataSet("ar-en", *parts)


METRICS = ("accuracy", "CER", "chrF")

TABLE = Table(
    name="names",
    title="Names, Arabic to Latin script",
    about="Names of Wikipedia (google/transliteration, ar2en): 12,877 pairs, 1,590 to test. Accuracy: names that are "
    "wholly right, in %; CER: edit distance over characters, in %.",
    sets=sets,
    models={"RNN": Recipe("transliteration.yaml", seeds=3)},
    measure=common(METRICS),
    metrics=METRICS,
    baseline=("source as it is", copied),
)
