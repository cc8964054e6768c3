"""The element-wise part of recurrent cells, and its derivative."""

from abc import ABC, abstractmethod
from typing import NamedTuple

import torch
from torch import Tensor

from seq2see.compiled import lstm_step, lstm_step_back, usable
from seq2see.tanh import tanh, tanh_


class GatesGradient(NamedTuple):
    """Gradients of what a step of a cell was given.

    Args:
        from_input: Of W_x x + b, (B, G).
        from_hidden: Of W_h h + b_h, (B, G).
        state: Of the state before, but for what goes through ``from_hidden``.
    """

    from_input: Tensor
    from_hidden: Tensor
    state: tuple[Tensor, ...]


class Gates(ABC):
    """From inputs and state to the new state; the first part of a state is the hidden one."""

    @abstractmethod
    def forward(
        self, from_input: Tensor, from_hidden: Tensor, state: tuple[Tensor, ...]
    ) -> tuple[tuple[Tensor, ...], tuple[Tensor, ...]]:
        """Give the new state, and what ``backward`` needs."""

    @abstractmethod
    def backward(
        self, gradient: tuple[Tensor, ...], before: tuple[Tensor, ...], kept: tuple[Tensor, ...]
    ) -> GatesGradient:
        """Gradients of what ``forward`` was given.

        Args:
            gradient: Of the new state.
            before: The state before.
            kept: From ``forward``.
        """


class LSTMGates(Gates):
    """See ``LSTMCell``; what is kept are the gates after their sigmoids and tanh, and the tanh of the cell."""

    def forward(
        self, from_input: Tensor, from_hidden: Tensor, state: tuple[Tensor, ...]
    ) -> tuple[tuple[Tensor, ...], tuple[Tensor, ...]]:
        """Give ((hidden, cell), (gates, tanh of the cell))."""
        if usable(from_input, *state):
            hidden, cell, gates, shown = lstm_step(from_input, from_hidden, state[1])
            return (hidden, cell), (gates, shown)
        gates = from_input + from_hidden
        size = gates.shape[1] // 4
        gates[:, : 2 * size].sigmoid_()
        tanh_(gates[:, 2 * size : 3 * size])
        gates[:, 3 * size :].sigmoid_()
        input_gate, forget_gate, candidate, output_gate = gates.chunk(4, dim=1)
        cell = torch.addcmul(forget_gate * state[1], input_gate, candidate)
        shown = tanh(cell)
        return (output_gate * shown, cell), (gates, shown)

    def backward(
        self, gradient: tuple[Tensor, ...], before: tuple[Tensor, ...], kept: tuple[Tensor, ...]
    ) -> GatesGradient:
        """By the rules for products, sigmoid (y (1 − y)) and tanh (1 − y²)."""
        of_hidden, of_cell = gradient
        gates, shown = kept
        if usable(*gradient, *before):
            of_gates, of_before = lstm_step_back(of_hidden, of_cell, before[1], gates, shown)
            return GatesGradient(of_gates, of_gates, (torch.zeros_like(of_hidden), of_before))
        input_gate, forget_gate, candidate, output_gate = gates.chunk(4, dim=1)
        of_cell = of_cell + of_hidden * output_gate * (1.0 - shown.square())
        of_gates = torch.empty_like(gates)
        of_input, of_forget, of_candidate, of_output = of_gates.chunk(4, dim=1)
        torch.mul(of_cell * candidate, input_gate * (1.0 - input_gate), out=of_input)
        torch.mul(of_cell * before[1], forget_gate * (1.0 - forget_gate), out=of_forget)
        torch.mul(of_cell * input_gate, 1.0 - candidate.square(), out=of_candidate)
        torch.mul(of_hidden * shown, output_gate * (1.0 - output_gate), out=of_output)
        return GatesGradient(of_gates, of_gates, (torch.zeros_like(of_hidden), of_cell * forget_gate))


class GRUGates(Gates):
    """See ``GRUCell``; what is kept are reset and update gate, candidate, and U_n h + b_hn."""

    def forward(
        self, from_input: Tensor, from_hidden: Tensor, state: tuple[Tensor, ...]
    ) -> tuple[tuple[Tensor, ...], tuple[Tensor, ...]]:
        """Give ((hidden,), kept)."""
        size = from_input.shape[1] // 3
        both = (from_input[:, : 2 * size] + from_hidden[:, : 2 * size]).sigmoid_()
        reset, update = both.chunk(2, dim=1)
        candidate_hidden = from_hidden[:, 2 * size :]
        candidate = tanh_(torch.addcmul(from_input[:, 2 * size :], reset, candidate_hidden))
        hidden = candidate + update * (state[0] - candidate)
        return (hidden,), (both, candidate, candidate_hidden.clone())  # not all that it is a part of

    def backward(
        self, gradient: tuple[Tensor, ...], before: tuple[Tensor, ...], kept: tuple[Tensor, ...]
    ) -> GatesGradient:
        """By the rules for products, sigmoid (y (1 − y)) and tanh (1 − y²)."""
        (of_hidden,) = gradient
        both, candidate, candidate_hidden = kept
        reset, update = both.chunk(2, dim=1)
        of_update = of_hidden * (before[0] - candidate) * update * (1.0 - update)
        of_candidate = of_hidden * (1.0 - update) * (1.0 - candidate.square())
        of_reset = of_candidate * candidate_hidden * reset * (1.0 - reset)
        from_input = torch.cat([of_reset, of_update, of_candidate], dim=1)
        from_hidden = torch.cat([of_reset, of_update, of_candidate * reset], dim=1)
        return GatesGradient(from_input, from_hidden, (of_hidden * update,))
