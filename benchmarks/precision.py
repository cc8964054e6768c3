"""Whether models learn as well with products in bfloat16 as in float32, and search as well with 8-bit integers.

Pronunciation in two languages (word error rate) and the bundled English–Chinese pairs (BLEU), with three seeds each.
"""

import argparse
from collections.abc import Iterator, Sequence
from statistics import mean, stdev

from running import Experiment, Result, parser, read_results, run_all, train_and_measure

from seq2see.config import load_config
from seq2see.data.pairs import Pair, read_tsv
from seq2see.demo.pairs import demo_pairs
from seq2see.evaluation import evaluate
from seq2see.inference import Translator

LANGUAGES = ("hun", "fre")
PRECISIONS = ("float32", "bfloat16")
SEEDS = (1, 2, 3)
EPOCHS = {"hun": 10, "fre": 10, "demo": 3}


def parts(arguments: argparse.Namespace, task: str) -> Sequence[list[Pair]]:
    """Pairs to learn from, to validate with, to test with."""
    if task == "demo":
        return demo_pairs()
    folder = arguments.data / "sigmorphon2020_g2p"
    return [read_tsv(folder / part / f"{task}_{part}.tsv") for part in ("train", "dev", "test")]


def run(arguments: argparse.Namespace, task: str, precision: str, seed: int) -> Result:
    """Train, and translate the test pairs in float32 and with integers."""
    train, valid, test = parts(arguments, task)
    tokens = [] if task == "demo" else ["tokens.source.type=char", "tokens.target.type=space"]
    settings = [f"training.seed={seed}", f"training.max_epochs={EPOCHS[task]}", f"training.precision={precision}"]
    config = load_config(None, [*tokens, *settings, "training.max_valid_sources=200"])

    def measure(translator: Translator) -> Result:
        found = {}
        for name, searching in (("float32", translator), ("int8", translator.with_search(precision="int8"))):
            metrics = evaluate(searching, test).metrics
            found[name] = round(metrics["bleu"] if task == "demo" else 100.0 - metrics["exact_match"], 2)
        return {"search": found}

    return train_and_measure(train, valid, config, measure)


def experiments(arguments: argparse.Namespace) -> Iterator[Experiment]:
    """Every task in both precisions with every seed."""
    for seed in SEEDS:
        for task in EPOCHS:
            for precision in PRECISIONS:
                yield (
                    {"task": task, "precision": precision, "seed": seed},
                    lambda task=task, precision=precision, seed=seed: run(arguments, task, precision, seed),  # type: ignore[misc]
                )


def main() -> None:
    """Run what has not been run yet, and print a table."""
    arguments = parser(__doc__ or "").parse_args()
    path = arguments.out / "precision.jsonl"
    run_all(experiments(arguments), path, threads=arguments.threads)
    print("| task | learnt in | searched in | mean | deviation | seeds | minutes |\n|---|---|---|---|---|---|---|")
    results = read_results(path)
    for task in EPOCHS:
        for precision in PRECISIONS:
            own = [one for one in results if (one["task"], one["precision"]) == (task, precision)]
            for search in ("float32", "int8"):
                values = [one["search"][search] for one in own]
                minutes = mean(one["minutes"] for one in own)
                cells = [task, precision, search, f"{mean(values):.2f}", f"{stdev(values):.2f}", str(len(own))]
                print(f"| {' | '.join(cells)} | {minutes:.1f} |")


if __name__ == "__main__":
    main()
