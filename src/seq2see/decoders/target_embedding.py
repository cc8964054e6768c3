"""Embedding of target tokens, some of which may have been copied."""

from jaxtyping import Float, Int
from torch import Tensor

from seq2see.layers import Embedding


class TargetEmbedding(Embedding):
    """An embedding in which every id outside the vocabulary, copied from a source, is read as unknown.

    Args:
        vocab_size: Number of target tokens.
        embedding_size: Units.
        pad_id: Padding, whose embedding is not learnt by being read.
        unk_id: How ids from ``vocab_size`` on are read.
        token_dropout: Share of the tokens that are not seen in training.
    """

    def __init__(
        self, *, vocab_size: int, embedding_size: int, pad_id: int, unk_id: int, token_dropout: float = 0.0
    ) -> None:
        super().__init__(
            vocab_size=vocab_size, embedding_size=embedding_size, pad_id=pad_id, token_dropout=token_dropout
        )
        self.unk_id = unk_id

    def forward(self, input: Int[Tensor, "*batch"]) -> Float[Tensor, "*batch E"]:
        """Look the tokens up."""
        embedded: Tensor = super().forward(input.masked_fill(input >= self.num_embeddings, self.unk_id))
        return embedded
