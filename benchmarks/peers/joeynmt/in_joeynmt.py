"""Run in JoeyNMT's own environment: its own training and translation, with a watch over them."""

import sys
import time
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).parents[2]))

import yaml
from joeynmt.config import parse_global_args
from joeynmt.prediction import predict, prepare
from joeynmt.training import TrainManager
from joeynmt.training import train as train_as_told
from peers.watch import TrainJob, Translated, TranslateJob, Watch, run


def config_of(job: TrainJob | TranslateJob) -> dict[str, Any]:
    """The configuration, with a folder for what it writes."""
    config: dict[str, Any] = yaml.safe_load((Path(job.work) / "train.yaml").read_text(encoding="utf-8"))
    config["model_dir"] = job.out
    return config


def train(job: TrainJob, watch: Watch) -> None:
    """Train as the configuration says until the watch ends it."""
    step = TrainManager._train_step

    def watched(self: Any, batch: Any) -> Any:
        def save(done: int) -> Path:
            self._save_checkpoint(False, float("nan"))
            return Path(job.out) / f"{done}.ckpt"

        watch.before_update(int(batch.ntokens), save)
        return step(self, batch)

    TrainManager._train_step = watched
    train_as_told(rank=0, world_size=1, cfg=config_of(job), skip_test=True)


def translate(job: TranslateJob) -> Translated:
    """Load a checkpoint, then translate."""
    config = config_of(job)
    config["testing"] |= {
        "load_model": job.checkpoint,
        "beam_size": job.beam_size,
        "beam_alpha": job.length_penalty,
        "batch_size": job.batch_size,
        "max_output_length": job.max_length,
    }
    given = parse_global_args(config, rank=0, mode="translate")
    model, _, _, data = prepare(given, rank=0, mode="translate")
    for source in job.sources:
        data.set_item(source)
    start = time.perf_counter()
    found = predict(
        model=model,
        data=data,
        device=given.device,
        n_gpu=0,
        normalization="none",
        args=given.test,
        autocast=given.autocast,
    )
    seconds = time.perf_counter() - start
    return Translated(seconds, list(found[2]))


if __name__ == "__main__":
    run(train, translate)
