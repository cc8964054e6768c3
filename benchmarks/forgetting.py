"""What attention is for: the same tasks with and without it.

Run ``python benchmarks/forgetting.py strings --out results``, then ``bible`` and ``scorers``, then ``tables``.
"""

import argparse
import json
import random
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import torch

from seq2see.config import Config, load_config, replace
from seq2see.data.pairs import Pair, read_parallel, read_tsv
from seq2see.evaluation import evaluate
from seq2see.inference import Translator
from seq2see.training import train_on_pairs

LETTERS = "abcdefghijklmnopqrstuvwxyz"
LENGTHS = range(5, 61, 5)
STRINGS_PER_LENGTH = 50
TRANSFORMER = [
    "model.encoder.type=transformer",
    "model.decoder.type=transformer",
    "model.encoder.num_layers=2",
    "model.decoder.num_layers=2",
    "training.learning_rate=0.001",
    "training.warmup_updates=300",
]
MODELS = {
    "none": ["model.attention.scorer=none"],
    "additive": [],
    "scaled_dot": ["model.attention.scorer=scaled_dot"],
    "location_aware": ["model.attention.scorer=location_aware"],
    "transformer": TRANSFORMER,
}
SIZES = [
    "model.embedding_size=128",
    "model.encoder.hidden_size=128",
    "model.decoder.hidden_size=128",
    "model.attention.attention_size=128",
]
LANGUAGES = {"hun": "Hungarian", "fre": "French", "ady": "Adyghe"}


def train_and_keep(
    pairs: Sequence[Pair], valid: Sequence[Pair], config: Config, measure: Callable[[Translator], dict[str, Any]]
) -> dict[str, Any]:
    """Train a model, measure it, and forget it."""
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        translator = train_on_pairs(pairs, valid, config, out=Path(folder) / "model")
    minutes = (time.monotonic() - start) / 60
    parameters = sum(parameter.numel() for parameter in translator.model.parameters())
    return {"minutes": round(minutes, 2), "parameters": parameters, **measure(translator)}


def random_string(generator: random.Random, length: int) -> str:
    """Letters of which no two neighbours are equal."""
    text = ""
    while len(text) < length:
        letter = generator.choice(LETTERS)
        if not text.endswith(letter):
            text += letter
    return text


def strings(arguments: argparse.Namespace) -> Iterator[tuple[dict[str, Any], Callable[[], dict[str, Any]]]]:
    """Copy and reverse: accuracy by length, trained on lengths up to 20 and up to 60."""
    tasks: dict[str, Callable[[str], str]] = {"copy": lambda text: text, "reverse": lambda text: text[::-1]}
    for longest, updates in ((20, 1500), (60, 2500)):
        for task, function in tasks.items():
            for model, settings in MODELS.items():
                yield (
                    {"task": task, "longest": longest, "model": model, "seed": arguments.seed},
                    lambda longest=longest, updates=updates, function=function, settings=settings: _strings(  # type: ignore[misc]
                        longest, updates, function, settings, arguments.seed
                    ),
                )


def _strings(
    longest: int, updates: int, function: Callable[[str], str], settings: Sequence[str], seed: int
) -> dict[str, Any]:
    generator = random.Random(seed)
    texts = [random_string(generator, generator.randint(1, longest)) for _ in range(7800)]
    pairs = [Pair(text, function(text)) for text in texts]
    config = load_config(
        None,
        [
            *SIZES,
            *settings,
            f"training.max_updates={updates}",
            f"training.batch_tokens={20 * longest}",
            f"training.seed={seed}",
            "training.max_valid_sources=100",
        ],
    )

    def measure(translator: Translator) -> dict[str, Any]:
        fresh = random.Random(seed + 1000)
        accuracy = {}
        for length in LENGTHS:
            tests = [random_string(fresh, length) for _ in range(STRINGS_PER_LENGTH)]
            outputs = [translation.text for translation in translator.translate(tests, beam=1)]
            right = sum(output == function(text) for output, text in zip(outputs, tests, strict=True))
            accuracy[str(length)] = 100.0 * right / len(tests)
        return {"accuracy": accuracy}

    return train_and_keep(pairs[:7500], pairs[7500:], config, measure)


