"""How good a model is after how many minutes: ours and a peer's side by side, one core each.

Ours is trained anew for each number of minutes, as ``train --minutes`` is used, validation included; of the peer
(OpenNMT-py, or for pronunciation yoyodyne) it is one training, whose checkpoints are looked at, saving included and
validation left out. Both learn from the same lines of tokens, with the same sizes, and search the test set
with a beam of 5.
"""

import argparse
import json
import os
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import torch
from matplotlib.figure import Figure
from peers.opennmt import OpenNMT
from peers.peer import CHARACTERS, Peer, installed_peers
from peers.yoyodyne import Yoyodyne
from running import parser
from tasks import TASKS, Task

from seq2see.config import load_config
from seq2see.data.pairs import Pair
from seq2see.metrics import bleu, exact_match
from seq2see.training import train_on_pairs

PEERS: dict[str, type[Peer]] = {"translation": OpenNMT, "pronunciation": Yoyodyne}
METRICS = {"translation": "BLEU", "pronunciation": "word error rate"}
EVERY = 250
MOST_LOOKED_AT = 12
BATCH = 64


class Reached(NamedTuple):
    """A point of a curve.

    Args:
        toolkit: Whose.
        minutes: Of training.
        quality: Of the test set's outputs, in %: BLEU, or for pronunciation the share of words that are wrong.
    """

    toolkit: str
    minutes: float
    quality: float


def ours(task: Task, minutes: float, seed: int) -> Reached:
    """Train for so long, and translate."""
    train, valid = ([Pair(*pair) for pair in part] for part in (task.train, task.valid))
    sizes = [setting for setting in task.settings.ours() if not setting.startswith("training.")]
    config = load_config(None, [*sizes, f"training.minutes={minutes}", f"training.seed={seed}"])
    with tempfile.TemporaryDirectory() as out:
        translator = train_on_pairs(train, valid, config, out=Path(out) / "model")
    outputs = [one.text for one in translator.translate([source for source, _ in task.test], beam=5)]
    return Reached("seq2see", minutes, quality(task, outputs))


def theirs(task: Task, peer: Peer, out: Path, minutes: float) -> list[Reached]:
    """Train once, and translate with some of the checkpoints."""
    checkpoints = peer.train(out, 1, minutes=minutes, every=EVERY)
    step = max(1, len(checkpoints) // MOST_LOOKED_AT)
    found = []
    for one in [*checkpoints[:-1:step], checkpoints[-1]]:
        sources = [source for source, _ in task.test]
        _, outputs = peer.translate_seconds(one.path, sources, beam_size=5, batch_size=BATCH, threads=1)
        found.append(Reached(peer.name, one.seconds / 60.0, quality(task, outputs)))
    return found


def quality(task: Task, outputs: Sequence[str]) -> float:
    """BLEU or, of pronunciation, the word error rate; in %."""
    texts = [task.target.to_text(line) for line in outputs]
    references = [[text] for text in task.references]
    if task.settings == CHARACTERS:
        return 100.0 - exact_match(texts, references).value
    return bleu(texts, references, tokenizer="13a").value


def write_plot(points: Sequence[Reached], name: str, path: Path) -> None:
    """Quality by minutes, a line for each toolkit."""
    figure = Figure(figsize=(6.0, 4.0), layout="constrained")
    axes = figure.subplots()
    for toolkit in dict.fromkeys(point.toolkit for point in points):
        own = sorted((point.minutes, point.quality) for point in points if point.toolkit == toolkit)
        axes.plot(*zip(*own, strict=True), marker="o", label=toolkit)
    axes.set_xlabel("minutes of training, one core")
    axes.set_ylabel(f"{name} of the test set, %")
    axes.grid(alpha=0.3)
    axes.legend()
    figure.savefig(path)


def measure(given: argparse.Namespace, task: Task) -> list[Reached]:
    """Let both train at the same time."""
    points: list[Reached] = []
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(1) as beside:
        others = []
        for peer in installed_peers(given.peers, [PEERS[given.task](task.settings)]):
            peer.prepare(Path(folder) / "work", task.train, task.valid)
            others.append(beside.submit(theirs, task, peer, Path(folder) / "run", given.peer_minutes))
        for minutes in given.minutes:
            points.append(ours(task, minutes, given.seed))
            print(points[-1], flush=True)
        for other in others:
            points += other.result()
    return points


def main() -> None:
    """Measure, and write ``time_to_quality_TASK.json`` and ``.svg``."""
    options = parser(__doc__ or "")
    options.add_argument("--peers", type=Path, help="folder of the peers' environments; left out without it")
    options.add_argument("--task", choices=list(PEERS), default="translation", help="of the data in --data")
    options.add_argument("--minutes", type=float, nargs="*", default=[1.0, 2.0, 3.0, 5.0, 7.5], help="of ours")
    options.add_argument("--peer-minutes", type=float, default=30.0)
    given = options.parse_args()
    os.environ["OMP_NUM_THREADS"] = "1"
    torch.set_num_threads(1)
    points = measure(given, TASKS[given.task](given.data))
    given.out.mkdir(parents=True, exist_ok=True)
    place = given.out / f"time_to_quality_{given.task}"
    place.with_suffix(".json").write_text(json.dumps([point._asdict() for point in points], indent=1))
    name = METRICS[given.task]
    write_plot(points, name, place.with_suffix(".svg"))
    print(f"| toolkit | minutes | {name} |\n|---|---|---|")
    for point in points:
        print(f"| {point.toolkit} | {point.minutes:.1f} | {point.quality:.1f} |")


if __name__ == "__main__":
    main()
