"""Matrix products with a weight, and their gradients, as matrices."""

import torch
from torch import Tensor


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
        return torch.mm(x.to(self.type), self.weight.T).to(x.dtype)

    def of_x(self, gradient: Tensor) -> Tensor:
        """The gradient of x."""
        return torch.mm(gradient.to(self.type), self.weight).to(gradient.dtype)

    def of_weight(self, gradients: Tensor, xs: Tensor) -> Tensor:
        """The gradient of W over all rows at once, whatever they are arranged in: (…, out) and (…, in)."""
        rounded = gradients.flatten(0, -2).to(self.type)
        return torch.mm(rounded.T, xs.flatten(0, -2).to(self.type)).to(xs.dtype)
