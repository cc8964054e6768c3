"""Luong's order for a whole target at once."""

from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor
from torch.autograd.function import once_differentiable

from seq2see.products import Product
from seq2see.recurrence.energy import LookGradient
from seq2see.recurrence.look import Look, LookBack, of_values
from seq2see.recurrence.parts import AttentionParts, CellParts, RecurrenceOutput, by_step
from seq2see.tanh import tanh_


def luong_recurrence(
    projected_input: Float[Tensor, "B T G"],
    fed_weight: Float[Tensor, "G H"] | None,
    attentional_weight: Float[Tensor, "H CH"],
    state: tuple[Float[Tensor, "B H"], ...],
    attentional: Float[Tensor, "B H"],
    attention: AttentionParts,
    cell: CellParts,
) -> RecurrenceOutput:
    r"""All steps of ``LuongOrder``, as one function.

    .. math::
        s_i &= \mathrm{gates}(W_x x_i + b + W_f \tilde{s}_{i-1},\; W_h s_{i-1} + b_h,\; s_{i-1}) \\
        e_{ij} &= \mathrm{energy}(W_q s_i, k_j) \qquad \alpha_i = \operatorname{softmax}(e_i) \qquad
        c_i = \sum_j \alpha_{ij} v_j \\
        \tilde{s}_i &= \tanh(W_a [c_i; s_i])

    As ``bahdanau_recurrence``, backward goes through the steps once.

    Args:
        projected_input: W_x x_i + b.
        fed_weight: W_f; None where nothing is fed back.
        attentional_weight: W_a.
        state: s_0 and what else the cell keeps.
        attentional: The attentional vector before the first step.
        attention: See ``AttentionParts``.
        cell: See ``CellParts``.
    """
    weights = (fed_weight, attentional_weight)
    given = (projected_input, *weights, *attention.tensors, *cell.tensors, attentional, *state)
    made = _Luong.apply(attention, cell, torch.is_grad_enabled(), *given)  # type: ignore[no-untyped-call]
    return RecurrenceOutput.of_steps(made)


class _Luong(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any,
        attention: AttentionParts,
        cell: CellParts,
        learns: bool,
        projected_input: Tensor,
        fed_weight: Tensor | None,
        attentional_weight: Tensor,
        keys: Tensor,
        values: Tensor,
        query_weight: Tensor | None,
        v: Tensor | None,
        hidden_weight: Tensor,
        hidden_bias: Tensor | None,
        attentional: Tensor,
        *state: Tensor,
    ) -> tuple[Tensor, Tensor, Tensor]:
        inputs = projected_input.transpose(0, 1).contiguous()
        recurrent, combined = (
            Product(weight, reduced=attention.reduced) for weight in (hidden_weight, attentional_weight)
        )
        fed, asked = (
            None if weight is None else Product(weight, reduced=attention.reduced)
            for weight in (fed_weight, query_weight)
        )
        look = Look(attention.energy, keys, values, v, keep_for=len(inputs) if learns else 0)
        states: list[tuple[Tensor, ...]] = [state]
        kept: list[Tensor] = []
        features, contexts, weights = [attentional], [], []
        for step in range(len(inputs)):
            from_hidden = recurrent(states[-1][0])
            if hidden_bias is not None:
                from_hidden = from_hidden + hidden_bias
            from_input = inputs[step] if fed is None else inputs[step] + fed(features[-1])
            after, saved = cell.gates.forward(from_input, from_hidden, states[-1])
            query = after[0] if asked is None else asked(after[0])
            alpha, context = look.forward(query, attention.mask)
            features.append(tanh_(combined(torch.cat([context, after[0]], dim=1)).to(context.dtype)))
            weights.append(alpha)
            contexts.append(context)
            states.append(after)
            kept.extend(saved)
        ctx.kept_layers = look.kept  # overwritten in backward, which makes them again where it comes twice
        ctx.energy, ctx.gates, ctx.products = attention.energy, cell.gates, (recurrent, fed, combined, asked)
        ctx.num_states = len(state)
        ctx.has_bias = hidden_bias is not None
        all_states = [torch.stack(part) for part in zip(*states, strict=True)]
        all_features = torch.stack(features)
        outputs = (all_features[1:].clone(), torch.stack(contexts), torch.stack(weights))
        ctx.save_for_backward(look.keys, look.values, v, all_features, *outputs[1:], *all_states, *kept)
        return outputs

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, of_outputs: Tensor, of_contexts: Tensor, of_weights: Tensor) -> tuple[Tensor | None, ...]:
        keys, values, v, features, contexts, weights, *rest = ctx.saved_tensors
        states, kept = rest[: ctx.num_states], by_step(rest[ctx.num_states :], len(weights))
        recurrent, fed, combined, asked = ctx.products
        context_size = contexts.shape[2]
        kept_layers, ctx.kept_layers = ctx.kept_layers, []
        look = LookBack(ctx.energy, keys, values, v, kept_layers)
        of_feature = torch.zeros_like(features[0])
        of_state = tuple(torch.zeros_like(part[0]) for part in states)
        inputs: list[Tensor] = []
        hiddens: list[Tensor] = []
        sums: list[Tensor] = []
        queries: list[Tensor] = []
        seen: list[Tensor] = []
        for step in reversed(range(len(kept))):
            before, hidden = tuple(part[step] for part in states), states[0][step + 1]
            of_sum = (of_outputs[step] + of_feature) * (1.0 - features[step + 1].square())
            of_both = combined.of_x(of_sum)
            of_context = of_contexts[step] + of_both[:, :context_size]
            query = hidden if asked is None else asked(hidden)
            of_query = look.backward(LookGradient(of_weights[step], of_context), weights[step], query)
            through_query = of_query if asked is None else asked.of_x(of_query)
            of_state = (of_state[0] + of_both[:, context_size:] + through_query, *of_state[1:])
            gradient = ctx.gates.backward(of_state, before, kept[step])
            if fed is not None:
                of_feature = fed.of_x(gradient.from_input).to(of_feature.dtype)
            of_state = (gradient.state[0] + recurrent.of_x(gradient.from_hidden), *gradient.state[1:])
            for found, value in (
                (inputs, gradient.from_input),
                (hiddens, gradient.from_hidden),
                (sums, of_sum),
                (queries, of_query),
                (seen, of_context),
            ):
                found.append(value)
        of_inputs, of_hiddens, of_sums, of_queries, of_seen = (
            torch.stack(part[::-1]) for part in (inputs, hiddens, sums, queries, seen)
        )
        return (
            None,
            None,
            None,
            of_inputs.transpose(0, 1).contiguous(),
            None if fed is None else fed.of_weight(of_inputs, features[:-1]),
            combined.of_weight(of_sums, torch.cat([contexts, states[0][1:]], dim=2)),
            look.of_keys(),
            of_values(weights, of_seen),
            None if asked is None else asked.of_weight(of_queries, states[0][1:]),
            look.sums.of_v,
            recurrent.of_weight(of_hiddens, states[0][:-1]),
            of_hiddens.sum(dim=(0, 1)) if ctx.has_bias else None,
            of_feature,
            *of_state,
        )
