"""What the machine can do at most, and how much of it a model asks for."""

import time
from pathlib import Path

import torch
from torch import nn
from torch.utils.flop_counter import FlopCounterMode

from seq2see.data.batches import Batch
from seq2see.data.special import PAD
from seq2see.linear import reduce_products
from seq2see.losses import CrossEntropy
from seq2see.seq2seq import Seq2Seq

SIZE = 2048
TIMES = 5
OF_AN_UPDATE = 3
"""Products of an update for each of the forward pass: itself, the gradient of its input, that of its weight."""


def products_per_second(dtype: torch.dtype) -> float:
    """Additions and multiplications per second in the product of two large square matrices."""
    one, other = torch.randn(SIZE, SIZE).to(dtype), torch.randn(SIZE, SIZE).to(dtype)
    torch.mm(one, other)
    best = float("inf")
    for _ in range(TIMES):
        start = time.perf_counter()
        torch.mm(one, other)
        best = min(best, time.perf_counter() - start)
    return 2.0 * SIZE**3 / best


def peak_memory() -> float:
    """Most megabytes that this process has had; not those of the one that began it, which ``getrusage`` counts too."""
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) / 1024.0


def count_products(model: Seq2Seq, batch: Batch) -> float:
    """Additions and multiplications in the matrix products of one update; of the encoder, without padding.

    Afterwards products are reduced.
    """
    model.zero_grad()
    reduce_products(model, True)  # the counter sees torch's own products alone, and these are
    cross_entropy = CrossEntropy(0.1, PAD, model.decoder.embedding.num_embeddings)
    with FlopCounterMode(display=False) as counter:
        model.loss(batch.source, batch.decoder_input, batch.labels, cross_entropy).tokens.total.backward()
    model.zero_grad()
    positions = int(batch.source.lengths.sum())
    weights = sum(  # the library's recurrent layers are not seen by the counter
        weight.numel()
        for module in model.encoder.modules()
        if isinstance(module, nn.RNNBase)
        for name, weight in module.named_parameters()
        if name.startswith("weight")
    )
    return float(counter.get_total_flops() + 2 * OF_AN_UPDATE * positions * weights)
