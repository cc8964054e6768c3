"""Bahdanau's order: look back, then step."""

from jaxtyping import Float
from torch import Tensor

from seq2see.decoders.order import Order, OrderOutput
from seq2see.recurrence import RecurrenceOutput, bahdanau_recurrence
from seq2see.types import DecoderState


class BahdanauOrder(Order):
    r"""Attend with the previous state; the context enters the cell.

    .. math::
        \alpha_i, c_i &= \mathrm{attention}(s_{i-1}, h_1 \dots h_S) \\
        s_i &= \mathrm{cell}(\mathrm{fuse}(E y_{i-1}, c_i), s_{i-1})

    The features are :math:`s_i`. With several layers, :math:`s` in the query and the features is the top one.

    What it is made of: see ``Order``.

    References:
        Bahdanau et al. 2015, §3.1 (arXiv:1409.0473).
    """

    def all_steps(self, projected_input: Float[Tensor, "B T I"], state: DecoderState) -> RecurrenceOutput | None:
        """See ``Order``."""
        attention = self.attention.parts(state, reduced=self.reduces_products())
        cell, fusion = self.cell.parts(), self.fusion.parts()
        if attention is None or cell is None or fusion is None or fusion.context_weight is None:
            return None
        first = tuple(state[name] for name in self.cell.state_names)
        return bahdanau_recurrence(projected_input, fusion.context_weight, first, attention, cell)

    def features_at(
        self, projected_input: Float[Tensor, "B I"], state: DecoderState, contexts: Float[Tensor, "B S C"]
    ) -> Float[Tensor, "B S H"]:
        """Step to s_i with each context."""
        num_contexts = contexts.shape[1]
        fused = self.fusion(projected_input.repeat_interleave(num_contexts, dim=0), contexts.flatten(0, 1))
        recurrent = tuple(state[name].repeat_interleave(num_contexts, dim=0) for name in self.cell.state_names)
        features: Tensor = self.cell(fused, recurrent)[0]
        unflattened: Tensor = features.unflatten(0, (-1, num_contexts))
        return unflattened

    def forward(self, projected_input: Float[Tensor, "B I"], state: DecoderState) -> OrderOutput:
        """Attend with s_{i-1}, step to s_i."""
        recurrent = tuple(state[name] for name in self.cell.state_names)
        context, head_weights, changed = self.attention(recurrent[0], state)
        recurrent = self.cell(self.fusion(projected_input, context), recurrent)
        after = {**state, **changed, **dict(zip(self.cell.state_names, recurrent, strict=True))}
        return OrderOutput(recurrent[0], context, head_weights, after)
