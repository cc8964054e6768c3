"""Captions of pictures: Multi30k, English to German and French."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from sacrebleu.metrics.bleu import BLEU

from quality_tables.table import DataSet, Published, Recipe, Scores, Table, copied
from seq2see import metrics
from seq2see.data.pairs import read_parallel

FOLDER = "multi30k"
TINY = {
    "de": "Wu et al. 2021, Good for misconceived reasons; the figure is that of its code's README-baseline.md",
    "fr": "Wu et al. 2021, Good for misconceived reasons, as we remember it: the paper was not at hand",
}


def sets(language: str, data: Path) -> Iterator[DataSet]:
    """One set."""
    parts = (
        read_parallel(data / FOLDER / f"{part}.en", data / FOLDER / f"{part}.{language}")
        for part in ("train", "val", "test_2016_flickr")
    )
    yield DataSet(f"en-{language}", *parts)


def as_published(language: str) -> Callable[[str], str]:
    """Lower case, normalised punctuation, Moses tokens: the form that is scored in papers."""
    from sacremoses import MosesPunctNormalizer, MosesTokenizer  # not needed to make the page

    normaliser, tokenizer = MosesPunctNormalizer(lang=language), MosesTokenizer(lang=language)
    return lambda text: " ".join(tokenizer.tokenize(normaliser.normalize(text.lower())))


def measure(language: str, _: Sequence[str], outputs: Sequence[str], references: Sequence[tuple[str, ...]]) -> Scores:
    """BLEU of papers, and sacrebleu's of the text as it is."""
    cut = as_published(language)
    first = [alternatives[0] for alternatives in references]
    tokenised = BLEU(tokenize="none", force=True).corpus_score([*map(cut, outputs)], [[*map(cut, first)]])
    return {
        "BLEU, lower-case tokens": float(tokenised.score),
        "sacreBLEU": metrics.bleu(outputs, references, tokenizer="13a").value,
        "chrF": metrics.chrf(outputs, references).value,
    }


def _table(language: str, name: str, tiny: float, further: list[Published]) -> Table:
    tokens = "BLEU, lower-case tokens"
    published = [Published("Transformer-Tiny", TINY[language], {f"en-{language}": {tokens: tiny}}), *further]
    return Table(
        name=f"multi30k-{language}",
        title=f"Captions, English to {name}",
        about="Multi30k, 29,000 pairs, test_2016_flickr, beam 5. BLEU of lower-case Moses tokens with normalised "
        "punctuation, as papers have it; and sacreBLEU (13a) of the text as it is, case included.",
        sets=partial(sets, language),
        models={
            "RNN": Recipe("translation-small.yaml", seeds=3),
            "Transformer": Recipe("translation-small-transformer.yaml"),
        },
        measure=partial(measure, language),
        metrics=(tokens, "sacreBLEU", "chrF"),
        baseline=("source as it is", copied),
        published=lambda _: published,
    )


GERMAN = _table("de", "German", 41.02, [])
FRENCH = _table("fr", "French", 61.80, [])
