"""The training loop."""

import itertools
import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import torch
from accelerate import Accelerator
from torch import nn

from seq2see.config import Config, chosen
from seq2see.data.batches import Batch, Example, make_batch
from seq2see.data.bucketing import training_batches
from seq2see.data.special import PAD
from seq2see.losses import TokenLoss, coverage_loss, smoothed_cross_entropy
from seq2see.training.reporter import Reporter
from seq2see.training.schedule import Budget, learning_rate
from seq2see.training.validation import Validation, Validator

FEWEST_VALIDATIONS, MOST_VALIDATIONS = 10, 30
SHARE_OF_VALIDATION = 0.1


@dataclass(slots=True)
class Progress:
    """Where a run stands.

    Args:
        epoch: Number of the epoch, from 1.
        update: Optimiser updates done.
        best: The best validation so far.
        since_best: Validations since then.
        validated_at: Progress (0 to 1) at the last validation.
        history: One record per validation.
    """

    epoch: int = 1
    update: int = 0
    best: Validation | None = None
    since_best: int = 0
    validated_at: float = 0.0
    history: list[dict[str, Any]] = field(default_factory=list)


@dataclass(slots=True)
class _Meter:
    """Loss and speed since it was last reset."""

    nats: float = 0.0
    num_tokens: int = 0
    seconds: float = 0.0

    def add(self, loss: TokenLoss, seconds: float) -> None:
        self.nats += float(loss.negative_log_likelihood)
        self.num_tokens += int(loss.num_tokens)
        self.seconds += seconds

    @property
    def mean_loss(self) -> float:
        return self.nats / max(1, self.num_tokens)

    @property
    def tokens_per_second(self) -> float:
        return self.num_tokens / max(1e-9, self.seconds)


def fit(
    model: nn.Module,
    examples: list[Example],
    validator: Validator,
    config: Config,
    vocab_size: int,
    progress: Progress,
    reporter: Reporter,
    on_validation: Callable[[Validation, bool], None],
) -> None:
    """Train a model until its budget or its patience ends.

    Args:
        model: Changed in place.
        examples: Training examples.
        validator: Measures the model.
        config: Without open choices.
        vocab_size: Target tokens, those copied from a source not counted.
        progress: Where the run stands; changed in place.
        reporter: Hears of every update and validation.
        on_validation: Called after each validation, with whether it is the best so far; keeps what should be kept.
    """
    settings = config.training
    accelerator = Accelerator(cpu=not torch.cuda.is_available())
    optimizer = torch.optim.Adam(model.parameters(), lr=settings.learning_rate)
    model, optimizer = accelerator.prepare(model, optimizer)
    budget = Budget(
        max_updates=_max_updates(examples, config),
        seconds=None if settings.minutes is None else 60.0 * settings.minutes,
    )
    meter, last = _Meter(), time.monotonic()

    for epoch, last_of_epoch, batch in _batches(examples, config):
        share = budget.progress(progress.update)
        rate = learning_rate(
            settings.learning_rate,
            update=progress.update,
            progress=share,
            warmup_updates=settings.warmup_updates,
            decay=settings.schedule == "linear_decay",
        )
        loss = _update(model, optimizer, batch.to(accelerator.device), rate, accelerator, config, vocab_size)
        progress.epoch, progress.update = epoch, progress.update + 1
        meter.add(loss, time.monotonic() - last)
        if not math.isfinite(meter.nats):
            reporter.note(f"the loss is not finite at update {progress.update:,}: stopping")
            break
        share = budget.progress(progress.update)
        reporter.advanced(share, epoch, meter.mean_loss, meter.tokens_per_second)
        if share >= 1.0 or _validation_is_due(progress, share, last_of_epoch, budget, config):
            start = time.monotonic()
            _validate(model, validator, progress, meter, reporter, on_validation)
            budget.validated(time.monotonic() - start)
            progress.validated_at, meter = share, _Meter()
            if share >= 1.0:
                break
            if progress.since_best >= settings.patience:
                reporter.note(f"no better model in {settings.patience} validations: stopping early")
                break
        last = time.monotonic()


def _max_updates(examples: list[Example], config: Config) -> int | None:
    """Updates of the whole run; None where minutes alone decide."""
    settings = config.training
    if settings.max_updates is not None:
        return settings.max_updates
    if settings.minutes is not None:
        return None
    return settings.max_epochs * len(_epoch(examples, config, 0))


def _epoch(examples: list[Example], config: Config, number: int) -> list[list[int]]:
    """The batches of an epoch, as indices."""
    batch_tokens = chosen(config.training.batch_tokens, "training.batch_tokens")
    return training_batches(examples, batch_tokens, seed=config.training.seed, epoch=number)


def _batches(examples: list[Example], config: Config) -> Iterator[tuple[int, bool, Batch]]:
    """Epochs without end: (epoch from 1, whether it is the last batch of it, batch)."""
    for epoch in itertools.count(1):
        batches = _epoch(examples, config, epoch)
        for number, indices in enumerate(batches, start=1):
            yield epoch, number == len(batches), make_batch([examples[index] for index in indices])


def _update(
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    batch: Batch,
    rate: float,
    accelerator: Accelerator,
    config: Config,
    vocab_size: int,
) -> TokenLoss:
    """One optimiser update: forward, mean loss per token, backward, clip, step."""
    settings = config.training
    for group in optimizer.param_groups:
        group["lr"] = rate
    output = model(batch.source, batch.decoder_input)
    loss = smoothed_cross_entropy(
        output.logits,
        batch.labels,
        label_smoothing=settings.label_smoothing,
        pad_id=PAD,
        vocab_size=vocab_size,
    )
    objective = loss.total
    if settings.coverage_loss > 0.0:
        objective = objective + settings.coverage_loss * coverage_loss(output.weights, batch.labels, pad_id=PAD)
    optimizer.zero_grad()
    accelerator.backward(objective / loss.num_tokens)
    accelerator.clip_grad_norm_(model.parameters(), settings.clip_norm)
    optimizer.step()
    return loss


def _validation_is_due(progress: Progress, share: float, last_of_epoch: bool, budget: Budget, config: Config) -> bool:
    """Every ``validate_every`` updates; if that is not set, once an epoch, yet 10 to 30 times in a run.

    A run of minutes validates up to 30 times, yet spends no more than a tenth of its time on it.
    """
    every = config.training.validate_every
    if every is not None:
        return progress.update % every == 0
    since = share - progress.validated_at
    if budget.seconds is not None:
        return since >= 1.0 / MOST_VALIDATIONS and budget.share_of_validation() <= SHARE_OF_VALIDATION
    return since >= 1.0 / FEWEST_VALIDATIONS or (last_of_epoch and since >= 0.99 / MOST_VALIDATIONS)


def _validate(
    model: nn.Module,
    validator: Validator,
    progress: Progress,
    meter: _Meter,
    reporter: Reporter,
    on_validation: Callable[[Validation, bool], None],
) -> None:
    """Measure the model, record what was found, and tell."""
    model.eval()
    validation = validator()
    model.train()
    best = validation.is_better_than(progress.best)
    progress.history.append(
        {
            "epoch": progress.epoch,
            "update": progress.update,
            "train_loss": meter.mean_loss,
            "valid_loss": validation.loss,
            validation.metric: validation.value,
            "best": best,
            "tokens_per_second": round(meter.tokens_per_second, 1),
        }
    )
    progress.since_best = 0 if best else progress.since_best + 1
    if best:
        progress.best = validation
    on_validation(validation, best)
    reporter.validated(validation, progress.epoch, progress.update, meter.mean_loss, best)
