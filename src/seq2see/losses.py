"""What training minimises."""

from dataclasses import dataclass
from typing import NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.nn import functional as F

from seq2see.linear import Linear
from seq2see.linear_cross_entropy import linear_cross_entropy

SMALLEST_WEIGHT = 1e-9
"""Keeps the logarithm of a weight of 0 finite."""


class TokenLoss(NamedTuple):
    """Sums over the real tokens of a batch, and how many there are.

    Args:
        total: Label-smoothed loss, the quantity to minimise, in nats.
        negative_log_likelihood: The same without smoothing, in nats; exp of its mean is the perplexity.
        num_tokens: Real labels counted.
    """

    total: Float[Tensor, ""]
    negative_log_likelihood: Float[Tensor, ""]
    num_tokens: Int[Tensor, ""]


def label_log_probs(logits: Float[Tensor, "B T V"], labels: Int[Tensor, "B T"]) -> Float[Tensor, "B T"]:
    """Give log p of every label, in nats, padding included."""
    return logits.gather(-1, labels[..., None]).squeeze(-1) - logits.logsumexp(dim=-1)


def smoothed_cross_entropy(
    logits: Float[Tensor, "B T V"],
    labels: Int[Tensor, "B T"],
    *,
    label_smoothing: float,
    pad_id: int,
    vocab_size: int | None = None,
) -> TokenLoss:
    r"""Cross-entropy against the label with a share ε of the mass spread evenly over the vocabulary.

    .. math:: L = -\sum_t \Big[(1-\epsilon) \log p(y_t) + \frac{\epsilon}{V} \sum_k \log p(k)\Big]

    Padding is left out. Sums, not means: whoever accumulates or distributes divides by tokens.

    Args:
        logits: Unnormalised scores.
        labels: The target followed by EOS, padded.
        label_smoothing: ε in [0, 1).
        pad_id: Label that marks padding.
        vocab_size: V, where logits have further columns for copied tokens, over which nothing is spread.

    References:
        Szegedy et al. 2016, §7 (arXiv:1512.00567).
    """
    log_probs = F.log_softmax(logits.flatten(0, 1), dim=-1)
    flat_labels = labels.flatten()
    real = flat_labels != pad_id
    nll = -log_probs.gather(1, flat_labels[:, None]).squeeze(1)[real].sum()
    uniform = -log_probs[:, :vocab_size].mean(dim=-1)[real].sum()
    total = (1.0 - label_smoothing) * nll + label_smoothing * uniform
    return TokenLoss(total, nll.detach(), real.sum())


@dataclass(frozen=True, slots=True)
class CrossEntropy:
    """Label-smoothed cross-entropy of tokens, from their scores or from what their scores are made of.

    Args:
        label_smoothing: ε in [0, 1).
        pad_id: Label that marks padding.
        vocab_size: V of ``smoothed_cross_entropy``.
    """

    label_smoothing: float
    pad_id: int
    vocab_size: int

    def of_logits(self, logits: Float[Tensor, "B T V"], labels: Int[Tensor, "B T"]) -> TokenLoss:
        """As ``smoothed_cross_entropy``."""
        return smoothed_cross_entropy(
            logits, labels, label_smoothing=self.label_smoothing, pad_id=self.pad_id, vocab_size=self.vocab_size
        )

    def of_linear(self, hidden: Float[Tensor, "B T H"], layer: Linear, labels: Int[Tensor, "B T"]) -> TokenLoss:
        """As ``of_logits`` of what a linear layer over the vocabulary gives; those logits never exist all at once.

        Padding is not even multiplied.
        """
        real = labels != self.pad_id
        total, nll = linear_cross_entropy(
            hidden[real],
            layer.weight,
            layer.bias,
            labels[real],
            label_smoothing=self.label_smoothing,
            reduced=layer.reduces(hidden),
        )
        return TokenLoss(total, nll, real.sum())


def guided_alignment_loss(weights: Float[Tensor, "B T S"], wanted: Float[Tensor, "B T P"]) -> Float[Tensor, ""]:
    r"""Cross-entropy of attention weights against weights made of known links; summed over the steps that have some.

    .. math:: -\sum_i \sum_j \alpha^*_{ij} \log \alpha_{ij}

    Args:
        weights: Attention weights α of every step, the mean over heads.
        wanted: Rows α* that sum to 1, or are zeros where no link is known; columns of the memory's first positions,
            beyond which nothing is wanted.

    References:
        Chen et al. 2016, §3 (arXiv:1607.01628); Mi et al. 2016 (arXiv:1608.00112).
    """
    known = weights[..., : wanted.shape[-1]].clamp(min=SMALLEST_WEIGHT)
    return -(wanted * known.log()).sum()


def coverage_loss(weights: Float[Tensor, "B T S"], labels: Int[Tensor, "B T"], *, pad_id: int) -> Float[Tensor, ""]:
    r"""How much is looked at that has been looked at before; summed over the real steps.

    .. math:: \sum_i \sum_j \min(\alpha_{ij}, g_{ij}) \qquad g_{ij} = \sum_{i' < i} \alpha_{i'j}

    Args:
        weights: Attention weights of every step, the mean over heads.
        labels: What tells real steps from padding.
        pad_id: Label that marks padding.

    References:
        See et al. 2017, §2.3, eq. 12 (arXiv:1704.04368).
    """
    coverage = weights.cumsum(dim=1) - weights
    again = torch.minimum(weights, coverage).sum(dim=-1)
    return again[labels != pad_id].sum()
