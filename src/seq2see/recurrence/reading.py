"""A recurrent network that reads whole sequences, in one direction or two, as one function."""

from collections.abc import Sequence
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor
from torch.autograd.function import once_differentiable

from seq2see.products import Product
from seq2see.recurrence.gates import Gates


def read_recurrence(
    projected_inputs: Sequence[Float[Tensor, "S B G"]],
    hidden_weights: Sequence[Float[Tensor, "G H"]],
    hidden_biases: Sequence[Float[Tensor, " G"]] | None,
    gates: Gates,
    *,
    reduced: bool,
) -> list[Float[Tensor, "S B H"]]:
    r"""The states of all positions, in each direction by itself; the first state is zero.

    .. math:: h_j = \mathrm{gates}(W_x x_j + b,\; W_h h_{j-1} + b_h,\; h_{j-1})

    The directions take their steps together: their products are two, and all that is element-wise is one. Backward goes
    through the steps once, and makes the gradients of weights in one product over all of them.

    Args:
        projected_inputs: W_x x + b of each direction, in the order in which it reads.
        hidden_weights: W_h of each direction.
        hidden_biases: b_h of each direction; None where it is part of b.
        gates: Of the cell.
        reduced: Whether products are made in bfloat16.
    """
    inputs = torch.cat(list(projected_inputs), dim=1)
    bias = None if hidden_biases is None else torch.stack(list(hidden_biases))
    states: Tensor = _Reading.apply(gates, reduced, inputs, bias, *hidden_weights)  # type: ignore[no-untyped-call]
    return list(states.chunk(len(hidden_weights), dim=1))


class _Reading(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any,
        gates: Gates,
        reduced: bool,
        inputs: Tensor,
        bias: Tensor | None,
        *hidden_weights: Tensor,
    ) -> Tensor:
        products = [Product(weight, reduced=reduced) for weight in hidden_weights]
        count, size = len(products), hidden_weights[0].shape[1]
        rows = inputs.shape[1] // count
        added = None if bias is None else bias.repeat_interleave(rows, dim=0)
        states = [tuple(inputs.new_zeros(inputs.shape[1], size) for _ in range(gates.num_parts))]
        kept = gates.space(len(inputs), states[0][0])
        for step in range(len(inputs)):
            from_hidden = _of_each(products, states[-1][0])
            if added is not None:
                from_hidden = from_hidden + added
            states.append(gates.forward(inputs[step], from_hidden, states[-1], kept[step]))
        ctx.gates, ctx.products, ctx.has_bias = gates, products, bias is not None
        all_states = [torch.stack(part) for part in zip(*states, strict=True)]
        ctx.save_for_backward(kept, *all_states)
        return all_states[0][1:].clone()

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, of_states: Tensor) -> tuple[Tensor | None, ...]:
        kept, *states = ctx.saved_tensors
        count = len(ctx.products)
        of_state = tuple(torch.zeros_like(part[0]) for part in states)
        of_hiddens = kept.new_empty(*kept.shape[:2], ctx.products[0].weight.shape[0])
        of_inputs = of_hiddens if ctx.gates.alike else torch.empty_like(of_hiddens)
        for step in reversed(range(len(kept))):
            before, after = (tuple(part[at] for part in states) for at in (step, step + 1))
            of_state = (of_state[0] + of_states[step], *of_state[1:])
            gradient = ctx.gates.backward(of_state, before, after, kept[step], of_hiddens[step])
            if not ctx.gates.alike:
                of_inputs[step] = gradient.from_input
            through = torch.cat(
                [product.of_x(part) for product, part in zip(ctx.products, of_hiddens[step].chunk(count), strict=True)]
            )
            of_state = (gradient.state[0] + through, *gradient.state[1:])
        directions = of_hiddens.chunk(count, dim=1)
        each = zip(ctx.products, directions, states[0][:-1].chunk(count, dim=1), strict=True)
        of_bias = torch.stack([part.sum(dim=(0, 1)) for part in directions]) if ctx.has_bias else None
        return (
            None,
            None,
            of_inputs,
            of_bias,
            *(product.of_weight(gradients, hiddens) for product, gradients, hiddens in each),
        )


def _of_each(products: Sequence[Product], hidden: Tensor) -> Tensor:
    """W_h h of every direction."""
    parts = zip(products, hidden.chunk(len(products)), strict=True)
    return torch.cat([product(part) for product, part in parts])
