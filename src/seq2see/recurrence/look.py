"""One look at the memory inside the recurrence, and its derivative."""

import torch
from torch import Tensor

from seq2see.recurrence.energy import Compared, Energy, LookGradient, Sums

KEPT_AT_MOST = 2**24
"""Numbers of the energies' hidden layers that are kept for backward, over all steps; where there are more, none are."""


class Look:
    r"""Energies, weights, context.

    .. math:: e_j = \mathrm{energy}(q, k_j) \qquad \alpha = \operatorname{softmax}(e) \qquad c = \sum_j \alpha_j v_j

    Args:
        energy: How query and keys are compared.
        keys: Of the memory, (B, S, A).
        values: Of the memory, (B, S, C).
        v: The vector of additive attention; None elsewhere.
        keep_for: Steps whose hidden layers backward would like to have.

    Attributes:
        keys: As the energy compares them.
        values: Of one piece.
        kept: Hidden layers of the energies, step after step, where they are few enough.
    """

    def __init__(self, energy: Energy, keys: Tensor, values: Tensor, v: Tensor | None, *, keep_for: int) -> None:
        self.energy, self.keys, self.values, self.v = energy, energy.prepared(keys), values.contiguous(), v
        self.keeps = 0 < keep_for * keys.numel() <= KEPT_AT_MOST
        self.kept: list[Tensor] = []

    def forward(self, query: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Weights (B, S) and context (B, C) of a query per row; ``mask`` is True where a position is real."""
        looked = self.energy.look(Compared(query, self.keys, self.v), self.values, mask)
        if self.keeps and looked.hidden is not None:
            self.kept.append(looked.hidden)
        return looked.weights, looked.context


class LookBack:
    """The derivative of ``Look``, from the last step to the first.

    Args:
        energy: As in ``Look``.
        keys: ``Look.keys``.
        values: As in ``Look``.
        v: As in ``Look``.
        kept: From ``Look``; used up.

    Attributes:
        sums: What adds up over the steps, for the gradients of keys and v.
    """

    def __init__(self, energy: Energy, keys: Tensor, values: Tensor, v: Tensor | None, kept: list[Tensor]) -> None:
        self.energy, self.keys, self.values, self.v, self.kept = energy, keys, values, v, kept
        self.sums = Sums(torch.zeros_like(keys), None if v is None else torch.zeros_like(v))

    def backward(self, gradient: LookGradient, weights: Tensor, query: Tensor) -> Tensor:
        """The gradient of the query.

        Args:
            gradient: Of weights, as far as it is given from outside, and context.
            weights: From ``Look.forward``.
            query: As in ``Look.forward``.
        """
        hidden, compared = self.kept.pop() if self.kept else None, Compared(query, self.keys, self.v)
        return self.energy.look_back(gradient, weights, hidden, compared, self.values, self.sums)

    def of_keys(self) -> Tensor:
        """The gradient of the keys over all steps; asked for once, after them."""
        return self.energy.of_keys(self.sums, self.v)


def of_values(weights: Tensor, of_contexts: Tensor) -> Tensor:
    """The gradient of the values over all steps in one product: (T, B, S) and (T, B, C)."""
    return torch.bmm(weights.permute(1, 2, 0), of_contexts.transpose(0, 1))
