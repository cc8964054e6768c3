"""How well given targets fit: forced decoding."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor

from seq2see.alignment import Alignment
from seq2see.bundle import Bundle
from seq2see.data.batches import Batch, Example, make_batch
from seq2see.data.bucketing import cut_by_tokens
from seq2see.data.special import PAD
from seq2see.decoders import TeacherForcedOutput
from seq2see.losses import label_log_probs, smoothed_cross_entropy
from seq2see.posterior import posterior_weights
from seq2see.seq2seq import Model

BATCH_TOKENS = 4096


@dataclass(frozen=True, slots=True)
class ForcedScore:
    """A given target, scored.

    Args:
        source: The raw source.
        target: The raw target.
        log_prob: Log-probability of the target's tokens under the model, its end included, in nats; NaN where there is
            a problem.
        alignment: Source tokens, target tokens and weights.
        token_log_probs: log p of each token and, last, of the end; ``log_prob`` is their sum.
        problem: Why there is no score, where there is none; else ''.
    """

    source: str
    target: str
    log_prob: float
    alignment: Alignment
    token_log_probs: list[float]
    problem: str = ""


class Likelihood(NamedTuple):
    """How well given targets fit.

    Args:
        nats: Sum of −log p over target tokens.
        smoothed_nats: The same with label smoothing, which is what training minimises.
        num_tokens: Target tokens, ends included.
    """

    nats: float
    smoothed_nats: float
    num_tokens: int


def score_pairs(
    model: Model, bundle: Bundle, sources: Sequence[str], targets: Sequence[str], *, posterior: bool
) -> list[ForcedScore]:
    """Score every target given its source, in order; a source without tokens or tags has no score.

    Args:
        model: The model, or several together.
        bundle: Its tokenizers and configuration.
        sources: Raw sources.
        targets: A raw target for each.
        posterior: Give posterior weights in place of attention weights.
    """
    tokenizers = bundle.tokenizers
    examples = tokenizers.encode_pairs(sources, targets)
    problems = [_problem(bundle, source, example) for source, example in zip(sources, examples, strict=True)]
    found = {
        index: ForcedScore(sources[index], targets[index], math.nan, Alignment.empty(), [], problem)
        for index, problem in enumerate(problems)
        if problem
    }
    usable = [index for index, problem in enumerate(problems) if not problem]
    for indices, batch, output in forced(model, examples, usable):
        log_probs = label_log_probs(output.logits, batch.labels)
        all_weights = _posterior(model, batch, output) if posterior else output.weights
        for row, index in enumerate(indices):
            length = len(examples[index].target) + 1
            token_log_probs = log_probs[row, :length].tolist()
            weights = all_weights[row, : length - 1, output.mask[row]]
            alignment = Alignment(
                tokenizers.source_tokens(sources[index]),
                tokenizers.target.encode(targets[index]).tokens,
                weights.float().cpu().numpy(),
            )
            total = math.fsum(token_log_probs)
            found[index] = ForcedScore(sources[index], targets[index], total, alignment, token_log_probs)
    return [found[index] for index in range(len(sources))]


def likelihood(model: Model, bundle: Bundle, sources: Sequence[str], targets: Sequence[str]) -> Likelihood:
    """−log p of given targets; pairs that cannot be scored are left out, as by ``score_pairs``."""
    examples = bundle.tokenizers.encode_pairs(sources, targets)
    usable = [index for index, example in enumerate(examples) if not _problem(bundle, sources[index], example)]
    nats, smoothed_nats, num_tokens = 0.0, 0.0, 0
    for _, batch, output in forced(model, examples, usable):
        loss = smoothed_cross_entropy(
            output.logits,
            batch.labels,
            label_smoothing=bundle.config.training.label_smoothing,
            pad_id=PAD,
            vocab_size=bundle.tokenizers.target.vocab_size,
        )
        nats += float(loss.negative_log_likelihood)
        smoothed_nats += float(loss.total)
        num_tokens += int(loss.num_tokens)
    return Likelihood(nats, smoothed_nats, num_tokens)


def _posterior(model: Model, batch: Batch, output: TeacherForcedOutput) -> Float[Tensor, "B T S"]:
    """Posterior weights of a batch."""
    with torch.inference_mode():
        log_probs = model.log_probs_by_position(batch.source, batch.decoder_input, batch.labels)
        return posterior_weights(output.weights, log_probs, output.mask[:, None, :])


def _problem(bundle: Bundle, source: str, example: Example) -> str:
    most = bundle.config.search.max_source_length
    fault = bundle.tokenizers.fault(source, example.source, example.tags, most=most)
    return fault or ("" if example.source else "the source has no tokens")


def forced(
    model: Model, examples: Sequence[Example], usable: Sequence[int]
) -> Iterator[tuple[list[int], Batch, TeacherForcedOutput]]:
    """Batches of similar lengths through the model: (indices, batch, output)."""
    lengths = [example.length for example in examples]
    device = next(model.parameters()).device
    for indices in cut_by_tokens(lengths, sorted(usable, key=lengths.__getitem__), BATCH_TOKENS):
        batch = make_batch([examples[index] for index in indices]).to(device)
        with torch.inference_mode():
            yield indices, batch, model(batch.source, batch.decoder_input)
