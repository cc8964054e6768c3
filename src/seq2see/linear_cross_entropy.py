"""A linear layer over the vocabulary and the loss of its scores, together and in pieces."""

import math
from typing import Any, NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.autograd.function import once_differentiable

from seq2see.compiled import add_, cross_entropy_, usable
from seq2see.products import FURTHEST_APART, Product, multiply

LOG2_E = 1.0 / math.log(2.0)
SCORES_AT_ONCE = 2**22
"""Scores that exist at a time, and make one product: so many that adding it to the gradient of a large weight costs
little beside it."""
SCORES_NEARBY = 2**18
"""Scores from which loss and gradient are made at a time: few enough to stay in a core's own cache
meanwhile. On other devices than processors it is all of them."""


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

    Loss and gradient of a piece of the rows are made from its scores before the next piece is begun,
    so the scores of all rows never exist together. The second sum has no gradient.

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


class _OfRows(NamedTuple):
    """The sums of −log p of the labels and of the mean −log p; the gradient of the bias."""

    nll: Tensor
    uniform: Tensor
    of_bias: Tensor


def _of_rows_(scores: Tensor, bias: Tensor, labels: Tensor, label_smoothing: float) -> _OfRows:
    """Scores W h become their gradient."""
    if scores.dtype == torch.bfloat16 and usable(bias):
        return _OfRows(*cross_entropy_(scores, bias, labels, label_smoothing))
    few_rows = max(1, SCORES_NEARBY // len(bias)) if scores.device.type == "cpu" else len(scores)
    nll, uniform, of_bias = bias.new_zeros(()), bias.new_zeros(()), torch.zeros_like(bias)
    for start in range(0, len(scores), few_rows):
        few = slice(start, start + few_rows)
        of_few = _of_few(scores[few].to(bias.dtype).add_(bias), labels[few, None], label_smoothing)
        nll += of_few.nll
        uniform += of_few.uniform
        of_bias += of_few.gradient.sum(dim=0)
        scores[few].copy_(of_few.gradient)
    return _OfRows(nll, uniform, of_bias)


class _OfFew(NamedTuple):
    """The sums of −log p of the labels and of the mean −log p; the gradient of the scores, in their place."""

    nll: Tensor
    uniform: Tensor
    gradient: Tensor


def _of_few(scores: Tensor, label: Tensor, label_smoothing: float) -> _OfFew:
    scores.sub_(scores.amax(dim=-1, keepdim=True))
    of_label, mean = scores.gather(1, label), scores.mean(dim=-1, keepdim=True)
    probs = scores.mul_(LOG2_E).exp2_()  # exp2 is several times faster than exp
    total = probs.sum(dim=-1, keepdim=True)
    log_sum = total.log()
    gradient = probs.mul_(total.reciprocal()).sub_(label_smoothing / scores.shape[1])
    gradient.scatter_add_(1, label, gradient.new_full(label.shape, label_smoothing - 1.0))
    return _OfFew((log_sum - of_label).sum(), (log_sum - mean).sum(), gradient)


def _add_(sums: Tensor, added: Tensor) -> Tensor:
    return add_(sums, added) if added.dtype == torch.bfloat16 and usable(sums) else sums.add_(added)


def _rows_at_once(scores_at_once: int, vocab_size: int) -> int:
    rows = max(1, scores_at_once // vocab_size)
    return rows - rows % FURTHEST_APART if rows > FURTHEST_APART else rows  # so that products need not fill them up


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
        num_rows = _rows_at_once(scores_at_once, vocab_size)
        rounded = hidden.to(product.type)
        for first in range(0, len(hidden), num_rows):
            rows = slice(first, first + num_rows)
            scores = multiply(rounded[rows], product.weight)
            of_rows = _of_rows_(scores, bias, labels[rows], label_smoothing)
            nll += of_rows.nll
            uniform += of_rows.uniform
            of_bias += of_rows.of_bias
            of_hidden[rows] = product.of_x(scores)
            added = product.of_weight_as_made(scores, rounded[rows])
            of_weight = added.to(weight.dtype) if of_weight is None else _add_(of_weight, added)
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
