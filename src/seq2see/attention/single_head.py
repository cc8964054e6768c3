"""Attention with one head: energies, weights, context."""

import torch
from jaxtyping import Float
from torch import Tensor

from seq2see.attention.attention import Attention, AttentionOutput
from seq2see.attention.carry import Carry
from seq2see.attention.normaliser import Normaliser
from seq2see.attention.scorer import Scorer
from seq2see.linear import Linear
from seq2see.recurrence import AttentionParts
from seq2see.types import DecoderState, Memory


class SingleHead(Attention):
    r"""Score every memory position, normalise, and average the values with the weights.

    .. math::
        e_j = a(s, h_j) \qquad
        \alpha = \operatorname{normalise}(e) \qquad
        c = \sum_j \alpha_j v_j

    :math:`s` is the query, :math:`h_j` the memory states, :math:`v_j` the memory values (in the paper the states
    themselves), :math:`a` the scorer, :math:`c` the context. With a value projection the context averages
    :math:`W_v v_j`.

    Args:
        scorer: The alignment model a.
        normaliser: From energies to weights.
        memory_size: Size M of the memory values.
        value_size: Size to which the values are projected; None leaves them as they are.

    References:
        Bahdanau et al. 2015, §3.1, eq. 5 and 6 (arXiv:1409.0473).
    """

    def __init__(
        self, *, scorer: Scorer, normaliser: Normaliser, memory_size: int, value_size: int | None = None
    ) -> None:
        super().__init__()
        self.scorer = scorer
        self.normaliser = normaliser
        self.value_projection = None if value_size is None else Linear(memory_size, value_size, bias=False)
        self.context_size = memory_size if value_size is None else value_size

    def init_state(self, memory: Memory) -> DecoderState:
        """Keys, values, and what the first step should know of steps before."""
        values = memory.values if self.value_projection is None else self.value_projection(memory.values)
        carry = Carry.first(memory.mask, values.dtype)
        return {"keys": self.scorer.project(memory.states), "values": values, **carry._asdict()}

    def parts(self, state: DecoderState, *, reduced: bool) -> AttentionParts | None:
        """See ``Attention``."""
        scorer = self.scorer.parts()
        if scorer is None or not self.normaliser.is_softmax:
            return None
        return AttentionParts(*scorer, state["keys"], state["values"], state["mask"], reduced)

    def contexts(self, state: DecoderState) -> Float[Tensor, "B S C"]:
        """The values."""
        return state["values"]

    def forward(self, query: Float[Tensor, "B Q"], state: DecoderState) -> AttentionOutput:
        """Return the context of one query and the weights behind it."""
        carry = Carry(state["previous"], state["coverage"])
        energy = self.scorer.energy(query, state["keys"], carry)
        weights = self.normaliser(energy, state["mask"], query, carry)
        context = torch.bmm(weights[:, None, :], state["values"]).squeeze(1)
        return AttentionOutput(context, weights[:, None, :], carry.after(weights)._asdict())
