"""Embedding of tokens."""

from jaxtyping import Float, Int
from torch import Tensor, nn

from seq2see.layers.dropout import Dropout


class Embedding(nn.Embedding):
    r"""A vector for each token of a vocabulary; in training a share of the tokens is not seen.

    .. math:: E x_j = \frac{m_j}{1 - p} e_{x_j} \qquad m_j \sim \mathrm{Bernoulli}(1 - p)

    A token that is not seen must be told from its neighbours, so fewer sentences are learnt by heart.

    Args:
        vocab_size: Number of tokens.
        embedding_size: Units.
        pad_id: Padding, whose vector is not learnt by being read.
        token_dropout: p in [0, 1).

    References:
        Sennrich et al. 2016, §3.2 (arXiv:1606.02891); Gal & Ghahramani 2016, §4.2 (arXiv:1512.05287), who leave out
        all tokens of a kind.
    """

    def __init__(self, *, vocab_size: int, embedding_size: int, pad_id: int, token_dropout: float = 0.0) -> None:
        super().__init__(vocab_size, embedding_size, padding_idx=pad_id)
        self.token_dropout = Dropout(token_dropout)

    def forward(self, input: Int[Tensor, "*batch"]) -> Float[Tensor, "*batch E"]:
        """Look the tokens up."""
        embedded: Tensor = super().forward(input)
        if not self.training or self.token_dropout.num_dropped == 0:
            return embedded
        seen: Tensor = embedded * self.token_dropout(embedded.new_ones(input.shape))[..., None]
        return seen
