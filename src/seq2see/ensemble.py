"""Several models that write one output together."""

import math
from collections.abc import Sequence

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from seq2see.decoders import TeacherForcedOutput
from seq2see.seq2seq import Model
from seq2see.types import DecoderState, Source, StepOutput, entries_under


class Ensemble(Model):
    r"""The mean of what several models say.

    .. math:: p(y_i) = \frac{1}{K} \sum_k p_k(y_i)

    The models share both vocabularies; they may differ in everything else. Their heads stand side by side, so that the
    weights shown are the mean over models.

    Args:
        models: At least one.
    """

    def __init__(self, models: Sequence[Model]) -> None:
        super().__init__()
        self.models: Sequence[Model] = nn.ModuleList(models)  # type: ignore[assignment]  # torch gives no item type

    def forward(self, source: Source, decoder_input: Int[Tensor, "B T"]) -> TeacherForcedOutput:
        """Score a known target."""
        outputs = [model(source, decoder_input) for model in self.models]
        heads = _same_number([output.head_weights for output in outputs])
        return TeacherForcedOutput(_mean([output.logits for output in outputs]), heads, outputs[0].mask)

    def log_probs_by_position(
        self, source: Source, decoder_input: Int[Tensor, "B T"], labels: Int[Tensor, "B T"]
    ) -> Float[Tensor, "B T S"]:
        """The logarithm of the mean of what the models give; see ``Decoder``."""
        given = [model.log_probs_by_position(source, decoder_input, labels) for model in self.models]
        return torch.stack(given).logsumexp(dim=0) - math.log(len(given))

    def init_state(self, source: Source) -> DecoderState:
        """The state of every model, named after it, and the mask."""
        states = [model.init_state(source) for model in self.models]
        named = {f"model{k}.{name}": entry for k, state in enumerate(states) for name, entry in state.items()}
        return {**named, "mask": states[0]["mask"]}

    def step(self, tokens: Int[Tensor, " B"], state: DecoderState) -> StepOutput:
        """Let every model take a step."""
        outputs = []
        after = {"mask": state["mask"]}
        for k, model in enumerate(self.models):
            prefix = f"model{k}."
            output = model.step(tokens, entries_under(state, prefix))
            outputs.append(output)
            after |= {prefix + name: entry for name, entry in output.state.items()}
        heads = _same_number([output.head_weights for output in outputs])
        return StepOutput(_mean([output.logits for output in outputs]), after, heads)


def _mean(logits: Sequence[Float[Tensor, "*batch V"]]) -> Float[Tensor, "*batch V"]:
    """The logarithm of the mean probability."""
    log_probs = torch.stack([each.log_softmax(dim=-1) for each in logits])
    return log_probs.logsumexp(dim=0) - math.log(len(logits))


def _same_number(heads: Sequence[Tensor]) -> Float[Tensor, "*batch K S"]:
    """The mean over the heads of each model, the models side by side."""
    return torch.stack([each.mean(dim=-2) for each in heads], dim=-2)
