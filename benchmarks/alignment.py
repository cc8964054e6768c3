"""Word alignment error rates of trained models, beside an unsupervised aligner given the same sentences.

German–English: trained on Multi30k and on the Bible, tested on 100 Europarl sentences whose links people have made.
The test sentences, without links, are among what is trained on, as is usual for unsupervised alignment. On held-out
pairs of each corpus, which only the other aligner has read, the links are compared with the other aligner's.

Run ``python benchmarks/alignment.py --aligner venv/bin/eflomal-align --out results``; eflomal is installed from PyPI
into an environment of its own. Without ``--aligner`` its rows are left out.
"""

import argparse
import json
import re
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from running import Experiment, Result, parser, read_results, run_all

from seq2see.alignment import (
    SYMMETRISATIONS,
    Alignment,
    GoldLinks,
    agreed_links,
    alignment_errors,
    format_links,
    merge_to_words,
    parse_gold,
    symmetrise,
)
from seq2see.config import load_config
from seq2see.data.pairs import Pair
from seq2see.inference import Translator
from seq2see.training import train_on_pairs

Links = list[set[tuple[int, int]]]
MODELS = {
    "bahdanau": [],
    "luong": ["model.decoder.order=luong"],
    "luong, no input feeding": ["model.decoder.order=luong", "model.decoder.input_feeding=false"],
    "transformer": [
        "model.encoder.type=transformer",
        "model.decoder.type=transformer",
        "model.encoder.num_layers=3",
        "model.decoder.num_layers=3",
    ],
}
FILES = {
    "multi30k": ("{part}.de", "{part}.en", "val", "test_2016_flickr"),
    "bible": ("{part}.deu_luther1912", "{part}.eng_bbe", "dev", "test"),
}
HELD_OUT = 500
"""Pairs of each corpus's test part."""


def read_words(path: Path) -> list[str]:
    """Lower-case words and punctuation marks of every line, between spaces."""
    lines = path.read_text(encoding="utf-8").removesuffix("\n").split("\n")
    return [" ".join(re.findall(r"\w+(?:[-']\w+)*|[^\w\s]", line.lower())) for line in lines]


def read_corpus(folder: Path, part: str, names: Sequence[str]) -> list[Pair]:
    """German–English pairs of which neither side is empty."""
    sides = [read_words(folder / name.format(part=part)) for name in names]
    return [Pair(*pair) for pair in zip(*sides, strict=True) if all(pair)]


def read_gold(folder: Path) -> tuple[list[Pair], list[GoldLinks]]:
    """The test sentences and their links."""
    sides = [(folder / f"deen_bicici_test.{side}").read_text(encoding="utf-8").splitlines() for side in ("de", "en")]
    pairs = [Pair(*pair) for pair in zip(*sides, strict=True)]
    links: Links = [set() for _ in pairs]
    for line in (folder / "deen_bicici_de-en.ref.wa").read_text(encoding="utf-8").splitlines():
        sentence, german, english = (int(number) for number in line.split()[:3])
        pair = pairs[sentence - 1]
        if german < len(pair.source.split()) and english < len(pair.target.split()):  # one link is beyond its sentence
            links[sentence - 1].add((german, english))
    return pairs, [GoldLinks(frozenset(one), frozenset(one)) for one in links]


def turned(pairs: Sequence[Pair]) -> list[Pair]:
    """The other direction."""
    return [Pair(pair.target, pair.source) for pair in pairs]


def aligned_words(translator: Translator, pairs: Sequence[Pair], *, posterior: bool) -> list[Alignment]:
    """Weights between words."""
    sources, targets = [pair.source for pair in pairs], [pair.target for pair in pairs]
    scores = translator.score(sources, targets, posterior=posterior)
    return [merge_to_words(one.alignment, one.source, one.target) for one in scores]


def both_directions(
    there: Translator, back: Translator, pairs: Sequence[Pair], *, posterior: bool
) -> tuple[list[Alignment], list[Alignment]]:
    """Weights of the model of each direction."""
    return aligned_words(there, pairs, posterior=posterior), aligned_words(back, turned(pairs), posterior=posterior)


def all_rates(forward: Links, backward: Links, gold: Sequence[GoldLinks]) -> dict[str, float]:
    """AER of both directions and of what joins them, in %; the links are (German word, English word) in both."""
    found = {"de→en": forward, "en→de": backward}
    for name in SYMMETRISATIONS:
        found[name] = [symmetrise(*both, name) for both in zip(forward, backward, strict=True)]
    return {name: rate(links, gold) for name, links in found.items()}


def rate(links: Links, gold: Sequence[GoldLinks]) -> float:
    """AER in %."""
    return round(alignment_errors(zip(links, gold, strict=True)).aer, 1)


