"""Long sentences: verses of the Bible, English to German, by length."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from quality_tables.table import DataSet, Recipe, Scores, Table, copied
from seq2see import metrics
from seq2see.data.pairs import Pair

FOLDER = "bible"
SIDES = ("eng_bbe", "deu_luther1912")
EDGES = (0, 10, 20, 30, 40, 10_000)


def sets(data: Path) -> Iterator[DataSet]:
    """One set."""
    parts = []
    for part in ("train", "dev", "test"):
        sides = [(data / FOLDER / f"{part}.{side}").read_text(encoding="utf-8").splitlines() for side in SIDES]
        parts.append([Pair(*pair) for pair in zip(*sides, strict=True) if all(text.strip() for text in pair)])
    yield DataSet("en-de", *parts)


def measure(sources: Sequence[str], outputs: Sequence[str], references: Sequence[tuple[str, ...]]) -> Scores:
    """BLEU and chrF of all verses, and BLEU of those of each range of source lengths in words."""
    found = {
        "BLEU": metrics.bleu(outputs, references, tokenizer="13a").value,
        "chrF": metrics.chrf(outputs, references).value,
    }
    for low, high in pairwise(EDGES):
        inside = [n for n, source in enumerate(sources) if low < len(source.split()) <= high]
        chosen = [[texts[n] for n in inside] for texts in (outputs, references)]
        found[_range(low, high)] = metrics.bleu(*chosen, tokenizer="13a").value  # type: ignore[arg-type]
    return found


def _range(low: int, high: int) -> str:
    return f"BLEU, {low + 1}–{high} words" if high < EDGES[-1] else f"BLEU, over {low} words"


TABLE = Table(
    name="verses",
    title="Long sentences, by length",
    about="Verses of the Bible in Basic English to Luther's German of 1912: 29,389 to learn from, 785 to test (whole "
    "chapters).",
    sets=sets,
    models={
        "RNN": Recipe("translation-long.yaml"),
        "RNN without attention": Recipe("translation-long.yaml", ("model.attention.scorer=none",)),
    },
    measure=measure,
    metrics=("BLEU", "chrF", *(_range(low, high) for low, high in pairwise(EDGES))),
    baseline=("source as it is", copied),
)
