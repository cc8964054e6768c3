"""How fast a model translates: sentences per second of the test set, start-up and loading not counted.

Each toolkit first learns for some updates, on the same lines of tokens; ``--out`` keeps the models. Then all translate
in turns, in batches and one by one, greedily and with a beam of 5. BLEU is beside the speed, since a model that stops
early, or never, is fast or slow for nothing.
"""

import argparse
import json
import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import torch
from peers.peer import Peer, installed_peers
from running import parser
from tasks import TASKS, Task

from seq2see.config import load_config
from seq2see.data.pairs import Pair
from seq2see.inference import Translator, load
from seq2see.metrics import bleu
from seq2see.training import train_on_pairs

Translate = Callable[[Sequence[str], "Way"], tuple[float, list[str]]]
"""Seconds, and lines of tokens."""


class Way(NamedTuple):
    """How to search.

    Args:
        beam_size: 1 is greedy search.
        batch: Sentences at once.
        sentences: Of the test set.
    """

    beam_size: int
    batch: int
    sentences: int


OURS = "seq2see"
WAYS = [Way(1, 64, 1000), Way(5, 64, 1000), Way(1, 1, 100), Way(5, 1, 100)]


def ours(task: Task, folder: Path, updates: int, threads: int) -> dict[str, Translate]:
    """Our model, in both precisions."""
    if not (folder / "config.yaml").exists():
        train, valid = ([Pair(*pair) for pair in part] for part in (task.train, task.valid[:100]))
        mean_length = sum(max(len(side.split()) for side in pair) + 1 for pair in task.train) / len(task.train)
        settings = [
            f"training.max_updates={updates}",
            f"training.batch_tokens={round(task.settings.batch * mean_length)}",
        ]
        config = load_config(None, [*task.settings.ours(), *settings, f"training.validate_every={updates}"])
        torch.set_num_threads(threads)
        train_on_pairs(train, valid, config, out=folder, overwrite=True)

    def with_precision(precision: str) -> Translate:
        translator = load(folder).with_search(precision=precision)
        return lambda sources, way: translate(translator, sources, way)

    def translate(translator: Translator, sources: Sequence[str], way: Way) -> tuple[float, list[str]]:
        torch.set_num_threads(threads)
        mean_length = sum(len(source.split()) for source in sources) / len(sources)
        batch_tokens = round(way.batch * mean_length * way.beam_size) if way.batch > 1 else 1
        start = time.perf_counter()
        found = translator.translate_n_best(sources, beam=way.beam_size, batch_tokens=batch_tokens)
        seconds = time.perf_counter() - start
        return seconds, [best[0].text for best in found]

    return {f"{OURS}, {precision}": with_precision(precision) for precision in ("float32", "int8")}


def theirs(peer: Peer, task: Task, folder: Path, updates: int, threads: int) -> Translate:
    """The model of a peer."""
    peer.prepare(folder / "work", task.train, task.valid)
    written = folder / "checkpoint.json"
    if not written.exists():
        checkpoints = peer.train(folder / "run", threads, updates=updates, every=updates)
        written.write_text(json.dumps(str(checkpoints[-1].path)))
    checkpoint = json.loads(written.read_text())

    def translate(sources: Sequence[str], way: Way) -> tuple[float, list[str]]:
        return peer.translate_seconds(
            checkpoint, sources, beam_size=way.beam_size, batch_size=way.batch, threads=threads
        )

    return translate


def measure(toolkits: dict[str, Translate], task: Task, way: Way, given: argparse.Namespace) -> None:
    """Let all translate in turns, and print their lines of the table."""
    sources = [source for source, _ in task.test][: way.sentences]
    references = task.references[: way.sentences]
    speeds: dict[str, list[float]] = {name: [] for name in toolkits}
    quality: dict[str, float] = {}
    for _ in range(given.rounds):
        for name, translate in toolkits.items():
            seconds, outputs = translate(sources, way)
            speeds[name].append(len(sources) / seconds)
            texts = [task.target.to_text(line) for line in outputs]
            quality[name] = bleu(texts, [[text] for text in references], tokenizer="13a").value
    bases = [statistics.median(found) for name, found in speeds.items() if name.startswith(OURS)]
    for name, found in speeds.items():
        median, spread = statistics.median(found), f"{min(found):,.1f}–{max(found):,.1f}"
        ratios = [f"{base / median:.2f}" for base in bases]
        cells = [str(way.beam_size), str(way.batch), name, f"{median:,.1f}", spread, *ratios]
        print(f"| {' | '.join(cells)} | {quality[name]:.1f} |", flush=True)


def main() -> None:
    """Train what has not been trained, measure, and print a table."""
    options = parser(__doc__ or "")
    options.add_argument("--peers", type=Path, help="folder of the peers' environments; they are left out without it")
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--updates", type=int, default=600)
    given = options.parse_args()
    task = TASKS["translation"](given.data)
    toolkits = ours(task, given.out / "seq2see", given.updates, given.threads)
    for peer in installed_peers(given.peers, task.peers):
        toolkits[peer.name] = theirs(peer, task, given.out / peer.name, given.updates, given.threads)
    print(f"threads {given.threads}, {given.rounds} rounds, {given.updates} updates learnt, torch {torch.__version__}")
    print("| beam | batch | toolkit | sentences/s | range | ours faster, float32 | int8 | BLEU |")
    print("|---|---|---|---|---|---|---|---|")
    for way in WAYS:
        measure(toolkits, task, way, given)


if __name__ == "__main__":
    main()
