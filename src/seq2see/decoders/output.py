"""What every output layer does: score the next token."""

from abc import ABC, abstractmethod
from typing import NamedTuple

from jaxtyping import Float, Int
from torch import Tensor, nn

from seq2see.losses import CrossEntropy, TokenLoss


class Known(NamedTuple):
    """What a decoder knows when it scores the next token, at one step or at all steps at once.

    Args:
        features: The state, or the attentional vector.
        context: The context vector.
        embedded: The embedding of the token read.
        weights: Attention weights, the mean over heads.
        copy_ids: What stands at each position of the memory; see ``Source``.
    """

    features: Float[Tensor, "*batch H"]
    context: Float[Tensor, "*batch C"]
    embedded: Float[Tensor, "*batch E"]
    weights: Float[Tensor, "*batch S"]
    copy_ids: Int[Tensor, "B S"]


class OutputLayer(nn.Module, ABC):
    """From what a decoder knows at a step to the scores of the next token."""

    @abstractmethod
    def forward(self, known: Known) -> Float[Tensor, "*batch V"]:
        """Return the logits of one step, or of all steps at once."""

    def loss(self, known: Known, labels: Int[Tensor, "B T"], cross_entropy: CrossEntropy) -> TokenLoss:
        """Return the loss of the labels of all steps; where it can be, without all logits at once."""
        return cross_entropy.of_logits(self(known), labels)
