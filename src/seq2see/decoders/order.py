"""What every order does: one step of cell and attention, whichever comes first."""

from abc import ABC, abstractmethod
from typing import NamedTuple

from jaxtyping import Float
from torch import Tensor, nn

from seq2see.attention import Attention
from seq2see.decoders.first_state import FirstState
from seq2see.decoders.fusion import Fusion
from seq2see.layers import RecurrentCell
from seq2see.linear import Linear
from seq2see.recurrence import RecurrenceOutput
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

    Args:
        attention: Looks back at the memory.
        fusion: Of the embedding and what is fed to the cell.
        cell: Reads what was fused.
        first_state: Makes the cell's first state s_0.

    Attributes:
        feature_size: Size of the features.
        context_size: Size of the context.
    """

    def __init__(self, *, attention: Attention, fusion: Fusion, cell: RecurrentCell, first_state: FirstState) -> None:
        super().__init__()
        self.attention = attention
        self.fusion = fusion
        self.cell = cell
        self.first_state = first_state
        self.feature_size, self.context_size = cell.hidden_size, attention.context_size

    def init_state(self, memory: Memory) -> DecoderState:
        """s_0, and what attention needs; ``mask`` is the caller's."""
        first = dict(zip(self.cell.state_names, self.first_state(memory.final), strict=True))
        return {**first, **self.attention.init_state(memory)}

    def project_input(self, embedded: Float[Tensor, "*batch E"]) -> Float[Tensor, "*batch I"]:
        """Do the work that needs the embedded tokens alone, for one step or for all steps at once."""
        return self.fusion.project_input(embedded)

    def all_steps(self, projected_input: Float[Tensor, "B T I"], state: DecoderState) -> RecurrenceOutput | None:
        """All steps as one function, with its derivative by hand; None where they cannot be."""
        return None

    def reduces_products(self) -> bool:
        """Whether products are made in bfloat16 now."""
        return self.training and any(isinstance(module, Linear) and module.reduced for module in self.cell.modules())

    @abstractmethod
    def features_at(
        self, projected_input: Float[Tensor, "B I"], state: DecoderState, contexts: Float[Tensor, "B S C"]
    ) -> Float[Tensor, "B S H"]:
        """What the features would be were the context of this step another; for every one of the given contexts."""

    @abstractmethod
    def forward(self, projected_input: Float[Tensor, "B I"], state: DecoderState) -> OrderOutput:
        """Take one step."""
