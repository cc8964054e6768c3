"""Linear layers whose weights are 8-bit integers, for search."""

import copy
from typing import TypeVar

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn import functional as F

from seq2see.linear import Linear

LARGEST = 127
SMALLEST_SCALE = 1e-12
ModuleType = TypeVar("ModuleType", bound=nn.Module)


class Int8Linear(nn.Module):
    r"""A linear layer with both sides rounded to 8 bits; a scale for each output and for each row of the input.

    .. math::
        y_j = s\, t_j \sum_i \hat{x}_i \hat{W}_{ji} + b_j \qquad
        \hat{x} = \operatorname{round}(x / s),\; s = \max_i |x_i| / 127 \qquad
        \hat{W}_j = \operatorname{round}(W_j / t_j),\; t_j = \max_i |W_{ji}| / 127

    Sums of integers are exact and each row has a scale of its own, so a row's output does not depend on its neighbours.

    Args:
        layer: What is rounded.

    References:
        Jacob et al. 2018 (arXiv:1712.05877), §2.1, with a zero point of 0.
    """

    def __init__(self, layer: Linear) -> None:
        super().__init__()
        scales = _scales(layer.weight.detach())
        self.weight: Tensor
        self.scale: Tensor
        self.bias: Tensor | None
        self.register_buffer("weight", _rounded(layer.weight.detach(), scales))
        self.register_buffer("scale", scales.squeeze(1))
        self.register_buffer("bias", None if layer.bias is None else layer.bias.detach())

    def forward(self, input: Float[Tensor, "*batch I"]) -> Float[Tensor, "*batch O"]:
        """Give y; on other devices than the processor only the weights are rounded."""
        if input.device.type != "cpu":
            return F.linear(input, self.weight.to(input.dtype) * self.scale[:, None], self.bias)
        rows = input.reshape(-1, input.shape[-1])
        scales = _scales(rows)
        product = torch._int_mm(_rounded(rows, scales), self.weight.T) * scales
        output = product.mul_(self.scale)
        return (output if self.bias is None else output.add_(self.bias)).view(*input.shape[:-1], len(self.weight))


def with_int8(model: ModuleType) -> ModuleType:
    """A copy of a model, all of whose linear layers are ``Int8Linear``; it can search, and neither score nor learn."""
    rounded = copy.deepcopy(model)
    for module in list(rounded.modules()):
        for name, child in module.named_children():
            if isinstance(child, Linear):
                setattr(module, name, Int8Linear(child))
    return rounded


def _scales(rows: Float[Tensor, "N I"]) -> Float[Tensor, "N 1"]:
    return (rows.abs().amax(dim=1, keepdim=True) / LARGEST).clamp(min=SMALLEST_SCALE)


def _rounded(rows: Float[Tensor, "N I"], scales: Float[Tensor, "N 1"]) -> Tensor:
    return (rows / scales).round_().to(torch.int8)
