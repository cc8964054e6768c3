"""A Transformer encoder of text."""

import torch
from torch import nn

from seq2see.attention import mask_from_lengths
from seq2see.encoders.encoder import Encoder
from seq2see.encoders.transformer_layer import TransformerEncoderLayer
from seq2see.layers import Dropout, sinusoids
from seq2see.types import Memory, Source


class TransformerEncoder(Encoder):
    r"""Layers of self-attention over the embedded source; the memory is what the last layer gives.

    .. math:: x^{(0)}_j = \sqrt{d}\, E x_j + P_j \qquad h_j = \mathrm{LN}(x^{(L)}_j)

    :math:`P` are the positions, :math:`d` their size. ``Memory.final`` is the mean of the states, since no state is
    the last.

    Args:
        embedding: Embedding of the source tokens, of the size of the layers.
        num_layers: L.
        num_heads: Heads of each layer.
        dropout: Share of embedded and of added values that are zeroed in training.

    References:
        Vaswani et al. 2017, §3 (arXiv:1706.03762).
    """

    def __init__(self, *, embedding: nn.Embedding, num_layers: int, num_heads: int, dropout: float) -> None:
        super().__init__()
        size = embedding.embedding_dim
        self.embedding = embedding
        self.layers = nn.ModuleList(
            TransformerEncoderLayer(size=size, num_heads=num_heads, dropout=dropout) for _ in range(num_layers)
        )
        self.norm = nn.LayerNorm(size)
        self.dropout = Dropout(dropout)
        self.memory_size = self.final_size = size

    @property
    def token_embedding(self) -> nn.Embedding:
        """The embedding of source tokens."""
        return self.embedding

    def forward(self, source: Source) -> Memory:
        """Return the states of all positions and their mean."""
        mask = mask_from_lengths(source.lengths, source.ids.shape[1])
        embedded = self.embedding(source.ids) * self.memory_size**0.5
        positions = torch.arange(source.ids.shape[1], device=source.ids.device)
        x = self.dropout(embedded + sinusoids(positions, self.memory_size, embedded.dtype))
        for layer in self.layers:
            x = layer(x, mask)
        states = self.norm(x) * mask[..., None]
        final = states.sum(dim=1) / source.lengths[:, None]
        return Memory(states=states, values=states, mask=mask, final=final, copy_ids=source.copy_ids)
