"""What encoders, decoders and search hand to each other, so that none of them knows the others.

Dimension letters, used in every shape annotation and docstring:

=====  =========================================================
B      batch: sequences, or hypotheses while searching
S      source positions, which are the positions of the memory
R      tags of a source
T      target positions
V      target vocabulary
M      memory size
Q      query size
K      key size
A      attention size (the space in which queries and keys meet)
N      heads
C      context size
I      size of what of a step's input is known beforehand
E      embedding size
F      size of the summary of the whole source
H      hidden size
G      all gates of a cell: 4 H for an LSTM, 3 H for a GRU, H for a plain cell
L      sources that are still searched
W      hypotheses kept of each, the beam size
D      size of one head
P      continuations that are looked at, of each source
LW     L × W hypotheses in one batch
=====  =========================================================

Masks are boolean and **True means real**: the position may be attended to.
"""

from dataclasses import dataclass, fields
from typing import TypeAlias

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

DecoderState: TypeAlias = dict[str, Tensor]
"""All that a decoder carries from one step to the next. Every entry is batch-first, so keeping, dropping,
repeating or reordering hypotheses is one index over one dict."""


@dataclass(frozen=True, slots=True)
class Source:
    """A right-padded batch of sources.

    Args:
        ids: Token ids.
        lengths: True lengths in tokens, each at least 1.
        tags: Ids of the tags that some tasks give with a source; no columns where there are none.
        tag_lengths: Tags of each source.
        copy_ids: Each source token as an id of the target vocabulary. Ids from the vocabulary's size on stand for
            tokens it does not have; 0 stands for nothing that could be copied.
    """

    ids: Int[Tensor, "B S"]
    lengths: Int[Tensor, " B"]
    tags: Int[Tensor, "B R"]
    tag_lengths: Int[Tensor, " B"]
    copy_ids: Int[Tensor, "B S"]

    @classmethod
    def of(cls, ids: Int[Tensor, "B S"], lengths: Int[Tensor, " B"]) -> "Source":
        """Sources without tags, of which nothing is copied."""
        return cls(ids, lengths, ids.new_zeros(len(ids), 0), torch.zeros_like(lengths), torch.zeros_like(ids))

    def to(self, device: torch.device) -> "Source":
        """The same on another device."""
        return Source(*(getattr(self, part.name).to(device) for part in fields(self)))


@dataclass(frozen=True, slots=True)
class Memory:
    """The encoder states that the decoder looks back at; text, sound and images all give this.

    A scorer compares the query with ``states``; the context is the weighted average of ``values``. They are the
    same tensor unless an encoder adds something to what may be said of a position that should not decide whether
    the position is looked at.

    Args:
        states: Encoder states h_1 … h_S, from which keys are made; rows past a sequence's length are 0.
        values: What is averaged, v_1 … v_S; rows past a sequence's length are 0.
        mask: True where a position is real.
        final: One vector for the whole source, from which a decoder may make its first state.
        copy_ids: What stands at each position, as an id of the target vocabulary; see ``Source``.
    """

    states: Float[Tensor, "B S M"]
    values: Float[Tensor, "B S M"]
    mask: Bool[Tensor, "B S"]
    final: Float[Tensor, "B F"]
    copy_ids: Int[Tensor, "B S"]


@dataclass(frozen=True, slots=True)
class StepOutput:
    """What one decoder step gives.

    Args:
        logits: Unnormalised scores of the next token.
        state: The state after the step.
        head_weights: Attention weights α of every head; each row sums to 1 and is exactly 0 on padding.
    """

    logits: Float[Tensor, "B V"]
    state: DecoderState
    head_weights: Float[Tensor, "B N S"]

    @property
    def weights(self) -> Float[Tensor, "B S"]:
        """The mean over heads."""
        return self.head_weights.mean(dim=1)


def entries_under(state: DecoderState, prefix: str) -> DecoderState:
    """Return the entries whose names begin with the prefix, without it."""
    return {name.removeprefix(prefix): entry for name, entry in state.items() if name.startswith(prefix)}


def select_rows(state: DecoderState, rows: Tensor) -> DecoderState:
    """Return the state of the given rows, in the given order; rows may repeat.

    Args:
        state: A state whose entries share their first axis.
        rows: Indices into that axis, int64.
    """
    return {name: entry.index_select(0, rows) for name, entry in state.items()}


def select_changed_rows(before: DecoderState, after: DecoderState, rows: Tensor) -> DecoderState:
    """As ``select_rows`` of the state after a step, where each row is replaced by one of the same source.

    What the step has handed on as it was given, memory and mask, is the source's, and all its rows are equal: it stays.

    Args:
        before: The state that the step was given.
        after: What it gave.
        rows: As in ``select_rows``; as many as there were.
    """
    return {name: entry if entry is before.get(name) else entry.index_select(0, rows) for name, entry in after.items()}
