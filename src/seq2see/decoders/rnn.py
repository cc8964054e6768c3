"""A recurrent decoder that looks back at the memory before each step."""

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from seq2see.attention import Attention
from seq2see.decoders.bridge import Bridge
from seq2see.decoders.decoder import Decoder, TeacherForcedOutput
from seq2see.decoders.deep_output import DeepOutput
from seq2see.layers import RecurrentCell
from seq2see.types import DecoderState, Memory, StepOutput


class RNNDecoder(Decoder):
    r"""A recurrent decoder in Bahdanau's order: attend with the previous state, then step.

    .. math::
        \alpha_i, c_i &= \mathrm{attention}(s_{i-1}, h_1 \dots h_S) \\
        s_i &= \mathrm{cell}([E y_{i-1}; c_i], s_{i-1}) \\
        p(y_i) &= \operatorname{softmax}(\mathrm{output}(s_i, c_i, E y_{i-1}))

    :math:`y_{i-1}` is the token read, :math:`h` the memory values, :math:`c_i` the context, which is
    concatenated to the embedding as the cell's input.

    Args:
        embedding: Embedding of the target tokens.
        attention: Looks back at the memory; its query is the previous hidden state.
        cell: Reads the embedding and the context.
        bridge: Makes the first state.
        output: Scores the next token.
        dropout: Share of embedded values that are zeroed in training.

    References:
        Bahdanau et al. 2015, §3.1 (arXiv:1409.0473).
    """

    def __init__(
        self,
        *,
        embedding: nn.Embedding,
        attention: Attention,
        cell: RecurrentCell,
        bridge: Bridge,
        output: DeepOutput,
        dropout: float,
    ) -> None:
        super().__init__()
        self.embedding = embedding
        self.attention = attention
        self.cell = cell
        self.bridge = bridge
        self.output = output
        self.dropout = nn.Dropout(dropout)

    def init_state(self, memory: Memory) -> DecoderState:
        """s_0 from the bridge, and the memory with its keys."""
        first = dict(zip(self.cell.state_names, self.bridge(memory.final), strict=True))
        keys = self.attention.project(memory.states)
        return {**first, "keys": keys, "values": memory.values, "mask": memory.mask}

    def step(self, tokens: Int[Tensor, " B"], state: DecoderState) -> StepOutput:
        """Attend with s_{i-1}, step to s_i, score y_i."""
        embedded = self.dropout(self.embedding(tokens))
        recurrent = tuple(state[name] for name in self.cell.state_names)
        context, weights = self.attention(recurrent[0], state["keys"], state["values"], state["mask"])
        recurrent = self.cell(self.cell.project_input(embedded), context, recurrent)
        logits = self.output(recurrent[0], context, embedded)
        return StepOutput(logits, {**state, **dict(zip(self.cell.state_names, recurrent, strict=True))}, weights)

    def forward(self, decoder_input: Int[Tensor, "B T"], memory: Memory) -> TeacherForcedOutput:
        """Teacher forcing: as ``step``, with all work that needs no previous state outside the loop."""
        state = self.init_state(memory)
        embedded = self.dropout(self.embedding(decoder_input))
        hidden, contexts, weights = self._recurrence(self.cell.project_input(embedded), state)
        logits = self.output(hidden, contexts, embedded)
        return TeacherForcedOutput(logits, weights)

    def _recurrence(
        self, projected_inputs: Float[Tensor, "B T G"], state: DecoderState
    ) -> tuple[Float[Tensor, "B T H"], Float[Tensor, "B T M"], Float[Tensor, "B T S"]]:
        """The loop itself: states, contexts and weights of all positions."""
        recurrent = tuple(state[name] for name in self.cell.state_names)
        keys, values, mask = state["keys"], state["values"], state["mask"]
        states, contexts, weights = [], [], []
        for projected_input in projected_inputs.unbind(1):
            context, step_weights = self.attention(recurrent[0], keys, values, mask)
            recurrent = self.cell(projected_input, context, recurrent)
            states.append(recurrent[0])
            contexts.append(context)
            weights.append(step_weights)
        return torch.stack(states, 1), torch.stack(contexts, 1), torch.stack(weights, 1)
