"""How fast a model learns: target tokens per second of whole training steps, padding not counted.

Four ways, whose rounds alternate so that what else the machine does falls on all of them alike: attention as tutorials
write it (``textbook.py``); ours step by step, as its equations read; ours as it learns by itself, in float32 and in
bfloat16. Beside the speed stands which share that is of the machine's matrix products, measured in the same rounds,
and the most memory that a process has which does nothing else.

Peers (``peers/``) train beside them on the same lines of tokens, each in its own environment.
"""

import argparse
import contextlib
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import torch
from machine import count_products, peak_memory, products_per_second
from peers.peer import installed_peers
from running import parser
from tasks import TASKS, Task
from textbook import TextbookModel

from seq2see.config import load_config
from seq2see.data.batches import Batch, make_batch
from seq2see.data.bucketing import example_lengths, training_batches
from seq2see.data.pairs import Pair
from seq2see.data.special import PAD
from seq2see.decoders import Order, OutputLayer, RNNDecoder
from seq2see.linear import reduce_products
from seq2see.training import Processes
from seq2see.training.learner import Learner, Work
from seq2see.training.preparation import Prepared, prepare

OURS = ("step by step", "fast")
Update = Callable[[Work, int], None]


@contextlib.contextmanager
def step_by_step(decoder: RNNDecoder) -> Iterator[None]:
    """The recurrence one step after the other, and all logits before their loss."""
    order, output = type(decoder.order), type(decoder.output)
    before = order.all_steps, output.loss
    order.all_steps, output.loss = Order.all_steps, OutputLayer.loss  # type: ignore[method-assign]
    try:
        yield
    finally:
        order.all_steps, output.loss = before  # type: ignore[method-assign]


def batches(prepared: Prepared, sentences: int, updates: int, seed: int) -> list[Work]:
    """Of about so many sentences each, as one process learns from them."""
    examples = prepared.examples
    lengths = example_lengths(examples)
    most = round(sentences * float(lengths.max(axis=1).mean()))
    found = []
    for indices in training_batches(lengths, most, seed=seed, epoch=1)[:updates]:
        rows = [examples[index] for index in indices]
        found.append(Work([make_batch(rows)], sum(len(row.target) + 1 for row in rows)))
    return found


def textbook(prepared: Prepared) -> Update:
    """Its own model, optimiser and loss."""
    config = prepared.bundle.config
    tokenizers, sizes = prepared.bundle.tokenizers, config.model
    model = TextbookModel(
        tokenizers.source.vocab_size,
        tokenizers.target.vocab_size,
        sizes.embedding_size,
        sizes.decoder.hidden_size,
        sizes.dropout,
        PAD,
    )
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    loss_of = torch.nn.CrossEntropyLoss(ignore_index=PAD, label_smoothing=config.training.label_smoothing)

    def update(work: Work, number: int) -> None:
        batch: Batch = work.batches[0]
        logits = model(batch.source.ids, batch.source.lengths, batch.decoder_input)
        optimizer.zero_grad()
        loss_of(logits.flatten(0, 1), batch.labels.flatten()).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), config.training.clip_norm)
        optimizer.step()

    return update


def ways(prepared: Prepared, learner: Learner) -> dict[str, Update]:
    """What makes an update, by name; ours is always the same model."""
    model = prepared.bundle.model
    if not isinstance(model.decoder, RNNDecoder):
        raise SystemExit("wanted a recurrent decoder (model.decoder.type)")
    decoder = model.decoder

    def ours(precision: str, context: Callable[[], contextlib.AbstractContextManager[None]]) -> Update:
        def update(work: Work, number: int) -> None:
            reduce_products(model, precision == "bfloat16")
            with context():
                learner.update(work, rate=1e-3, number=number)

        return update

    return {
        "textbook, float32": textbook(prepared),
        "step by step, float32": ours("float32", lambda: step_by_step(decoder)),
        "fast, float32": ours("float32", contextlib.nullcontext),
        "fast, bfloat16": ours("bfloat16", contextlib.nullcontext),
    }