def run_ours(arguments: argparse.Namespace, corpus: str, model: str) -> Result:
    """Train a model for each direction, and measure attention and posterior weights."""
    folder, (german, english, valid_part, test_part) = arguments.data / corpus, FILES[corpus]
    gold_pairs, gold = read_gold(arguments.data / "word_alignment_gold")
    held_out = read_corpus(folder, test_part, (german, english))[:HELD_OUT]
    train = [*read_corpus(folder, "train", (german, english)), *gold_pairs]
    valid = read_corpus(folder, valid_part, (german, english))
    settings = [f"tokens.{side}.type=bpe" for side in ("source", "target")]
    settings += [f"training.max_epochs={arguments.epochs}", f"training.seed={arguments.seed}"]
    config = load_config(None, [*MODELS[model], *settings, "training.max_valid_sources=100"])
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as out:
        there = train_on_pairs(train, valid, config, out=Path(out) / "deen")
        back = train_on_pairs(turned(train), turned(valid), config, out=Path(out) / "ende")
    result: Result = {"minutes": round((time.monotonic() - start) / 60, 1)}
    for weights in ("attention", "posterior"):
        forward, backward = both_directions(there, back, gold_pairs, posterior=weights == "posterior")
        links = [set(one.links()) for one in forward]
        back_links = [{(target, source) for source, target in one.links()} for one in backward]
        agreed = [agreed_links(*both) for both in zip(forward, backward, strict=True)]
        result[weights] = {**all_rates(links, back_links, gold), "agreement": rate(agreed, gold)}
    found = zip(*both_directions(there, back, held_out, posterior=True), strict=True)
    return {**result, "held_out": [format_links(sorted(agreed_links(*both))) for both in found]}


def run_eflomal(arguments: argparse.Namespace, corpus: str) -> Result:
    """Let the other aligner read the same sentences."""
    gold_pairs, gold = read_gold(arguments.data / "word_alignment_gold")
    folder, (german, english, _, test_part) = arguments.data / corpus, FILES[corpus]
    held_out = read_corpus(folder, test_part, (german, english))[:HELD_OUT]
    train = [*read_corpus(folder, "train", (german, english)), *gold_pairs, *held_out]
    first = len(train) - len(gold_pairs) - len(held_out)
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as out:
        text, forward, backward = (Path(out) / name for name in ("text", "forward", "backward"))
        text.write_text("".join(f"{pair.source} ||| {pair.target}\n" for pair in train), encoding="utf-8")
        command = [arguments.aligner, "-i", text, "-f", forward, "-r", backward, "--model", "3"]
        subprocess.run([str(part) for part in command], check=True, capture_output=True)
        there, back = (
            [set(parse_gold(line).sure) for line in path.read_text().split("\n")[first : len(train)]]
            for path in (forward, backward)
        )
    minutes, count = round((time.monotonic() - start) / 60, 1), len(gold_pairs)
    joined = [symmetrise(*both, "grow-diag-final-and") for both in zip(there[count:], back[count:], strict=True)]
    return {
        "minutes": minutes,
        "links": all_rates(there[:count], back[:count], gold),
        "held_out": [format_links(sorted(links)) for links in joined],
    }


def experiments(arguments: argparse.Namespace) -> Iterator[Experiment]:
    """Every model on every corpus, and the other aligner."""
    for corpus in arguments.corpora:
        if arguments.aligner is not None:
            yield {"corpus": corpus, "model": "eflomal"}, lambda corpus=corpus: run_eflomal(arguments, corpus)  # type: ignore[misc]
        else:
            print(f"{corpus}: eflomal left out: no --aligner given")
        for model in arguments.models:
            yield (
                {"corpus": corpus, "model": model, "epochs": arguments.epochs, "seed": arguments.seed},
                lambda corpus=corpus, model=model: run_ours(arguments, corpus, model),  # type: ignore[misc]
            )


def write_table(path: Path) -> None:
    """Write ``alignment.md`` beside the results."""
    columns = ["de→en", "en→de", *SYMMETRISATIONS, "agreement"]
    head = ["corpus", "model", "weights", *columns, "held-out, against eflomal", "minutes"]
    lines = [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
    results = read_results(path)
    held_out = {
        (one["corpus"], one["model"]): [parse_gold(line) for line in one["held_out"]]
        for one in results
        if "held_out" in one
    }
    for one in results:
        own, other = (held_out.get((one["corpus"], model)) for model in (one["model"], "eflomal"))
        apart = "–" if own is None or other is None else f"{rate([set(links.sure) for links in own], other):.1f}"
        for weights in ("links", "attention", "posterior"):
            if weights in one:
                cells = [f"{one[weights][name]:.1f}" if name in one[weights] else "–" for name in columns]
                row = [one["corpus"], one["model"], weights, *cells]
                row += ["–" if weights == "attention" else apart, f"{one['minutes']:.1f}"]
                lines.append(f"| {' | '.join(row)} |")
    path.with_suffix(".md").write_text("\n".join(lines) + "\n", encoding="utf-8")


def main() -> None:
    """Run what has not been run yet, and write the table."""
    options = parser(__doc__ or "")
    options.add_argument("--aligner", type=Path, help="the command eflomal-align")
    options.add_argument("--corpora", nargs="+", default=list(FILES), choices=list(FILES))
    options.add_argument("--models", nargs="+", default=list(MODELS), choices=list(MODELS))
    options.add_argument("--epochs", type=int, default=6)
    arguments = options.parse_args()
    path = arguments.out / "alignment.jsonl"
    run_all(experiments(arguments), path, threads=arguments.threads)
    write_table(path)
    print(json.dumps({"written": str(path.with_suffix(".md"))}))


if __name__ == "__main__":
    main()
