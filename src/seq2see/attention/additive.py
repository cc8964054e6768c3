"""Additive attention (Bahdanau)."""

import torch
from jaxtyping import Float
from torch import Tensor, nn

from seq2see.attention.carry import Carry
from seq2see.attention.scorer import Scorer, ScorerParts
from seq2see.linear import Linear
from seq2see.recurrence import AdditiveEnergy
from seq2see.tanh import EXACT_ENOUGH, tanh


def additive_energy(hidden: Float[Tensor, "B S A"], v: Float[Tensor, " A"]) -> Float[Tensor, "B S"]:
    """Give v · tanh(hidden), for every position."""
    return tanh(hidden) @ v


class Additive(Scorer):
    r"""A small network with one hidden layer says how well query and memory position agree.

    .. math:: e_j = v^\top \tanh(W_s s + W_h h_j + b)

    :math:`s` is the query, :math:`h_j` the memory state at position j; :math:`W_h h_j + b` are the keys.
    The paper has no bias; ours starts at the same small values as the rest and costs nothing.

    Args:
        query_size: Size of the query s.
        memory_size: Size of the memory states h.
        attention_size: Size of the hidden layer.

    References:
        Bahdanau et al. 2015, appendix A.1.2 (arXiv:1409.0473).
    """

    def __init__(self, *, query_size: int, memory_size: int, attention_size: int) -> None:
        super().__init__()
        self.query_projection = Linear(query_size, attention_size, bias=False)
        self.key_projection = Linear(memory_size, attention_size)
        self.v = nn.Parameter(torch.empty(attention_size).uniform_(-0.1, 0.1))

    def project(self, states: Float[Tensor, "B S M"]) -> Float[Tensor, "B S A"]:
        """W_h h_j + b for every position j."""
        keys: Tensor = self.key_projection(states)
        return keys

    def parts(self) -> ScorerParts | None:
        """See ``Scorer``; the energies go by way of the logistic function."""
        if self.v.dtype not in EXACT_ENOUGH:
            return None
        return ScorerParts(AdditiveEnergy(), self.query_projection.weight, self.v)

    def energy(self, query: Float[Tensor, "B Q"], keys: Float[Tensor, "B S A"], carry: Carry) -> Float[Tensor, "B S"]:
        """Give v · tanh(W_s s + key_j) for every position j."""
        return additive_energy(self.query_projection(query)[:, None, :] + keys, self.v)
