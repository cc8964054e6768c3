"""Where a token came from, now that it is known."""

import torch
from jaxtyping import Bool, Float
from torch import Tensor

SMALLEST_WEIGHT = 1e-30
"""Keeps the logarithm of a weight of 0 finite."""


def posterior_weights(
    weights: Float[Tensor, "B T S"], log_probs: Float[Tensor, "B T S"], mask: Bool[Tensor, "B 1 S"]
) -> Float[Tensor, "B T S"]:
    r"""Attention weights, corrected by how well each position explains the token that was written.

    .. math::
        p(a_i = j \mid y_{\le i}, x) = \frac{\alpha_{ij}\, p(y_i \mid y_{<i}, a_i = j)}
        {\sum_k \alpha_{ik}\, p(y_i \mid y_{<i}, a_i = k)}

    Attention must guess where to look before the token is there; this is Bayes' rule after it is.

    Args:
        weights: Attention weights α; taken as at least 1e-30 where positions are real.
        log_probs: log p of each label were all weight on one position, in nats.
        mask: True where a position is real.

    References:
        Shankar & Sarawagi 2019, "Posterior attention models for sequence to sequence learning" (ICLR).
    """
    joint = weights.clamp(min=SMALLEST_WEIGHT).log() + log_probs
    return joint.masked_fill(~mask, -torch.inf).softmax(dim=-1)
