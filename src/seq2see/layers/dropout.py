"""Dropout."""

from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.autograd.function import once_differentiable

from seq2see.compiled import dropped, usable

COMPILED_TYPES = (torch.float32, torch.bfloat16)
CHANCES = 2**16
LOWEST = -(2**15)


class Dropout(nn.Module):
    r"""Zero a share of the values in training, and scale the others so that their sum is expected to stay.

    .. math:: y_i = \frac{m_i}{1 - p} x_i \qquad m_i \sim \mathrm{Bernoulli}(1 - p)

    As torch's, but for how chance is drawn on a processor: 16 random bits for each value are several times cheaper
    than a draw of its own, and make p a multiple of 2⁻¹⁶.

    Args:
        share: p in [0, 1).

    References:
        Srivastava et al. 2014 (JMLR 15).
    """

    def __init__(self, share: float) -> None:
        super().__init__()
        self.num_dropped = min(round(share * CHANCES), CHANCES - 1)

    def forward(self, x: Float[Tensor, "*batch"]) -> Float[Tensor, "*batch"]:
        """Give y in training, x otherwise."""
        if not self.training or self.num_dropped == 0:
            return x
        share = self.num_dropped / CHANCES
        if x.device.type != "cpu":
            return nn.functional.dropout(x, share)
        drawn = torch.empty(-(-x.numel() // 4), dtype=torch.int64).random_(-(2**63), None).view(torch.int16)
        drawn, least = drawn[: x.numel()].view(x.shape), LOWEST + self.num_dropped
        if usable(x, types=COMPILED_TYPES):
            y: Tensor = _Dropped.apply(x, drawn, least, 1.0 / (1.0 - share))  # type: ignore[no-untyped-call]
            return y
        return x * (drawn >= least).to(x.dtype).mul_(1.0 / (1.0 - share))

    def extra_repr(self) -> str:
        """Show p."""
        return f"share={self.num_dropped / CHANCES:.4g}"


class _Dropped(torch.autograd.Function):
    """What is compiled, with its derivative: the same of the gradient."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, drawn: Tensor, least: int, scale: float) -> Tensor:
        ctx.save_for_backward(drawn)
        ctx.numbers = (least, scale)
        return dropped(x, drawn, least, scale)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None, None, None]:
        return dropped(gradient, *ctx.saved_tensors, *ctx.numbers), None, None, None
