"""The training loop."""

import itertools
import math
import time
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from seq2see.config import Config, chosen
from seq2see.data.batches import Example, make_batch, without_labels
from seq2see.data.bucketing import example_lengths, training_batches
from seq2see.errors import ModelError
from seq2see.seq2seq import Seq2Seq
from seq2see.training.budget import Budget
from seq2see.training.keeping import Keeper
from seq2see.training.learner import Learner, Work
from seq2see.training.processes import Processes
from seq2see.training.progress import Progress
from seq2see.training.reporter import Reporter, UpdateFigures
from seq2see.training.schedules import Moment, learning_rate
from seq2see.training.state import SavedRun
from seq2see.training.stopping import StopRequest
from seq2see.training.validation import Validation, Validator

FEWEST_VALIDATIONS, MOST_VALIDATIONS = 10, 30
SHARE_OF_VALIDATION = 0.1
MOST_LEFT_OUT = 10

Lengths = NDArray[np.int64]
"""See ``example_lengths``."""


def fit(
    model: Seq2Seq,
    examples: Sequence[Example],
    validator: Validator,
    config: Config,
    *,
    processes: Processes,
    saved: SavedRun | None,
    reporter: Reporter,
    keeper: Keeper,
    stop: StopRequest,
) -> Progress:
    """Train a model until its budget or its patience ends, or somebody asks to stop.

    A run that was stopped and goes on gives the same weights, to the bit, as one that was not.

    Args:
        model: Changed in place.
        examples: Training examples.
        validator: Measures the model.
        config: Without open choices.
        processes: Those of the run, this one among them.
        saved: Where to go on from; None begins.
        reporter: Hears of every update and validation.
        keeper: Keeps the best model after each validation, and what is needed to go on.
        stop: Looked at after every update.

    Returns:
        Where the run stands; it is ``finished``, or was stopped.
    """
    settings = config.training
    highest = chosen(settings.learning_rate, "training.learning_rate")
    warmup_updates = chosen(settings.warmup_updates, "training.warmup_updates")
    learner = Learner(model, config, processes)
    progress = Progress()
    if saved is not None:
        progress = saved.progress
        saved.restore(learner, processes)
        validator.examples_shown = progress.examples_shown
    lengths = example_lengths(examples)
    budget = _budget(lengths, config, progress)
    last, tokens_before = time.monotonic(), progress.num_tokens
    training_seconds = 0.0
    share = processes.from_first(budget.progress(progress.update))
    for work, last_of_epoch in _work(examples, lengths, config, progress, processes):
        moment = Moment(progress.update, share, warmup_updates, progress.halvings)
        rate = learning_rate(settings.schedule, highest, moment)
        learnt = learner.update(work, rate=rate, number=progress.update, progress=share)
        progress.update += 1
        training_seconds += time.monotonic() - last
        progress.count(learnt)
        if learnt is None and _too_many_left_out(progress, reporter):
            break
        share = budget.progress(progress.update)
        speed = (progress.num_tokens - tokens_before) / max(1e-9, training_seconds)
        norm = math.nan if learnt is None else learnt.gradient_norm
        figures = UpdateFigures(progress.update, progress.epoch, share, progress.mean_loss, rate, norm, speed)
        reporter.advanced(figures)
        due = share >= 1.0 or _validation_is_due(progress, share, last_of_epoch, budget, config)
        share, due, stopping = processes.from_first((share, due, stop.asked))
        if due:
            start = time.monotonic()
            validation = processes.from_first(_validation(model, validator) if processes.is_first else None)
            _record(validation, progress, speed, reporter, keeper, settings.plateau_patience)
            budget.validated(time.monotonic() - start)
            progress.validated(share, budget.elapsed(), budget.validation_seconds)
            tokens_before, training_seconds = 0, 0.0
            progress.finished = share >= 1.0 or _patience_ends(progress, settings.patience, reporter)
            keeper.save(progress, learner)
            if progress.finished:
                break
        if stopping:
            stop.asked = True  # of another process, perhaps
            progress.seconds = budget.elapsed()
            keeper.save(progress, learner)
            break
        last = time.monotonic()
    return progress


