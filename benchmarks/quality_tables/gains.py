"""What single techniques gain: the recipe for spelling to phones with one thing changed."""

from collections.abc import Iterator
from pathlib import Path

from quality_tables import g2p
from quality_tables.table import DataSet, Recipe, Table

LANGUAGES = ("bul", "dut", "kor")
SEEDS = 2


def sets(data: Path) -> Iterator[DataSet]:
    """Some of the languages."""
    yield from (one for one in g2p.sets(data) if one.name in LANGUAGES)


def changed(*settings: str, only: tuple[str, ...] = ()) -> Recipe:
    """The recipe with other settings."""
    return Recipe("g2p.yaml", settings, seeds=SEEDS, together=False, only=only)


TABLE = Table(
    name="gains",
    title="What single techniques gain",
    about="The recipe for spelling to phones, and the same with one thing changed, on the words to choose models by, "
    "not on those to test: 450 words of each of three languages. WER, in %. What several models gain together stands "
    "above.",
    sets=sets,
    models={
        "as it is": changed(),
        "no dropout": changed("model.dropout=0.0"),
        "no label smoothing": changed("training.label_smoothing=0.0"),
        "a constant rate": changed("training.schedule=constant"),
        "a moving average of weights": changed("training.average_decay=0.999"),
        "a tenth of tokens left out": changed("model.token_dropout=0.1"),
        "output tied to embedding": changed("model.tie_output=true"),
        "Hangul syllables whole": changed("tokens.source.decomposed=false", only=("kor",)),
    },
    measure=g2p.measure,
    metrics=("WER",),
    parts=("valid",),
    means={"mean": ""},
)
