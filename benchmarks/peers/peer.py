"""What is asked of every peer: to be installed, to train, and to translate, each time in a process of its own."""

import json
import os
import resource
import subprocess
import sys
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, ClassVar

from peers.token_lines import TokenPair
from peers.watch import Checkpoint, Job, Trained, TrainJob, Translated, TranslateJob

INSTALLED = "installed.txt"
HERE = Path(__file__).parent


class PeerUnavailable(Exception):
    """A peer cannot be measured, for the reason that is said."""


@dataclass(frozen=True)
class Settings:
    """What all toolkits are given alike.

    Args:
        embedding: Units of source and target embeddings.
        encoder: Units of one direction of the encoder's one LSTM layer.
        decoder: Units of the decoder's one LSTM layer.
        batch: Sentences of a batch.
        dropout: Share of values zeroed.
        learning_rate: Adam's, constant.
        clip_norm: Largest norm of the gradient.
        label_smoothing: Share of the mass spread over the vocabulary.
        seed: Of weights, order and dropout.
    """

    embedding: int = 256
    encoder: int = 256
    decoder: int = 512
    batch: int = 64
    dropout: float = 0.2
    learning_rate: float = 0.001
    clip_norm: float = 1.0
    label_smoothing: float = 0.1
    seed: int = 1

    def ours(self) -> list[str]:
        """The same for seq2see, but for the size of a batch, which it counts in tokens."""
        values = {
            "tokens.source.type": "space",
            "tokens.source.min_frequency": 1,
            "tokens.target.type": "space",
            "tokens.target.min_frequency": 1,
            "model.embedding_size": self.embedding,
            "model.dropout": self.dropout,
            "model.encoder.hidden_size": self.encoder,
            "model.decoder.hidden_size": self.decoder,
            "model.attention.attention_size": self.decoder,
            "training.learning_rate": self.learning_rate,
            "training.schedule": "constant",
            "training.warmup_updates": 0,
            "training.clip_norm": self.clip_norm,
            "training.label_smoothing": self.label_smoothing,
            "training.precision": "float32",
            "training.seed": self.seed,
        }
        return [f"{key}={value}" for key, value in values.items()]


TRANSLATION = Settings()
CHARACTERS = Settings(embedding=128, encoder=512, decoder=512, batch=32)


