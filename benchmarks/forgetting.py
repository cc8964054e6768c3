"""What attention is for: the same tasks with and without it.

Run ``python benchmarks/forgetting.py strings --out results``, then ``bible`` and ``scorers``, then ``tables``.
"""

import argparse
import random
from collections.abc import Callable, Iterator, Sequence

from forgetting_tables import write_tables
from running import Experiment, Result, parser, run_all, train_and_measure

from seq2see.config import load_config, replace
from seq2see.data.pairs import Pair, read_parallel, read_tsv
from seq2see.evaluation import evaluate
from seq2see.inference import Translator

LETTERS = "abcdefghijklmnopqrstuvwxyz"
LENGTHS = range(5, 61, 5)
STRINGS_PER_LENGTH = 50
TRANSFORMER = [
    "model.encoder.type=transformer",
    "model.decoder.type=transformer",
    "model.encoder.num_layers=2",
    "model.decoder.num_layers=2",
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


def random_string(generator: random.Random, length: int) -> str:
    """Letters of which no two neighbours are equal."""
    text = ""
    while len(text) < length:
        letter = generator.choice(LETTERS)
        if not text.endswith(letter):
            text += letter
    return text


def strings(arguments: argparse.Namespace) -> Iterator[Experiment]:
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


def _strings(longest: int, updates: int, function: Callable[[str], str], settings: Sequence[str], seed: int) -> Result:
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

    def measure(translator: Translator) -> Result:
        fresh = random.Random(seed + 1000)
        accuracy = {}
        for length in LENGTHS:
            tests = [random_string(fresh, length) for _ in range(STRINGS_PER_LENGTH)]
            outputs = [translation.text for translation in translator.translate(tests, beam=1)]
            right = sum(output == function(text) for output, text in zip(outputs, tests, strict=True))
            accuracy[str(length)] = 100.0 * right / len(tests)
        return {"accuracy": accuracy}

    return train_and_measure(pairs[:7500], pairs[7500:], config, measure)


def bible(arguments: argparse.Namespace) -> Iterator[Experiment]:
    """English → German verses: BLEU by length of the source, same size and same minutes."""
    folder = arguments.data / "bible"

    def run(model: str) -> Result:
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
                "training.precision=float32",
                "tokens.source.vocab_size=6000",
                "tokens.target.vocab_size=6000",
            ],
        )
        return train_and_measure(train, valid, config, lambda translator: evaluate(translator, test).as_json())

    for model in arguments.models:
        yield {"task": "bible", "model": model, "seed": arguments.seed}, lambda model=model: run(model)  # type: ignore[misc]


def scorers(arguments: argparse.Namespace) -> Iterator[Experiment]:
    """Pronunciation in three languages: word error rate by scorer, order and fusion."""
    folder = arguments.data / "sigmorphon2020_g2p"

    def run(language: str, settings: dict[str, str], seed: int) -> Result:
        train, valid, test = (read_tsv(folder / part / f"{language}_{part}.tsv") for part in ("train", "dev", "test"))
        config = replace(
            load_config(
                None, ["tokens.source.type=char", "tokens.target.type=space", "training.max_valid_sources=100"]
            ),
            {"training.seed": seed, "training.max_epochs": arguments.epochs, **settings},
        )
        return train_and_measure(
            train,
            valid,
            config,
            lambda translator: {"wer": 100.0 - evaluate(translator, test).metrics["exact_match"]},
        )

    for seed in range(1, arguments.seeds + 1):
        for scorer in arguments.scorers:
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


def main() -> None:
    """Run the experiments whose results are not yet written."""
    options = parser(__doc__ or "")
    options.add_argument("experiment", choices=["strings", "bible", "scorers", "tables"])
    options.add_argument("--seeds", type=int, default=3, help="for scorers: how many")
    options.add_argument("--epochs", type=int, default=30, help="for scorers")
    scorers_of_default = ["none", "additive", "general", "scaled_dot", "location_aware"]
    options.add_argument("--scorers", nargs="+", default=scorers_of_default, help="for scorers: which")
    options.add_argument("--minutes", type=float, default=40.0, help="for bible: of each model")
    options.add_argument("--models", nargs="+", default=["additive", "none"], choices=list(MODELS), help="for bible")
    given = options.parse_args()
    if given.experiment == "tables":
        write_tables(given.out)
        return
    experiments = {"strings": strings, "bible": bible, "scorers": scorers}[given.experiment]
    run_all(experiments(given), given.out / f"{given.experiment}.jsonl", threads=given.threads)


if __name__ == "__main__":
    main()
