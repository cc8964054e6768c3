"""Does a model keep its promises? Checks that need no reference, on a user's own model."""

import copy
import random
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor

from seq2see.bundle import load_bundle, save_bundle
from seq2see.data.batches import Example, make_batch
from seq2see.data.special import RESERVED
from seq2see.data.tokenizer import Tokenizer
from seq2see.errors import DataError
from seq2see.inference import Translation, Translator
from seq2see.inference.searching import search_outputs
from seq2see.inference.wishes import Wanted
from seq2see.losses import label_log_probs

LENGTHS = (1, 40, 2, 17, 5, 29, 3, 11)
PER_TOKEN = 1e-5
DOUBLE = 1e-8


@dataclass(frozen=True, slots=True)
class Check:
    """What a check found.

    Args:
        name: What was checked.
        what: In a sentence.
        largest: The largest difference seen; where outputs differ, infinity.
        limit: What it may be.
    """

    name: str
    what: str
    largest: float
    limit: float

    @property
    def passed(self) -> bool:
        """Whether the difference is within its limit; not a number is not."""
        return self.largest <= self.limit


def check_model(translator: Translator, sources: Sequence[str] | None = None, *, beam: int = 4) -> list[Check]:
    """Check the invariances of a model.

    Args:
        translator: The model.
        sources: Texts to check on; None makes some from the source vocabulary, of 1 to 40 tokens.
        beam: Beam size of the search.

    Raises:
        DataError: No source can be translated; tells why for the first.
    """
    translator = translator.with_search(copy_unknown=False, sample=False)
    texts = list(sources) if sources is not None else made_up_sources(translator)
    together = translator.translate(texts, beam=beam)
    kept = [(text, one) for text, one in zip(texts, together, strict=True) if one.source_tokens]
    if not kept:
        reasons = [one.problem for one in together if one.problem]
        raise DataError(f"none of {len(texts)} sources can be translated: {(reasons or ['they have no tokens'])[0]}")
    texts, together = [text for text, _ in kept], [one for _, one in kept]
    checks: Sequence[Callable[[], Check]] = (
        lambda: _padding(translator, texts, together),
        lambda: _batch(translator, texts, together, beam),
        lambda: _order(translator, texts, together, beam),
        lambda: _weights(together),
        lambda: _step(translator, texts, together),
        lambda: _forced(translator, texts, beam),
        lambda: _reload(translator, texts, together, beam),
    )
    return [check() for check in checks]


def made_up_sources(translator: Translator) -> list[str]:
    """Random texts from the source vocabulary, the same each time."""
    generator = random.Random(0)
    tokenizers = translator.tokenizers
    texts = [_random_text(tokenizers.source, generator, length) for length in LENGTHS]
    if tokenizers.tags is None:
        return texts
    return [f"{text}\t{_random_text(tokenizers.tags, generator, 3)}" for text in texts]


def _random_text(tokenizer: Tokenizer, generator: random.Random, length: int) -> str:
    ids = range(len(RESERVED), tokenizer.vocab_size)
    return tokenizer.decode([generator.choice(ids) for _ in range(length)]) if ids else ""


def _difference(ones: Sequence[Translation], others: Sequence[Translation]) -> float:
    """The largest difference of log-probability per token, or of a weight; infinite where texts differ."""
    largest = 0.0
    for one, other in zip(ones, others, strict=True):
        if one.text != other.text or one.tokens != other.tokens:
            return float("inf")
        largest = max(largest, abs(one.log_prob - other.log_prob) / (len(one.tokens) + 1))
        if one.weights.size:
            largest = max(largest, float(abs(one.weights - other.weights).max()))
    return largest


def _largest(ones: Tensor, others: Tensor) -> float:
    """The largest difference; none between values that are both minus infinity."""
    return float((ones - others).masked_fill(ones == others, 0.0).abs().max())


