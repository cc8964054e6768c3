"""Dropout."""

from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor, nn

from seq2see.compiled import dropped, usable

COMPILED_TYPES = (torch.float32, torch.bfloat16)
FEWEST_COMPILED = 2**14
"""Values below which torch's operations are as fast; the numbers are the same."""
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
        four = torch.empty(-(-x.numel() // 4), dtype=torch.int64, device=x.device).random_(-(2**63), None)
        drawn, least = four.view(torch.int16)[: x.numel()].view(x.shape), LOWEST + self.num_dropped
        if x.numel() >= FEWEST_COMPILED and usable(x, types=COMPILED_TYPES):
            y: Tensor = _Dropped.apply(x, drawn, least, 1.0 / (1.0 - share))  # type: ignore[no-untyped-call]
            return y
        return (x * (1.0 / (1.0 - share))).mul_(drawn >= least)

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
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None, None, None]:
        of_x: Tensor = _Dropped.apply(gradient, *ctx.saved_tensors, *ctx.numbers)  # type: ignore[no-untyped-call]
        return of_x, None, None, None
