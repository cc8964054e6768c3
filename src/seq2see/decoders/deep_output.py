"""Scores from all that is known, by a hidden layer."""

import torch
from jaxtyping import Float, Int
from torch import Tensor

from seq2see.decoders.output import Known, OutputLayer
from seq2see.layers import Dropout
from seq2see.linear import Linear
from seq2see.losses import CrossEntropy, TokenLoss
from seq2see.tanh import tanh


class DeepOutput(OutputLayer):
    r"""One hidden layer over state, context and embedding, then a linear layer over the vocabulary.

    .. math:: \mathit{logits} = W_o \tanh(W_t [s_i; c_i; E y_{i-1}] + b_t) + b_o

    :math:`s_i` is the new state or, in Luong's order, the attentional vector, :math:`c_i` the context,
    :math:`E y_{i-1}` the embedding of the token read.
    The paper uses a maxout layer of pairs in place of tanh and sees :math:`s_{i-1}`.

    Args:
        feature_size: Size of s.
        context_size: Size of c.
        embedding_size: Size of E y.
        hidden_size: Size of the hidden layer.
        vocab_size: Number of target tokens.
        dropout: Share of hidden values that are zeroed in training.

    References:
        Bahdanau et al. 2015, appendix A.2.2 (arXiv:1409.0473); Pascanu et al. 2014 (arXiv:1312.6026).
    """

    def __init__(
        self,
        *,
        feature_size: int,
        context_size: int,
        embedding_size: int,
        hidden_size: int,
        vocab_size: int,
        dropout: float,
    ) -> None:
        super().__init__()
        self.hidden_projection = Linear(feature_size + context_size + embedding_size, hidden_size)
        self.dropout = Dropout(dropout)
        self.output_projection = Linear(hidden_size, vocab_size)

    def forward(self, known: Known) -> Float[Tensor, "*batch V"]:
        """Return the logits of one step, or of all steps at once."""
        logits: Tensor = self.output_projection(self._hidden(known))
        return logits

    def loss(self, known: Known, labels: Int[Tensor, "B T"], cross_entropy: CrossEntropy) -> TokenLoss:
        """See ``OutputLayer``."""
        return cross_entropy.of_linear(self._hidden(known), self.output_projection, labels)

    def _hidden(self, known: Known) -> Float[Tensor, "*batch D"]:
        """The hidden layer, with dropout."""
        together = torch.cat([known.features, known.context, known.embedded], dim=-1)
        hidden: Tensor = self.dropout(tanh(self.hidden_projection(together)))
        return hidden
