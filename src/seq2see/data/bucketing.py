"""Batches of similar lengths, limited by tokens."""

from collections.abc import Sequence

import torch

from seq2see.data.batches import Example


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


def training_batches(examples: Sequence[Example], batch_tokens: int, *, seed: int, epoch: int) -> list[list[int]]:
    """One epoch of batches: every example once, similar lengths together, in random order.

    The order depends on (seed, epoch) and the examples alone.

    Args:
        examples: The training examples.
        batch_tokens: Most padded positions in a batch.
        seed: Seed of the run.
        epoch: Number of the epoch.
    """
    generator = torch.Generator().manual_seed(seed * 1_000_003 + epoch)
    shuffled = torch.randperm(len(examples), generator=generator).tolist()
    order = sorted(shuffled, key=lambda index: (examples[index].length, len(examples[index].source)))
    batches = cut_by_tokens([example.length for example in examples], order, batch_tokens)
    return [batches[index] for index in torch.randperm(len(batches), generator=generator).tolist()]
