"""Looking back at the memory: energies, weights, context."""

from typing import NamedTuple

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from seq2see.attention.masks import masked_softmax
from seq2see.attention.scorer import Scorer


class AttentionOutput(NamedTuple):
    """The context vector and the weights it was made with."""

    context: Float[Tensor, "B M"]
    weights: Float[Tensor, "B S"]


class Attention(nn.Module):
    r"""Score every memory position, normalise, and average the values with the weights.

    .. math::
        e_j = a(s, h_j) \qquad
        \alpha = \operatorname{softmax}(e) \qquad
        c = \sum_j \alpha_j v_j

    :math:`s` is the query, :math:`h_j` the memory states, :math:`v_j` the memory values (in the paper the states
    themselves), :math:`a` the scorer, :math:`c` the context.

    Args:
        scorer: The alignment model a.

    References:
        Bahdanau et al. 2015, §3.1, eq. 5 and 6 (arXiv:1409.0473).
    """

    def __init__(self, *, scorer: Scorer) -> None:
        super().__init__()
        self.scorer = scorer

    def project(self, states: Float[Tensor, "B S M"]) -> Float[Tensor, "B S K"]:
        """Make the keys of a memory: once per source, never per step."""
        return self.scorer.project(states)

    def forward(
        self,
        query: Float[Tensor, "B Q"],
        keys: Float[Tensor, "B S K"],
        values: Float[Tensor, "B S M"],
        mask: Bool[Tensor, "B S"],
    ) -> AttentionOutput:
        """Return the context of one query and the weights behind it."""
        energy = self.scorer.energy(query, keys)
        weights = masked_softmax(energy, mask)
        context = torch.bmm(weights[:, None, :], values).squeeze(1)
        return AttentionOutput(context, weights)
