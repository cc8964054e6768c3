"""Dot-product attention (Luong)."""

import torch
from jaxtyping import Float
from torch import Tensor

from seq2see.attention.carry import Carry
from seq2see.attention.scorer import Scorer, ScorerParts
from seq2see.recurrence import ProductEnergy


def dot_energy(query: Float[Tensor, "B K"], keys: Float[Tensor, "B S K"]) -> Float[Tensor, "B S"]:
    """Multiply the query with every key."""
    return torch.bmm(query[:, None, :], keys.transpose(1, 2)).squeeze(1)


class Dot(Scorer):
    r"""The query and the memory states meet in one space, without parameters.

    .. math:: e_j = h_j^\top s

    :math:`h_j` is the memory state at position j, :math:`s` the query; both have the same size.

    References:
        Luong et al. 2015, eq. 8, "dot" (arXiv:1508.04025).
    """

    def project(self, states: Float[Tensor, "B S M"]) -> Float[Tensor, "B S M"]:
        """The states themselves."""
        return states

    def parts(self) -> ScorerParts:
        """See ``Scorer``."""
        return ScorerParts(ProductEnergy(1.0))

    def energy(self, query: Float[Tensor, "B M"], keys: Float[Tensor, "B S M"], carry: Carry) -> Float[Tensor, "B S"]:
        """h_j · s for every position j."""
        return dot_energy(query, keys)
