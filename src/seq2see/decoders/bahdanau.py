"""Bahdanau's order: look back, then step."""

from jaxtyping import Float
from torch import Tensor

from seq2see.attention import Attention
from seq2see.decoders.first_state import FirstState
from seq2see.decoders.fusion import Fusion
from seq2see.decoders.order import Order, OrderOutput
from seq2see.layers import RecurrentCell
from seq2see.types import DecoderState, Memory


class BahdanauOrder(Order):
    r"""Attend with the previous state; the context enters the cell.

    .. math::
        \alpha_i, c_i &= \mathrm{attention}(s_{i-1}, h_1 \dots h_S) \\
        s_i &= \mathrm{cell}(\mathrm{fuse}(E y_{i-1}, c_i), s_{i-1})

    The features are :math:`s_i`. With several layers, :math:`s` in the query and the features is the top one.

    Args:
        attention: Looks back at the memory.
        fusion: Of embedding and context.
        cell: Reads what was fused.
        first_state: Makes s_0.

    References:
        Bahdanau et al. 2015, §3.1 (arXiv:1409.0473).
    """

    def __init__(self, *, attention: Attention, fusion: Fusion, cell: RecurrentCell, first_state: FirstState) -> None:
        super().__init__()
        self.attention = attention
        self.fusion = fusion
        self.cell = cell
        self.first_state = first_state
        self.feature_size, self.context_size = cell.hidden_size, attention.context_size

    def init_state(self, memory: Memory) -> DecoderState:
        """s_0, and what attention needs."""
        first = dict(zip(self.cell.state_names, self.first_state(memory.final), strict=True))
        return {**first, **self.attention.init_state(memory)}

    def project_input(self, embedded: Float[Tensor, "*batch E"]) -> Float[Tensor, "*batch I"]:
        """As the fusion does."""
        return self.fusion.project_input(embedded)

    def forward(self, projected_input: Float[Tensor, "B I"], state: DecoderState) -> OrderOutput:
        """Attend with s_{i-1}, step to s_i."""
        recurrent = tuple(state[name] for name in self.cell.state_names)
        context, head_weights, changed = self.attention(recurrent[0], state)
        recurrent = self.cell(self.fusion(projected_input, context), recurrent)
        after = {**state, **changed, **dict(zip(self.cell.state_names, recurrent, strict=True))}
        return OrderOutput(recurrent[0], context, head_weights, after)
