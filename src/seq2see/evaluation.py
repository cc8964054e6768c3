"""Measuring a model on pairs."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from seq2see import metrics
from seq2see.data.pairs import Pair, group_references
from seq2see.errors import DataError
from seq2see.inference import Translation, Translator
from seq2see.metrics import Score

BUCKET_EDGES = (10, 20, 30, 40, 50)


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What ``evaluate`` found.

    Args:
        metrics: Name → value: exact_match, token_error_rate, wer, cer, bleu, chrf, ter in %, and perplexity.
        signatures: Name → how the value was made, for those that have variants.
        by_length: For each range of source lengths in tokens: its sources and some of the metrics.
        pairs: Pairs given; several with one source are alternatives and count as one source.
        sources: Distinct sources.
        translations: The output of each distinct source.
        references: Its alternatives.
    """

    metrics: dict[str, float]
    signatures: dict[str, str]
    by_length: list[dict[str, Any]]
    pairs: int
    sources: int
    translations: list[Translation]
    references: list[tuple[str, ...]]

    def as_json(self) -> dict[str, Any]:
        """The figures as one JSON object."""
        return {
            "metrics": self.metrics,
            "signatures": self.signatures,
            "by_length": self.by_length,
            "pairs": self.pairs,
            "sources": self.sources,
        }


def evaluate(translator: Translator, pairs: Sequence[Pair], *, beam: int | None = None) -> Evaluation:
    """Translate the distinct sources of some pairs and score the outputs against all their targets.

    Args:
        translator: The model.
        pairs: At least one.
        beam: Beam size; None takes the configuration's.

    Raises:
        DataError: There are no pairs.
    """
    if not pairs:
        raise DataError("no pairs to evaluate on, wanted at least one")
    grouped = group_references(pairs)
    references = [pair.targets for pair in grouped]
    translations = translator.translate([pair.source for pair in grouped], beam=beam)
    outputs = [translation.text for translation in translations]
    tokenizer = metrics.bleu_tokenizer(references)
    scores = _all_scores(translator, outputs, references, tokenizer)
    likelihood = translator.likelihood([pair.source for pair in pairs], [pair.target for pair in pairs])
    values = {name: score.value for name, score in scores.items()}
    values["perplexity"] = math.exp(min(700.0, likelihood.nats / max(1, likelihood.num_tokens)))
    return Evaluation(
        metrics=values,
        signatures={name: score.signature for name, score in scores.items() if score.signature},
        by_length=_by_length(translator, translations, references, tokenizer),
        pairs=len(pairs),
        sources=len(grouped),
        translations=translations,
        references=references,
    )


def _all_scores(
    translator: Translator, outputs: Sequence[str], references: Sequence[Sequence[str]], tokenizer: str
) -> dict[str, Score]:
    """Every metric that compares texts, by name."""
    return {
        "exact_match": metrics.exact_match(outputs, references),
        "token_error_rate": token_error_rate(translator, outputs, references),
        "wer": metrics.wer(outputs, references),
        "cer": metrics.cer(outputs, references),
        "bleu": metrics.bleu(outputs, references, tokenizer=tokenizer),
        "chrf": metrics.chrf(outputs, references),
        "ter": metrics.ter(outputs, references, by_character=tokenizer != "13a"),
    }


def token_error_rate(translator: Translator, outputs: Sequence[str], references: Sequence[Sequence[str]]) -> Score:
    """Edit distance over the model's target tokens, in %; over phones it is the PER of pronunciation papers."""
    tokenizer = translator.tokenizers.target
    return metrics.error_rate(outputs, references, lambda text: tokenizer.encode(text).tokens)


def _by_length(
    translator: Translator,
    translations: Sequence[Translation],
    references: Sequence[tuple[str, ...]],
    tokenizer: str,
) -> list[dict[str, Any]]:
    buckets: dict[int, list[int]] = {}
    for index, translation in enumerate(translations):
        length = len(translator.tokenizers.source_names(translation.source))
        bucket = sum(length > edge for edge in BUCKET_EDGES)
        buckets.setdefault(bucket, []).append(index)
    rows = []
    for bucket, indices in sorted(buckets.items()):
        outputs = [translations[index].text for index in indices]
        chosen = [references[index] for index in indices]
        lower = BUCKET_EDGES[bucket - 1] + 1 if bucket else 0
        upper = f"{lower}-{BUCKET_EDGES[bucket]}" if bucket < len(BUCKET_EDGES) else f"{lower}+"
        rows.append(
            {
                "source_tokens": upper,
                "sources": len(indices),
                "exact_match": metrics.exact_match(outputs, chosen).value,
                "token_error_rate": token_error_rate(translator, outputs, chosen).value,
                "bleu": metrics.bleu(outputs, chosen, tokenizer=tokenizer).value,
                "chrf": metrics.chrf(outputs, chosen).value,
            }
        )
    return rows
