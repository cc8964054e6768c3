"""Lemma and tags to inflected form: SIGMORPHON–UniMorph 2022, task 0, part 1."""

from collections.abc import Iterator
from pathlib import Path

from quality_tables.table import DataSet, Published, Recipe, Table, common, copied
from seq2see.data.pairs import read_tsv

FOLDER = "sigmorphon2022_inflection"
LANGUAGES = ("ara", "got", "heb", "hun", "kat", "kor", "krl", "pol", "tur")
SIZES = ("large", "small")
SOURCE = "github.com/sigmorphon/2022InflectionST, evaluation/baseline_results/part1"


def sets(data: Path) -> Iterator[DataSet]:
    """A set for each language and size."""
    for size in SIZES:
        for language in LANGUAGES:
            names = (f"{language}_{size}.train", f"{language}.dev", f"{language}.gold")
            yield DataSet(f"{language}_{size}", *(read_tsv(data / FOLDER / name, tags=True) for name in names))


def published(data: Path) -> list[Published]:
    """The organisers' baselines."""
    found = []
    for name, kind in (("neural baseline", "neural"), ("non-neural baseline", "nonneural")):
        lines = (data / FOLDER / "published_results" / f"{kind}_test.txt").read_text(encoding="utf-8").splitlines()
        rows = [line.split("\t") for line in lines[1:] if "_" in line]
        found.append(Published(name, SOURCE, {row[0]: {"accuracy": float(row[1])} for row in rows}))
    return found


METRICS = ("accuracy", "CER")

TABLE = Table(
    name="inflection",
    title="Lemma and tags to inflected form",
    about="SIGMORPHON–UniMorph 2022, task 0, part 1: 7,000 (large) or 700 (small) forms of each of 9 languages, about "
    "1,000 to choose the model by, about 2,000 to test. One configuration for all. Accuracy: forms that are wholly "
    "right, in %; CER: edit distance over characters, in %.",
    sets=sets,
    models={"RNN": Recipe("inflection.yaml")},
    measure=common(METRICS),
    metrics=METRICS,
    baseline=("lemma as it is", copied),
    published=published,
    means={f"mean, {size}": f"_{size}" for size in SIZES},
)
