"""A run that was stopped, in one file: weights, optimiser, random state and where it stands.

``state/run.safetensors`` is written whole or not at all, so that whatever happens there is a state to go on from.
"""

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import safetensors
import torch
from safetensors.torch import save as safetensors_bytes
from torch import Tensor

from seq2see.config import Config
from seq2see.errors import BundleError, ConfigError
from seq2see.files import write_file
from seq2see.training.learner import Learner
from seq2see.training.processes import Processes
from seq2see.training.progress import Progress
from seq2see.training.validation import Figures

FORMAT = "seq2see state 1"


@dataclass(frozen=True, slots=True)
class RunKey:
    """What must be the same for a run to go on.

    Args:
        config: The configuration without open choices, except where data are read from.
        data: Fingerprints of the training and validation pairs.
        processes: How many there are.
    """

    config: dict[str, Any]
    data: dict[str, str]
    processes: int

    @classmethod
    def of(cls, config: Config, data: dict[str, str], processes: int) -> "RunKey":
        """The key of a run."""
        content = config.model_dump(mode="json")
        content["data"] = {
            "max_source_length": config.data.max_source_length,
            "max_target_length": config.data.max_target_length,
            "cache": config.data.cache is not None,
        }
        return cls(content, data, processes)


@dataclass(frozen=True, slots=True)
class SavedRun:
    """A run that was stopped."""

    progress: Progress
    tensors: dict[str, Tensor]

    def restore(self, learner: Learner, processes: Processes) -> None:
        """Set weights, optimiser and torch's random state to what they were."""
        learner.restore(self.tensors)
        torch.set_rng_state(self.tensors[f"random.{processes.number}"])


def save_run(path: Path, key: RunKey, progress: Progress, learner: Learner, processes: Processes) -> None:
    """Write the state of a run; the first process does, with what the others remember.

    Raises:
        OutputError: The file cannot be written; what stood there before still does.
    """
    random = processes.of_all(torch.get_rng_state())
    if not processes.is_first:
        return
    tensors = learner.state() | {f"random.{number}": state for number, state in enumerate(random)}
    header = {"format": FORMAT, "key": json.dumps(asdict(key)), "progress": json.dumps(asdict(progress))}
    write_file(path, safetensors_bytes(tensors, metadata=header))


def load_run(path: Path, key: RunKey) -> SavedRun:
    """Read the state of a run.

    Raises:
        BundleError: There is no such file, or it is damaged or of another kind.
        ConfigError: The run was begun with other data or another configuration; names what differs.
    """
    if not path.is_file():
        raise BundleError(f"{path}: no such file; there is no run to go on with")
    try:
        with safetensors.safe_open(path, framework="pt") as file:
            header = file.metadata() or {}
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except (safetensors.SafetensorError, OSError) as error:
        raise BundleError(f"{path}: damaged: {error}") from None
    if header.get("format") != FORMAT:
        raise BundleError(f"{path}: format is {header.get('format', 'none')!r}, wanted {FORMAT!r}")
    differences = _differences(json.loads(header["key"]), asdict(key))
    if differences:
        raise ConfigError(f"{path}: the run was begun otherwise: {'; '.join(differences)}")
    content = json.loads(header["progress"])
    best = content.pop("best")
    return SavedRun(Progress(best=None if best is None else Figures(**best), **content), tensors)


def _differences(before: dict[str, Any], now: dict[str, Any], prefix: str = "") -> list[str]:
    """Every key with another value."""
    found = []
    for name in dict.fromkeys([*before, *now]):
        old, new = before.get(name), now.get(name)
        if isinstance(old, dict) and isinstance(new, dict):
            found += _differences(old, new, "" if prefix + name == "config" else f"{prefix}{name}.")
        elif old != new:
            found.append(f"{prefix}{name} was {old}, is {new}")
    return found
