"""What a run leaves in its directory."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

import seq2see
from seq2see.bundle import HISTORY, STATE, save_bundle
from seq2see.data.pair_file import pairs_fingerprint
from seq2see.data.pairs import Pair
from seq2see.files import write_file
from seq2see.training.learner import Learner
from seq2see.training.model_card import example_sources, model_card
from seq2see.training.preparation import Prepared
from seq2see.training.processes import Processes
from seq2see.training.progress import Progress
from seq2see.training.state import RunKey, save_run
from seq2see.training.validation import Validation


class Keeper:
    """Writes the best model, the history of the run, and its state; the first process does.

    Args:
        directory: The model directory.
        prepared: What the run began with.
        key: Of the run.
        processes: Those of the run.
    """

    def __init__(self, directory: Path, prepared: Prepared, key: RunKey, processes: Processes) -> None:
        self.directory, self.prepared, self.key, self.processes = directory, prepared, key, processes

    def keep(self, validation: Validation, progress: Progress, best: bool) -> None:
        """Write the model if it is the best so far, and the history."""
        if not self.processes.is_first:
            return
        bundle, num_pairs = self.prepared.bundle, len(self.prepared.examples)
        if best:
            notes, examples = self.prepared.notes, example_sources(self.prepared.valid)
            card = model_card(bundle, validation, num_pairs=num_pairs, notes=notes, examples=examples)
            save_bundle(self.directory, bundle, self._metadata(validation, progress), card)
        write_file(self.directory / HISTORY, "".join(json.dumps(record) + "\n" for record in progress.history))

    def save(self, progress: Progress, learner: Learner) -> None:
        """Write what is needed to go on."""
        save_run(self.directory / STATE, self.key, progress, learner, self.processes)

    def _metadata(self, validation: Validation, progress: Progress) -> dict[str, Any]:
        return {
            "seq2see_version": seq2see.__version__,
            "torch_version": torch.__version__,
            "threads": torch.get_num_threads(),
            "data": {
                "training_pairs": len(self.prepared.examples),
                "validation_pairs": len(self.prepared.valid),
                **self.key.data,
            },
            "examples": example_sources(self.prepared.valid),
            "epoch": progress.epoch,
            "update": progress.update,
            "validation": {"loss": validation.figures.loss, validation.figures.metric: validation.figures.value},
        }


def data_fingerprints(pairs: Sequence[Pair], valid: Sequence[Pair]) -> dict[str, str]:
    """What tells the data of a run from others."""
    return {"training_fingerprint": pairs_fingerprint(pairs), "validation_fingerprint": pairs_fingerprint(valid)}