@torch.inference_mode()
def _padding(translator: Translator, texts: Sequence[str], together: Sequence[Translation]) -> Check:
    """Every pair alone, and in a batch whose padding belongs to the longest."""
    examples = translator.tokenizers.encode_pairs(texts, [one.text for one in together])
    model, device = translator.together, translator.device
    batch = make_batch(examples).to(device)
    whole = model(batch.source, batch.decoder_input).logits.log_softmax(dim=-1)
    largest = 0.0
    for row, example in enumerate(examples):
        alone = make_batch([example]).to(device)
        logits = model(alone.source, alone.decoder_input).logits.log_softmax(dim=-1)
        largest = max(largest, _largest(whole[row, : logits.shape[1], : logits.shape[2]], logits[0]))
    return Check("padding", "log p of every token, with and without padding beside it", largest, 10 * PER_TOKEN)


def _batch(translator: Translator, texts: Sequence[str], together: Sequence[Translation], beam: int) -> Check:
    alone = [translator.translate([text], beam=beam)[0] for text in texts]
    what = "outputs, scores and weights, each source alone and all in one batch"
    return Check("batch", what, _difference(together, alone), PER_TOKEN)


def _order(translator: Translator, texts: Sequence[str], together: Sequence[Translation], beam: int) -> Check:
    turned = translator.translate(list(reversed(texts)), beam=beam)[::-1]
    return Check("order", "the same with the sources in another order", _difference(together, turned), PER_TOKEN)


def _weights(together: Sequence[Translation]) -> Check:
    largest = 0.0
    for one in together:
        if one.weights.size:
            sums = one.weights.sum(axis=1)
            largest = max(largest, float(abs(sums - 1.0).max()), float(-min(0.0, one.weights.min())))
    return Check("weights", "each row of weights is at least 0 and sums to 1", largest, PER_TOKEN)


@torch.inference_mode()
def _step(translator: Translator, texts: Sequence[str], together: Sequence[Translation]) -> Check:
    """Teacher forcing at once, and step by step, in double precision."""
    model = copy.deepcopy(translator.together).double()
    batch = make_batch(translator.tokenizers.encode_pairs(texts, [one.text for one in together])).to(translator.device)
    whole = model(batch.source, batch.decoder_input).logits
    state, largest = model.init_state(batch.source), 0.0
    for position in range(batch.decoder_input.shape[1]):
        output = model.step(batch.decoder_input[:, position], state)
        state = output.state
        largest = max(largest, _largest(output.logits, whole[:, position]))
    return Check("step = forward", "logits of repeated steps and of the whole target at once, float64", largest, DOUBLE)


def _forced(translator: Translator, texts: Sequence[str], beam: int) -> Check:
    """The score that search gave, and that of the same tokens given as target."""
    sources = translator.tokenizers.encode_sources(texts)
    wanted = [Wanted(text, source, [], [], []) for text, source in zip(texts, sources, strict=True)]
    found = search_outputs(translator.together, translator.config.search, wanted, beam_size=beam, n_best=beam)
    largest = 0.0
    for source, hypotheses in zip(sources, found, strict=True):
        batch = make_batch([Example(source.ids, one.tokens, source.tags, source.copy_ids) for one in hypotheses])
        batch = batch.to(translator.device)
        with torch.inference_mode():
            of_labels = label_log_probs(translator.together(batch.source, batch.decoder_input).logits, batch.labels)
        for row, one in enumerate(hypotheses):
            forced = float(of_labels[row, : len(one.tokens) + 1].double().sum())
            largest = max(largest, abs(forced - one.log_prob) / (len(one.tokens) + 1))
    return Check(
        "beam = forced score", "log p of n-best outputs from search and by forced decoding", largest, PER_TOKEN
    )


def _reload(translator: Translator, texts: Sequence[str], together: Sequence[Translation], beam: int) -> Check:
    with tempfile.TemporaryDirectory() as folder:
        save_bundle(Path(folder), translator.bundle, {}, "")
        again = load_bundle(Path(folder))
    again.model.eval()
    found = Translator(again).translate(texts, beam=beam)
    what = "outputs, scores and weights after writing the model and reading it again"
    return Check("reload", what, _difference(together, found), 0.0)
