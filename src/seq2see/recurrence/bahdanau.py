"""Bahdanau's order for a whole target at once."""

from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor
from torch.autograd.function import once_differentiable

from seq2see.products import Product
from seq2see.recurrence.energy import LookGradient
from seq2see.recurrence.look import Look, LookBack, of_values
from seq2see.recurrence.parts import AttentionParts, CellParts, RecurrenceOutput, by_step


def bahdanau_recurrence(
    projected_input: Float[Tensor, "B T G"],
    context_weight: Float[Tensor, "G C"],
    state: tuple[Float[Tensor, "B H"], ...],
    attention: AttentionParts,
    cell: CellParts,
) -> RecurrenceOutput:
    r"""All steps of ``BahdanauOrder``, as one function.

    .. math::
        e_{ij} &= \mathrm{energy}(W_q s_{i-1}, k_j) \qquad \alpha_i = \operatorname{softmax}(e_i) \qquad
        c_i = \sum_j \alpha_{ij} v_j \\
        s_i &= \mathrm{gates}(W_x x_i + b + W_c c_i,\; W_h s_{i-1} + b_h,\; s_{i-1})

    Backward goes through the steps once. It keeps the gradients of all steps, so that the gradient of each weight is
    one product over all of them, each rounded once; energies are made again where their hidden layers are too many
    to be kept.

    Args:
        projected_input: W_x x_i + b.
        context_weight: W_c.
        state: s_0 and what else the cell keeps.
        attention: See ``AttentionParts``.
        cell: See ``CellParts``.
    """
    given = (projected_input, context_weight, *attention.tensors, *cell.tensors, *state)
    made = _Bahdanau.apply(attention, cell, torch.is_grad_enabled(), *given)  # type: ignore[no-untyped-call]
    return RecurrenceOutput.of_steps(made)


class _Bahdanau(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any,
        attention: AttentionParts,
        cell: CellParts,
        learns: bool,
        projected_input: Tensor,
        context_weight: Tensor,
        keys: Tensor,
        values: Tensor,
        query_weight: Tensor | None,
        v: Tensor | None,
        hidden_weight: Tensor,
        hidden_bias: Tensor | None,
        *state: Tensor,
    ) -> tuple[Tensor, Tensor, Tensor]:
        inputs = projected_input.transpose(0, 1).contiguous()
        num_steps, gates_size = inputs.shape[0], hidden_weight.shape[0]
        of_hidden = hidden_weight if query_weight is None else torch.cat([hidden_weight, query_weight])
        recurrent = Product(of_hidden, reduced=attention.reduced)
        from_context = Product(context_weight, reduced=attention.reduced)
        look = Look(attention.energy, keys, values, v, keep_for=num_steps if learns else 0)
        states: list[tuple[Tensor, ...]] = [state]
        kept: list[Tensor] = []
        queries, contexts, weights = [], [], []
        for step in range(num_steps):
            hidden = states[-1][0]
            product = recurrent(hidden)
            query = hidden if query_weight is None else product[:, gates_size:]
            from_hidden = product[:, :gates_size] if hidden_bias is None else product[:, :gates_size] + hidden_bias
            alpha, context = look.forward(query, attention.mask)
            after, saved = cell.gates.forward(inputs[step] + from_context(context), from_hidden, states[-1])
            weights.append(alpha)
            contexts.append(context)
            states.append(after)
            queries.append(query)
            kept.extend(saved)
        ctx.kept_layers = look.kept  # overwritten in backward, which makes them again where it comes twice
        ctx.energy, ctx.gates, ctx.recurrent, ctx.from_context = attention.energy, cell.gates, recurrent, from_context
        ctx.gates_size = gates_size
        ctx.num_states = len(state)
        ctx.has = (query_weight is not None, hidden_bias is not None)
        all_states = [torch.stack(part) for part in zip(*states, strict=True)]
        outputs = (all_states[0][1:].clone(), torch.stack(contexts), torch.stack(weights))
        ctx.save_for_backward(look.keys, look.values, v, torch.stack(queries), *outputs[1:], *all_states, *kept)
        return outputs

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, of_features: Tensor, of_contexts: Tensor, of_weights: Tensor) -> tuple[Tensor | None, ...]:
        keys, values, v, queries, contexts, weights, *rest = ctx.saved_tensors
        states, kept = rest[: ctx.num_states], by_step(rest[ctx.num_states :], len(weights))
        projects_query, has_bias = ctx.has
        kept_layers, ctx.kept_layers = ctx.kept_layers, []
        look = LookBack(ctx.energy, keys, values, v, kept_layers)
        of_state = tuple(torch.zeros_like(part[0]) for part in states)
        inputs, rounded_inputs, products, seen = [], [], [], []
        for step in reversed(range(len(queries))):
            before = tuple(part[step] for part in states)
            of_state = (of_state[0] + of_features[step], *of_state[1:])
            gradient = ctx.gates.backward(of_state, before, kept[step])
            of_input = ctx.from_context.rounded(gradient.from_input)
            of_context = of_contexts[step] + ctx.from_context.of_x(of_input)
            of_looked = LookGradient(of_weights[step], of_context)
            of_query = look.backward(of_looked, weights[step], queries[step])
            is_one = gradient.from_hidden is gradient.from_input  # an LSTM's: rounded once
            product = of_input if is_one else ctx.recurrent.rounded(gradient.from_hidden)
            if projects_query:
                product = torch.cat([product, ctx.recurrent.rounded(of_query)], dim=1)
            of_hidden = gradient.state[0] + ctx.recurrent.of_x(product)
            of_state = (of_hidden if projects_query else of_hidden + of_query, *gradient.state[1:])
            inputs.append(gradient.from_input)
            rounded_inputs.append(of_input)
            products.append(product)
            seen.append(of_context)
        rounded, of_products, of_seen = (torch.stack(part[::-1]) for part in (rounded_inputs, products, seen))
        of_recurrent = ctx.recurrent.of_weight(of_products, states[0][:-1])
        return (
            None,
            None,
            None,
            torch.stack(inputs[::-1], dim=1),
            ctx.from_context.of_weight(rounded, contexts),
            look.of_keys(),
            of_values(weights, of_seen),
            of_recurrent[ctx.gates_size :] if projects_query else None,
            look.sums.of_v,
            of_recurrent[: ctx.gates_size],
            of_products[..., : ctx.gates_size].sum(dim=(0, 1), dtype=ctx.recurrent.given_type) if has_bias else None,
            *of_state,
        )
