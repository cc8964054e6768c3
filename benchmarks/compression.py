"""Sentences to compressed sentences, with and without copying. Needs the package ``rouge-score``."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from rouge_score.rouge_scorer import RougeScorer
from running import Experiment, Result, parser, run_all, train_and_measure

from seq2see.config import load_config
from seq2see.data.pair_tokenizer import PairTokenizer
from seq2see.data.pairs import Pair, read_tsv
from seq2see.evaluation import evaluate

MODELS = {
    "generates": ["tokens.source.type=word", "tokens.target.type=word"],
    "copies": ["model.decoder.copies=true"],
    "copies, coverage": [
        "model.decoder.copies=true",
        "model.attention.scorer=coverage",
        "training.coverage_loss=1.0",
    ],
}
ROUGE = ("rouge1", "rouge2", "rougeL")


def kept_words(output: str, reference: str) -> tuple[int, int, int]:
    """Words in both, in the output, in the reference; each as often as it occurs."""
    ours, theirs = Counter(output.split()), Counter(reference.split())
    return (ours & theirs).total(), ours.total(), theirs.total()


def scores(outputs: Sequence[str], pairs: Sequence[Pair], tokenizers: PairTokenizer) -> Result:
    """ROUGE, F1 of kept words, compression ratio, and the share of unseen words of the references that came out."""
    scorer = RougeScorer(list(ROUGE), use_stemmer=False)
    found = [scorer.score(pair.target, output) for output, pair in zip(outputs, pairs, strict=True)]
    result = {name: 100 * sum(one[name].fmeasure for one in found) / len(found) for name in ROUGE}
    f1 = []
    unseen = written = 0
    for output, pair in zip(outputs, pairs, strict=True):
        both, ours, theirs = kept_words(output, pair.target)
        f1.append(2 * both / max(1, ours + theirs))
        for word in set(pair.target.split()) & set(pair.source.split()):
            if word.isalpha() and tokenizers.target.id_of(f" {word}") is None:
                unseen += 1
                written += word in output.split()
    characters = sum(map(len, outputs)) / sum(len(pair.source) for pair in pairs)
    words = {"unseen_words": unseen, "unseen_words_written": written}
    return {**result, "f1": 100 * sum(f1) / len(f1), "compression_ratio": characters, **words}


def experiments(folder: Path, models: list[str], epochs: int, seed: int) -> Iterator[Experiment]:
    """Every model."""
    train, valid, test = (read_tsv(folder / f"{part}.tsv") for part in ("train", "dev", "test"))
    for model in models:

        def run(model: str = model) -> Result:
            settings = [f"training.seed={seed}", f"training.max_epochs={epochs}", "training.max_valid_sources=200"]
            config = load_config(None, [*MODELS[model], *settings])

            def measure(translator) -> Result:  # type: ignore[no-untyped-def]
                outputs = [one.text for one in evaluate(translator, test).translations]
                by_source = {pair.source: pair for pair in test}
                return scores(outputs, list(by_source.values()), translator.tokenizers)

            return train_and_measure(train, valid, config, measure)

        yield {"task": "compression", "model": model, "epochs": epochs, "seed": seed}, run


def main() -> None:
    """Run them."""
    options = parser(__doc__ or "")
    options.add_argument("--models", nargs="+", default=list(MODELS), choices=list(MODELS))
    options.add_argument("--epochs", type=int, default=12)
    given = options.parse_args()
    made = experiments(given.data / "sentence_compression_google", given.models, given.epochs, given.seed)
    run_all(made, given.out / "compression.jsonl", threads=given.threads)


if __name__ == "__main__":
    main()
