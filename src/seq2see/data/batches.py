"""From token ids to padded tensors."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import torch
from jaxtyping import Int
from torch import Tensor

from seq2see.data.special import BOS, EOS, PAD


class Example(NamedTuple):
    """A pair as token ids, without BOS and EOS."""

    source: list[int]
    target: list[int]

    @property
    def length(self) -> int:
        """Positions that the pair takes in a batch: of its source, or of its target with EOS, whichever is more."""
        return max(len(self.source), len(self.target) + 1)


@dataclass(frozen=True, slots=True)
class Batch:
    """A right-padded batch.

    Column t of ``decoder_input`` is what the decoder reads at step t, column t of ``labels`` what it should
    say: BOS + target against target + EOS.
    """

    source: Int[Tensor, "B S"]
    source_lengths: Int[Tensor, " B"]
    decoder_input: Int[Tensor, "B T"]
    labels: Int[Tensor, "B T"]

    def to(self, device: torch.device) -> "Batch":
        """The same batch on another device."""
        return Batch(
            self.source.to(device),
            self.source_lengths.to(device),
            self.decoder_input.to(device),
            self.labels.to(device),
        )


def pad(sequences: Sequence[Sequence[int]]) -> tuple[Int[Tensor, "B S"], Int[Tensor, " B"]]:
    """Right-pad sequences to the longest; return them with their lengths."""
    lengths = torch.tensor([len(sequence) for sequence in sequences])
    padded = torch.full((len(sequences), int(lengths.max())), PAD)
    for row, sequence in enumerate(sequences):
        padded[row, : len(sequence)] = torch.tensor(sequence, dtype=torch.int64)
    return padded, lengths


def make_batch(examples: Sequence[Example]) -> Batch:
    """Pad examples to one batch."""
    source, source_lengths = pad([example.source for example in examples])
    decoder_input, _ = pad([[BOS, *example.target] for example in examples])
    labels, _ = pad([[*example.target, EOS] for example in examples])
    return Batch(source, source_lengths, decoder_input, labels)
