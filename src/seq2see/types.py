"""What encoders, decoders and search hand to each other, so that none of them knows the others.

Dimension letters, used in every shape annotation and docstring:

=====  =========================================================
B      batch: sequences, or hypotheses while searching
S      source positions, which are the positions of the memory
T      target positions
V      target vocabulary
M      memory size
Q      query size
K      key size
A      attention size (the space in which queries and keys meet)
E      embedding size
F      size of the summary of the whole source
H      hidden size
G      all gates of a cell: 4 H for an LSTM, 3 H for a GRU, H for a plain cell
N      sources that are still searched
W      hypotheses kept of each, the beam size
C      continuations that are looked at, of each source
NW     N × W hypotheses in one batch
=====  =========================================================

Masks are boolean and **True means real**: the position may be attended to.
"""

from dataclasses import dataclass
from typing import TypeAlias

from jaxtyping import Bool, Float
from torch import Tensor

DecoderState: TypeAlias = dict[str, Tensor]
"""All that a decoder carries from one step to the next. Every entry is batch-first, so keeping, dropping,
repeating or reordering hypotheses is one index over one dict."""


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
    """

    states: Float[Tensor, "B S M"]
    values: Float[Tensor, "B S M"]
    mask: Bool[Tensor, "B S"]
    final: Float[Tensor, "B F"]


@dataclass(frozen=True, slots=True)
class StepOutput:
    """What one decoder step gives.

    Args:
        logits: Unnormalised scores of the next token.
        state: The state after the step.
        weights: Attention weights α of the step; each row sums to 1 and is exactly 0 on padding.
    """

    logits: Float[Tensor, "B V"]
    state: DecoderState
    weights: Float[Tensor, "B S"]


def select_rows(state: DecoderState, rows: Tensor) -> DecoderState:
    """Return the state of the given rows, in the given order; rows may repeat.

    Args:
        state: A state whose entries share their first axis.
        rows: Indices into that axis, int64.
    """
    return {name: entry.index_select(0, rows) for name, entry in state.items()}