class Peer(ABC):
    """A toolkit in a virtual environment of its own.

    Args:
        settings: Sizes and numbers.
    """

    name: ClassVar[str]
    distribution: ClassVar[str]
    """The package and its version; it is installed without what it asks for, which ``requirements.txt`` names."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._python: Path | None = None
        self._work: Path | None = None

    @property
    def own_folder(self) -> Path:
        """Requirements, configuration, and the script for the other side."""
        return HERE / self.name

    def install(self, folder: Path) -> None:
        """Make the environment ``folder/name``, if it isn't there.

        Raises:
            PeerUnavailable: It cannot be made.
        """
        place = (folder / self.name).absolute()
        python = place / "bin" / "python"
        requirements = self.own_folder / "requirements.txt"
        wanted = f"{self.distribution}\n{requirements.read_text(encoding='utf-8')}"
        if not (place / INSTALLED).exists() or (place / INSTALLED).read_text(encoding="utf-8") != wanted:
            install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
            for command in (
                [sys.executable, "-m", "venv", str(place)],
                [*install, "--requirement", str(requirements)],
                [*install, "--no-deps", self.distribution],
            ):
                done = subprocess.run(command, capture_output=True, text=True, check=False)
                if done.returncode:
                    lines = (done.stderr or done.stdout).strip().splitlines()
                    raise PeerUnavailable(f"{self.distribution}: {lines[-1] if lines else 'not installed'}")
            (place / INSTALLED).write_text(wanted, encoding="utf-8")
        self._python = python

    def torch_version(self) -> str:
        """The torch that the peer runs on."""
        command = [str(self._installed()), "-c", "import torch; print(torch.__version__)"]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

    def prepare(self, work: Path, train: Sequence[TokenPair], valid: Sequence[TokenPair]) -> None:
        """Write data, vocabularies and configuration for trainings.

        Args:
            work: Folder for them.
            train: Lines of tokens.
            valid: Lines of tokens; written for the peers that ask for them, but not looked at in trainings.
        """
        work.mkdir(parents=True, exist_ok=True)
        self._work = work.absolute()
        self.write_files(self._work, train, valid)

    @abstractmethod
    def write_files(self, work: Path, train: Sequence[TokenPair], valid: Sequence[TokenPair]) -> None:
        """Write data, vocabularies and configuration."""

    def train_rate(self, threads: int, updates: int, *, warm_up: int = 10) -> tuple[float, float]:
        """Target tokens per second of training, EOS included, padding excluded; most megabytes meanwhile.

        Start-up, the first loading of data and the first updates are not counted, nor is anything validated
        or saved.

        Args:
            threads: Threads of torch.
            updates: Updates that are measured.
            warm_up: Updates before them.
        """
        with tempfile.TemporaryDirectory() as out:
            seen = self._train(TrainJob(str(self._prepared()), out, threads, warm_up + updates, None, 0))
        return sum(seen.tokens[warm_up:]) / (seen.times[-1] - seen.times[warm_up]), seen.peak_memory

    def train(
        self, out: Path, threads: int, *, updates: int | None = None, minutes: float | None = None, every: int = 1000
    ) -> list[Checkpoint]:
        """Train without validation, for so many updates or minutes.

        Args:
            out: Folder for the checkpoints.
            threads: Threads of torch.
            updates: Updates to make, or
            minutes: minutes to train from the first update on, the writing of checkpoints included.
            every: Updates between checkpoints.

        Returns:
            The checkpoints, the last of which is of the end.
        """
        if updates is None and minutes is None:
            raise ValueError("neither updates nor minutes are given")
        out.mkdir(parents=True, exist_ok=True)
        job = TrainJob(str(self._prepared()), str(out.absolute()), threads, updates, minutes, every)
        return self._train(job).checkpoints

    def fit(self, out: Path, threads: int) -> tuple[Path, float]:
        """Train as the peer's own documentation has it, validation included.

        Args:
            out: Folder for what it writes.
            threads: Threads of torch.

        Returns:
            The checkpoint that it chooses, and the minutes of the processor that it took.
        """
        out.mkdir(parents=True, exist_ok=True)
        job = Job(str(self._prepared()), str(out.absolute()), threads)
        start = _seconds_of_children()
        checkpoint = Path(self._run("fit", job)["checkpoint"])
        return checkpoint, (_seconds_of_children() - start) / 60.0

    def translate_seconds(
        self,
        checkpoint: Path | str,
        sources: Sequence[str],
        *,
        beam_size: int,
        batch_size: int,
        threads: int,
        length_penalty: float = 0.6,
        max_length: int = 100,
    ) -> tuple[float, list[str]]:
        """Translate lines of tokens, none of them empty.

        Returns:
            Seconds of decoding, loading excluded, and the outputs as lines of tokens.
        """
        with tempfile.TemporaryDirectory() as out:
            places = (str(self._prepared()), out, threads, str(checkpoint))
            job = TranslateJob(*places, list(sources), beam_size, batch_size, length_penalty, max_length)
            found = Translated(**self._run("translate", job))
        if len(found.outputs) != len(sources):
            raise PeerUnavailable(f"{self.name}: {len(found.outputs)} outputs for {len(sources)} sources")
        return found.seconds, found.outputs

    def _installed(self) -> Path:
        if self._python is None:
            raise ValueError(f"{self.name} has not been installed: call install first")
        return self._python

    def _prepared(self) -> Path:
        if self._work is None:
            raise ValueError(f"{self.name} has no data: call prepare first")
        return self._work

    def _train(self, job: TrainJob) -> Trained:
        seen = self._run("train", job)
        checkpoints = [Checkpoint(**one) for one in seen["checkpoints"]]
        return Trained(seen["times"], seen["tokens"], checkpoints, seen["peak_memory"])

    def _run(self, what: str, job: Job) -> dict[str, Any]:
        """Run the script of the other side, and read what it reports."""
        out = Path(job.out)
        (out / "job.json").write_text(json.dumps(asdict(job)), encoding="utf-8")
        script = self.own_folder / f"in_{self.name}.py"
        threads = {name: str(job.threads) for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS")}
        done = subprocess.run(
            [str(self._installed()), str(script), what, str(out / "job.json")],
            cwd=out,
            env={**os.environ, **threads, "PYTHONPATH": "", "WANDB_MODE": "disabled"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        (out / "log.txt").write_text(done.stdout, encoding="utf-8")
        report = out / "report.json"
        if done.returncode or not report.exists():
            raise PeerUnavailable(f"{self.name} could not {what}:\n{done.stdout[-2000:]}")
        read: dict[str, Any] = json.loads(report.read_text(encoding="utf-8"))
        return read


def _seconds_of_children() -> float:
    """What processes that were begun here and have ended had of the processor."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def installed_peers(folder: Path | None, peers: Iterable[Peer]) -> list[Peer]:
    """Those that can be installed; of the others it is printed why not."""
    found = []
    for peer in peers:
        try:
            if folder is None:
                raise PeerUnavailable("no folder for peers is given (--peers)")
            peer.install(folder)
        except PeerUnavailable as reason:
            print(f"{peer.name} is left out: {reason}", flush=True)
        else:
            found.append(peer)
    return found
