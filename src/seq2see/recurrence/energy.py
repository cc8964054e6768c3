"""Energies of one query with all keys, and their derivatives."""

from abc import ABC, abstractmethod

import torch
from torch import Tensor

from seq2see.tanh import tanh_


class Energy(ABC):
    """Compares one query per row with all keys of its row."""

    @abstractmethod
    def forward(self, query: Tensor, keys: Tensor, v: Tensor | None) -> tuple[Tensor, Tensor | None]:
        """Energies (B, S) of queries (B, A) with keys (B, S, A), and a hidden layer (B, S, A) where there is one."""

    @abstractmethod
    def backward(
        self,
        gradient: Tensor,
        query: Tensor,
        keys: Tensor,
        v: Tensor | None,
        hidden: Tensor | None,
        of_keys: Tensor,
        of_v: Tensor | None,
    ) -> Tensor:
        """The gradient of the query; those of keys and v are added to ``of_keys`` and ``of_v``.

        Args:
            gradient: Of the energies, (B, S).
            query: As in ``forward``.
            keys: As in ``forward``.
            v: As in ``forward``.
            hidden: From ``forward``, and overwritten; None where it was not kept.
            of_keys: (B, S, A), changed in place.
            of_v: (A,), changed in place.
        """


class AdditiveEnergy(Energy):
    r"""v · tanh(q + k_j); the hidden layer is made again in backward where it was not kept."""

    def forward(self, query: Tensor, keys: Tensor, v: Tensor | None) -> tuple[Tensor, Tensor | None]:
        """Give v · tanh(q + k_j), and the hyperbolic tangent."""
        if v is None:
            raise ValueError("additive attention has a vector v")
        hidden = tanh_(keys + query[:, None, :])
        return hidden @ v, hidden

    def backward(
        self,
        gradient: Tensor,
        query: Tensor,
        keys: Tensor,
        v: Tensor | None,
        hidden: Tensor | None,
        of_keys: Tensor,
        of_v: Tensor | None,
    ) -> Tensor:
        r"""With t = tanh(q + k_j): of v it is Σ g_j t; of the sum inside g_j v (1 − t²)."""
        if v is None or of_v is None:
            raise ValueError("additive attention has a vector v")
        if hidden is None:
            hidden = tanh_(keys + query[:, None, :])
        of_v.add_(torch.mv(hidden.flatten(0, 1).T, gradient.flatten()))
        of_sum = hidden.square_().neg_().add_(1.0).mul_(v).mul_(gradient[..., None])
        of_keys.add_(of_sum)
        return of_sum.sum(dim=1)


class ProductEnergy(Energy):
    """c k_j · q, for dot, general and scaled dot-product attention.

    Args:
        scale: c.
    """

    def __init__(self, scale: float) -> None:
        self.scale = scale

    def forward(self, query: Tensor, keys: Tensor, v: Tensor | None) -> tuple[Tensor, Tensor | None]:
        """Give c k_j · q."""
        return torch.bmm(query[:, None, :], keys.transpose(1, 2)).squeeze(1) * self.scale, None

    def backward(
        self,
        gradient: Tensor,
        query: Tensor,
        keys: Tensor,
        v: Tensor | None,
        hidden: Tensor | None,
        of_keys: Tensor,
        of_v: Tensor | None,
    ) -> Tensor:
        """Of the keys it is c g_j q, of the query c Σ g_j k_j."""
        scaled = gradient * self.scale
        of_keys.baddbmm_(scaled[:, :, None], query[:, None, :])
        return torch.bmm(scaled[:, None, :], keys).squeeze(1)
