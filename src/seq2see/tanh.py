"""tanh by way of the logistic function."""

import torch
from jaxtyping import Float
from torch import Tensor


def tanh(x: Float[Tensor, "*batch"]) -> Float[Tensor, "*batch"]:
    r"""The hyperbolic tangent.

    .. math:: \tanh x = 2\,\sigma(2x) - 1

    On processors the right side is several times faster; its rounding error is that of a number near 1, so it is used
    for float32 and float64 alone.
    """
    if not _is_faster(x):
        return torch.tanh(x)
    return torch.sigmoid(x * 2.0) * 2.0 - 1.0 if torch.is_grad_enabled() else tanh_(x.clone())


def tanh_(x: Float[Tensor, "*batch"]) -> Float[Tensor, "*batch"]:
    """As ``tanh``, in place and without a gradient."""
    return x.mul_(2.0).sigmoid_().mul_(2.0).sub_(1.0) if _is_faster(x) else x.tanh_()


def _is_faster(x: Tensor) -> bool:
    return x.device.type == "cpu" and x.dtype in (torch.float32, torch.float64)
