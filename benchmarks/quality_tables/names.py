"""Names: Arabic to Latin script."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from quality_tables.table import DataSet, Recipe, Scores, Table, copied
from seq2see import metrics
from seq2see.data.pairs import read_tsv


def sets(data: Path) -> Iterator[DataSet]:
    """One set."""
    parts = (read_tsv(data / "transliteration_ar2en" / f"ar2en-{part}.txt") for part in ("train", "eval", "test"))
    yield DataSet("ar-en", *parts)


def measure(_: Sequence[str], outputs: Sequence[str], references: Sequence[tuple[str, ...]]) -> Scores:
    """Share of names that are right, and of characters that are wrong."""
    return {
        "accuracy": metrics.exact_match(outputs, references).value,
        "CER": metrics.cer(outputs, references).value,
        "chrF": metrics.chrf(outputs, references).value,
    }


TABLE = Table(
    name="names",
    title="Names, Arabic to Latin script",
    about="Names of Wikipedia (google/transliteration, ar2en): 12,877 pairs, 1,590 to test. Accuracy: names that are "
    "wholly right, in %; CER: edit distance over characters, in %.",
    sets=sets,
    models={"RNN": Recipe("transliteration.yaml", seeds=3)},
    measure=measure,
    metrics=("accuracy", "CER", "chrF"),
    baseline=("source as it is", copied),
)
