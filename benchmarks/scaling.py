"""How time and memory of a training step grow with the lengths of source and target.

Source and target are equally long. The time should grow with their product, as additive attention looks at every
position in every step, and no faster; the exponent of that product is fitted. The memory is measured in processes of
their own: what a step of 100 by 100 adds to one of 2 by 2, as one function and step by step.
"""

import argparse
import contextlib
import subprocess
import sys
import time
from collections.abc import Callable

import numpy as np
import torch
from machine import peak_memory
from running import parser
from train_speed import step_by_step

from seq2see.build import build_model
from seq2see.config import load_config
from seq2see.data.batches import Example, make_batch
from seq2see.data.special import PAD
from seq2see.decoders import RNNDecoder
from seq2see.losses import CrossEntropy
from seq2see.seq2seq import Seq2Seq

LENGTHS = (10, 20, 40, 80, 160, 400)
MEMORY_LENGTH = 100
BATCH = 16
VOCAB_SIZE = 100
TIMES = 3


def made(seed: int) -> Seq2Seq:
    """A model of the default sizes."""
    torch.manual_seed(seed)
    config = load_config(None, ["model.encoder.hidden_size=128"])
    return build_model(config.model, source_vocab_size=VOCAB_SIZE, target_vocab_size=VOCAB_SIZE).train()


def step_of(model: Seq2Seq, length: int) -> Callable[[], None]:
    """Forward and backward through a batch of random tokens."""
    ids = torch.randint(4, VOCAB_SIZE, (2, BATCH, length)).tolist()
    batch = make_batch([Example(source, target[:-1]) for source, target in zip(*ids, strict=True)])
    cross_entropy = CrossEntropy(0.1, PAD, VOCAB_SIZE)

    def step() -> None:
        model.zero_grad()
        model.loss(batch.source, batch.decoder_input, batch.labels, cross_entropy).tokens.total.backward()

    return step


def seconds(step: Callable[[], None]) -> float:
    """The fastest of some."""
    step()
    found = []
    for _ in range(TIMES):
        start = time.perf_counter()
        step()
        found.append(time.perf_counter() - start)
    return min(found)


def print_times(given: argparse.Namespace) -> None:
    """A table, and the exponent fitted to the longer half."""
    model = made(given.seed)
    found = [seconds(step_of(model, length)) for length in LENGTHS]
    print("| S = T | ms of a step | µs of S × T × batch |\n|---|---|---|")
    for length, one in zip(LENGTHS, found, strict=True):
        print(f"| {length} | {1e3 * one:,.1f} | {1e6 * one / (length * length * BATCH):.2f} |")
    half = len(LENGTHS) // 2
    cells = np.log([float(length * length) for length in LENGTHS[half:]])
    exponent = float(np.polyfit(cells, np.log(found[half:]), 1)[0])
    print(f"fitted from {LENGTHS[half]} on: time ~ (S × T)^{exponent:.2f}")


def added_memory(given: argparse.Namespace, *, whole: bool) -> float:
    """Megabytes, in a process of its own."""
    command = [sys.executable, __file__, "--threads", str(given.threads), "--child", "whole" if whole else "steps"]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def print_own_memory(given: argparse.Namespace) -> None:
    """What a long step adds to a short one in this process."""
    model = made(given.seed)
    decoder = model.decoder
    if not isinstance(decoder, RNNDecoder):
        raise SystemExit("wanted a recurrent decoder")
    with contextlib.nullcontext() if given.child == "whole" else step_by_step(decoder):
        peaks = []
        for length in (2, MEMORY_LENGTH):
            step_of(model, length)()
            peaks.append(peak_memory())
    print(peaks[1] - peaks[0])


def main() -> None:
    """Measure, and print."""
    options = parser(__doc__ or "")
    options.add_argument("--child", choices=["whole", "steps"], help=argparse.SUPPRESS)
    given = options.parse_args()
    torch.set_num_threads(given.threads)
    if given.child:
        print_own_memory(given)
        return
    print(f"threads {given.threads}, batch {BATCH}, torch {torch.__version__}")
    print_times(given)
    whole, steps = (added_memory(given, whole=one) for one in (True, False))
    print(
        f"memory of a step with S = T = {MEMORY_LENGTH}: {whole:,.0f} MB as one function, {steps:,.0f} MB step by step"
    )
    print(f"ratio {whole / steps:.2f}")


if __name__ == "__main__":
    main()
