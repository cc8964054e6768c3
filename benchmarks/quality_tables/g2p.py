"""Spelling to phones: SIGMORPHON 2020, task 1."""

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path

from peers.peer import CHARACTERS
from peers.token_lines import LineTokenizer, token_pairs
from peers.yoyodyne import DocumentedYoyodyne

from quality_tables.table import DataSet, Learnt, Published, Recipe, Scores, Table
from seq2see import metrics
from seq2see.data.pairs import read_tsv

FOLDER = "sigmorphon2020_g2p"
LANGUAGES = ("ady", "arm", "bul", "dut", "fre", "geo", "gre", "hin", "hun", "ice", "jpn", "kor", "lit", "rum", "vie")
PUBLISHED = {
    "LSTM, tuned per language": "lstm_encdec",
    "Transformer, tuned per language": "transformer",
    "best submission of each language": "best_submission",
}
SOURCE = "Gorman et al. 2020, The SIGMORPHON 2020 shared task on multilingual grapheme-to-phoneme conversion"


def sets(data: Path) -> Iterator[DataSet]:
    """A set for each language."""
    for language in LANGUAGES:
        parts = (read_tsv(data / FOLDER / part / f"{language}_{part}.tsv") for part in ("train", "dev", "test"))
        yield DataSet(language, *parts)


def measure(_: Sequence[str], outputs: Sequence[str], references: Sequence[tuple[str, ...]]) -> Scores:
    """Share of words that are wrong, and of phones."""
    return {
        "WER": 100.0 - metrics.exact_match(outputs, references).value,
        "PER": metrics.wer(outputs, references).value,  # phones stand between spaces
    }


def published(data: Path) -> list[Published]:
    """What the organisers' tables say."""
    with (data / FOLDER / "published_results.tsv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    found = []
    for name, column in PUBLISHED.items():
        scores = {
            row["lang"]: {
                metric: float(row[f"{column}_{metric}"]) for metric in ("WER", "PER") if row.get(f"{column}_{metric}")
            }
            for row in rows
        }
        found.append(Published(name, SOURCE, scores))
    return found


def yoyodyne(data_set: DataSet, environments: Path, work: Path, threads: int) -> Learnt:
    """Yoyodyne with what its documentation has, greedy as it is by itself; 32 words at a time."""
    letters = LineTokenizer([pair.source for pair in data_set.train], "char")
    phones = LineTokenizer([pair.target for pair in data_set.train], "space")
    peer = DocumentedYoyodyne(CHARACTERS)
    peer.install(environments)
    train, valid = (token_pairs(part, letters, phones) for part in (data_set.train, data_set.valid))
    peer.prepare(work / "data", train, valid)
    checkpoint, minutes = peer.fit(work / "fitted", threads)

    def outputs(sources: Sequence[str]) -> list[str]:
        lines = [letters.to_line(source) for source in sources]
        return peer.translate_seconds(checkpoint, lines, beam_size=1, batch_size=32, threads=threads)[1]

    return Learnt(outputs, minutes)


TABLE = Table(
    name="g2p",
    title="Spelling to phones",
    about="SIGMORPHON 2020, task 1: 3,600 words of each of 15 languages, 450 to choose the model by, 450 to test. One "
    "configuration for all. WER: words that are not wholly right, in %; PER: edit distance over phones, in %. "
    "The submission that is best on average (IMS, with ensembles and self-training) has a WER of 13.81.",
    sets=sets,
    models={"RNN": Recipe("g2p.yaml", seeds=5), "Transformer": Recipe("g2p-transformer.yaml")},
    measure=measure,
    metrics=("WER", "PER"),
    published=published,
    peers={"yoyodyne, as documented": yoyodyne},
    means={"mean": ""},
)
