"""Scores of a token as generated or as copied from the source."""

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from seq2see.decoders.output import OutputLayer


class PointerOutput(OutputLayer):
    r"""A mixture of what another output layer would generate and of the source tokens that are attended to.

    .. math::
        g_i &= \sigma(w^\top [s_i; c_i; E y_{i-1}] + b) \\
        P(y) &= g_i\,\operatorname{softmax}(\mathit{logits})_y + (1 - g_i) \sum_{j:\,x_j = y} \alpha_{ij}

    The logits returned are :math:`\log P`, over the vocabulary and, after it, the tokens of the sources that it does
    not have; :math:`-\infty` for what cannot come. :math:`s_i` are the features, :math:`c_i` the context. Where
    positions hold nothing that could be copied (tags), their weight goes to id 0, padding, which search never writes.

    Args:
        output: What generates.
        feature_size: Size of s.
        context_size: Size of c.
        embedding_size: Size of E y.

    References:
        See et al. 2017, §2.2, eq. 8 and 9 (arXiv:1704.04368).
    """

    def __init__(self, *, output: OutputLayer, feature_size: int, context_size: int, embedding_size: int) -> None:
        super().__init__()
        self.output = output
        self.switch = nn.Linear(feature_size + context_size + embedding_size, 1)

    def forward(
        self,
        features: Float[Tensor, "*batch H"],
        context: Float[Tensor, "*batch C"],
        embedded: Float[Tensor, "*batch E"],
        weights: Float[Tensor, "*batch S"],
        copy_ids: Int[Tensor, "B S"],
    ) -> Float[Tensor, "*batch X"]:
        """Return log P of one step, or of all steps at once."""
        generate = torch.sigmoid(self.switch(torch.cat([features, context, embedded], dim=-1)))
        generated = generate * self.output(features, context, embedded, weights, copy_ids).softmax(dim=-1)
        num_copied = max(0, int(copy_ids.max()) + 1 - generated.shape[-1])
        together = nn.functional.pad(generated, (0, num_copied))
        ids = copy_ids if weights.dim() == 2 else copy_ids[:, None, :].expand_as(weights)
        together = together.scatter_add(-1, ids, (1.0 - generate) * weights)
        smallest = torch.finfo(together.dtype).tiny
        log_probs = together.clamp(min=smallest).log()
        cannot_come = together == 0.0
        cannot_come[..., : generated.shape[-1]] = False  # too small to be a number, yet possible
        return log_probs.masked_fill(cannot_come, -torch.inf)
