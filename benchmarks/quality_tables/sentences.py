"""Short sentences: Tatoeba, between English and Chinese."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from quality_tables.table import DataSet, Recipe, Table, common
from seq2see.data.pairs import Pair
from seq2see.demo.pairs import demo_pairs


def sets(_: Path) -> Iterator[DataSet]:
    """Both directions of the bundled pairs."""
    parts = demo_pairs()
    yield DataSet("en-zh", *parts)
    swapped = [[Pair(pair.target, pair.source) for pair in part] for part in parts]
    seen = {pair.source for pair in swapped[2]}
    train, valid = ([pair for pair in part if pair.source not in seen] for part in swapped[:2])
    yield DataSet("zh-en", train, valid, swapped[2])


def most_frequent(data_set: DataSet, sources: Sequence[str]) -> list[str]:
    """The target that the training pairs have most often, whatever the source."""
    ((text, _),) = Counter(pair.target for pair in data_set.train).most_common(1)
    return [text] * len(sources)


METRICS = ("BLEU", "chrF", "accuracy")

TABLE = Table(
    name="sentences",
    title="Short sentences, between English and Chinese",
    about="The bundled pairs of Tatoeba. All translations of a test sentence are references. sacreBLEU (zh, 13a).",
    sets=sets,
    models={"RNN": Recipe("translation-small.yaml", seeds=3)},
    measure=common(METRICS),
    metrics=METRICS,
    baseline=("most frequent sentence", most_frequent),
)
