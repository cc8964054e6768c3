"""Luong's order: step, then look back."""

import torch
from jaxtyping import Float
from torch import Tensor

from seq2see.attention import Attention
from seq2see.decoders.first_state import FirstState
from seq2see.decoders.fusion import Fusion
from seq2see.decoders.order import Order, OrderOutput
from seq2see.layers import RecurrentCell
from seq2see.linear import Linear
from seq2see.recurrence import RecurrenceOutput, luong_recurrence
from seq2see.tanh import tanh
from seq2see.types import DecoderState, Memory


class LuongOrder(Order):
    r"""Attend with the current state; state and context become the attentional vector, which is fed back.

    .. math::
        s_i &= \mathrm{cell}(\mathrm{fuse}(E y_{i-1}, \tilde{s}_{i-1}), s_{i-1}) \\
        \alpha_i, c_i &= \mathrm{attention}(s_i, h_1 \dots h_S) \\
        \tilde{s}_i &= \tanh(W_c [c_i; s_i])

    The features are :math:`\tilde{s}_i`; :math:`\tilde{s}_0 = 0`. A fusion that ignores its second argument is the
    model without input feeding.

    What it is made of: see ``Order``.

    References:
        Luong et al. 2015, §3, eq. 5, and §3.3, input feeding (arXiv:1508.04025).
    """

    def __init__(self, *, attention: Attention, fusion: Fusion, cell: RecurrentCell, first_state: FirstState) -> None:
        super().__init__(attention=attention, fusion=fusion, cell=cell, first_state=first_state)
        self.attentional_projection = Linear(self.context_size + cell.hidden_size, cell.hidden_size, bias=False)

    def init_state(self, memory: Memory) -> DecoderState:
        """s_0, what attention needs, and an attentional vector of zeros."""
        attentional = memory.final.new_zeros(len(memory.final), self.feature_size)
        return {**super().init_state(memory), "attentional": attentional}

    def all_steps(self, projected_input: Float[Tensor, "B T I"], state: DecoderState) -> RecurrenceOutput | None:
        """See ``Order``."""
        attention = self.attention.parts(state, reduced=self.reduces_products())
        cell, fusion = self.cell.parts(), self.fusion.parts()
        if attention is None or cell is None or fusion is None:
            return None
        first = tuple(state[name] for name in self.cell.state_names)
        return luong_recurrence(
            projected_input,
            fusion.context_weight,
            self.attentional_projection.weight,
            first,
            state["attentional"],
            attention,
            cell,
        )

    def features_at(
        self, projected_input: Float[Tensor, "B I"], state: DecoderState, contexts: Float[Tensor, "B S C"]
    ) -> Float[Tensor, "B S H"]:
        """The attentional vector of s_i and each context."""
        recurrent = self._recurrent(projected_input, state)[0]
        return self._attentional(contexts, recurrent[:, None, :].expand(-1, contexts.shape[1], -1))

    def forward(self, projected_input: Float[Tensor, "B I"], state: DecoderState) -> OrderOutput:
        """Step to s_i, attend with it."""
        recurrent = self._recurrent(projected_input, state)
        context, head_weights, changed = self.attention(recurrent[0], state)
        attentional = self._attentional(context, recurrent[0])
        after = {**state, **changed, **dict(zip(self.cell.state_names, recurrent, strict=True))}
        return OrderOutput(attentional, context, head_weights, {**after, "attentional": attentional})

    def _recurrent(self, projected_input: Float[Tensor, "B I"], state: DecoderState) -> tuple[Tensor, ...]:
        """s_i, and what else the cell keeps."""
        before = tuple(state[name] for name in self.cell.state_names)
        recurrent: tuple[Tensor, ...] = self.cell(self.fusion(projected_input, state["attentional"]), before)
        return recurrent

    def _attentional(
        self, context: Float[Tensor, "*batch C"], recurrent: Float[Tensor, "*batch H"]
    ) -> Float[Tensor, "*batch H"]:
        """The attentional vector."""
        return tanh(self.attentional_projection(torch.cat([context, recurrent], dim=-1)))
