"""Training several models that will write each output together."""

from collections.abc import Callable, Sequence
from pathlib import Path

from seq2see.bundle import STATE, holds_model
from seq2see.config import Config, replace
from seq2see.data.pairs import Pair
from seq2see.errors import ConfigError
from seq2see.inference import Translator, load
from seq2see.members import list_members, member_directory
from seq2see.training.processes import Processes
from seq2see.training.reporter import Reporter, SilentReporter
from seq2see.training.run import train_on_pairs


def train_ensemble(
    pairs: Sequence[Pair],
    valid: Sequence[Pair],
    config: Config,
    *,
    members: int,
    out: str | Path,
    overwrite: bool = False,
    resume: bool = False,
    reporter_of: Callable[[int], Reporter] = lambda _: SilentReporter(),
) -> Translator:
    """Train models that differ in their seeds, one after the other, and keep them in one model directory.

    The k-th has the seed of the configuration plus k − 1. Where minutes are given, they are those of all together.

    Args:
        pairs: Training pairs.
        valid: Validation pairs, the same for all.
        config: As for ``train_on_pairs``.
        members: How many; where the run was stopped, those that have come to their end are not trained again.
        out: The model directory to write.
        overwrite: As for ``train_on_pairs``.
        resume: As for ``train_on_pairs``; with more members than before, only the further ones are trained, unless
            minutes are given, of which each would then have fewer.
        reporter_of: Gives what hears of the run of a member, by its number from 1.

    Raises:
        ConfigError: There are no members, or their seeds would be too large.
        DataError, ModelError, OutputError: As ``train_on_pairs``.
    """
    if members < 1:
        raise ConfigError(f"{members} members, wanted 1 or more")
    directory, processes, minutes = Path(out), Processes(), config.training.minutes
    configs = [
        replace(
            config,
            {
                "training.seed": config.training.seed + number,
                "training.minutes": None if minutes is None else minutes / members,
            },
        )
        for number in range(members)
    ]
    for number, one in enumerate(configs, start=1):
        reporter = reporter_of(number)
        if members > 1:
            reporter.note(f"model {number} of {members}, seed {one.training.seed}")
        place = member_directory(directory, number)
        begun = processes.from_first(number == 1 or (place / STATE).is_file() or holds_model(place))
        last = train_on_pairs(
            pairs,
            valid,
            one,
            out=place,
            overwrite=overwrite or (resume and not begun),
            resume=resume and begun,
            reporter=reporter,
        )
        if processes.is_first and number > 1:
            list_members(directory, number)
    return load(directory) if members > 1 and processes.is_first else last
