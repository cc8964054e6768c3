"""A recurrent encoder of text that keeps all its states."""

from jaxtyping import Int
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from seq2see.attention import mask_from_lengths
from seq2see.encoders.encoder import Encoder
from seq2see.types import Memory


class TextEncoder(Encoder):
    r"""A (bidirectional) LSTM over the embedded source; the memory is its states at every position.

    .. math::
        \overrightarrow{h}_j = \mathrm{LSTM}(E x_j, \overrightarrow{h}_{j-1}) \qquad
        \overleftarrow{h}_j = \mathrm{LSTM}(E x_j, \overleftarrow{h}_{j+1}) \qquad
        h_j = [\overrightarrow{h}_j; \overleftarrow{h}_j] + W_r E x_j

    The residual term :math:`W_r E x_j` is not in the paper and can be left out. A recurrent state knows its
    neighbours nearly as well as its own token, so a decoder may learn to look one position beside the token it
    is about to write; with the residual a value stands for its own token first, and alignments become exact.

    ``Memory.final`` is :math:`[\overrightarrow{h}_S; \overleftarrow{h}_1]` of the top layer, taken at each
    sequence's own end, not at the end of the padded batch.

    Args:
        vocab_size: Number of source tokens.
        embedding_size: Size of E x_j.
        hidden_size: Size of the states of one direction.
        num_layers: Stacked LSTM layers.
        bidirectional: Read in both directions.
        residual: Add W_r E x_j to the states.
        dropout: Share of embedded values, of the summary, and of what one layer hands to the next, zeroed in training.
        pad_id: Id of the padding token.

    References:
        Bahdanau et al. 2015, §3.2 (arXiv:1409.0473); the paper's cell is a GRU.
    """

    def __init__(
        self,
        *,
        vocab_size: int,
        embedding_size: int,
        hidden_size: int,
        num_layers: int,
        bidirectional: bool,
        residual: bool,
        dropout: float,
        pad_id: int,
    ) -> None:
        super().__init__()
        self.num_directions = 2 if bidirectional else 1
        self.embedding = nn.Embedding(vocab_size, embedding_size, padding_idx=pad_id)
        self.rnn = nn.LSTM(
            embedding_size,
            hidden_size,
            num_layers=num_layers,
            batch_first=True,
            bidirectional=bidirectional,
            dropout=dropout if num_layers > 1 else 0.0,
        )
        self.residual = nn.Linear(embedding_size, self.num_directions * hidden_size, bias=False) if residual else None
        self.dropout = nn.Dropout(dropout)
        self.memory_size = self.num_directions * hidden_size
        self.final_size = self.memory_size

    def forward(self, source: Int[Tensor, "B S"], lengths: Int[Tensor, " B"]) -> Memory:
        """Return the states of all positions and the last state of each direction."""
        mask = mask_from_lengths(lengths, source.shape[1])
        embedded = self.dropout(self.embedding(source))
        packed = pack_padded_sequence(embedded, lengths.cpu(), batch_first=True, enforce_sorted=False)
        states, (last_hidden, _) = self.rnn(packed)
        values, _ = pad_packed_sequence(states, batch_first=True, total_length=source.shape[1])
        if self.residual is not None:
            values = values + self.residual(embedded) * mask[..., None]
        final = last_hidden[-self.num_directions :].transpose(0, 1).flatten(1)
        return Memory(values=values, mask=mask, final=self.dropout(final))
