"""Matrix products with a weight, and their gradients."""

import torch
from torch import Tensor
from torch.nn import functional as F

FEWEST_ROWS = 4
"""With fewer, what an operation costs besides its sums decides."""
FEW_ROWS = 32
"""oneDNN makes, and keeps, code for each shape: rows are filled up to a multiple of this, or, where there are not even
so many, of the fewest, lest the memory of a long search grow with the shapes that it meets."""


def multiply(x: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """Give x W^T + b, (…, in) with (out, in), without a gradient.

    In float32 on processors with AVX-512 it is oneDNN that multiplies, as torch lets it do with bfloat16: the library
    that torch would take has not got such kernels for the processors of every maker, and is then half as fast.
    """
    if x.numel() and goes_to_onednn(x, weight) and x.numel() >= FEWEST_ROWS * x.shape[-1]:
        rows = x.reshape(-1, x.shape[-1])
        product = _by_onednn(_filled_up(rows), weight, None if bias is None else bias.contiguous())
        return product[: len(rows)].view(*x.shape[:-1], len(weight))
    if x.dtype == torch.bfloat16 and x.dim() > 2:
        # as matrices: a product of a transposed batch with a matrix would copy the matrix for every row
        return F.linear(x.reshape(-1, x.shape[-1]), weight, bias).view(*x.shape[:-1], len(weight))
    return F.linear(x, weight, bias)


def goes_to_onednn(x: Tensor, weight: Tensor) -> bool:
    """Whether products of both are made by oneDNN."""
    return x.dtype == weight.dtype == torch.float32 and x.device.type == "cpu" and _HAS_ONEDNN


class Product:
    """x W^T, and what its derivative needs, with W rounded once.

    Args:
        weight: W.
        reduced: Whether both sides are rounded to bfloat16; sums stay in float32.
    """

    def __init__(self, weight: Tensor, *, reduced: bool) -> None:
        self.type = torch.bfloat16 if reduced else weight.dtype
        self.weight = weight.to(self.type)

    def __call__(self, x: Tensor) -> Tensor:
        """Give x W^T."""
        return multiply(x.to(self.type), self.weight).to(x.dtype)

    def of_x(self, gradient: Tensor) -> Tensor:
        """The gradient of x."""
        return multiply(gradient.to(self.type), self.weight.T).to(gradient.dtype)

    def of_weight(self, gradients: Tensor, xs: Tensor) -> Tensor:
        """The gradient of W over all rows at once, whatever they are arranged in: (…, out) and (…, in)."""
        rounded = gradients.reshape(-1, gradients.shape[-1]).to(self.type)
        rows = xs.reshape(-1, xs.shape[-1]).to(self.type)
        if rows.numel() and goes_to_onednn(rounded, rows):
            return _by_onednn(_filled_up(rounded).T, _filled_up(rows).T)
        return multiply(rounded.T, rows.T).to(xs.dtype)


def _by_onednn(x: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    product: Tensor = torch.ops.mkldnn._linear_pointwise(x, weight, bias, "none", [], "")
    return product


def _filled_up(rows: Tensor) -> Tensor:
    """With rows of zeros up to a number of rows that is often met."""
    added = -len(rows) % (FEWEST_ROWS if len(rows) <= FEW_ROWS else FEW_ROWS)
    return F.pad(rows, (0, 0, 0, added)) if added else rows


def _has_onednn() -> bool:
    return (
        torch.backends.mkldnn.is_available()
        and torch.backends.cpu.get_cpu_capability() == "AVX512"
        and hasattr(torch.ops.mkldnn, "_linear_pointwise")
    )


_HAS_ONEDNN = _has_onednn()
