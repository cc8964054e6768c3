"""Matrix products with a weight, and their gradients."""

import torch
from torch import Tensor
from torch.nn import functional as F

FEWEST_ROWS = 4
"""With fewer, what an operation costs besides its sums decides."""
OF_AN_OCTAVE, FURTHEST_APART = 4, 32
"""oneDNN makes, and keeps, code for each shape. Lest memory grow with the shapes that are met, rows are filled up to so
many numbers between n and 2n, the steps between them being at most so large."""


def multiply(x: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """Give x W^T + b, (…, in) with (out, in), without a gradient."""
    if not goes_to_onednn(x, weight) or x.numel() < FEWEST_ROWS * max(1, x.shape[-1]):
        return F.linear(x, weight, bias)
    rows = x.reshape(-1, x.shape[-1])
    product = _by_onednn(_filled_up(rows), weight, None if bias is None else bias.contiguous())
    return product[: len(rows)].view(*x.shape[:-1], len(weight))


def goes_to_onednn(x: Tensor, weight: Tensor) -> bool:
    """Whether products of both are made by oneDNN.

    torch lets it multiply bfloat16 on processors, and takes another library for float32. On those with AVX-512 it is
    asked for float32 too: on an AMD processor it was twice as fast.
    """
    if x.device.type != "cpu" or x.dtype != weight.dtype:
        return False
    return x.dtype == torch.bfloat16 or (x.dtype == torch.float32 and _HAS_ONEDNN)


class Product:
    """x W^T, and what its derivative needs, with W rounded once.

    Args:
        weight: W.
        reduced: Whether both sides are rounded to bfloat16; sums stay in float32.
    """

    def __init__(self, weight: Tensor, *, reduced: bool) -> None:
        self.given_type = weight.dtype
        self.type = torch.bfloat16 if reduced else weight.dtype
        self.weight = weight.to(self.type)

    def rounded(self, x: Tensor) -> Tensor:
        """x, or a gradient, as it is multiplied: in bfloat16 where products are reduced."""
        return x.to(self.type)

    def __call__(self, x: Tensor) -> Tensor:
        """Give x W^T, in bfloat16 where products are reduced."""
        return multiply(self.rounded(x), self.weight)

    def of_x(self, gradient: Tensor) -> Tensor:
        """The gradient of x, in bfloat16 where products are reduced."""
        return multiply(self.rounded(gradient), self.weight.T)

    def of_weight(self, gradients: Tensor, xs: Tensor) -> Tensor:
        """The gradient of W over all rows at once, whatever they are arranged in: (…, out) and (…, in)."""
        of_rows, rows = (self.rounded(part.reshape(-1, part.shape[-1])) for part in (gradients, xs))
        if rows.numel() and goes_to_onednn(of_rows, rows):
            return _by_onednn(_filled_up(of_rows).T, _filled_up(rows).T).to(self.given_type)
        return F.linear(of_rows.T, rows.T).to(self.given_type)


def _by_onednn(x: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    if x.dtype == torch.bfloat16:
        return F.linear(x, weight, bias)
    product: Tensor = torch.ops.mkldnn._linear_pointwise(x, weight, bias, "none", [], "")
    return product


def often_met(number: int) -> int:
    """The number of rows to which so many are filled up."""
    step = min(FURTHEST_APART, max(1, (1 << number.bit_length() >> 1) // OF_AN_OCTAVE))
    return number + -number % step


def _filled_up(rows: Tensor) -> Tensor:
    """With rows of zeros up to a number of rows that is often met."""
    added = often_met(len(rows)) - len(rows)
    return torch.cat([rows, rows.new_zeros(added, rows.shape[1])]) if added else rows


def _has_onednn() -> bool:
    return (
        torch.backends.mkldnn.is_available()
        and torch.backends.cpu.get_cpu_capability() == "AVX512"
        and hasattr(torch.ops.mkldnn, "_linear_pointwise")
    )


_HAS_ONEDNN = _has_onednn()
