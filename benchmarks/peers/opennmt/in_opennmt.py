"""Run in OpenNMT-py's own environment: its own training and translation, with a watch over them."""

import sys
import time
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).parents[2]))

import on_current_torch  # noqa: F401 (before all of OpenNMT-py)
import torch
from onmt.bin.train import _get_parser as train_parser
from onmt.bin.train import train as train_as_told
from onmt.bin.translate import _get_parser as translate_parser
from onmt.inference_engine import InferenceEnginePY
from onmt.trainer import Trainer
from onmt.utils.parse import ArgumentParser
from peers.watch import TrainJob, Translated, TranslateJob, Watch, run


def train(job: TrainJob, watch: Watch) -> None:
    """Train as the configuration says until the watch ends it."""
    update = Trainer._gradient_accumulation
    stem = Path(job.out) / "model"

    def watched(self: Any, batches: list[dict[str, torch.Tensor]], *others: Any) -> None:
        def save(done: int) -> Path:
            self.model_saver.save(done)
            return Path(f"{stem}_step_{done}.pt")

        padding = self.train_loss.padding_idx
        tokens = sum(int(batch["tgt"][:, 1:, 0].ne(padding).sum()) for batch in batches)
        watch.before_update(tokens, save)
        update(self, batches, *others)

    Trainer._gradient_accumulation = watched
    options = ["-config", str(Path(job.work) / "train.yaml"), "-save_model", str(stem)]
    train_as_told(train_parser().parse_known_args(options)[0])


def translate(job: TranslateJob) -> Translated:
    """Load a checkpoint, then translate."""
    options = {
        "model": job.checkpoint,
        "src": str(Path(job.work) / "valid.src"),
        "output": str(Path(job.out) / "output.txt"),
        "beam_size": job.beam_size,
        "batch_size": job.batch_size,
        "batch_type": "sents",
        "length_penalty": "wu",
        "alpha": job.length_penalty,
        "max_length": job.max_length,
        "max_length_ratio": 0,
    }
    given = translate_parser().parse_args([str(part) for key, value in options.items() for part in (f"-{key}", value)])
    ArgumentParser.validate_translate_opts(given)
    ArgumentParser._get_all_transform_translate(given)
    ArgumentParser._validate_transforms_opts(given)
    ArgumentParser.validate_translate_opts_dynamic(given)
    engine = InferenceEnginePY(given)
    start = time.perf_counter()
    _, outputs = engine.infer_list(job.sources)
    seconds = time.perf_counter() - start
    return Translated(seconds, [best for best, *_ in outputs])


if __name__ == "__main__":
    run(train, translate)
