"""What runs in a peer's own environment: the jobs it is given, and the watch over its training.

Nothing but the standard library and torch is imported here.
"""

import json
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Job:
    """What a peer is to do; by itself, a training that ends and chooses its checkpoint as its documentation has it.

    Args:
        work: Folder of the prepared data and configuration.
        out: Folder for what is written.
        threads: Threads that torch uses.
    """

    work: str
    out: str
    threads: int


@dataclass(frozen=True)
class TrainJob(Job):
    """A training.

    Args:
        updates: Updates after which it ends.
        minutes: Minutes from the first update on after which it ends.
        every: Updates between checkpoints; 0 writes none at all, not even at the end.
    """

    updates: int | None
    minutes: float | None
    every: int


@dataclass(frozen=True)
class TranslateJob(Job):
    """A decoding.

    Args:
        checkpoint: What the training wrote.
        sources: Token lines.
        beam_size: 1 is greedy search.
        batch_size: Sources that are decoded together.
        length_penalty: Alpha of Wu et al. 2016, eq. 14, where the peer has it.
        max_length: Tokens of an output at most.
    """

    checkpoint: str
    sources: list[str]
    beam_size: int
    batch_size: int
    length_penalty: float
    max_length: int


@dataclass(frozen=True)
class Checkpoint:
    """A checkpoint, and when it had been written.

    Args:
        path: Where it is.
        updates: Updates made until then.
        seconds: Seconds since the first update began.
    """

    path: str
    updates: int
    seconds: float


@dataclass
class Trained:
    """What a training has been seen to do.

    Args:
        times: When each update began; the last one of all is when the training was ended.
        tokens: Target tokens of each update's batch, EOS included, padding excluded.
        checkpoints: What was written.
        peak_memory: Most megabytes that the process has had.
    """

    times: list[float] = field(default_factory=list)
    tokens: list[int] = field(default_factory=list)
    checkpoints: list[Checkpoint] = field(default_factory=list)
    peak_memory: float = 0.0


@dataclass(frozen=True)
class Fitted:
    """The checkpoint that a training has chosen."""

    checkpoint: str


@dataclass(frozen=True)
class Translated:
    """What a decoding took, loading excluded, and its outputs as token lines in the order of the sources."""

    seconds: float
    outputs: list[str]


class Enough(Exception):
    """The training has made what it was to make."""


class Watch:
    """Counts updates and tokens, has checkpoints written, and ends the training.

    Args:
        job: What to train.
    """

    def __init__(self, job: TrainJob) -> None:
        self.job = job
        self.seen = Trained()

    def before_update(self, tokens: int, save: Callable[[int], Path]) -> None:
        """To be called at the beginning of each update.

        Args:
            tokens: Target tokens of the batch, EOS included, padding excluded.
            save: Writes a checkpoint, given how many updates have been made.

        Raises:
            Enough: The updates or the minutes have been made.
        """
        seen, job, now = self.seen, self.job, time.perf_counter()
        done = len(seen.times)
        start = seen.times[0] if seen.times else now
        out_of_time = job.minutes is not None and now - start >= 60 * job.minutes
        enough = out_of_time or (job.updates is not None and done >= job.updates)
        if done and job.every and (enough or done % job.every == 0):
            path = save(done)
            seen.checkpoints.append(Checkpoint(str(path), done, time.perf_counter() - start))
            self.write()
        if enough:
            seen.times.append(now)
            raise Enough
        seen.times.append(time.perf_counter())
        seen.tokens.append(tokens)

    def write(self) -> None:
        """Write what has been seen so far."""
        status = Path("/proc/self/status").read_text(encoding="utf-8")
        self.seen.peak_memory = int(status.split("VmHWM:")[1].split()[0]) / 1024.0
        write_report(self.job, self.seen)


def write_report(job: Job, report: Trained | Fitted | Translated) -> None:
    """Write what the other side reads."""
    (Path(job.out) / "report.json").write_text(json.dumps(asdict(report)), encoding="utf-8")


def run(
    train: Callable[[TrainJob, Watch], None],
    translate: Callable[[TranslateJob], Translated],
    fit: Callable[[Job], Fitted] | None = None,
) -> None:
    """Do what the command line says: ``train``, ``fit`` or ``translate``, and a file with the job."""
    import torch

    what, path = sys.argv[1:]
    given = json.loads(Path(path).read_text(encoding="utf-8"))
    torch.set_num_threads(given["threads"])
    if what == "train":
        job = TrainJob(**given)
        watch = Watch(job)
        try:
            train(job, watch)
        except Enough:
            watch.write()
        else:
            raise SystemExit("the training ended by itself")
    elif what == "fit" and fit is not None:
        fitting = Job(**given)
        write_report(fitting, fit(fitting))
    else:
        translation = TranslateJob(**given)
        write_report(translation, translate(translation))
