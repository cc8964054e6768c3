"""A recurrent network that reads whole sequences."""

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from seq2see.layers.dropout import Dropout
from seq2see.linear import linear
from seq2see.masks import mask_from_lengths
from seq2see.recurrence import Gates, GRUGates, LSTMGates, read_recurrence

GATES: dict[str, Gates] = {"LSTM": LSTMGates(), "GRU": GRUGates()}
"""Of the kinds of network that are learnt as one function."""


class Reader(nn.Module):
    r"""torch's LSTM, GRU or RNN over padded sequences; while it learns, an LSTM or GRU of ours that gives the same.

    .. math::
        \overrightarrow{h}_j = \mathrm{cell}(x_j, \overrightarrow{h}_{j-1}) \qquad
        \overleftarrow{h}_j = \mathrm{cell}(x_j, \overleftarrow{h}_{j+1}) \qquad
        h_j = [\overrightarrow{h}_j; \overleftarrow{h}_j]

    torch's own is faster where nothing is learnt; ours makes its products as the linear layers do.

    Args:
        network: torch's, batch first, of any number of layers.

    Attributes:
        reduced: Whether products are made in bfloat16 in training.
    """

    reduced: bool = False

    def __init__(self, network: nn.RNNBase) -> None:
        super().__init__()
        self.network = network
        self.between = Dropout(network.dropout)

    def forward(self, inputs: Float[Tensor, "B S I"], lengths: Int[Tensor, " B"]) -> Float[Tensor, "B S M"]:
        """Give the top layer's states, zero beyond the lengths."""
        if self.training and torch.is_grad_enabled() and self.network.mode in GATES:
            return self._learning(inputs, lengths)
        packed = pack_padded_sequence(inputs, lengths.cpu(), batch_first=True, enforce_sorted=False)
        states: Tensor = pad_packed_sequence(self.network(packed)[0], batch_first=True, total_length=inputs.shape[1])[0]
        return states

    def _learning(self, inputs: Tensor, lengths: Tensor) -> Tensor:
        """Layer by layer, all steps of both directions as one function."""
        places = torch.arange(inputs.shape[1], device=inputs.device)
        mask = mask_from_lengths(lengths, inputs.shape[1])
        backwards = torch.where(mask, lengths[:, None] - 1 - places, places).T[..., None]
        states = inputs.transpose(0, 1)
        for layer in range(self.network.num_layers):
            if layer:
                states = self.between(states)
            states = self._layer(layer, states, backwards)
        return states.transpose(0, 1) * mask[..., None]

    def _layer(self, layer: int, inputs: Tensor, backwards: Tensor) -> Tensor:
        """(S, B, I) to (S, B, M); ``backwards`` are the places of a sequence from its end, (S, B, 1)."""
        gates = GATES[self.network.mode]
        read, weights, biases = [inputs], [], []
        if self.network.bidirectional:
            read.append(inputs.gather(0, backwards.expand_as(inputs)))
        projected = []
        for direction, suffix in zip(read, ("", "_reverse"), strict=False):
            of_input, of_hidden, bias, hidden_bias = (
                getattr(self.network, f"{name}_l{layer}{suffix}")
                for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
            )
            both = bias + hidden_bias if gates.alike else bias  # added to each other, they are one
            projected.append(linear(direction, of_input, both, reduced=self.reduced))
            weights.append(of_hidden)
            biases.append(hidden_bias)
        own_biases = None if gates.alike else biases
        states = read_recurrence(projected, weights, own_biases, gates, reduced=self.reduced)
        if self.network.bidirectional:
            states[1] = states[1].gather(0, backwards.expand_as(states[1]))
        return torch.cat(states, dim=2)
