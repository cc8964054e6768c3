"""Attention as tutorials write it: one step at a time, everything computed where it is used."""

import torch
from torch import Tensor, nn


class TextbookModel(nn.Module):
    """A bidirectional LSTM encoder, additive attention and an LSTM decoder, in float32.

    Each step projects the memory again, and scores its own token.

    Args:
        source_size: Tokens of the source vocabulary.
        target_size: Tokens of the target vocabulary.
        embedding_size: Of both sides.
        hidden_size: Of the decoder and of attention; each direction of the encoder has half.
        dropout: Share of embedded values and features that are zeroed.
        pad_id: Marks padding on both sides.
    """

    def __init__(
        self, source_size: int, target_size: int, embedding_size: int, hidden_size: int, dropout: float, pad_id: int
    ) -> None:
        super().__init__()
        self.pad_id = pad_id
        self.source_embedding = nn.Embedding(source_size, embedding_size, padding_idx=pad_id)
        self.target_embedding = nn.Embedding(target_size, embedding_size, padding_idx=pad_id)
        self.encoder = nn.LSTM(embedding_size, hidden_size // 2, batch_first=True, bidirectional=True)
        self.first_state = nn.Linear(hidden_size, hidden_size)
        self.energy = nn.Linear(2 * hidden_size, hidden_size)
        self.energy_vector = nn.Linear(hidden_size, 1, bias=False)
        self.cell = nn.LSTMCell(embedding_size + hidden_size, hidden_size)
        self.output = nn.Linear(2 * hidden_size + embedding_size, target_size)
        self.dropout = nn.Dropout(dropout)

    def forward(self, source: Tensor, lengths: Tensor, decoder_input: Tensor) -> Tensor:
        """Logits of all steps, (B, T, V)."""
        packed = nn.utils.rnn.pack_padded_sequence(
            self.dropout(self.source_embedding(source)), lengths, batch_first=True, enforce_sorted=False
        )
        memory, _ = nn.utils.rnn.pad_packed_sequence(self.encoder(packed)[0], batch_first=True)
        mask = (source != self.pad_id)[:, : memory.shape[1]]
        hidden = torch.tanh(self.first_state(memory.sum(dim=1) / lengths[:, None]))
        cell = torch.zeros_like(hidden)
        logits = []
        for step in range(decoder_input.shape[1]):
            embedded = self.dropout(self.target_embedding(decoder_input[:, step]))
            repeated = hidden[:, None, :].expand(-1, memory.shape[1], -1)
            energies = self.energy_vector(torch.tanh(self.energy(torch.cat([repeated, memory], dim=-1)))).squeeze(-1)
            weights = energies.masked_fill(~mask, -torch.inf).softmax(dim=-1)
            context = torch.bmm(weights[:, None, :], memory).squeeze(1)
            hidden, cell = self.cell(torch.cat([embedded, context], dim=-1), (hidden, cell))
            logits.append(self.output(self.dropout(torch.cat([hidden, context, embedded], dim=-1))))
        return torch.stack(logits, dim=1)
