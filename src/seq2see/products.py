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
    return unfilled(_by_onednn(as_rows(x, x.dtype), weight, bias), x.shape[:-1])


def multiply_rows(rows: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """As ``multiply``, of rows from ``as_rows``: those of zeros are there in the product, too."""
    if rows.numel() and goes_to_onednn(rows, weight) and len(rows) >= FEWEST_ROWS:
        return _by_onednn(rows, weight, bias)
    return F.linear(rows, weight, bias)


def as_rows(x: Tensor, type: torch.dtype) -> Tensor:
    """The rows of x, (…, in), in a type; with rows of zeros up to a number of rows that is often met, for oneDNN."""
    rows = x.reshape(-1, x.shape[-1])
    added = often_met(len(rows)) - len(rows) if _onednn_takes(type, x.device) else 0
    if not added:
        return rows.to(type)
    filled = rows.new_empty(len(rows) + added, rows.shape[1], dtype=type)
    filled[: len(rows)] = rows
    filled[len(rows) :] = 0.0
    return filled


def unfilled(rows: Tensor, shape: torch.Size) -> Tensor:
    """What was made of rows from ``as_rows``, without those of zeros, arranged in a shape: (…, out)."""
    number = shape.numel()
    return (rows[:number] if len(rows) > number else rows).view(*shape, rows.shape[1])


def goes_to_onednn(x: Tensor, weight: Tensor) -> bool:
    """Whether products of both are made by oneDNN.

    torch lets it multiply bfloat16 on processors, and takes another library for float32. On those with AVX-512 it is
    asked for float32 too: on an AMD processor it was twice as fast.
    """
    return x.dtype == weight.dtype and _onednn_takes(x.dtype, x.device)


def _onednn_takes(type: torch.dtype, device: torch.device) -> bool:
    return device.type == "cpu" and (type == torch.bfloat16 or (type == torch.float32 and _HAS_ONEDNN))


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
        return self.of_weight_as_made(gradients, xs).to(self.given_type)

    def of_weight_as_made(self, gradients: Tensor, xs: Tensor) -> Tensor:
        """As ``of_weight``, in bfloat16 where products are reduced."""
        return multiply_rows(*(as_rows(part, self.type).T for part in (gradients, xs)))


def _by_onednn(x: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    if x.dtype == torch.bfloat16:
        return F.linear(x, weight, bias)
    whole = None if bias is None else bias.contiguous()
    product: Tensor = torch.ops.mkldnn._linear_pointwise(x, weight, whole, "none", [], "")
    return product


def often_met(number: int) -> int:
    """The number of rows to which so many are filled up."""
    step = min(FURTHEST_APART, max(1, (1 << number.bit_length() >> 1) // OF_AN_OCTAVE))
    return number + -number % step


def _has_onednn() -> bool:
    return (
        torch.backends.mkldnn.is_available()
        and torch.backends.cpu.get_cpu_capability() == "AVX512"
        and hasattr(torch.ops.mkldnn, "_linear_pointwise")
    )


_HAS_ONEDNN = _has_onednn()
