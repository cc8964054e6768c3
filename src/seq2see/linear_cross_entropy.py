"""A linear layer over the vocabulary and the loss of its scores, together and in pieces."""

import math
from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.autograd.function import once_differentiable
from torch.nn import functional as F

from seq2see.products import FURTHEST_APART, Product, often_met

LOG2_E = 1.0 / math.log(2.0)
SCORES_AT_ONCE = 2**21
"""Scores that exist at a time: few enough to stay near the processor."""
PIECES_TOGETHER = 4
"""Pieces whose gradients are kept until they make one product, since adding to the gradient of a large weight costs
about as much as the product that is added."""


def linear_cross_entropy(
    hidden: Float[Tensor, "N H"],
    weight: Float[Tensor, "V H"],
    bias: Float[Tensor, " V"],
    labels: Int[Tensor, " N"],
    *,
    label_smoothing: float,
    reduced: bool,
    scores_at_once: int = SCORES_AT_ONCE,
) -> tuple[Float[Tensor, ""], Float[Tensor, ""]]:
    r"""Sum over the rows of label-smoothed cross-entropy, with :math:`z = W h + b`; and of −log p of the labels alone.

    .. math::
        L &= -(1-\epsilon) \log p_y - \frac{\epsilon}{V} \sum_k \log p_k \qquad p = \operatorname{softmax}(z) \\
        \frac{\partial L}{\partial z_k} &= p_k - (1-\epsilon)\,[k = y] - \frac{\epsilon}{V}

    Loss and gradient of a piece of the rows are made from its scores before the next piece is begun, and the gradients
    of a few pieces at most are kept, so the scores of all rows never exist together. The second sum has no gradient.

    Args:
        hidden: h, a row for every token.
        weight: W.
        bias: b.
        labels: y.
        label_smoothing: ε in [0, 1).
        reduced: Whether products are made in bfloat16; sums stay in float32.
        scores_at_once: Most scores of a piece; a piece has at least one row.
    """
    loss: tuple[Tensor, Tensor] = _LinearCrossEntropy.apply(  # type: ignore[no-untyped-call]
        hidden, weight, bias, labels, label_smoothing, reduced, scores_at_once
    )
    return loss


class _LinearCrossEntropy(torch.autograd.Function):
    """See ``linear_cross_entropy``."""

    @staticmethod
    def forward(
        ctx: Any,
        hidden: Tensor,
        weight: Tensor,
        bias: Tensor,
        labels: Tensor,
        label_smoothing: float,
        reduced: bool,
        scores_at_once: int,
    ) -> tuple[Tensor, Tensor]:
        product, vocab_size = Product(weight, reduced=reduced), len(weight)
        of_hidden, of_bias = torch.empty_like(hidden), torch.zeros_like(bias)
        of_weight: Tensor | None = None
        nll, uniform = hidden.new_zeros(()), hidden.new_zeros(())
        num_rows = max(1, scores_at_once // vocab_size)
        if num_rows > FURTHEST_APART:
            num_rows -= num_rows % FURTHEST_APART  # so that products need not fill them up
        rounded, together = hidden.to(product.type), num_rows * PIECES_TOGETHER
        kept = rounded.new_empty(often_met(min(len(hidden), together)), vocab_size)
        for start in range(0, len(hidden), together):
            end = min(start + together, len(hidden))
            for first in range(start, end, num_rows):
                rows = slice(first, min(first + num_rows, end))
                label = labels[rows, None]
                scores = product(rounded[rows]).to(hidden.dtype).add_(bias)
                scores.sub_(scores.amax(dim=-1, keepdim=True))
                of_label, mean = scores.gather(1, label), scores.mean(dim=-1, keepdim=True)
                probs = scores.mul_(LOG2_E).exp2_()  # exp2 is several times faster than exp
                total = probs.sum(dim=-1, keepdim=True)
                log_sum = total.log()
                nll += (log_sum - of_label).sum()
                uniform += (log_sum - mean).sum()
                gradient = probs.mul_(total.reciprocal()).sub_(label_smoothing / vocab_size)
                gradient.scatter_add_(1, label, gradient.new_full(label.shape, label_smoothing - 1.0))
                of_bias += gradient.sum(dim=0)
                of_piece = kept[first - start : rows.stop - start].copy_(gradient)
                of_hidden[rows] = product.of_x(of_piece)
            size = often_met(end - start)
            kept[end - start : size] = 0.0  # rather than a copy that is filled up
            of_pieces = product.of_weight(kept[:size], F.pad(rounded[start:end], (0, 0, 0, size - (end - start))))
            of_weight = of_pieces.to(weight.dtype) if of_weight is None else of_weight.add_(of_pieces)
        ctx.gradients = (of_hidden, torch.zeros_like(weight) if of_weight is None else of_weight, of_bias)
        ctx.mark_non_differentiable(nll)
        return (1.0 - label_smoothing) * nll + label_smoothing * uniform, nll

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, of_loss: Tensor, _: Tensor) -> tuple[Tensor | None, ...]:
        gradients, ctx.gradients = ctx.gradients, None  # large: scaled where they are, and not kept
        if gradients is None:
            raise RuntimeError("the gradients of linear_cross_entropy can be asked for once")
        return *(gradient.mul_(of_loss) for gradient in gradients), None, None, None, None
