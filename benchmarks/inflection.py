"""Lemma and tags to inflected form: Turkish and Polish, 700 and 7,000 training pairs."""

from collections.abc import Iterator
from pathlib import Path

from running import Experiment, Result, parser, run_all, train_and_measure

from seq2see.config import load_config
from seq2see.data.pairs import read_tsv
from seq2see.evaluation import evaluate

MODELS = {
    "attended": ["model.encoder.tags=attended"],
    "attended, copies": ["model.encoder.tags=attended", "model.decoder.copies=true"],
    "added": ["model.encoder.tags=added"],
}


def experiments(folder: Path, languages: list[str], models: list[str], epochs: int, seed: int) -> Iterator[Experiment]:
    """Every language, size and model."""
    for language in languages:
        for size in ("small", "large"):
            for model in models:

                def run(language: str = language, size: str = size, model: str = model) -> Result:
                    train, valid, test = (
                        read_tsv(folder / name, tags=True)
                        for name in (f"{language}_{size}.train", f"{language}.dev", f"{language}.gold")
                    )
                    config = load_config(
                        None,
                        [
                            *MODELS[model],
                            f"training.seed={seed}",
                            f"training.max_epochs={epochs}",
                            "training.precision=float32",
                        ],
                    )

                    def measure(translator) -> Result:  # type: ignore[no-untyped-def]
                        metrics = evaluate(translator, test).metrics
                        return {"accuracy": metrics["exact_match"], "token_error_rate": metrics["token_error_rate"]}

                    return train_and_measure(train, valid, config, measure)

                key = {"task": "inflection", "language": language, "size": size, "model": model}
                yield {**key, "epochs": epochs, "seed": seed}, run


def main() -> None:
    """Run them."""
    options = parser(__doc__ or "")
    options.add_argument("--languages", nargs="+", default=["tur", "pol"])
    options.add_argument("--models", nargs="+", default=list(MODELS), choices=list(MODELS))
    options.add_argument("--epochs", type=int, default=30)
    given = options.parse_args()
    folder = given.data / "sigmorphon2022_inflection"
    made = experiments(folder, given.languages, given.models, given.epochs, given.seed)
    run_all(made, given.out / "inflection.jsonl", threads=given.threads)


if __name__ == "__main__":
    main()
