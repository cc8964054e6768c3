"""Where a token stands, as a vector."""

import torch
from jaxtyping import Float, Int
from torch import Tensor


def sinusoids(positions: Int[Tensor, "*batch"], size: int, dtype: torch.dtype) -> Float[Tensor, "*batch H"]:
    r"""Sines and cosines of the position, at wavelengths from 2π to 20,000π.

    .. math::
        P_{p,2k} = \sin(p / 10000^{2k/d}) \qquad P_{p,2k+1} = \cos(p / 10000^{2k/d})

    Args:
        positions: p, from 0.
        size: d.
        dtype: Of the result; computed in float32 or better.

    References:
        Vaswani et al. 2017, §3.5 (arXiv:1706.03762).
    """
    exact = torch.float64 if dtype == torch.float64 else torch.float32
    column = torch.arange(size, device=positions.device)
    frequency = 10000.0 ** (-(column // 2 * 2).to(exact) / size)
    angles = positions.to(exact)[..., None] * frequency
    return torch.where(column % 2 == 0, angles.sin(), angles.cos()).to(dtype)
