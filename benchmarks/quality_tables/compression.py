"""Sentences to compressed sentences."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from quality_tables.table import DataSet, Published, Recipe, Scores, Table
from seq2see.data.pairs import read_tsv

NAME = "google"
ROUGE = ("rouge1", "rouge2", "rougeL")
TAGGER = (
    "Wang et al. 2017, ACL, a bidirectional LSTM that tags what is deleted, as listed at paperswithcode.com; "
    "F1 counted in another way"
)


def sets(data: Path) -> Iterator[DataSet]:
    """One set."""
    yield DataSet(
        NAME, *(read_tsv(data / "sentence_compression_google" / f"{p}.tsv") for p in ("train", "dev", "test"))
    )


def kept_words(output: str, reference: str) -> float:
    """F1 of the words of an output, in %; each word counts as often as it occurs."""
    ours, theirs = Counter(output.split()), Counter(reference.split())
    return 200.0 * (ours & theirs).total() / max(1, ours.total() + theirs.total())


def measure(sources: Sequence[str], outputs: Sequence[str], references: Sequence[tuple[str, ...]]) -> Scores:
    """F1 of words, ROUGE, and the share of the source's characters that is left."""
    from rouge_score.rouge_scorer import RougeScorer  # not needed to make the page

    scorer = RougeScorer(list(ROUGE), use_stemmer=False)
    first = [alternatives[0] for alternatives in references]
    found = [scorer.score(target, output) for output, target in zip(outputs, first, strict=True)]
    rouge = {
        name.replace("rouge", "ROUGE-"): 100 * sum(one[name].fmeasure for one in found) / len(found) for name in ROUGE
    }
    f1 = sum(map(kept_words, outputs, first)) / len(outputs)
    return {"F1": f1, "ratio": 100 * sum(map(len, outputs)) / sum(map(len, sources)), **rouge}


def first_words(data_set: DataSet, sources: Sequence[str]) -> list[str]:
    """As large a share of each sentence's words, from its beginning, as compressions have on average."""
    kept = sum(len(pair.target.split()) for pair in data_set.train)
    share = kept / sum(len(pair.source.split()) for pair in data_set.train)
    return [" ".join(source.split()[: round(share * len(source.split()))]) for source in sources]


TABLE = Table(
    name="compression",
    title="Sentences, compressed",
    about="Google's sentence compression, the 10,000 pairs of its evaluation part: 7,999 to learn from, 1,000 "
    "to test (the usual ones). F1: words of output and reference; ratio: characters that are left, in %.",
    sets=sets,
    models={
        "RNN that copies": Recipe("compression.yaml"),
        "RNN that does not": Recipe("compression.yaml", ("model.decoder.copies=false", "tokens.target.type=word")),
    },
    measure=measure,
    metrics=("F1", "ratio", "ROUGE-1", "ROUGE-2", "ROUGE-L"),
    baseline=("first words", first_words),
    published=lambda _: [Published("tagger", TAGGER, {NAME: {"F1": 80.0, "ratio": 43.0}})],
)
