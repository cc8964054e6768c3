"""A whole training run, from files to a model directory."""

from collections.abc import Sequence
from pathlib import Path

from seq2see.bundle import STATE, claim_directory
from seq2see.config import Config
from seq2see.data.formats import has_own_format
from seq2see.data.pair_file import PairFile
from seq2see.data.pairs import Pair, hold_out, read_pairs
from seq2see.errors import DataError, ModelError
from seq2see.inference import Translator, load
from seq2see.training.data_remarks import data_remarks
from seq2see.training.guidance import with_links
from seq2see.training.keeping import Keeper, data_fingerprints
from seq2see.training.loop import fit
from seq2see.training.preparation import Prepared, prepare
from seq2see.training.processes import Processes
from seq2see.training.reporter import Reporter, SilentReporter
from seq2see.training.state import RunKey, SavedRun, load_run
from seq2see.training.stopping import stop_request
from seq2see.training.validation import Validator

CONNECTION_LOST = ("gloo", "NCCL", "Connection", "connection", "Timed out")
"""One of these is in what torch says when another process is gone."""


def train(
    config: Config | None = None,
    *,
    out: str | Path,
    overwrite: bool = False,
    resume: bool = False,
    reporter: Reporter | None = None,
) -> Translator:
    """Train a model on the files that the configuration names, and keep the best one in a directory.

    Args:
        config: ``data.train`` or ``data.source`` and ``data.target`` must be given.
        out: The model directory to write.
        overwrite: Replace a model, or a run that was stopped, that is already there.
        resume: Go on with the run that was stopped in ``out``; data and configuration must be the same.
        reporter: Hears of the run's progress.

    Returns:
        The best model by validation.

    Raises:
        DataError: A data file is not as it should be.
        OutputError: The directory holds a model already, or cannot be written.
    """
    config = config or Config()
    pairs, valid = read_all_pairs(config, reporter or SilentReporter())
    return train_on_pairs(pairs, valid, config, out=out, overwrite=overwrite, resume=resume, reporter=reporter)


def read_all_pairs(config: Config, reporter: Reporter) -> tuple[Sequence[Pair], Sequence[Pair]]:
    """The pairs to learn from and those to validate with, as the configuration names them.

    Raises:
        DataError: A data file is not as it should be, or there are too few pairs.
    """
    data, tags = config.data, config.model.encoder.tags != "none"
    pairs: Sequence[Pair]
    if data.cache is not None and data.train is not None and not has_own_format(data.train):
        pairs = PairFile(data.train, tags=tags)
    else:
        pairs = read_pairs(data.train, data.source, data.target, tags=tags)
    if data.alignments is not None:
        pairs = with_links(pairs, data.alignments, tags=tags)
    valid: list[Pair] | None = None
    if any(path is not None for path in (data.valid, data.valid_source, data.valid_target)):
        valid = read_pairs(data.valid, data.valid_source, data.valid_target, name="valid", tags=tags)
    if data.cache is None and Processes().is_first:
        for line in data_remarks(config, pairs, valid):
            reporter.note(line)
    return _with_validation(pairs, valid, reporter)


