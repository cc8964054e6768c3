"""Batches of similar lengths, limited by tokens."""

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray

from seq2see.data.batches import Example
from seq2see.data.token_table import TokenTable


def cut_by_tokens(lengths: Sequence[int], order: Sequence[int], batch_tokens: int) -> list[list[int]]:
    """Cut an order of examples into batches whose padded size stays within ``batch_tokens``.

    Args:
        lengths: Length of every example.
        order: Indices into ``lengths``, similar lengths side by side.
        batch_tokens: Rows × longest row is at most this; an example longer than that has a batch to itself.
    """
    batches: list[list[int]] = []
    longest = 0
    for index in order:
        longest = max(longest, lengths[index])
        if batches and (len(batches[-1]) + 1) * longest <= batch_tokens:
            batches[-1].append(index)
        else:
            batches.append([index])
            longest = lengths[index]
    return batches


def example_lengths(examples: Sequence[Example]) -> NDArray[np.int64]:
    """(n, 2): ``Example.length`` and the length of the source, of every example."""
    if isinstance(examples, TokenTable):
        return examples.lengths()
    return np.array([(example.length, len(example.source)) for example in examples], dtype=np.int64).reshape(-1, 2)


def training_batches(lengths: NDArray[np.int64], batch_tokens: int, *, seed: int, epoch: int) -> list[list[int]]:
    """One epoch of batches: every example once, similar lengths together, in random order.

    The order depends on (seed, epoch) and the lengths alone.

    Args:
        lengths: From ``example_lengths``.
        batch_tokens: Most padded positions in a batch.
        seed: Seed of the run.
        epoch: Number of the epoch.
    """
    generator = torch.Generator().manual_seed(seed * 1_000_003 + epoch)
    shuffled = torch.randperm(len(lengths), generator=generator).numpy()
    of_examples, of_sources = lengths[shuffled].T
    order = shuffled[np.lexsort((of_sources, of_examples))].tolist()
    batches = cut_by_tokens(lengths[:, 0].tolist(), order, batch_tokens)
    return [batches[index] for index in torch.randperm(len(batches), generator=generator).tolist()]
