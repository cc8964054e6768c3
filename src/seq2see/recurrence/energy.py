"""Energies of one query with all keys, and their derivatives."""

from abc import ABC, abstractmethod
from typing import NamedTuple

import torch
from torch import Tensor

from seq2see.tanh import tanh_


class Compared(NamedTuple):
    """What energies are made of.

    Args:
        query: One per row, (B, A).
        keys: All of its row, (B, S, A).
        v: The vector of additive attention, (A,); None elsewhere.
    """

    query: Tensor
    keys: Tensor
    v: Tensor | None


class Sums(NamedTuple):
    """Gradients that add up over the steps, in place.

    Args:
        of_keys: (B, S, A).
        of_v: (A,); None where there is no v.
    """

    of_keys: Tensor
    of_v: Tensor | None


class Energy(ABC):
    """Compares one query per row with all keys of its row."""

    @abstractmethod
    def forward(self, compared: Compared) -> tuple[Tensor, Tensor | None]:
        """Energies (B, S), and their hidden layer (B, S, A) where they have one."""

    @abstractmethod
    def backward(self, gradient: Tensor, compared: Compared, hidden: Tensor | None, sums: Sums) -> Tensor:
        """The gradient of the query; those of keys and v are added to ``sums``.

        Args:
            gradient: Of the energies, (B, S).
            compared: As in ``forward``.
            hidden: From ``forward``, and overwritten; None where it was not kept.
            sums: Changed in place.
        """


class AdditiveEnergy(Energy):
    r"""v · tanh(q + k_j); the hidden layer is made again in backward where it was not kept."""

    def forward(self, compared: Compared) -> tuple[Tensor, Tensor | None]:
        """Give v · tanh(q + k_j), and the hyperbolic tangent."""
        if compared.v is None:
            raise ValueError("additive attention has a vector v")
        hidden = self._hidden(compared)
        return hidden @ compared.v, hidden

    def backward(self, gradient: Tensor, compared: Compared, hidden: Tensor | None, sums: Sums) -> Tensor:
        r"""With t = tanh(q + k_j): of v it is Σ g_j t; of the sum inside g_j v (1 − t²)."""
        if compared.v is None or sums.of_v is None:
            raise ValueError("additive attention has a vector v")
        if hidden is None:
            hidden = self._hidden(compared)
        sums.of_v.add_(torch.mv(hidden.flatten(0, 1).T, gradient.flatten()))
        of_sum = hidden.square_().neg_().add_(1.0).mul_(compared.v).mul_(gradient[..., None])
        sums.of_keys.add_(of_sum)
        return of_sum.sum(dim=1)

    @staticmethod
    def _hidden(compared: Compared) -> Tensor:
        return tanh_(compared.keys + compared.query[:, None, :])


class ProductEnergy(Energy):
    """c k_j · q, for dot, general and scaled dot-product attention.

    Args:
        scale: c.
    """

    def __init__(self, scale: float) -> None:
        self.scale = scale

    def forward(self, compared: Compared) -> tuple[Tensor, Tensor | None]:
        """Give c k_j · q."""
        energies = torch.bmm(compared.query[:, None, :], compared.keys.transpose(1, 2)).squeeze(1)
        return energies * self.scale, None

    def backward(self, gradient: Tensor, compared: Compared, hidden: Tensor | None, sums: Sums) -> Tensor:
        """Of the keys it is c g_j q, of the query c Σ g_j k_j."""
        scaled = gradient * self.scale
        sums.of_keys.baddbmm_(scaled[:, :, None], compared.query[:, None, :])
        return torch.bmm(scaled[:, None, :], compared.keys).squeeze(1)
