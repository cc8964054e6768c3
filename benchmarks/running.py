"""Running experiments one after the other, each once."""

import argparse
import json
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import torch

from seq2see.config import Config
from seq2see.data.pairs import Pair
from seq2see.inference import Translator
from seq2see.training import train_on_pairs

Result = dict[str, Any]
Experiment = tuple[Result, Callable[[], Result]]
"""What tells an experiment from others, and how to run it."""


def parser(description: str) -> argparse.ArgumentParser:
    """The options that all benchmarks have."""
    made = argparse.ArgumentParser(description=description)
    made.add_argument("--out", type=Path, default=Path("results"), help="folder of the results")
    made.add_argument("--data", type=Path, default=Path("data"), help="folder of the data sets")
    made.add_argument("--threads", type=int, default=1)
    made.add_argument("--seed", type=int, default=1)
    return made


def run_all(experiments: Iterable[Experiment], path: Path, *, threads: int) -> None:
    """Run those whose results are not yet in the file, and add a line for each."""
    torch.set_num_threads(threads)
    path.parent.mkdir(parents=True, exist_ok=True)
    for key, run in experiments:
        if _has(path, key):
            continue
        result = {**key, **run()}
        if _has(path, key):  # of another process meanwhile
            continue
        with path.open("a") as file:
            file.write(json.dumps(result) + "\n")
        print(json.dumps(result), flush=True)


def _has(path: Path, key: Result) -> bool:
    return any(all(result.get(name) == value for name, value in key.items()) for result in read_results(path))


def read_results(path: Path) -> list[Result]:
    """What has been written so far."""
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def train_and_measure(
    pairs: Sequence[Pair], valid: Sequence[Pair], config: Config, measure: Callable[[Translator], Result]
) -> Result:
    """Train a model, measure it, and forget it."""
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        translator = train_on_pairs(pairs, valid, config, out=Path(folder) / "model")
    minutes = (time.monotonic() - start) / 60
    parameters = sum(parameter.numel() for parameter in translator.model.parameters())
    return {"minutes": round(minutes, 2), "parameters": parameters, **measure(translator)}
