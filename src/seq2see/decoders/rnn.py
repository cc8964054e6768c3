"""A recurrent decoder that looks back at the memory at each step."""

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from seq2see.decoders.decoder import Decoder
from seq2see.decoders.order import Order
from seq2see.decoders.output import Known, OutputLayer
from seq2see.layers import Dropout
from seq2see.losses import label_log_probs
from seq2see.types import DecoderState, Memory, StepOutput


class RNNDecoder(Decoder):
    r"""Embed the token, take a step of cell and attention in their order, score the next token.

    .. math::
        s_i, c_i, \alpha_i &= \mathrm{order}(E y_{i-1}, s_{i-1}, h_1 \dots h_S) \\
        p(y_i) &= \operatorname{softmax}(\mathrm{output}(s_i, c_i, E y_{i-1}))

    :math:`y_{i-1}` is the token read, :math:`h` the memory, :math:`c_i` the context, :math:`s_i` the features.

    Args:
        embedding: Embedding of the target tokens.
        order: Attention and cell.
        output: Scores the next token.
        dropout: Share of embedded values that are zeroed in training.

    References:
        Bahdanau et al. 2015 (arXiv:1409.0473); Luong et al. 2015 (arXiv:1508.04025).
    """

    def __init__(self, *, embedding: nn.Embedding, order: Order, output: OutputLayer, dropout: float) -> None:
        super().__init__()
        self.embedding = embedding
        self.order = order
        self.output = output
        self.dropout = Dropout(dropout)

    def init_state(self, memory: Memory) -> DecoderState:
        """The first state of the order, and what stands in the memory where."""
        return {**self.order.init_state(memory), "mask": memory.mask, "copy_ids": memory.copy_ids}

    def step(self, tokens: Int[Tensor, " B"], state: DecoderState) -> StepOutput:
        """Read one token, score the next."""
        embedded = self.dropout(self.embedding(tokens))
        features, context, head_weights, state = self.order(self.order.project_input(embedded), state)
        logits = self.output(Known(features, context, embedded, head_weights.mean(dim=1), state["copy_ids"]))
        return StepOutput(logits, state, head_weights)

    def read(self, decoder_input: Int[Tensor, "B T"], memory: Memory) -> tuple[Known, Float[Tensor, "B T N S"]]:
        """As ``step``, with all work that needs no previous state outside the loop."""
        state = self.init_state(memory)
        embedded = self.dropout(self.embedding(decoder_input))
        projected_input = self.order.project_input(embedded)
        whole = self.order.all_steps(projected_input, state)
        features, contexts, head_weights = (
            self._step_by_step(projected_input, state)
            if whole is None
            else (whole.features, whole.contexts, whole.weights[:, :, None, :])
        )
        return Known(features, contexts, embedded, head_weights.mean(dim=2), memory.copy_ids), head_weights

    def _step_by_step(
        self, projected_input: Float[Tensor, "B T I"], state: DecoderState
    ) -> tuple[Float[Tensor, "B T H"], Float[Tensor, "B T C"], Float[Tensor, "B T N S"]]:
        """Features, contexts and weights of all steps, by ``Order.forward``, which defines them."""
        features, contexts, head_weights = [], [], []
        for of_step in projected_input.unbind(1):
            step = self.order(of_step, state)
            state = step.state
            features.append(step.features)
            contexts.append(step.context)
            head_weights.append(step.head_weights)
        return torch.stack(features, 1), torch.stack(contexts, 1), torch.stack(head_weights, 1)

    def log_probs_by_position(
        self, decoder_input: Int[Tensor, "B T"], labels: Int[Tensor, "B T"], memory: Memory
    ) -> Float[Tensor, "B T S"]:
        """Give log p of each label were all weight of its step on one position; see ``Decoder``."""
        state = self.init_state(memory)
        contexts = self.order.attention.contexts(state)
        num_positions = contexts.shape[1]
        on_each = torch.eye(num_positions, device=contexts.device).expand(len(contexts), -1, -1)
        embedded = self.dropout(self.embedding(decoder_input))
        found = []
        for step, projected_input in enumerate(self.order.project_input(embedded).unbind(1)):
            features = self.order.features_at(projected_input, state, contexts)
            read = embedded[:, step, None, :].expand(-1, num_positions, -1)
            logits = self.output(Known(features, contexts, read, on_each, memory.copy_ids))
            found.append(label_log_probs(logits, labels[:, step, None].expand(-1, num_positions)))
            state = self.order(projected_input, state).state
        return torch.stack(found, 1)
