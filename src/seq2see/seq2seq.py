"""An encoder and a decoder together."""

from abc import ABC, abstractmethod

from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from seq2see.decoders import Decoder, DecoderLoss, TeacherForcedOutput, read_own_tokens
from seq2see.encoders import Encoder
from seq2see.losses import CrossEntropy
from seq2see.types import DecoderState, Source, StepOutput


class Model(nn.Module, ABC):
    """All that search and scoring know of a model."""

    @abstractmethod
    def forward(self, source: Source, decoder_input: Int[Tensor, "B T"]) -> TeacherForcedOutput:
        """Score a known target (teacher forcing)."""

    @abstractmethod
    def log_probs_by_position(
        self, source: Source, decoder_input: Int[Tensor, "B T"], labels: Int[Tensor, "B T"]
    ) -> Float[Tensor, "B T S"]:
        """Give log p of each label were all weight of its step on one position; see ``Decoder``."""

    @abstractmethod
    def init_state(self, source: Source) -> DecoderState:
        """Make the state before the first token."""

    @abstractmethod
    def step(self, tokens: Int[Tensor, " B"], state: DecoderState) -> StepOutput:
        """Read one token per row and score the next; see ``Decoder.step``."""


class Seq2Seq(Model):
    """Any encoder with any decoder; the two meet in a ``Memory``.

    Args:
        encoder: Source → memory.
        decoder: Memory → target.
    """

    def __init__(self, *, encoder: Encoder, decoder: Decoder) -> None:
        super().__init__()
        self.encoder = encoder
        self.decoder = decoder

    def forward(self, source: Source, decoder_input: Int[Tensor, "B T"]) -> TeacherForcedOutput:
        """Score a known target (teacher forcing)."""
        output: TeacherForcedOutput = self.decoder(decoder_input, self.encoder(source))
        return output

    def loss(
        self,
        source: Source,
        decoder_input: Int[Tensor, "B T"],
        labels: Int[Tensor, "B T"],
        cross_entropy: CrossEntropy,
        own: Bool[Tensor, "B T"] | None = None,
    ) -> DecoderLoss:
        """Give the loss of the labels; where ``own`` is true the decoder reads its own token. See ``Decoder.loss``."""
        memory = self.encoder(source)
        if own is not None and bool(own[:, 1:].any()):
            output = read_own_tokens(self.decoder, decoder_input, memory, own)
            return DecoderLoss(cross_entropy.of_logits(output.logits, labels), output.weights)
        return self.decoder.loss(decoder_input, labels, memory, cross_entropy)

    def log_probs_by_position(
        self, source: Source, decoder_input: Int[Tensor, "B T"], labels: Int[Tensor, "B T"]
    ) -> Float[Tensor, "B T S"]:
        """Give log p of each label were all weight of its step on one position; see ``Decoder``."""
        return self.decoder.log_probs_by_position(decoder_input, labels, self.encoder(source))

    def init_state(self, source: Source) -> DecoderState:
        """Encode the source and make the decoder's first state."""
        return self.decoder.init_state(self.encoder(source))

    def step(self, tokens: Int[Tensor, " B"], state: DecoderState) -> StepOutput:
        """One step of the decoder; see ``Decoder.step``."""
        return self.decoder.step(tokens, state)
