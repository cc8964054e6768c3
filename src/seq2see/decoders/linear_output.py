"""Scores from the state alone."""

from jaxtyping import Float, Int
from torch import Tensor

from seq2see.decoders.output import Known, OutputLayer
from seq2see.layers import Dropout
from seq2see.linear import Linear
from seq2see.losses import CrossEntropy, TokenLoss


class LinearOutput(OutputLayer):
    r"""A linear layer on the features and nothing else.

    .. math:: \mathit{logits} = W_o s_i + b_o

    :math:`s_i` is the state or, in Luong's order, the attentional vector.

    Args:
        feature_size: Size of s.
        vocab_size: Number of target tokens.
        dropout: Share of the features that are zeroed in training.

    References:
        Luong et al. 2015, §3, eq. 6 (arXiv:1508.04025).
    """

    def __init__(self, *, feature_size: int, vocab_size: int, dropout: float) -> None:
        super().__init__()
        self.dropout = Dropout(dropout)
        self.output_projection = Linear(feature_size, vocab_size)

    def forward(self, known: Known) -> Float[Tensor, "*batch V"]:
        """Give W_o s + b_o."""
        logits: Tensor = self.output_projection(self.dropout(known.features))
        return logits

    def loss(self, known: Known, labels: Int[Tensor, "B T"], cross_entropy: CrossEntropy) -> TokenLoss:
        """See ``OutputLayer``."""
        return cross_entropy.of_linear(self.dropout(known.features), self.output_projection, labels)
