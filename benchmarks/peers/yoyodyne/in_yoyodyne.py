"""Run in yoyodyne's own environment: its own training and prediction, with a watch over them."""

import csv
import sys
import time
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).parents[2]))

import yaml
from peers.watch import Fitted, Job, TrainJob, Translated, TranslateJob, Watch, run
from yoyodyne import special
from yoyodyne.callbacks import PredictionWriter
from yoyodyne.cli.main import python_interface
from yoyodyne.models import BaseModel


def config_of(job: Job) -> dict[str, Any]:
    """The configuration, with a folder for what it writes."""
    config: dict[str, Any] = yaml.safe_load((Path(job.work) / "train.yaml").read_text(encoding="utf-8"))
    config["data"]["model_dir"] = job.out
    return config


def command(name: str, config: dict[str, Any], out: str, *options: str) -> None:
    """Run one of its commands."""
    path = Path(out) / "config.yaml"
    path.write_text(yaml.safe_dump(config), encoding="utf-8")
    python_interface([name, "--config", str(path), *options])


def train(job: TrainJob, watch: Watch) -> None:
    """Train as the configuration says until the watch ends it."""
    step = BaseModel.training_step

    def watched(self: Any, batch: Any, number: int) -> Any:
        def save(done: int) -> Path:
            path = Path(job.out) / f"{done}.ckpt"
            self.trainer.save_checkpoint(path)
            return path

        watch.before_update(int((batch.target.tensor != special.PAD_IDX).sum()), save)
        return step(self, batch, number)

    BaseModel.training_step = watched
    command("fit", config_of(job), job.out)


def fit(job: Job) -> Fitted:
    """Train until it ends by itself."""
    command("fit", config_of(job), job.out)
    (chosen,) = Path(job.out).rglob("*.ckpt")
    return Fitted(str(chosen.rename(Path(job.out) / chosen.name)))  # beside the vocabularies


def translate(job: TranslateJob) -> Translated:
    """Load a checkpoint, then predict: the time is from when it has been loaded to when all is written."""
    folder = Path(job.out)
    with (folder / "sources.tsv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, delimiter="\t", lineterminator="\n").writerows([source] for source in job.sources)
    config = config_of(job)
    for name in ("train", "val"):
        del config["data"][name]
    # the vocabularies are beside the checkpoint
    config["data"] |= {
        "model_dir": str(Path(job.checkpoint).parent),
        "predict": str(folder / "sources.tsv"),
        "target_col": 0,
        "batch_size": job.batch_size,
        "max_target_length": job.max_length,
    }
    config["model"]["init_args"]["beam_width"] = job.beam_size
    config["prediction"] = {"path": str(folder / "outputs.txt")}
    times: list[float] = []
    start, end = PredictionWriter.on_predict_start, PredictionWriter.on_predict_end

    def started(*arguments: Any) -> None:
        times.append(time.perf_counter())
        start(*arguments)

    def ended(*arguments: Any) -> None:
        end(*arguments)
        times.append(time.perf_counter())

    PredictionWriter.on_predict_start, PredictionWriter.on_predict_end = started, ended
    command("predict", config, job.out, "--ckpt_path", job.checkpoint)
    lines = (folder / "outputs.txt").read_text(encoding="utf-8").removesuffix("\n").split("\n")
    if job.beam_size > 1:
        lines = [row[0] for row in csv.reader(lines, delimiter="\t")]
    return Translated(times[-1] - times[0], lines)


if __name__ == "__main__":
    run(train, translate, fit)
