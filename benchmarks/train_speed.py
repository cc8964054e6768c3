"""How fast a model learns: target tokens per second of whole training steps, by precision of the products.

Rounds alternate between the precisions, so that what else the machine does falls on both.
"""

import statistics
import time

import torch
from running import parser

from seq2see.config import Config, replace
from seq2see.data.batches import Batch, make_batch
from seq2see.data.bucketing import example_lengths, training_batches
from seq2see.data.special import PAD
from seq2see.demo.pairs import demo_pairs
from seq2see.linear import reduce_products
from seq2see.losses import smoothed_cross_entropy
from seq2see.seq2seq import Seq2Seq
from seq2see.training import Processes
from seq2see.training.preparation import prepare

UPDATES = 25


def tokens_per_second(model: Seq2Seq, optimizer: torch.optim.Optimizer, batches: list[Batch]) -> float:
    """Of whole updates; padding is not counted."""
    start, num_tokens = time.perf_counter(), 0
    for batch in batches:
        output = model(batch.source, batch.decoder_input)
        loss = smoothed_cross_entropy(output.logits, batch.labels, label_smoothing=0.1, pad_id=PAD)
        optimizer.zero_grad()
        (loss.total / loss.num_tokens).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        num_tokens += int(loss.num_tokens)
    return num_tokens / (time.perf_counter() - start)


def main() -> None:
    """Measure on the bundled pairs and print a table."""
    options = parser(__doc__ or "")
    options.add_argument("--rounds", type=int, default=7)
    given = options.parse_args()
    torch.set_num_threads(given.threads)
    pairs = demo_pairs()
    prepared = prepare(replace(Config(), {"training.seed": given.seed}), pairs.train, pairs.valid, Processes())
    model, config = prepared.bundle.model, prepared.bundle.config
    lengths = example_lengths(prepared.examples)
    batches = training_batches(lengths, config.training.batch_tokens or 1, seed=given.seed, epoch=1)[:UPDATES]
    made = [make_batch([prepared.examples[index] for index in batch]) for batch in batches]
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3, fused=True)
    speeds: dict[str, list[float]] = {"float32": [], "bfloat16": []}
    for round_number in range(given.rounds + 1):
        for precision, found in speeds.items():
            reduce_products(model, precision == "bfloat16")
            speed = tokens_per_second(model, optimizer, made)
            if round_number:  # the first one warms up
                found.append(speed)
    base = statistics.median(speeds["float32"])
    print(f"threads {given.threads}, {given.rounds} rounds of {UPDATES} updates; {torch.__version__}")
    print("| precision | tokens/s, median | range | ratio |\n|---|---|---|---|")
    for precision, found in speeds.items():
        median = statistics.median(found)
        print(f"| {precision} | {median:,.0f} | {min(found):,.0f}–{max(found):,.0f} | {median / base:.2f} |")


if __name__ == "__main__":
    main()
