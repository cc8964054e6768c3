"""A recurrent encoder of text that keeps all its states."""

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from seq2see.attention import mask_from_lengths
from seq2see.encoders.encoder import Encoder
from seq2see.encoders.networks import GRU, LSTM, RNN
from seq2see.layers import Dropout
from seq2see.linear import Linear
from seq2see.types import Memory, Source


class TextEncoder(Encoder):
    r"""A (bidirectional) recurrent network over the embedded source; the memory is its states at every position.

    .. math::
        \overrightarrow{h}_j = \mathrm{cell}(E x_j, \overrightarrow{h}_{j-1}) \qquad
        \overleftarrow{h}_j = \mathrm{cell}(E x_j, \overleftarrow{h}_{j+1}) \qquad
        h_j = [\overrightarrow{h}_j; \overleftarrow{h}_j] \qquad
        v_j = h_j + W_r E x_j

    Keys are made of the states :math:`h_j`; the context averages the values :math:`v_j`. The residual term
    :math:`W_r E x_j` is not in the paper and can be left out. A recurrent state knows its neighbours nearly as
    well as its own token, so a decoder may learn to look one position beside the token it is about to write;
    with the residual a value stands for its own token first, and this happens less.

    ``Memory.final`` is :math:`[\overrightarrow{h}_S; \overleftarrow{h}_1]` of the top layer, taken at each
    sequence's own end, not at the end of the padded batch.

    Args:
        embedding: Embedding of the source tokens.
        rnn: Batch first, of any number of layers.
        residual: Add W_r E x_j to the values.
        dropout: Share of embedded values and of the summary that are zeroed in training.

    References:
        Bahdanau et al. 2015, §3.2 (arXiv:1409.0473).
    """

    def __init__(self, *, embedding: nn.Embedding, rnn: LSTM | GRU | RNN, residual: bool, dropout: float) -> None:
        super().__init__()
        self.embedding = embedding
        self.rnn = rnn
        self.memory_size = rnn.hidden_size * (2 if rnn.bidirectional else 1)
        self.final_size = self.memory_size
        self.residual = Linear(embedding.embedding_dim, self.memory_size, bias=False) if residual else None
        self.dropout = Dropout(dropout)

    @property
    def token_embedding(self) -> nn.Embedding:
        """The embedding of source tokens."""
        return self.embedding

    def forward(self, source: Source) -> Memory:
        """Return the states of all positions and the last state of each direction."""
        ids, lengths = source.ids, source.lengths
        mask = mask_from_lengths(lengths, ids.shape[1])
        embedded = self.dropout(self.embedding(ids))
        states = self.rnn.read(embedded, lengths)
        values = states
        if self.residual is not None:
            values = states + self.residual(embedded) * mask[..., None]
        final = self.dropout(self._final(states, lengths))
        return Memory(states=states, values=values, mask=mask, final=final, copy_ids=source.copy_ids)

    def _final(self, states: Float[Tensor, "B S M"], lengths: Int[Tensor, " B"]) -> Float[Tensor, "B M"]:
        """The last state of each direction: forward at the last real position, backward at the first."""
        last = states[torch.arange(len(lengths), device=lengths.device), lengths - 1]
        size = self.rnn.hidden_size
        return torch.cat([last[:, :size], states[:, 0, size:]], dim=-1)
