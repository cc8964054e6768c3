"""The linear layer of all parts; products in reduced precision while a model learns."""

from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.autograd.function import once_differentiable
from torch.nn import functional as F

from seq2see.products import Product, as_rows, goes_to_onednn, multiply, multiply_rows, unfilled


class Reducible(nn.Module):
    """A layer whose products can be made in bfloat16 in training.

    Processors with AVX512-BF16 or AMX multiply bfloat16 several times faster. Outside of training nothing is reduced.

    Attributes:
        reduced: Whether products are made in bfloat16 in training.
    """

    reduced: bool = False

    def reduces(self, input: Tensor) -> bool:
        """Whether products of this input are made in bfloat16 now."""
        return self.reduced and self.training and input.dtype in (torch.float32, torch.bfloat16)


class Linear(Reducible, nn.Linear):
    """torch's linear layer; with ``reduced`` its products are made in bfloat16 in training.

    Weights, sums, biases and all that happens between layers stay in float32, unless the result stays rounded.

    Args:
        in_features: I.
        out_features: O.
        bias: Whether there is b.
        stays_rounded: Whether what comes of a product that was made in bfloat16 stays so, for further products; b is
            then rounded, too.
    """

    def __init__(self, in_features: int, out_features: int, bias: bool = True, *, stays_rounded: bool = False) -> None:
        super().__init__(in_features, out_features, bias=bias)
        self.stays_rounded = stays_rounded

    def forward(self, input: Float[Tensor, "*batch I"]) -> Float[Tensor, "*batch O"]:
        """Give x W^T + b."""
        reduced = self.reduces(input)
        if not reduced and input.dtype == torch.bfloat16:  # from a layer that is in training beside one that isn't
            input = input.to(self.weight.dtype)
        if not torch.is_grad_enabled() and not reduced:
            return multiply(input, self.weight, self.bias)
        if not reduced and not goes_to_onednn(input, self.weight):
            return F.linear(input, self.weight, self.bias)
        stays = reduced and self.stays_rounded
        rows: Tensor = _Product.apply(input, self.weight, self.bias, reduced, stays)  # type: ignore[no-untyped-call]
        return unfilled(rows, input.shape[:-1])


class _Product(torch.autograd.Function):
    """The rows of x W^T + b as ``Product`` makes it, perhaps with further ones, and its gradients."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, weight: Tensor, bias: Tensor | None, reduced: bool, stays: bool) -> Tensor:
        product = Product(weight, reduced=reduced)
        rows = as_rows(x, product.type)
        ctx.save_for_backward(x if x.dtype == product.type else rows, product.weight)
        ctx.shape, ctx.types = x.shape[:-1], (x.dtype, weight.dtype)
        if not reduced or stays:
            return multiply_rows(rows, product.weight, None if bias is None else bias.to(product.type))
        made = multiply_rows(rows, product.weight)[: ctx.shape.numel()].to(weight.dtype)
        return made if bias is None else made.add_(bias)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor | None, ...]:
        (x, weight), (of_input, of_layer) = ctx.saved_tensors, ctx.types
        of_x = of_weight = of_bias = None
        of_rows = as_rows(gradient, x.dtype)
        if ctx.needs_input_grad[0]:
            of_x = unfilled(multiply_rows(of_rows, weight.T), ctx.shape).to(of_input)
        if ctx.needs_input_grad[1]:
            of_weight = multiply_rows(of_rows.T, as_rows(x, x.dtype).T).to(of_layer)
        if ctx.needs_input_grad[2]:
            of_bias = gradient.reshape(-1, gradient.shape[-1]).sum(dim=0, dtype=of_layer)
        return of_x, of_weight, of_bias, None, None


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