def bible(arguments: argparse.Namespace) -> Iterator[tuple[dict[str, Any], Callable[[], dict[str, Any]]]]:
    """English → German verses: BLEU by length of the source, same size and same minutes."""
    folder = arguments.data / "bible"

    def run(model: str) -> dict[str, Any]:
        train, valid, test = (
            read_parallel(folder / f"{part}.eng_bbe", folder / f"{part}.deu_luther1912")
            for part in ("train", "dev", "test")
        )
        config = load_config(
            None,
            [
                *MODELS[model],
                f"training.minutes={arguments.minutes}",
                f"training.seed={arguments.seed}",
                "training.max_valid_sources=200",
                "tokens.source.vocab_size=6000",
                "tokens.target.vocab_size=6000",
            ],
        )
        return train_and_keep(train, valid, config, lambda translator: evaluate(translator, test).as_json())

    for model in arguments.models:
        yield {"task": "bible", "model": model, "seed": arguments.seed}, lambda model=model: run(model)  # type: ignore[misc]


def scorers(arguments: argparse.Namespace) -> Iterator[tuple[dict[str, Any], Callable[[], dict[str, Any]]]]:
    """Pronunciation in three languages: word error rate by scorer, order and fusion."""
    folder = arguments.data / "sigmorphon2020_g2p"

    def run(language: str, settings: dict[str, Any], seed: int) -> dict[str, Any]:
        train, valid, test = (read_tsv(folder / part / f"{language}_{part}.tsv") for part in ("train", "dev", "test"))
        config = replace(
            load_config(None, ["tokens.source.type=char", "tokens.target.type=space"]),
            {"training.seed": seed, "training.max_epochs": arguments.epochs, **settings},
        )
        return train_and_keep(
            train,
            valid,
            config,
            lambda translator: {"wer": 100.0 - evaluate(translator, test).metrics["exact_match"]},
        )

    for seed in range(1, arguments.seeds + 1):
        for scorer in ("none", "additive", "general", "scaled_dot", "location_aware"):
            for order in ("bahdanau", "luong"):
                for fusion in ("concat", "project"):
                    for language in LANGUAGES:
                        settings = {
                            "model.attention.scorer": scorer,
                            "model.decoder.order": order,
                            "model.decoder.fusion": fusion,
                        }
                        key = {"task": "g2p", "language": language, "scorer": scorer, "order": order}
                        yield (
                            {**key, "fusion": fusion, "epochs": arguments.epochs, "seed": seed},
                            lambda language=language, settings=settings, seed=seed: run(  # type: ignore[misc]
                                language, settings, seed
                            ),
                        )


def read_results(path: Path) -> list[dict[str, Any]]:
    """What has been written so far."""
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def main() -> None:
    """Run the experiments whose results are not yet written."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("experiment", choices=["strings", "bible", "scorers", "tables"])
    parser.add_argument("--out", type=Path, required=True, help="folder of the results")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"), help="folder of the data sets")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seeds", type=int, default=3, help="for scorers: how many")
    parser.add_argument("--epochs", type=int, default=30, help="for scorers")
    parser.add_argument("--minutes", type=float, default=40.0, help="for bible: of each model")
    parser.add_argument("--models", nargs="+", default=["additive", "none"], choices=list(MODELS), help="for bible")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    if arguments.experiment == "tables":
        from forgetting_tables import write_tables

        write_tables(arguments.out)
        return
    torch.set_num_threads(arguments.threads)
    path = arguments.out / f"{arguments.experiment}.jsonl"
    experiments = {"strings": strings, "bible": bible, "scorers": scorers}
    for key, run in experiments[arguments.experiment](arguments):
        if any(all(result.get(name) == value for name, value in key.items()) for result in read_results(path)):
            continue
        result = {**key, **run()}
        with path.open("a") as file:
            file.write(json.dumps(result) + "\n")
        print(json.dumps(result), flush=True)


if __name__ == "__main__":
    main()
