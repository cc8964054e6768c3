"""What every order does: one step of cell and attention, whichever comes first."""

from abc import ABC, abstractmethod
from typing import NamedTuple

from jaxtyping import Float
from torch import Tensor, nn

from seq2see.types import DecoderState, Memory


class OrderOutput(NamedTuple):
    """What cell and attention give at a step.

    Args:
        features: What the decoder has made of all it knows; the next token is scored from it.
        context: The context vector c_i.
        head_weights: Weights of every head.
        state: The state after the step.
    """

    features: Float[Tensor, "B H"]
    context: Float[Tensor, "B C"]
    head_weights: Float[Tensor, "B N S"]
    state: DecoderState


class Order(nn.Module, ABC):
    """Cell and attention of a recurrent decoder, put together.

    Attributes:
        feature_size: Size of the features.
        context_size: Size of the context.
    """

    feature_size: int
    context_size: int

    @abstractmethod
    def init_state(self, memory: Memory) -> DecoderState:
        """Make the state before the first step; ``mask`` is the caller's."""

    @abstractmethod
    def project_input(self, embedded: Float[Tensor, "*batch E"]) -> Float[Tensor, "*batch I"]:
        """Do the work that needs the embedded tokens alone, for one step or for all steps at once."""

    @abstractmethod
    def forward(self, projected_input: Float[Tensor, "B I"], state: DecoderState) -> OrderOutput:
        """Take one step."""
