"""Linear layers whose weights are 8-bit integers, for search."""

import copy
from typing import TypeVar

import torch
from jaxtyping import Float
from torch import Tensor, nn

from seq2see.linear import Linear, processor_has

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
    Only where ``has_int8``: other processors' products of 8-bit integers overflow or are slow.

    Args:
        layer: What is rounded.

    References:
        Jacob et al. 2018 (arXiv:1712.05877), §2.1, with a zero point of 0.
    """

    def __init__(self, layer: Linear) -> None:
        super().__init__()
        scales = _scales(layer.weight.detach())
        self.integers: Tensor
        self.scale: Tensor
        self.bias: Tensor | None
        self.register_buffer("integers", _rounded(layer.weight.detach(), scales))
        self.register_buffer("scale", scales.squeeze(1))
        self.register_buffer("bias", None if layer.bias is None else layer.bias.detach())

    def forward(self, input: Float[Tensor, "*batch I"]) -> Float[Tensor, "*batch O"]:
        """Give y."""
        rows = input.reshape(-1, input.shape[-1])
        scales = _scales(rows)
        output = (torch._int_mm(_rounded(rows, scales), self.integers.T) * scales).mul_(self.scale)
        return (output if self.bias is None else output.add_(self.bias)).view(*input.shape[:-1], len(self.integers))


def with_int8(model: ModuleType) -> ModuleType:
    """A copy of a model, all of whose linear layers are ``Int8Linear``; it can search, and neither score nor learn.

    The model itself where it is not on a processor that ``has_int8``.
    """
    if not has_int8() or any(parameter.device.type != "cpu" for parameter in model.parameters()):
        return model
    rounded = copy.deepcopy(model)
    for module in list(rounded.modules()):
        for name, child in module.named_children():
            if isinstance(child, Linear):
                setattr(module, name, Int8Linear(child))
    return rounded


def has_int8() -> bool:
    """Whether the processor adds products of 8-bit integers in 32 bits, in hardware."""
    return processor_has("avx512_vnni", "avx_vnni", "amx_int8")


def _scales(rows: Float[Tensor, "N I"]) -> Float[Tensor, "N 1"]:
    return (rows.abs().amax(dim=1, keepdim=True) / LARGEST).clamp(min=SMALLEST_SCALE)


def _rounded(rows: Float[Tensor, "N I"], scales: Float[Tensor, "N 1"]) -> Tensor:
    return (rows / scales).round_().to(torch.int8)