def _too_many_left_out(progress: Progress, reporter: Reporter) -> bool:
    """Whether the run should end, since one update after the other is not finite."""
    reporter.note(f"update {progress.update:,}: loss or gradient is not finite, left out")
    if progress.left_out_in_a_row < MOST_LEFT_OUT:
        return False
    reporter.note(f"{MOST_LEFT_OUT} updates in a row were left out: stopping")
    return True


def _patience_ends(progress: Progress, patience: int, reporter: Reporter) -> bool:
    """Whether the run should end, since no better model comes."""
    if progress.since_best < patience:
        return False
    reporter.note(f"no better model in {patience} validations: stopping early")
    return True


def _budget(lengths: Lengths, config: Config, progress: Progress) -> Budget:
    """What is left of the run."""
    minutes = config.training.minutes
    return Budget(
        max_updates=_max_updates(lengths, config),
        seconds=None if minutes is None else 60.0 * minutes,
        seconds_before=progress.seconds,
        validation_seconds=progress.validation_seconds,
        share_before=progress.validated_at,
    )


def _max_updates(lengths: Lengths, config: Config) -> int | None:
    """Updates of the whole run; None where minutes alone decide."""
    settings = config.training
    if settings.max_updates is not None:
        return settings.max_updates
    if settings.minutes is not None:
        return None
    return settings.max_epochs * -(-len(_epoch(lengths, config, 0)) // settings.accumulate)


def _epoch(lengths: Lengths, config: Config, number: int) -> list[list[int]]:
    """The batches of an epoch, as indices."""
    batch_tokens = chosen(config.training.batch_tokens, "training.batch_tokens")
    return training_batches(lengths, batch_tokens, seed=config.training.seed, epoch=number)


def _work(
    examples: Sequence[Example], lengths: Lengths, config: Config, progress: Progress, processes: Processes
) -> Iterator[tuple[Work, bool]]:
    """Epochs without end, from where the run stands: (work of an update, whether it is the last of its epoch).

    Epoch and batch are counted as batches are given.
    """
    for epoch in itertools.count(progress.epoch):
        batches = _epoch(lengths, config, epoch)
        done = progress.batch if epoch == progress.epoch else 0
        for start in range(done, len(batches), config.training.accumulate):
            together = batches[start : start + config.training.accumulate]
            progress.epoch, progress.batch = epoch, start + len(together)
            rows = [[examples[index] for index in processes.share_of(indices)] for indices in together]
            # a process that has no row of a batch reads one of which nothing is learnt
            made = [
                make_batch(own) if own else without_labels(make_batch([examples[indices[0]]]))
                for own, indices in zip(rows, together, strict=True)
            ]
            num_tokens = sum(len(examples[index].target) + 1 for indices in together for index in indices)
            yield Work(made, num_tokens), progress.batch == len(batches)


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


def _validation(model: Seq2Seq, validator: Validator) -> Validation:
    """Measure the model."""
    model.eval()
    validation = validator()
    model.train()
    return validation


def _record(
    validation: Validation | None,
    progress: Progress,
    speed: float,
    reporter: Reporter,
    keeper: Keeper,
    plateau_patience: int,
) -> None:
    """Write down what was found, and tell."""
    if validation is None:
        raise ModelError("the first process has given no validation")
    figures, entropy = validation.figures, validation.attention_entropy
    best = figures.is_better_than(progress.best)
    progress.history.append(
        {
            "epoch": progress.epoch,
            "update": progress.update,
            "train_loss": progress.mean_loss,
            "valid_loss": figures.loss,
            figures.metric: figures.value,
            "attention_entropy": None if math.isnan(entropy) else round(entropy, 4),
            "best": best,
            "tokens_per_second": round(speed, 1),
        }
    )
    progress.since_best = 0 if best else progress.since_best + 1
    if progress.since_best and progress.since_best % plateau_patience == 0:
        progress.halvings += 1
    if best:
        progress.best = figures
    progress.examples_shown += math.isfinite(figures.loss)  # a broken model shows none
    keeper.keep(validation, progress, best)
    reporter.validated(validation, progress.epoch, progress.update, progress.mean_loss, best)
