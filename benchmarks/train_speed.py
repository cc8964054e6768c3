"""How fast a model learns: target tokens per second of whole training steps.

The recurrence step by step and as one function, with products in float32 and in bfloat16. Rounds alternate between
the ways, so that what else the machine does falls on all of them alike. Without ``--pairs`` it is the bundled pairs.
"""

import contextlib
import statistics
import time
from collections.abc import Iterator
from pathlib import Path

import torch
from running import parser

from seq2see.config import load_config
from seq2see.data.batches import make_batch
from seq2see.data.bucketing import example_lengths, training_batches
from seq2see.data.pairs import read_tsv
from seq2see.decoders import Order, RNNDecoder
from seq2see.demo.pairs import demo_pairs
from seq2see.linear import reduce_products
from seq2see.training import Processes
from seq2see.training.learner import Learner, Work
from seq2see.training.preparation import Prepared, prepare

UPDATES = 25
WAYS = [(precision, whole) for precision in ("float32", "bfloat16") for whole in (False, True)]


@contextlib.contextmanager
def recurrence(decoder: RNNDecoder, *, whole: bool) -> Iterator[None]:
    """Make all steps as one function, where that can be, or one after the other."""
    kind = type(decoder.order)
    before = kind.all_steps
    if not whole:
        kind.all_steps = Order.all_steps  # type: ignore[method-assign]
    try:
        yield
    finally:
        kind.all_steps = before  # type: ignore[method-assign]


def work(prepared: Prepared, seed: int) -> list[Work]:
    """Batches of training, as one process learns from them."""
    config, examples = prepared.bundle.config, prepared.examples
    batches = training_batches(example_lengths(examples), config.training.batch_tokens or 1, seed=seed, epoch=1)
    found = []
    for indices in batches[:UPDATES]:
        rows = [examples[index] for index in indices]
        found.append(Work([make_batch(rows)], sum(len(row.target) + 1 for row in rows)))
    return found


def main() -> None:
    """Measure, and print a table."""
    options = parser(__doc__ or "")
    options.add_argument("--rounds", type=int, default=7)
    options.add_argument("--pairs", type=Path, help="TSV file to learn from")
    options.add_argument("--set", dest="settings", action="append", default=[], metavar="key.path=value")
    given = options.parse_args()
    torch.set_num_threads(given.threads)
    pairs = demo_pairs().train if given.pairs is None else read_tsv(given.pairs)
    config = load_config(None, [f"training.seed={given.seed}", "training.precision=float32", *given.settings])
    processes = Processes()
    prepared = prepare(config, pairs, pairs[:100], processes)
    decoder = prepared.bundle.model.decoder
    if not isinstance(decoder, RNNDecoder):
        raise SystemExit("wanted a recurrent decoder (model.decoder.type)")
    learner = Learner(prepared.bundle.model, prepared.bundle.config, processes)
    batches = work(prepared, given.seed)
    num_tokens = sum(batch.num_tokens for batch in batches)
    speeds: dict[tuple[str, bool], list[float]] = {way: [] for way in WAYS}
    for round_number in range(given.rounds + 1):
        for (precision, whole), found in speeds.items():
            reduce_products(prepared.bundle.model, precision == "bfloat16")
            start = time.perf_counter()
            with recurrence(decoder, whole=whole):
                for number, batch in enumerate(batches):
                    learner.update(batch, rate=1e-3, number=number)
            if round_number:  # the first one warms up
                found.append(num_tokens / (time.perf_counter() - start))
    base = statistics.median(speeds[WAYS[0]])
    print(f"threads {given.threads}, {given.rounds} rounds of {len(batches)} updates, torch {torch.__version__}")
    print("| products | recurrence | tokens/s, median | range | ratio |\n|---|---|---|---|---|")
    for (precision, whole), found in speeds.items():
        median, name = statistics.median(found), "one function" if whole else "step by step"
        spread = f"{min(found):,.0f}–{max(found):,.0f}"
        print(f"| {precision} | {name} | {median:,.0f} | {spread} | {median / base:.2f} |")


if __name__ == "__main__":
    main()
