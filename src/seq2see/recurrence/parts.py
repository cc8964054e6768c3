"""What the recurrence is made of, as tensors."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from jaxtyping import Bool, Float
from torch import Tensor

from seq2see.recurrence.energy import Energy
from seq2see.recurrence.gates import Gates


class AttentionParts(NamedTuple):
    """An attention with one head and softmax.

    Args:
        energy: How query and keys are compared.
        query_weight: W_q; None where the query is the state itself.
        v: The vector of additive attention; None elsewhere.
        keys: Of the memory.
        values: Of the memory.
        mask: True where a position is real.
        reduced: Whether products are made in bfloat16.
    """

    energy: Energy
    query_weight: Float[Tensor, "A H"] | None
    v: Float[Tensor, " A"] | None
    keys: Float[Tensor, "B S A"]
    values: Float[Tensor, "B S C"]
    mask: Bool[Tensor, "B S"]
    reduced: bool

    @property
    def tensors(self) -> tuple[Tensor | None, ...]:
        """All that gradients go to."""
        return self.keys, self.values, self.query_weight, self.v


class FusionParts(NamedTuple):
    """A fusion that gives W_x x + b + W_c c.

    Args:
        context_weight: W_c; None where c is not fused.
    """

    context_weight: Float[Tensor, "G C"] | None


class CellParts(NamedTuple):
    """A recurrent cell.

    Args:
        gates: From inputs and states to the new state.
        hidden_weight: W_h.
        hidden_bias: b_h; None where the cell has none.
    """

    gates: Gates
    hidden_weight: Float[Tensor, "G H"]
    hidden_bias: Float[Tensor, " G"] | None

    @property
    def tensors(self) -> tuple[Tensor | None, ...]:
        """All that gradients go to."""
        return self.hidden_weight, self.hidden_bias


def by_step(tensors: Sequence[Tensor], num_steps: int) -> list[tuple[Tensor, ...]]:
    """What was kept of all steps one after the other, as many tensors of each, step by step."""
    size = len(tensors) // num_steps
    return [tuple(tensors[step * size : (step + 1) * size]) for step in range(num_steps)]


class RecurrenceOutput(NamedTuple):
    """What all steps give.

    Args:
        features: Hidden states s or, in Luong's order, attentional vectors.
        contexts: Context vectors.
        weights: Attention weights.
    """

    features: Float[Tensor, "B T H"]
    contexts: Float[Tensor, "B T C"]
    weights: Float[Tensor, "B T S"]

    @classmethod
    def of_steps(cls, parts: Iterable[Tensor]) -> "RecurrenceOutput":
        """From parts in which the steps come first, and then the batch."""
        return cls(*(part.transpose(0, 1) for part in parts))
