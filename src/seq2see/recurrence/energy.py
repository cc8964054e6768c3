"""Energies of one query with all keys, and their derivatives."""

from abc import ABC, abstractmethod

import torch
from torch import Tensor


class Energy(ABC):
    """Compares one query per row with all keys of its row."""

    def prepared(self, keys: Tensor) -> Tensor:
        """What of the keys (B, S, A) every step needs."""
        return keys

    @abstractmethod
    def forward(self, query: Tensor, prepared: Tensor, v: Tensor | None) -> Tensor:
        """Energies (B, S) of queries (B, A) with keys that are prepared."""

    @abstractmethod
    def backward(
        self, gradient: Tensor, query: Tensor, prepared: Tensor, v: Tensor | None, of_keys: Tensor, of_v: Tensor | None
    ) -> Tensor:
        """The gradient of the query; what makes those of keys and v is added to ``of_keys`` and ``of_v``.

        Args:
            gradient: Of the energies, (B, S).
            query: As in ``forward``.
            prepared: As in ``forward``.
            v: As in ``forward``.
            of_keys: (B, S, A), changed in place; see ``finished``.
            of_v: (A,), changed in place.
        """

    def finished(self, of_keys: Tensor, v: Tensor | None) -> Tensor:
        """The gradient of the keys, from what all steps have added up."""
        return of_keys


class AdditiveEnergy(Energy):
    r"""v · tanh(q + k_j), by way of the logistic function s_j = σ(2 (q + k_j)), in few passes over (B, S, A).

    .. math::
        v \cdot \tanh(q + k_j) = 2\, v \cdot s_j - \textstyle\sum v \qquad
        \tanh'(q + k_j) = 4\, (s_j - s_j^2)

    s is made again in backward, since keeping it for all steps costs more.
    """

    def prepared(self, keys: Tensor) -> Tensor:
        """Give 2 k_j."""
        return 2.0 * keys

    def forward(self, query: Tensor, prepared: Tensor, v: Tensor | None) -> Tensor:
        """Give 2 v · s_j − Σ v."""
        if v is None:
            raise ValueError("additive attention has a vector v")
        return (_logistic(query, prepared) @ v).mul_(2.0).sub_(v.sum())

    def backward(
        self, gradient: Tensor, query: Tensor, prepared: Tensor, v: Tensor | None, of_keys: Tensor, of_v: Tensor | None
    ) -> Tensor:
        r"""Of v it is Σ g_j (2 s_j − 1); of the sum inside 4 g_j v (s_j − s_j²), whose 4 v comes last."""
        if v is None or of_v is None:
            raise ValueError("additive attention has a vector v")
        hidden = _logistic(query, prepared)
        of_v.add_(torch.mv(hidden.flatten(0, 1).T, gradient.flatten()), alpha=2.0).sub_(gradient.sum())
        slope = hidden.addcmul_(hidden, hidden, value=-1.0)
        of_keys.addcmul_(slope, gradient[..., None])
        return torch.bmm(gradient[:, None, :], slope).squeeze(1).mul_(4.0 * v)

    def finished(self, of_keys: Tensor, v: Tensor | None) -> Tensor:
        """Times 4 v."""
        if v is None:
            raise ValueError("additive attention has a vector v")
        return of_keys.mul_(4.0 * v)


def _logistic(query: Tensor, prepared: Tensor) -> Tensor:
    """σ(2 (q + k_j)), with 2 k_j prepared."""
    return torch.add(prepared, query[:, None, :], alpha=2.0).sigmoid_()


class ProductEnergy(Energy):
    """c k_j · q, for dot, general and scaled dot-product attention.

    Args:
        scale: c.
    """

    def __init__(self, scale: float) -> None:
        self.scale = scale

    def forward(self, query: Tensor, prepared: Tensor, v: Tensor | None) -> Tensor:
        """Give c k_j · q."""
        return torch.bmm(prepared, query[:, :, None]).squeeze(2) * self.scale

    def backward(
        self, gradient: Tensor, query: Tensor, prepared: Tensor, v: Tensor | None, of_keys: Tensor, of_v: Tensor | None
    ) -> Tensor:
        """Of the keys it is c g_j q, of the query c Σ g_j k_j."""
        scaled = gradient * self.scale
        of_keys.baddbmm_(scaled[:, :, None], query[:, None, :])
        return torch.bmm(scaled[:, None, :], prepared).squeeze(1)
