"""From token ids to padded tensors."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor

from seq2see.data.special import BOS, EOS, PAD
from seq2see.types import Source


class Example(NamedTuple):
    """A pair as token ids, without BOS and EOS.

    Args:
        source: Of the source's text.
        target: Of the target.
        tags: Of the source's tags.
        copy_ids: Of the source's text, in the target vocabulary; empty where nothing is copied.
        links: Which tokens belong together, (source token, target token); None where nobody has said.
    """

    source: list[int]
    target: list[int]
    tags: list[int] = []  # noqa: RUF012 (never changed)
    copy_ids: list[int] = []  # noqa: RUF012 (never changed)
    links: list[tuple[int, int]] | None = None

    @property
    def length(self) -> int:
        """Positions that the pair takes in a batch: of source and tags, or of its target with EOS, which is more."""
        return max(len(self.source) + len(self.tags), len(self.target) + 1)


@dataclass(frozen=True, slots=True)
class Batch:
    """A right-padded batch.

    Column t of ``decoder_input`` is what the decoder reads at step t, column t of ``labels`` what it should
    say: BOS + target against target + EOS. Row t of ``wanted_weights`` is what step t should attend to: evenly to all
    that is linked to its label, or zeros where nothing is; None where no pair of the batch has links.
    """

    source: Source
    decoder_input: Int[Tensor, "B T"]
    labels: Int[Tensor, "B T"]
    wanted_weights: Float[Tensor, "B T S"] | None = None

    def to(self, device: torch.device) -> "Batch":
        """The same batch on another device."""
        weights = None if self.wanted_weights is None else self.wanted_weights.to(device)
        return Batch(self.source.to(device), self.decoder_input.to(device), self.labels.to(device), weights)


def without_labels(batch: Batch) -> Batch:
    """The same sources and targets, of which nothing is learnt."""
    return Batch(batch.source, batch.decoder_input, torch.full_like(batch.labels, PAD))


def pad(sequences: Sequence[Sequence[int]]) -> tuple[Int[Tensor, "B S"], Int[Tensor, " B"]]:
    """Right-pad sequences to the longest; return them with their lengths."""
    lengths = torch.tensor([len(sequence) for sequence in sequences])
    padded = torch.full((len(sequences), int(lengths.max())), PAD)
    for row, sequence in enumerate(sequences):
        padded[row, : len(sequence)] = torch.tensor(sequence, dtype=torch.int64)
    return padded, lengths


def make_source(
    ids: Sequence[Sequence[int]], tags: Sequence[Sequence[int]], copy_ids: Sequence[Sequence[int]]
) -> Source:
    """Pad sources to one batch; all three have an entry per source, those of tags and copy ids may be empty."""
    padded, lengths = pad(ids)
    padded_tags, tag_lengths = pad(tags)
    padded_copies, _ = pad(copy_ids)
    if padded_copies.shape[1] == 0:
        padded_copies = torch.zeros_like(padded)
    return Source(padded, lengths, padded_tags, tag_lengths, padded_copies)


def make_batch(examples: Sequence[Example]) -> Batch:
    """Pad examples to one batch."""
    source = make_source(
        [example.source for example in examples],
        [example.tags for example in examples],
        [example.copy_ids for example in examples],
    )
    decoder_input, _ = pad([[BOS, *example.target] for example in examples])
    labels, _ = pad([[*example.target, EOS] for example in examples])
    return Batch(source, decoder_input, labels, _wanted_weights(examples, labels.shape[1], source.ids.shape[1]))


def _wanted_weights(
    examples: Sequence[Example], target_length: int, source_length: int
) -> Float[Tensor, "B T S"] | None:
    """See ``Batch``."""
    if all(example.links is None for example in examples):
        return None
    weights = torch.zeros(len(examples), target_length, source_length)
    for row, example in enumerate(examples):
        for source, target in example.links or ():
            weights[row, target, source] = 1.0
    return weights / weights.sum(dim=-1, keepdim=True).clamp(min=1.0)
