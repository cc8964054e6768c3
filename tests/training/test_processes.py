"""Several processes that train one model."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

from seq2see.bundle import HISTORY
from seq2see.data.batches import Example, make_batch, without_labels
from seq2see.inference import load
from seq2see.training import Processes
from seq2see.training.learner import Learner, Work
from tests.small import small_translator
from tests.toys import reverse_pairs, tsv
from tests.training.forked import command, start_together
from tests.training.test_resume import assert_same_run

SETTINGS = ["model.dropout=0.0", "training.precision=float32", "training.learning_rate=0.01"]
BATCHES = [range(7), range(7, 12), range(12, 13)]  # of which one is too small for two processes


def learn(path: Path) -> None:
    """Two updates, of three batches together; the weights and the last gradient go to a file."""
    translator = small_translator(*SETTINGS, spread=1.0)
    pairs = reverse_pairs(13)
    examples = translator.tokenizers.encode_pairs([pair.source for pair in pairs], [pair.target for pair in pairs])
    processes = Processes()
    model = translator.model.double().train()
    learner = Learner(model, translator.config, processes)
    for number in range(2):
        learner.update(_work(examples, processes), rate=0.01, number=number)
    if processes.is_first:
        found = {name: value.detach() for name, value in model.named_parameters()}
        gradients = {
            f"gradient.{name}": value.grad for name, value in model.named_parameters() if value.grad is not None
        }
        save_file({name: value.contiguous() for name, value in (found | gradients).items()}, path)


def _work(examples: list[Example], processes: Processes) -> Work:
    rows = [[examples[index] for index in processes.share_of(batch)] for batch in BATCHES]
    batches = [make_batch(own) if own else without_labels(make_batch(examples[-1:])) for own in rows]
    return Work(batches, sum(len(example.target) + 1 for example in examples))


def learn_as(number: int, path: Path) -> None:
    torch.set_num_threads(1)
    learn(path)


def test_gradients_of_two_are_those_of_one(tmp_path: Path) -> None:
    learn(tmp_path / "one")
    for process in start_together(2, learn_as, tmp_path / "two"):
        process.join()
        assert process.exitcode == 0
    one, two = load_file(tmp_path / "one"), load_file(tmp_path / "two")
    assert one.keys() == two.keys()
    for name, value in one.items():
        torch.testing.assert_close(two[name], value, rtol=1e-10, atol=1e-10, msg=name)


@pytest.fixture
def arguments(tmp_path: Path) -> list[str]:
    pairs = reverse_pairs(400)
    (tmp_path / "train.tsv").write_text(tsv(pairs[:350]))
    (tmp_path / "valid.tsv").write_text(tsv(pairs[350:]))
    sizes = ["embedding_size", "encoder.hidden_size", "decoder.hidden_size", "attention.attention_size"]
    settings = [part for size in sizes for part in ("--set", f"model.{size}=8")]
    files = ["--data", str(tmp_path / "train.tsv"), "--valid", str(tmp_path / "valid.tsv"), "--threads", "1"]
    return ["train", *files, *settings, "--set", "training.validate_every=3", "--set", "training.max_epochs=3"]


def train_as(number: int, arguments: list[str], told: Path) -> None:
    command(arguments, told.with_suffix(f".{number}"))


def test_two_write_one_model_and_go_on_after_a_kill(tmp_path: Path, arguments: list[str]) -> None:
    told = tmp_path / "told"
    for process in start_together(2, train_as, [*arguments, "--out", str(tmp_path / "whole")], told):
        process.join()
        assert process.exitcode == 0, told.with_suffix(".0").read_text()
    assert told.with_suffix(".1").read_text() == ""  # one speaks
    assert "the best model is in" in told.with_suffix(".0").read_text()
    assert load(tmp_path / "whole").translate(["abc"])
    processes = start_together(2, train_as, [*arguments, "--out", str(tmp_path / "killed")], told)
    _wait_for(lambda: (tmp_path / "killed" / "state" / "run.safetensors").exists())
    for process in processes:
        process.kill()
        process.join()
    for process in start_together(2, train_as, [*arguments, "--out", str(tmp_path / "killed"), "--resume"], told):
        process.join()
        assert process.exitcode == 0, told.with_suffix(".0").read_text()
    assert_same_run(tmp_path / "whole", tmp_path / "killed")


def test_a_process_that_dies_ends_the_run_with_a_message(tmp_path: Path, arguments: list[str]) -> None:
    more = ["--set", "training.max_epochs=10000", "--set", "training.patience=100000", "--out", str(tmp_path / "m")]
    told = tmp_path / "told"
    first, second = start_together(2, train_as, [*arguments, *more], told)
    _wait_for(lambda: (tmp_path / "m" / HISTORY).exists())
    second.kill()
    first.join(timeout=60)
    assert first.exitcode == 2
    message = told.with_suffix(".0").read_text()
    assert "process 0: another process of this run is gone" in message
    assert "Traceback" not in message


def _wait_for(there: Callable[[], bool]) -> None:
    end = time.monotonic() + 120
    while not there():
        assert time.monotonic() < end
        time.sleep(0.02)


@pytest.mark.slow
@pytest.mark.parametrize("launcher", ["torch.distributed.run", "accelerate.commands.launch"])
def test_the_launchers_of_the_guide(tmp_path: Path, arguments: list[str], launcher: str) -> None:
    options = (
        ["--nproc-per-node", "2"] if "torch" in launcher else ["--cpu", "--num_processes", "2", "--num_machines", "1"]
    )
    line = [sys.executable, "-m", launcher, *options, "-m", "seq2see", *arguments, "--out", str(tmp_path / "m")]
    done = subprocess.run(line, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("the best model is in") == 1


NAMESPACES = ("seq2see-a", "seq2see-b")


@pytest.fixture
def two_hosts() -> list[list[str]]:
    """Two network namespaces joined by a wire: what comes before a command to run it there."""
    try:
        for line in (
            *(f"netns add {name}" for name in NAMESPACES),
            f"link add veth-a netns {NAMESPACES[0]} type veth peer name veth-b netns {NAMESPACES[1]}",
            *(
                f"-n {name} {what}"
                for name, end, host in zip(NAMESPACES, "ab", (1, 2), strict=True)
                for what in (f"addr add 10.77.0.{host}/24 dev veth-{end}", f"link set veth-{end} up", "link set lo up")
            ),
        ):
            subprocess.run(["ip", *line.split()], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"this machine makes no network namespaces: {error}")
    return [["ip", "netns", "exec", name] for name in NAMESPACES]


@pytest.mark.slow
def test_two_hosts(two_hosts: list[list[str]], tmp_path: Path, arguments: list[str]) -> None:
    runs: list[subprocess.Popen[bytes]] = []
    try:
        for number, prefix in enumerate(two_hosts):
            place = f"--nnodes 2 --nproc-per-node 1 --node-rank {number} --master-addr 10.77.0.1 --master-port 29511"
            line = [*prefix, sys.executable, "-m", "torch.distributed.run", *place.split(), "-m", "seq2see"]
            interface = {"GLOO_SOCKET_IFNAME": f"veth-{'ab'[number]}"}
            with (tmp_path / f"told.{number}").open("w") as told:
                run = subprocess.Popen(
                    [*line, *arguments, "--out", str(tmp_path / "m")], env={**os.environ, **interface}, stderr=told
                )
            runs.append(run)
        for number, run in enumerate(runs):
            assert run.wait(timeout=300) == 0, (tmp_path / f"told.{number}").read_text()
        assert load(tmp_path / "m").translate(["abc"])
    finally:
        for run in runs:
            run.send_signal(signal.SIGKILL)
        for name in NAMESPACES:
            subprocess.run(["ip", "netns", "del", name], check=False)
