"""Attention with several heads."""

from collections.abc import Sequence

import torch
from jaxtyping import Float
from torch import Tensor, nn

from seq2see.attention.attention import Attention, AttentionOutput
from seq2see.linear import Linear
from seq2see.types import DecoderState, Memory, entries_under


class MultiHead(Attention):
    r"""Several heads look at once, each with weights of its own and smaller values; what they saw is put together.

    .. math:: c = W_o [c^{(1)}; \dots; c^{(N)}]

    :math:`c^{(n)}` is the context of head n: see ``SingleHead``, with a value projection.

    Args:
        heads: The heads; any scorer and normaliser will do.
        context_size: Size of c.

    References:
        Vaswani et al. 2017, §3.2.2 (arXiv:1706.03762).
    """

    def __init__(self, *, heads: Sequence[Attention], context_size: int) -> None:
        super().__init__()
        self.heads: Sequence[Attention] = nn.ModuleList(heads)  # type: ignore[assignment]  # torch gives no item type
        self.context_size = context_size
        self.output_projection = Linear(sum(head.context_size for head in heads), context_size, bias=False)

    def init_state(self, memory: Memory) -> DecoderState:
        """The entries of every head, named after it."""
        return {
            f"head{number}.{name}": entry
            for number, head in enumerate(self.heads)
            for name, entry in head.init_state(memory).items()
        }

    def contexts(self, state: DecoderState) -> Float[Tensor, "B S C"]:
        """W_o of the values of all heads."""
        seen = [head.contexts(entries_under(state, f"head{number}.")) for number, head in enumerate(self.heads)]
        contexts: Tensor = self.output_projection(torch.cat(seen, dim=-1))
        return contexts

    def forward(self, query: Float[Tensor, "B Q"], state: DecoderState) -> AttentionOutput:
        """Let every head look, and put the contexts together."""
        contexts, weights = [], []
        changed: DecoderState = {}
        for number, head in enumerate(self.heads):
            prefix = f"head{number}."
            output: AttentionOutput = head(query, {**entries_under(state, prefix), "mask": state["mask"]})
            contexts.append(output.context)
            weights.append(output.head_weights)
            changed |= {prefix + name: entry for name, entry in output.state.items()}
        context = self.output_projection(torch.cat(contexts, dim=-1))
        return AttentionOutput(context, torch.cat(weights, dim=1), changed)
