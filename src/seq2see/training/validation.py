"""Is the model better than before?"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from seq2see import metrics
from seq2see.alignment import Alignment
from seq2see.data.pairs import Pair, group_references
from seq2see.evaluation import token_error_rate
from seq2see.inference import Translation, Translator
from seq2see.metrics import Score

HIGHER_IS_BETTER = {"bleu": True, "chrf": True, "exact_match": True, "token_error_rate": False, "loss": False}


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of a validation.

    Args:
        loss: Mean −log p of a target token, in nats, teacher-forced.
        smoothed_loss: The same with the label smoothing of training. A model that has learnt all there is to learn
            still comes nearer to what training asks of it, while the plain loss, which smoothing holds up, is noise.
        metric: Name of the metric that decides.
        value: Its value on greedy outputs.
    """

    loss: float
    smoothed_loss: float
    metric: str
    value: float

    def is_better_than(self, other: "Figures | None") -> bool:
        """Whether this is the better one; at equal metric the smaller smoothed loss decides; NaN is never better."""
        if not (math.isfinite(self.value) and math.isfinite(self.loss)):
            return False
        if other is None:
            return True
        if self.value != other.value:
            return (self.value > other.value) == HIGHER_IS_BETTER[self.metric]
        return self.smoothed_loss < other.smoothed_loss


@dataclass(frozen=True, slots=True)
class Validation:
    """What a validation found.

    Args:
        figures: The figures.
        example: One decoded source.
        reference: A target that was given for it.
        attention_entropy: Mean entropy of the attention weights of an output token, in nats: 0 looks at one position.
    """

    figures: Figures
    example: Translation
    reference: str
    attention_entropy: float = math.nan


def attention_entropy(weights: Sequence[NDArray[np.float32]]) -> float:
    r"""Give the mean of :math:`-\sum_j \alpha_{ij} \log \alpha_{ij}` over all rows, in nats; NaN without rows."""
    rows = [torch.special.entr(torch.from_numpy(each)).sum(dim=1) for each in weights if each.size]
    return float(torch.cat(rows).mean()) if rows else math.nan


class Validator:
    """Measures a translator on the validation pairs: loss on all of them, and the metric on greedy outputs.

    Args:
        translator: The model while it is trained.
        pairs: Validation pairs.
        metric: Name of the metric that decides.
        max_sources: Distinct sources decoded at most, spread evenly over all.
    """

    def __init__(self, translator: Translator, pairs: Sequence[Pair], *, metric: str, max_sources: int) -> None:
        self.translator = translator
        self.pairs = pairs
        self.metric = metric
        grouped = group_references(pairs)
        wanted = 1 if metric == "loss" else min(max_sources, len(grouped))
        self.grouped = [grouped[number * len(grouped) // wanted] for number in range(wanted)]
        self.bleu_tokenizer = metrics.bleu_tokenizer([pair.targets for pair in grouped])
        self.examples_shown = 0

    def __call__(self) -> Validation:
        """Validate now."""
        likelihood = self.translator.likelihood([p.source for p in self.pairs], [p.target for p in self.pairs])
        num_tokens = max(1, likelihood.num_tokens)
        loss, smoothed_loss = likelihood.nats / num_tokens, likelihood.smoothed_nats / num_tokens
        if not math.isfinite(loss):  # nothing can be decoded with such weights
            nothing = Translation("", "", math.nan, math.nan, Alignment.empty(), [])
            return Validation(Figures(loss, smoothed_loss, self.metric, math.nan), nothing, "")
        translations = self.translator.translate([pair.source for pair in self.grouped], beam=1)
        references = [pair.targets for pair in self.grouped]
        value = loss if self.metric == "loss" else self._score([t.text for t in translations], references)
        shown = (7 * self.examples_shown) % len(translations)
        self.examples_shown += 1
        figures = Figures(loss, smoothed_loss, self.metric, value)
        entropy = attention_entropy([translation.weights for translation in translations])
        return Validation(figures, translations[shown], references[shown][0], entropy)

    def _score(self, outputs: Sequence[str], references: Sequence[Sequence[str]]) -> float:
        compute: dict[str, Callable[[], Score]] = {
            "bleu": lambda: metrics.bleu(outputs, references, tokenizer=self.bleu_tokenizer),
            "chrf": lambda: metrics.chrf(outputs, references),
            "exact_match": lambda: metrics.exact_match(outputs, references),
            "token_error_rate": lambda: token_error_rate(self.translator, outputs, references),
        }
        return compute[self.metric]().value
