"""Scores of a token as generated or as copied from the source."""

import torch
from jaxtyping import Float
from torch import Tensor, nn

from seq2see.decoders.output import Known, OutputLayer
from seq2see.linear import Linear

SMALLEST = 1e-30


class PointerOutput(OutputLayer):
    r"""A mixture of what another output layer would generate and of the source tokens that are attended to.

    .. math::
        g_i &= \sigma(w^\top [s_i; c_i; E y_{i-1}] + b) \\
        P(y) &= g_i\,\operatorname{softmax}(\mathit{logits})_y + (1 - g_i) \sum_{j:\,x_j = y} \alpha_{ij}

    The logits returned are :math:`\log P`, over the vocabulary and, after it, the tokens of the sources that it does
    not have; :math:`-\infty` for what its source does not hold. Probabilities are taken as at least
    1e-30. :math:`s_i` are the features, :math:`c_i` the context. Where
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
        self.switch = Linear(feature_size + context_size + embedding_size, 1)

    def forward(self, known: Known) -> Float[Tensor, "*batch X"]:
        """Return log P of one step, or of all steps at once."""
        weights, copy_ids = known.weights, known.copy_ids
        together = torch.cat([known.features, known.context, known.embedded], dim=-1)
        generate = torch.sigmoid(self.switch(together))
        generated = generate * self.output(known).softmax(dim=-1)
        num_copied = max(0, int(copy_ids.max()) + 1 - generated.shape[-1])
        scores = nn.functional.pad(generated, (0, num_copied))
        ids = copy_ids if weights.dim() == 2 else copy_ids[:, None, :].expand_as(weights)
        scores = scores.scatter_add(-1, ids, (1.0 - generate) * weights)
        can_come = torch.zeros(copy_ids.shape[0], scores.shape[-1], dtype=torch.bool, device=ids.device)
        can_come = can_come.scatter(-1, copy_ids, True)
        can_come[:, : generated.shape[-1]] = True
        if weights.dim() == 3:
            can_come = can_come[:, None, :]
        # what the source holds may come, even where nothing looks at it
        return scores.clamp(min=SMALLEST).log().masked_fill(~can_come, -torch.inf)