def train_on_pairs(
    pairs: Sequence[Pair],
    valid: Sequence[Pair] | None,
    config: Config,
    *,
    out: str | Path,
    overwrite: bool = False,
    resume: bool = False,
    reporter: Reporter | None = None,
) -> Translator:
    """As ``train``, on pairs at hand; without validation pairs some of the sources are held out.

    Args:
        pairs: Training pairs.
        valid: Validation pairs, or None.
        config: May leave choices open; its ``data`` paths are not read.
        out: The model directory to write.
        overwrite: Replace a model, or a run that was stopped, that is already there.
        resume: Go on with the run that was stopped in ``out``; data and configuration must be the same.
        reporter: Hears of the run's progress.

    Where several processes train together (``accelerate launch``, ``torchrun``), all call this; the first one writes,
    and only what it gets back is the best model.

    Raises:
        DataError: No pair is left to train on, or none is given for validation.
        ModelError: No validation gave finite figures, so there is no model to keep.
        OutputError: The directory holds a model already, or something else, or cannot be written.
    """
    directory, processes = Path(out), Processes()
    reporter = reporter if reporter is not None and processes.is_first else SilentReporter()
    if processes.is_first:
        claim_directory(directory, overwrite=overwrite, resume=resume)
    pairs, valid = _with_validation(pairs, valid, reporter)
    prepared = prepare(config, pairs, valid, processes)
    bundle = prepared.bundle
    key = RunKey.of(bundle.config, data_fingerprints(pairs, valid), processes.count)
    saved = processes.from_first(load_run(directory / STATE, key) if resume and processes.is_first else None)
    if saved is not None and saved.progress.finished:
        reporter.note("the run had come to its end")
        reporter.close()
        return load(directory) if processes.is_first else Translator(bundle)
    _tell(reporter, prepared, saved)
    validator = Validator(
        Translator(bundle).with_search(precision="float32"),  # of weights that change
        valid,
        metric=bundle.config.training.metric,
        max_sources=bundle.config.training.max_valid_sources,
    )

    keeper = Keeper(directory, prepared, key, processes)
    try:
        with stop_request() as stop:
            progress = fit(
                bundle.model,
                prepared.examples,
                validator,
                bundle.config,
                processes=processes,
                saved=saved,
                reporter=reporter,
                keeper=keeper,
                stop=stop,
            )
        if stop.asked and not progress.finished:
            kept = "no model yet" if progress.best is None else f"the best model so far is in {directory}"
            reporter.note(f"stopped at update {progress.update:,}; {kept}; --resume goes on from here")
            raise KeyboardInterrupt
    except RuntimeError as error:
        if processes.count == 1 or not any(sign in str(error) for sign in CONNECTION_LOST):
            raise
        raise ModelError(f"process {processes.number}: another process of this run is gone: {error}") from None
    finally:
        reporter.close()
    if progress.best is None:
        raise ModelError(
            "no validation gave finite figures, so no model was kept; try a smaller training.learning_rate "
            f"than {bundle.config.training.learning_rate}"
        )
    return load(directory) if processes.is_first else Translator(bundle)


def _with_validation(
    pairs: Sequence[Pair], valid: Sequence[Pair] | None, reporter: Reporter
) -> tuple[Sequence[Pair], Sequence[Pair]]:
    """The pairs to learn from and those to validate with, some held out where none are given.

    Raises:
        DataError: There are too few.
    """
    if not pairs or valid == []:
        raise DataError("no pairs to train on" if not pairs else "no validation pairs; wanted some, or None")
    if valid is not None:
        return pairs, valid
    if isinstance(pairs, PairFile):
        raise DataError(
            f"{pairs.path}: with data.cache none of its pairs are held out; wanted validation pairs (--valid)"
        )
    if len({pair.source for pair in pairs}) < 2:
        raise DataError("the pairs have one source only, so none can be held out; give validation pairs (--valid)")
    pairs, held_out = hold_out(pairs, share=0.1, most=1000)
    reporter.note(f"no validation pairs given: {len(held_out):,} pairs held out of the training pairs")
    return pairs, held_out


def _tell(reporter: Reporter, prepared: Prepared, saved: SavedRun | None) -> None:
    """What the run begins with."""
    reporter.note(f"{len(prepared.examples):,} training pairs, {len(prepared.valid):,} validation pairs")
    for note in prepared.notes:
        reporter.note(note)
    num_parameters = sum(parameter.numel() for parameter in prepared.bundle.model.parameters())
    reporter.note(f"model of {num_parameters:,} parameters")
    if saved is not None:
        reporter.note(f"going on from update {saved.progress.update:,} of epoch {saved.progress.epoch}")
