"""The element-wise part of recurrent cells, and its derivative."""

from abc import ABC, abstractmethod
from typing import ClassVar, NamedTuple

import torch
from torch import Tensor

from seq2see.tanh import tanh, tanh_


class GatesGradient(NamedTuple):
    """Gradients of what a step of a cell was given, but for that of W_h h + b_h.

    Args:
        from_input: Of W_x x + b, (B, G).
        state: Of the state before, but for what goes through W_h.
    """

    from_input: Tensor
    state: tuple[Tensor, ...]


class Gates(ABC):
    """From inputs and state to the new state; the first part of a state is the hidden one.

    Attributes:
        num_parts: Tensors that make a state.
        kept_size: What is kept of a step, in sizes of the hidden state.
        alike: Whether the gradients of W_x x + b and W_h h + b_h are one.
    """

    num_parts: ClassVar[int]
    kept_size: ClassVar[int]
    alike: ClassVar[bool]

    @abstractmethod
    def forward(
        self, from_input: Tensor, from_hidden: Tensor, state: tuple[Tensor, ...], kept: Tensor
    ) -> tuple[Tensor, ...]:
        """Give the new state, and write what ``backward`` needs to ``kept``, (B, any)."""

    @abstractmethod
    def backward(
        self,
        gradient: tuple[Tensor, ...],
        before: tuple[Tensor, ...],
        after: tuple[Tensor, ...],
        kept: Tensor,
        of_hidden: Tensor,
    ) -> GatesGradient:
        """Gradients of what ``forward`` was given.

        Args:
            gradient: Of the new state.
            before: The state before.
            after: The new state.
            kept: From ``forward``.
            of_hidden: The gradient of W_h h + b_h is written to it, (B, G).
        """

    def space(self, steps: int, hidden: Tensor) -> Tensor:
        """Room for what is kept of so many steps from a hidden state (B, H)."""
        return hidden.new_empty(steps, len(hidden), self.kept_size * hidden.shape[1])


class LSTMGates(Gates):
    """See ``LSTMCell``; what is kept are the gates after their sigmoids and tanh."""

    num_parts, kept_size, alike = 2, 4, True

    def forward(
        self, from_input: Tensor, from_hidden: Tensor, state: tuple[Tensor, ...], kept: Tensor
    ) -> tuple[Tensor, ...]:
        """Give (hidden, cell)."""
        gates = torch.add(from_input, from_hidden, out=kept)
        size = gates.shape[1] // 4
        gates[:, : 2 * size].sigmoid_()
        tanh_(gates[:, 2 * size : 3 * size])
        gates[:, 3 * size :].sigmoid_()
        input_gate, forget_gate, candidate, output_gate = gates.chunk(4, dim=1)
        cell = torch.addcmul(forget_gate * state[1], input_gate, candidate)
        return output_gate * tanh(cell), cell

    def backward(
        self,
        gradient: tuple[Tensor, ...],
        before: tuple[Tensor, ...],
        after: tuple[Tensor, ...],
        kept: Tensor,
        of_hidden: Tensor,
    ) -> GatesGradient:
        """By the rules for products, sigmoid (y (1 − y)) and tanh (1 − y²)."""
        of_shown, of_cell = gradient
        input_gate, forget_gate, candidate, output_gate = kept.chunk(4, dim=1)
        shown = tanh(after[1])
        of_cell = of_cell + of_shown * output_gate * (1.0 - shown.square())
        of_input, of_forget, of_candidate, of_output = of_hidden.chunk(4, dim=1)
        torch.mul(of_cell * candidate, input_gate * (1.0 - input_gate), out=of_input)
        torch.mul(of_cell * before[1], forget_gate * (1.0 - forget_gate), out=of_forget)
        torch.mul(of_cell * input_gate, 1.0 - candidate.square(), out=of_candidate)
        torch.mul(of_shown * shown, output_gate * (1.0 - output_gate), out=of_output)
        return GatesGradient(of_hidden, (torch.zeros_like(of_shown), of_cell * forget_gate))


class GRUGates(Gates):
    """See ``GRUCell``; what is kept are reset gate, update gate, candidate, and U_n h + b_hn."""

    num_parts, kept_size, alike = 1, 4, False

    def forward(
        self, from_input: Tensor, from_hidden: Tensor, state: tuple[Tensor, ...], kept: Tensor
    ) -> tuple[Tensor, ...]:
        """Give (hidden,)."""
        size = from_input.shape[1] // 3
        both, candidate, candidate_hidden = kept.split([2 * size, size, size], dim=1)
        torch.add(from_input[:, : 2 * size], from_hidden[:, : 2 * size], out=both).sigmoid_()
        reset, update = both.chunk(2, dim=1)
        candidate_hidden.copy_(from_hidden[:, 2 * size :])
        tanh_(torch.addcmul(from_input[:, 2 * size :], reset, candidate_hidden, out=candidate))
        return (candidate + update * (state[0] - candidate),)

    def backward(
        self,
        gradient: tuple[Tensor, ...],
        before: tuple[Tensor, ...],
        after: tuple[Tensor, ...],
        kept: Tensor,
        of_hidden: Tensor,
    ) -> GatesGradient:
        """By the rules for products, sigmoid (y (1 − y)) and tanh (1 − y²)."""
        (of_shown,) = gradient
        reset, update, candidate, candidate_hidden = kept.chunk(4, dim=1)
        of_reset, of_update, of_candidate_hidden = of_hidden.chunk(3, dim=1)
        of_candidate = of_shown * (1.0 - update) * (1.0 - candidate.square())
        torch.mul(of_candidate * candidate_hidden, reset * (1.0 - reset), out=of_reset)
        torch.mul(of_shown * (before[0] - candidate), update * (1.0 - update), out=of_update)
        torch.mul(of_candidate, reset, out=of_candidate_hidden)
        from_input = torch.cat([of_reset, of_update, of_candidate], dim=1)
        return GatesGradient(from_input, (of_shown * update,))
