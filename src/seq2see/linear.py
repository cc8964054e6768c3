"""The linear layer of all parts, whose products can be made in reduced precision while a model learns."""

from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn import functional as F


class Linear(nn.Linear):
    """torch's linear layer; with ``reduced`` its products are made in bfloat16 in training.

    Weights, sums, biases and all that happens between layers stay in float32. Processors with AVX512-BF16 or AMX
    multiply bfloat16 several times faster. Outside of training nothing is reduced.

    Attributes:
        reduced: Whether products are made in bfloat16 in training.
    """

    reduced: bool = False

    def reduces(self, input: Tensor) -> bool:
        """Whether products of this input are made in bfloat16 now."""
        return self.reduced and self.training and input.dtype == torch.float32

    def forward(self, input: Float[Tensor, "*batch I"]) -> Float[Tensor, "*batch O"]:
        """Give x W^T + b."""
        if self.reduces(input):
            product: Tensor = _ReducedProduct.apply(input, self.weight)  # type: ignore[no-untyped-call]
            return product if self.bias is None else product + self.bias
        return F.linear(input, self.weight, self.bias)


class _ReducedProduct(torch.autograd.Function):
    """x W^T with both rounded to bfloat16, and so their gradients' products; sums are in float32."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, weight: Tensor) -> Tensor:
        rounded, rounded_weight = x.to(torch.bfloat16), weight.to(torch.bfloat16)
        ctx.save_for_backward(rounded, rounded_weight)
        return F.linear(rounded, rounded_weight).float()

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor | None, Tensor | None]:
        x, weight = ctx.saved_tensors
        # as matrices: a product of a transposed batch with a matrix would copy the matrix for every row
        rounded = gradient.reshape(-1, gradient.shape[-1]).to(torch.bfloat16)
        of_x = of_weight = None
        if ctx.needs_input_grad[0]:
            of_x = torch.mm(rounded, weight).float().view(*gradient.shape[:-1], -1)
        if ctx.needs_input_grad[1]:
            of_weight = torch.mm(rounded.T, x.reshape(-1, x.shape[-1])).float()
        return of_x, of_weight


def reduce_products(model: nn.Module, reduced: bool) -> None:
    """Say for every linear layer of a model whether its products are made in bfloat16 in training."""
    for module in model.modules():
        if isinstance(module, Linear):
            module.reduced = reduced


def has_bfloat16() -> bool:
    """Whether the processor that models learn on multiplies bfloat16 in hardware."""
    if torch.cuda.is_available():
        return bool(torch.cuda.is_bf16_supported())
    capabilities: dict[str, Any] = getattr(torch.cpu, "get_capabilities", dict)()
    return bool(capabilities.get("avx512_bf16") or capabilities.get("amx_bf16"))
