"""What every fusion does: bring the embedding and what was looked at into one input of the cell."""

from abc import ABC, abstractmethod

from jaxtyping import Float
from torch import Tensor, nn

from seq2see.recurrence import FusionParts


class Fusion(nn.Module, ABC):
    """Fuses x, known for all steps beforehand, with c, made at the step, into W x' + b, a cell's input.

    x is an embedded token; c is the context or, in Luong's order, the attentional vector that is fed back.
    """

    @abstractmethod
    def project_input(self, embedded: Float[Tensor, "*batch E"]) -> Float[Tensor, "*batch I"]:
        """Do the work that needs x alone, for one step or for all steps at once."""

    def parts(self) -> FusionParts | None:
        """What the fusion is made of, for the recurrence that is one function; None where that has no such fusion."""
        return None

    @abstractmethod
    def forward(self, projected_input: Float[Tensor, "B I"], context: Float[Tensor, "B C"]) -> Float[Tensor, "B G"]:
        """Give the cell's input for one step."""
