"""One look of a query at all keys: energies, weights and context, and their derivatives."""

from abc import ABC, abstractmethod
from typing import NamedTuple

import torch
from torch import Tensor

from seq2see.compiled import additive_look, additive_look_back, usable
from seq2see.masks import masked_softmax


class Compared(NamedTuple):
    """What energies are made of.

    Args:
        query: One per row, (B, A), in bfloat16 where products are reduced.
        keys: What ``Energy.prepared`` makes of all of its row, (B, S, A).
        v: The vector of additive attention, (A,); None elsewhere.
    """

    query: Tensor
    keys: Tensor
    v: Tensor | None


class Looked(NamedTuple):
    """What a look gives.

    Args:
        weights: (B, S).
        context: (B, C).
        hidden: Hidden layer of the energies, (B, S, A), where backward can use it.
    """

    weights: Tensor
    context: Tensor
    hidden: Tensor | None


class LookGradient(NamedTuple):
    """Gradients of what a look gives.

    Args:
        weights: As far as it is given from outside, (B, S).
        context: (B, C).
    """

    weights: Tensor
    context: Tensor


class Sums(NamedTuple):
    """Gradients that add up over the steps, in place.

    Args:
        of_keys: What ``Energy.of_keys`` makes the gradient of the keys from, (B, S, A).
        of_v: (A,); None where there is no v.
    """

    of_keys: Tensor
    of_v: Tensor | None


class Energy(ABC):
    """Compares one query per row with all keys of its row."""

    def prepared(self, keys: Tensor) -> Tensor:
        """What the keys are compared as, made once for all steps."""
        return keys

    def of_keys(self, sums: Sums, v: Tensor | None) -> Tensor:
        """The gradient of the keys, when all steps are done; ``sums`` may be changed."""
        return sums.of_keys

    def look(self, compared: Compared, values: Tensor, mask: Tensor) -> Looked:
        r"""Energies, weights, context.

        .. math:: \alpha = \operatorname{softmax}(e) \qquad c = \sum_j \alpha_j v_j

        Args:
            compared: Query and keys.
            values: v, (B, S, C).
            mask: True where a position is real, (B, S).
        """
        energies, hidden = self.forward(compared)
        weights = masked_softmax(energies, mask)
        return Looked(weights, torch.bmm(weights[:, None, :], values).squeeze(1), hidden)

    def look_back(
        self,
        gradient: LookGradient,
        weights: Tensor,
        hidden: Tensor | None,
        compared: Compared,
        values: Tensor,
        sums: Sums,
    ) -> Tensor:
        r"""The gradient of the query; those of keys and v are added to ``sums``.

        .. math:: g^\alpha_j = v_j \cdot g^c + \text{given} \qquad g^e = \alpha \odot (g^\alpha - \alpha \cdot g^\alpha)

        Args:
            gradient: g^c and what is given.
            weights: From ``look``.
            hidden: From ``look``, and overwritten; None where it was not kept.
            compared: As in ``look``.
            values: As in ``look``.
            sums: Changed in place.
        """
        # the vector on the left: the other way round takes ten times as long
        seen = torch.bmm(gradient.context[:, None, :], values.transpose(1, 2)).squeeze(1)
        weighted = weights * (gradient.weights + seen)
        of_energy = weighted - weights * weighted.sum(dim=-1, keepdim=True)
        return self.backward(of_energy, compared, hidden, sums)

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
    r"""v · tanh(q + k_j), by way of the logistic function.

    .. math::
        r_j = \sigma(2q + 2k_j) \qquad \tanh(q + k_j) = 2 r_j - 1 \qquad \tanh'(q + k_j) = 4 (r_j - r_j^2)

    What takes the time is how often large tensors are gone through: 2k is made once, and the factors 2 and 4v are left
    to sums. The hidden layer is r; it is made again in backward where it was not kept.
    """

    def prepared(self, keys: Tensor) -> Tensor:
        """Give 2k."""
        return (keys * 2.0).contiguous()

    def look(self, compared: Compared, values: Tensor, mask: Tensor) -> Looked:
        """See ``Energy``."""
        query, keys, v = compared
        if v is None or not usable(keys, values, v):
            return super().look(compared, values, mask)
        return Looked(*additive_look(query, keys, v, values, mask), None)

    def look_back(
        self,
        gradient: LookGradient,
        weights: Tensor,
        hidden: Tensor | None,
        compared: Compared,
        values: Tensor,
        sums: Sums,
    ) -> Tensor:
        """See ``Energy``."""
        query, keys, v = compared
        if v is None or sums.of_v is None or not usable(keys, values, v):
            return super().look_back(gradient, weights, hidden, compared, values, sums)
        of_query, of_v = additive_look_back(*gradient, weights, query, keys, v, values, sums.of_keys)
        sums.of_v.add_(of_v)
        return of_query

    def forward(self, compared: Compared) -> tuple[Tensor, Tensor | None]:
        """Give v · (2r − 1), and r."""
        if compared.v is None:
            raise ValueError("additive attention has a vector v")
        hidden = self._hidden(compared)
        return (hidden @ (2.0 * compared.v)).sub_(compared.v.sum()), hidden

    def backward(self, gradient: Tensor, compared: Compared, hidden: Tensor | None, sums: Sums) -> Tensor:
        """Of v it is Σ g_j (2 r_j − 1); of the sum inside 4 v g_j (r_j − r_j²), whose 4v the sums of keys leave out."""
        if compared.v is None or sums.of_v is None:
            raise ValueError("additive attention has a vector v")
        if hidden is None:
            hidden = self._hidden(compared)
        sums.of_v.add_(torch.mv(hidden.flatten(0, 1).T, gradient.flatten()), alpha=2.0).sub_(gradient.sum())
        slope = hidden.addcmul_(hidden, hidden, value=-1.0)
        sums.of_keys.addcmul_(slope, gradient[..., None])
        return torch.bmm(gradient[:, None, :], slope).squeeze(1).mul_(4.0 * compared.v)

    def of_keys(self, sums: Sums, v: Tensor | None) -> Tensor:
        """Give 4v times what was summed."""
        if v is None:
            raise ValueError("additive attention has a vector v")
        return sums.of_keys.mul_(4.0 * v)

    @staticmethod
    def _hidden(compared: Compared) -> Tensor:
        return torch.add(compared.keys, compared.query[:, None, :], alpha=2.0).sigmoid_()


class ProductEnergy(Energy):
    """c k_j · q, for dot, general and scaled dot-product attention.

    Args:
        scale: c.
    """

    def __init__(self, scale: float) -> None:
        self.scale = scale

    def forward(self, compared: Compared) -> tuple[Tensor, Tensor | None]:
        """Give c k_j · q."""
        query = compared.query.to(compared.keys.dtype)
        energies = torch.bmm(query[:, None, :], compared.keys.transpose(1, 2)).squeeze(1)
        return energies * self.scale, None

    def backward(self, gradient: Tensor, compared: Compared, hidden: Tensor | None, sums: Sums) -> Tensor:
        """Of the keys it is c g_j q, of the query c Σ g_j k_j."""
        scaled = gradient * self.scale
        sums.of_keys.baddbmm_(scaled[:, :, None], compared.query[:, None, :].to(scaled.dtype))
        return torch.bmm(scaled[:, None, :], compared.keys).squeeze(1)
