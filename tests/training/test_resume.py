"""A run that was stopped and goes on is the run that was not stopped, to the bit."""

import json
import os
import random
import shutil
import signal
import time
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import pytest
import safetensors
import torch

from seq2see.bundle import HISTORY, METADATA, STATE, WEIGHTS
from seq2see.config import Config
from seq2see.data.pairs import Pair
from seq2see.errors import BundleError, ConfigError, OutputError
from seq2see.training import train_on_pairs
from seq2see.training.reporter import UpdateFigures
from tests.cli.running import refused
from tests.toys import reverse_pairs, tsv
from tests.training.forked import command, start
from tests.training.test_run import Listener, tiny

PAIRS = reverse_pairs(400)


class Stopper(Listener):
    """Asks the run to stop after so many updates, as the system would."""

    def __init__(self, after: int, number: signal.Signals) -> None:
        super().__init__()
        self.after = after
        self.number = number

    def advanced(self, figures: UpdateFigures) -> None:
        super().advanced(figures)
        if len(self.shares) == self.after:
            os.kill(os.getpid(), self.number)


def tensors(path: Path) -> dict[str, torch.Tensor]:
    with safetensors.safe_open(path, framework="pt") as file:
        return {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118


def without_times(record: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in record.items() if name not in ("tokens_per_second", "seconds", "history")}


def contents(directory: Path) -> dict[str, Any]:
    """All that a run leaves, times left out."""
    with safetensors.safe_open(directory / STATE, framework="pt") as file:
        progress = json.loads(file.metadata()["progress"])
    progress = {name: value for name, value in progress.items() if "seconds" not in name and name != "history"}
    files = {
        path.name: path.read_bytes()
        for path in directory.iterdir()
        if path.is_file() and path.name not in (WEIGHTS, HISTORY)
    }
    history = [without_times(json.loads(line)) for line in (directory / HISTORY).read_text().splitlines()]
    return {
        **files,
        "history": history,
        "progress": progress,
        "metadata": json.loads(files[METADATA.encode().decode()]),
    }


def assert_same_run(one: Path, other: Path) -> None:
    assert contents(one) == contents(other)
    for name in (WEIGHTS, STATE):
        ours, theirs = tensors(one / name), tensors(other / name)
        assert ours.keys() == theirs.keys()
        assert [key for key in ours if not torch.equal(ours[key], theirs[key])] == []


def run(out: Path, config: Config, **settings: Any) -> None:
    train_on_pairs(PAIRS[:350], PAIRS[350:], config, out=out, **settings)


@pytest.mark.parametrize(
    ("after", "number", "settings"),
    [
        *((after, number, []) for after in (1, 7, 12, 20) for number in (signal.SIGINT, signal.SIGTERM)),
        (5, signal.SIGINT, ["training.accumulate=3"]),
        (9, signal.SIGTERM, ["training.average_decay=0.9"]),
    ],
)
def test_stopped_by_a_signal_and_gone_on(
    tmp_path: Path, after: int, number: signal.Signals, settings: list[str]
) -> None:
    config, handler = tiny("training.max_epochs=3", *settings), signal.getsignal(signal.SIGINT)
    run(tmp_path / "whole", config)
    stopper = Stopper(after, number)
    with pytest.raises(KeyboardInterrupt):
        run(tmp_path / "stopped", config, reporter=stopper)
    assert any(f"stopped at update {after:,}; " in note and "--resume goes on" in note for note in stopper.notes)
    listener = Listener()
    run(tmp_path / "stopped", config, resume=True, reporter=listener)
    assert any(note.startswith(f"going on from update {after:,} of epoch ") for note in listener.notes)
    assert_same_run(tmp_path / "whole", tmp_path / "stopped")
    assert signal.getsignal(signal.SIGINT) is handler


def test_patience_and_best_are_remembered(tmp_path: Path) -> None:
    settings = ["training.learning_rate=1e-12", "training.patience=3", "training.max_epochs=50"]
    settings += ["training.schedule=plateau", "training.plateau_patience=2"]
    config = tiny(*settings, "training.metric=exact_match", "training.validate_every=2")
    run(tmp_path / "whole", config)
    with pytest.raises(KeyboardInterrupt):
        run(tmp_path / "stopped", config, reporter=Stopper(5, signal.SIGTERM))
    run(tmp_path / "stopped", config, resume=True)
    assert_same_run(tmp_path / "whole", tmp_path / "stopped")


def test_a_finished_run_stays_as_it_is(tmp_path: Path) -> None:
    config, listener = tiny("training.max_epochs=1"), Listener()
    run(tmp_path / "m", config)
    before = {path: path.read_bytes() for path in (tmp_path / "m").rglob("*") if path.is_file()}
    run(tmp_path / "m", config, resume=True, reporter=listener)
    assert "the run had come to its end" in listener.notes
    assert {path: path.read_bytes() for path in (tmp_path / "m").rglob("*") if path.is_file()} == before


def test_only_the_same_run_goes_on(tmp_path: Path) -> None:
    with pytest.raises(BundleError, match="there is no run to go on with"):
        run(tmp_path / "none", tiny(), resume=True)
    out = tmp_path / "m"
    with pytest.raises(KeyboardInterrupt):
        run(out, tiny(), reporter=Stopper(1, signal.SIGTERM))
    with pytest.raises(
        OutputError, match=r"holds a run that was stopped already; .* or --resume to go on with its run"
    ):
        run(out, tiny())
    with pytest.raises(ConfigError, match=r"begun otherwise: training\.seed was 1, is 2$"):
        run(out, tiny("training.seed=2"), resume=True)
    with pytest.raises(ConfigError, match=r"data\.training_fingerprint was"):
        train_on_pairs([*PAIRS[:349], Pair("x", "y")], PAIRS[350:], tiny(), out=out, resume=True)
    (out / STATE).write_bytes((out / STATE).read_bytes()[:-9])
    with pytest.raises(BundleError, match=r"run\.safetensors: damaged"):
        run(out, tiny(), resume=True)
    (out / "mine.txt").write_text("mine")
    with pytest.raises(OutputError, match="is not empty and holds no model"):
        run(out, tiny(), overwrite=True)
    assert (out / STATE).exists()  # nothing is lost by what is refused
    (out / "mine.txt").unlink()
    run(out, tiny("training.max_epochs=1"), overwrite=True)


def test_resuming_and_overwriting_exclude_each_other(tmp_path: Path) -> None:
    message = refused("train", "--data", "x.tsv", "--out", tmp_path / "m", "--resume", "--overwrite")
    assert "wanted one of them" in message


def kill_and_go_on(tmp_path: Path, kills: int) -> None:
    """Kill a process of its own at random moments, inside writing too, and go on each time."""
    data, valid, told = (tmp_path / name for name in ("train.tsv", "valid.tsv", "stderr.txt"))
    data.write_text(tsv(PAIRS[:350]))
    valid.write_text(tsv(PAIRS[350:]))
    sizes = ["embedding_size", "encoder.hidden_size", "decoder.hidden_size", "attention.attention_size"]
    settings = [part for size in sizes for part in ("--set", f"model.{size}=8")]
    settings += ["--set", "training.max_epochs=5", "--set", "training.validate_every=3", "--threads", "1"]
    arguments = ["train", "--data", str(data), "--valid", str(valid), *settings]

    def start_run(name: str) -> BaseProcess:
        return start(command, [*arguments, "--out", str(tmp_path / name), *_how(tmp_path / name)], told)

    seconds = 0.0
    for name in ("warm", "whole"):
        began = time.monotonic()
        process = start_run(name)
        process.join()
        assert process.exitcode == 0, told.read_text()
        seconds = time.monotonic() - began
    generator = random.Random(0)
    out = tmp_path / "killed"
    killed = 0
    while killed < kills:
        process = start_run("killed")
        process.join(timeout=generator.uniform(0.05, 0.5) * seconds)
        if process.exitcode is None:
            process.kill()
            killed += 1
        process.join()
        assert process.exitcode in (0, -signal.SIGKILL), told.read_text()
        if process.exitcode == 0:  # it has come to its end: look at it, and begin anew
            assert_same_run(tmp_path / "whole", out)
            shutil.rmtree(out)
    process = start_run("killed")
    process.join()
    assert process.exitcode == 0, told.read_text()
    assert_same_run(tmp_path / "whole", out)


def test_what_a_killed_process_was_writing_is_cleared_away(tmp_path: Path) -> None:
    config = tiny("training.max_epochs=1")
    run(tmp_path / "whole", config)
    for left in (".config.yaml.0123abcd", "state/.run.safetensors.0123abcd"):  # killed before there was a model
        (tmp_path / "m" / left).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "m" / left).write_text("half")
    run(tmp_path / "m", config, overwrite=True)
    assert_same_run(tmp_path / "whole", tmp_path / "m")
    mine = tmp_path / "m" / ".notes.0123abcd"  # not ours
    mine.write_text("mine")
    run(tmp_path / "m", config, overwrite=True)
    assert mine.read_text() == "mine"


def _how(out: Path) -> list[str]:
    """What a user would give: go on if there is a run, else begin, over what a first validation may have left."""
    if (out / STATE).exists():
        return ["--resume"]
    return ["--overwrite"] if out.exists() else []


def test_killed_at_random_moments_and_gone_on(tmp_path: Path) -> None:
    kill_and_go_on(tmp_path, 25)


@pytest.mark.slow
@pytest.mark.timeout(7200)
def test_killed_at_very_many_moments_and_gone_on(tmp_path: Path) -> None:
    kill_and_go_on(tmp_path, 200)
