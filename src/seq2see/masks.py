"""Which positions are real. True means real, everywhere in seq2see."""

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor


def mask_from_lengths(lengths: Int[Tensor, " B"], size: int) -> Bool[Tensor, "B S"]:
    """Return a mask whose row b is True on its first ``lengths[b]`` positions of ``size``."""
    return torch.arange(size, device=lengths.device) < lengths[:, None]


def causal_mask(size: int, device: torch.device) -> Bool[Tensor, "T T"]:
    """True where position t may look at position s: at itself and at what stands before it."""
    return torch.ones(size, size, dtype=torch.bool, device=device).tril()


def last_position(mask: Bool[Tensor, "B S"]) -> Bool[Tensor, "B S"]:
    """Return True on the last real position of each row alone."""
    counted = mask.cumsum(dim=-1)
    return mask & (counted == counted[:, -1:])


def masked_softmax(energy: Float[Tensor, "*batch S"], mask: Bool[Tensor, "*batch S"]) -> Float[Tensor, "*batch S"]:
    r"""Softmax over the real positions alone.

    .. math:: \alpha_j = \frac{m_j \exp(e_j)}{\sum_k m_k \exp(e_k)}

    Padding gets a weight of exactly 0. A row without a real position gives all zeros, never NaN.

    References:
        Bahdanau et al. 2015, §3.1, eq. 6 (arXiv:1409.0473).
    """
    lowest = torch.finfo(energy.dtype).min
    weights = energy.masked_fill(~mask, lowest).softmax(dim=-1)
    return weights.masked_fill(~mask, 0.0)
