"""Recurrent networks that read padded batches."""

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn import functional as F
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from seq2see.linear import Reducible
from seq2see.products import often_met


class RNN(nn.RNN):
    """torch's, over padded batches."""

    def read(self, inputs: Float[Tensor, "B S I"], lengths: Int[Tensor, " B"]) -> Float[Tensor, "B S M"]:
        """Return the states at all positions, those of both directions side by side; 0 at padding."""
        return _read_packed(self, inputs, lengths)


class GRU(nn.GRU):
    """torch's, over padded batches."""

    def read(self, inputs: Float[Tensor, "B S I"], lengths: Int[Tensor, " B"]) -> Float[Tensor, "B S M"]:
        """As ``RNN.read``."""
        return _read_packed(self, inputs, lengths)


class LSTM(Reducible, nn.LSTM):
    r"""torch's, over padded batches; with ``reduced`` all of it is done in bfloat16 in training, by oneDNN.

    That reads no packed batches. Forwards, padding comes last and changes nothing before it. Backwards, each row is
    turned round within its own length, :math:`x'_j = x_{S - j + 1}`, so that its padding comes last as well, and its
    states are turned back.
    """

    def read(self, inputs: Float[Tensor, "B S I"], lengths: Int[Tensor, " B"]) -> Float[Tensor, "B S M"]:
        """As ``RNN.read``."""
        if self.reduces(inputs) and inputs.device.type == "cpu":
            return self.read_padded(inputs.to(torch.bfloat16), lengths).to(inputs.dtype)
        return _read_packed(self, inputs, lengths)

    def read_padded(self, inputs: Float[Tensor, "B S I"], lengths: Int[Tensor, " B"]) -> Float[Tensor, "B S M"]:
        """Return the same without packing."""
        rows, steps = inputs.shape[:2]
        more_rows, more_steps = often_met(rows) - rows, often_met(steps) - steps
        positions = torch.arange(steps + more_steps)
        ends = F.pad(lengths, (0, more_rows))[:, None]
        inside = positions < ends
        turned = (
            torch.where(inside, ends - 1 - positions, positions) + len(positions) * torch.arange(len(ends))[:, None]
        )
        states = F.pad(inputs, (0, 0, 0, more_steps, 0, more_rows))
        for layer in range(self.num_layers):
            if layer > 0:
                states = F.dropout(states, self.dropout, self.training)
            forward = self._states(states, layer, backward=False)
            if self.bidirectional:
                backward = _turn(self._states(_turn(states, turned), layer, backward=True), turned)
                states = torch.cat([forward, backward], dim=-1)
            else:
                states = forward
        return states[:rows, :steps] * inside[:rows, :steps, None]

    def _states(self, inputs: Float[Tensor, "B S I"], layer: int, *, backward: bool) -> Float[Tensor, "B S H"]:
        """The states of one layer in one direction."""
        weights = self.all_weights[layer * (1 + self.bidirectional) + backward]
        zeros = inputs.new_zeros(1, len(inputs), self.hidden_size)
        states, _, _ = torch.lstm(
            inputs,
            (zeros, zeros),
            [weight.to(inputs.dtype) for weight in weights],
            has_biases=True,
            num_layers=1,
            dropout=0.0,
            train=torch.is_grad_enabled(),
            bidirectional=False,
            batch_first=True,
        )
        return states


def _read_packed(
    network: nn.RNNBase, inputs: Float[Tensor, "B S I"], lengths: Int[Tensor, " B"]
) -> Float[Tensor, "B S M"]:
    packed = pack_padded_sequence(inputs, lengths.cpu(), batch_first=True, enforce_sorted=False)
    states, _ = pad_packed_sequence(network(packed)[0], batch_first=True, total_length=inputs.shape[1])
    return states


def _turn(x: Float[Tensor, "B S I"], turned: Int[Tensor, "B S"]) -> Float[Tensor, "B S I"]:
    return x.flatten(0, 1).index_select(0, turned.flatten()).view(x.shape)
