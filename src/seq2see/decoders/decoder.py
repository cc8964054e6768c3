"""What every decoder does; search needs only two methods of it."""

from abc import ABC, abstractmethod
from typing import NamedTuple

from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from seq2see.decoders.output import Known, OutputLayer
from seq2see.losses import CrossEntropy, TokenLoss
from seq2see.types import DecoderState, Memory, StepOutput


class TeacherForcedOutput(NamedTuple):
    """What a decoder gives for a whole target at once.

    Args:
        logits: Unnormalised scores of the token after each position.
        head_weights: Attention weights of every head.
        mask: True where a position of the memory, a column of the weights, is real.
    """

    logits: Float[Tensor, "B T V"]
    head_weights: Float[Tensor, "B T N S"]
    mask: Bool[Tensor, "B S"]

    @property
    def weights(self) -> Float[Tensor, "B T S"]:
        """The mean over heads."""
        return self.head_weights.mean(dim=2)


class DecoderLoss(NamedTuple):
    """What a decoder gives for a whole target when it is learnt.

    Args:
        tokens: The loss of the labels.
        weights: Attention weights, the mean over heads.
    """

    tokens: TokenLoss
    weights: Float[Tensor, "B T S"]


class Decoder(nn.Module, ABC):
    """Writes the target one token at a time, looking back at the memory before each.

    ``forward`` equals ``init_state`` followed by one ``step`` per target position, to rounding.

    Attributes:
        embedding: Of the target tokens.
        output: Scores the next token.
    """

    embedding: nn.Embedding
    output: OutputLayer

    @abstractmethod
    def init_state(self, memory: Memory) -> DecoderState:
        """Make the state before the first token. It carries all that steps need of the memory.

        ``mask`` is always among its entries: True where a position of the memory is real.
        """

    @abstractmethod
    def step(self, tokens: Int[Tensor, " B"], state: DecoderState) -> StepOutput:
        """Read one token per row and score the next.

        Args:
            tokens: The token before the one to be scored; BOS at first.
            state: From ``init_state`` or the step before. It is not changed; an entry that the output's state holds
                as the same tensor is taken to be the source's, equal in all rows of one source
                (``select_changed_rows``).
        """

    @abstractmethod
    def read(self, decoder_input: Int[Tensor, "B T"], memory: Memory) -> tuple[Known, Float[Tensor, "B T N S"]]:
        """Read a known target (teacher forcing): what is then known at every step, and the weights of every head.

        Args:
            decoder_input: BOS followed by the target, so that column t is what step t reads.
            memory: From an encoder.
        """

    def forward(self, decoder_input: Int[Tensor, "B T"], memory: Memory) -> TeacherForcedOutput:
        """Score all positions of a known target; see ``read``."""
        known, head_weights = self.read(decoder_input, memory)
        return TeacherForcedOutput(self.output(known), head_weights, memory.mask)

    def loss(
        self,
        decoder_input: Int[Tensor, "B T"],
        labels: Int[Tensor, "B T"],
        memory: Memory,
        cross_entropy: CrossEntropy,
    ) -> DecoderLoss:
        """Give the loss of the labels, as ``cross_entropy`` makes it of what ``forward`` gives.

        The logits of the whole batch need not exist for it.

        Args:
            decoder_input: BOS followed by the target.
            labels: The target followed by EOS, padded.
            memory: From an encoder.
            cross_entropy: What is minimised.
        """
        known, head_weights = self.read(decoder_input, memory)
        return DecoderLoss(self.output.loss(known, labels, cross_entropy), head_weights.mean(dim=2))

    @abstractmethod
    def log_probs_by_position(
        self, decoder_input: Int[Tensor, "B T"], labels: Int[Tensor, "B T"], memory: Memory
    ) -> Float[Tensor, "B T S"]:
        r"""The log-probability of each label, in nats, were all weight of its step on one position; for every position.

        .. math:: \log p(y_i \mid y_{<i}, a_i = j)

        The steps before are as they were. With several layers of attention it is the last whose weight is moved.

        Args:
            decoder_input: BOS followed by the target.
            labels: What each step should say.
            memory: From an encoder.

        References:
            Shankar & Sarawagi 2019, "Posterior attention models for sequence to sequence learning" (ICLR).
        """
