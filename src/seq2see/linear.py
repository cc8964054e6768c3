"""The linear layer of all parts; products in reduced precision while a model learns."""

from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.autograd.function import once_differentiable
from torch.nn import functional as F

from seq2see.products import Product, goes_to_onednn, multiply


class Reducible(nn.Module):
    """A layer whose products can be made in bfloat16 in training.

    Processors with AVX512-BF16 or AMX multiply bfloat16 several times faster. Outside of training nothing is reduced.

    Attributes:
        reduced: Whether products are made in bfloat16 in training.
    """

    reduced: bool = False

    def reduces(self, input: Tensor) -> bool:
        """Whether products of this input are made in bfloat16 now."""
        return self.reduced and self.training and input.dtype == torch.float32


class Linear(Reducible, nn.Linear):
    """torch's linear layer; with ``reduced`` its products are made in bfloat16 in training.

    Weights, sums, biases and all that happens between layers stay in float32.
    """

    def forward(self, input: Float[Tensor, "*batch I"]) -> Float[Tensor, "*batch O"]:
        """Give x W^T + b."""
        reduced = self.reduces(input)
        if not torch.is_grad_enabled() and not reduced:
            return multiply(input, self.weight, self.bias)
        if not reduced and not goes_to_onednn(input, self.weight):
            return F.linear(input, self.weight, self.bias)
        product: Tensor = _Product.apply(input, self.weight, reduced)  # type: ignore[no-untyped-call]
        return product if self.bias is None else product + self.bias


class _Product(torch.autograd.Function):
    """x W^T as ``Product`` makes it, with its gradients."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, weight: Tensor, reduced: bool) -> Tensor:
        product = Product(weight, reduced=reduced)
        rounded = x.to(product.type)
        ctx.save_for_backward(rounded, product.weight)
        return product(rounded).to(x.dtype)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor | None, Tensor | None, None]:
        x, weight = ctx.saved_tensors
        product, rounded = Product(weight, reduced=False), gradient.to(x.dtype)
        of_x = product.of_x(rounded).to(gradient.dtype) if ctx.needs_input_grad[0] else None
        of_weight = product.of_weight(rounded, x).to(gradient.dtype) if ctx.needs_input_grad[1] else None
        return of_x, of_weight, None


def reduce_products(model: nn.Module, reduced: bool) -> None:
    """Say for every layer of a model that can whether its products are made in bfloat16 in training."""
    for module in model.modules():
        if isinstance(module, Reducible):
            module.reduced = reduced


def has_bfloat16() -> bool:
    """Whether the processor that models learn on multiplies bfloat16 in hardware."""
    if torch.cuda.is_available():
        return bool(torch.cuda.is_bf16_supported())
    return processor_has("avx512_bf16", "amx_bf16")


def processor_has(*capabilities: str) -> bool:
    """Whether the processor has one of them."""
    found: dict[str, Any] = getattr(torch.cpu, "get_capabilities", dict)()
    return any(bool(found.get(name)) for name in capabilities)
