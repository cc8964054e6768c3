"""What a table of results is made of."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from seq2see import metrics
from seq2see.data.pairs import Pair

TOGETHER = "together"
"""In place of a seed: the models of all seeds."""
Scores = dict[str, float]
Measure = Callable[[Sequence[str], Sequence[str], Sequence[tuple[str, ...]]], Scores]
"""Sources, an output of each and its references → name of the metric → value."""


class DataSet(NamedTuple):
    """Pairs to learn from, to choose the model by, and to test on once."""

    name: str
    train: list[Pair]
    valid: list[Pair]
    test: list[Pair]


class Recipe(NamedTuple):
    """How a model is trained.

    Args:
        config: A file of ``configs/``.
        settings: ``key.path=value`` texts laid over it.
        seeds: How many models with seeds of their own are trained; each counts alone.
        together: Whether all seeds count as an ensemble, too.
        only: Sets that it is trained on; of none named, on all.
    """

    config: str
    settings: tuple[str, ...] = ()
    seeds: int = 1
    together: bool = True
    only: tuple[str, ...] = ()


Outputs = Callable[[Sequence[str]], list[str]]
"""Sources → an output of each."""


class Learnt(NamedTuple):
    """What another toolkit has learnt, and in how many minutes of the processor."""

    outputs_of: Outputs
    minutes: float


Learn = Callable[[DataSet, Path, Path, int], Learnt]
"""Data set, folder of the peers' environments, folder for files, threads → what a peer has learnt there."""


class Published(NamedTuple):
    """Figures of others.

    Args:
        name: Of the system, as a column.
        source: Where the figures stand.
        scores: Name of the data set → name of the metric → value.
    """

    name: str
    source: str
    scores: Mapping[str, Scores]


@dataclass(frozen=True)
class Table:
    """One table.

    Args:
        name: On the command line.
        title: On the page.
        about: What is learnt, from what, and how it is scored; Markdown.
        sets: Folder of the data sets → the sets.
        models: Name of the column → recipe.
        measure: Scores outputs.
        metrics: Which of the scores the page shows, the first one first.
        baseline: Name, and what it gives for the sources of a set.
        published: What others reached.
        peers: Name of the column → what another toolkit learns; made only where it is asked for.
        parts: Of the sets, what is scored; the page shows the last of them.
        means: Names of the last rows, and how the names of the sets end that each is the mean of.
    """

    name: str
    title: str
    about: str
    sets: Callable[[Path], Iterator[DataSet]]
    models: Mapping[str, Recipe]
    measure: Measure
    metrics: tuple[str, ...]
    baseline: tuple[str, Callable[[DataSet, Sequence[str]], list[str]]] | None = None
    published: Callable[[Path], list[Published]] = field(default=lambda _: [])
    peers: Mapping[str, Learn] = field(default_factory=dict)
    parts: tuple[str, ...] = ("valid", "test")
    means: Mapping[str, str] = field(default_factory=dict)


COMMON: dict[str, Callable[[Sequence[str], Sequence[tuple[str, ...]]], float]] = {
    "accuracy": lambda outputs, references: metrics.exact_match(outputs, references).value,
    "CER": lambda outputs, references: metrics.cer(outputs, references).value,
    "chrF": lambda outputs, references: metrics.chrf(outputs, references).value,
    "BLEU": lambda outputs, references: (
        metrics.bleu(outputs, references, tokenizer=metrics.bleu_tokenizer(references)).value
    ),
}
"""Scores that several tables show, in %."""


def common(names: Sequence[str]) -> Measure:
    """What gives some of these scores."""
    return lambda _, outputs, references: {name: COMMON[name](outputs, references) for name in names}


def copied(_: DataSet, sources: Sequence[str]) -> list[str]:
    """The source itself, as an output."""
    return [source.split("\t")[0] for source in sources]