def peak_memory_of(way: str, given: argparse.Namespace) -> float:
    """Most megabytes of a process that learns in one way alone."""
    command = [sys.executable, __file__, *sys.argv[1:], "--peak-memory-of", way]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def print_table(
    given: argparse.Namespace,
    speeds: dict[str, list[float]],
    memory: dict[str, float],
    products: float,
    limits: list[float],
) -> None:
    """Median, range, ratios to what is not ours, share of the limit, memory."""
    medians = {name: statistics.median(found) for name, found in speeds.items()}
    others, limit = [name for name in speeds if not name.startswith(OURS)], statistics.median(limits)
    print(f"{given.task}: threads {given.threads}, {given.rounds} rounds of {given.updates} updates,", end=" ")
    print(f"torch {torch.__version__}; {limit / 1e9:,.0f} GFLOP/s of bfloat16 products")
    columns = ["way", "tokens/s, median", "range", *(f": {name}" for name in others), "share of the limit", "peak, MB"]
    print(f"| {' | '.join(columns)} |\n|{'---|' * len(columns)}")
    for name, found in speeds.items():
        median, spread = medians[name], f"{min(found):,.0f}–{max(found):,.0f}"
        ratios = [f"{median / medians[other]:.2f}" for other in others]
        share = f"{100.0 * median * products / limit:.1f} %" if name.startswith(OURS) else ""
        print(f"| {' | '.join([name, f'{median:,.0f}', spread, *ratios, share, f'{memory[name]:,.0f}'])} |")


def prepared_for(task: Task, settings: list[str]) -> Prepared:
    """Our model, with first weights."""
    train, valid = ([Pair(*pair) for pair in part] for part in (task.train, task.valid[:100]))
    return prepare(load_config(None, [*task.settings.ours(), *settings]), train, valid, Processes())


def main() -> None:
    """Measure, and print a table."""
    options = parser(__doc__ or "")
    options.add_argument("--task", choices=list(TASKS), default="translation", help="of the data in --data")
    options.add_argument("--peers", type=Path, help="folder of the peers' environments; they are left out without it")
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--updates", type=int, default=30, help="of a round")
    options.add_argument("--sentences", type=int, help="in a batch of ours, about; as many as the peers'")
    options.add_argument("--set", dest="settings", action="append", default=[], metavar="key.path=value")
    options.add_argument("--peak-memory-of", metavar="WAY", help=argparse.SUPPRESS)
    given = options.parse_args()
    torch.set_num_threads(given.threads)
    task = TASKS[given.task](given.data)
    prepared = prepared_for(task, given.settings)
    all_ways = ways(prepared, Learner(prepared.bundle.model, prepared.bundle.config, Processes()))
    all_work = batches(prepared, given.sentences or task.settings.batch, given.updates, given.seed)
    if given.peak_memory_of:
        for number, work in enumerate(all_work):
            all_ways[given.peak_memory_of](work, number)
        print(peak_memory())
        return
    num_tokens = sum(work.num_tokens for work in all_work)
    peers = installed_peers(given.peers, task.peers)
    speeds: dict[str, list[float]] = {name: [] for name in (*all_ways, *(peer.name for peer in peers))}
    memory = {name: peak_memory_of(name, given) for name in all_ways}
    limits = []
    with tempfile.TemporaryDirectory() as folder:
        for peer in peers:
            peer.prepare(Path(folder) / peer.name, task.train, task.valid)
        for round_number in range(given.rounds + 1):
            for name, update in all_ways.items():
                start = time.perf_counter()
                for number, work in enumerate(all_work):
                    update(work, number)
                if round_number:  # the first one warms up
                    speeds[name].append(num_tokens / (time.perf_counter() - start))
            for peer in peers if round_number else []:
                speed, memory[peer.name] = peer.train_rate(given.threads, given.updates)
                speeds[peer.name].append(speed)
            limits.append(products_per_second(torch.bfloat16))
    per_token = sum(count_products(prepared.bundle.model, work.batches[0]) for work in all_work) / num_tokens
    print_table(given, speeds, memory, per_token, limits)


if __name__ == "__main__":
    main()
