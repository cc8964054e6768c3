"""Weights of some heads alone."""

from collections.abc import Sequence

import torch
from jaxtyping import Float, Int
from torch import Tensor

from seq2see.decoders import TeacherForcedOutput
from seq2see.seq2seq import Model
from seq2see.types import DecoderState, Source, StepOutput


class ShownHeads(Model):
    """A model of which some heads' weights are shown.

    Its probabilities stay the same. What is made of weights changes: copies of unknown words and the coverage penalty.

    Args:
        model: The whole model.
        heads: Which of its heads, from 0, layer after layer.
    """

    def __init__(self, model: Model, heads: Sequence[int]) -> None:
        super().__init__()
        self.model = model
        self.heads: Tensor
        self.register_buffer("heads", torch.tensor(heads, dtype=torch.int64), persistent=False)

    def forward(self, source: Source, decoder_input: Int[Tensor, "B T"]) -> TeacherForcedOutput:
        """Score a known target."""
        output: TeacherForcedOutput = self.model(source, decoder_input)
        return output._replace(head_weights=self._shown(output.head_weights))

    def log_probs_by_position(
        self, source: Source, decoder_input: Int[Tensor, "B T"], labels: Int[Tensor, "B T"]
    ) -> Float[Tensor, "B T S"]:
        """Give log p of each label were all weight of its step on one position; see ``Decoder``."""
        return self.model.log_probs_by_position(source, decoder_input, labels)

    def init_state(self, source: Source) -> DecoderState:
        """The state of the model."""
        return self.model.init_state(source)

    def step(self, tokens: Int[Tensor, " B"], state: DecoderState) -> StepOutput:
        """Let the model take a step."""
        output = self.model.step(tokens, state)
        return StepOutput(output.logits, output.state, self._shown(output.head_weights))

    def _shown(self, head_weights: Float[Tensor, "*batch N S"]) -> Float[Tensor, "*batch H S"]:
        return head_weights.index_select(-2, self.heads.to(head_weights.device))
