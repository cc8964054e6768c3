"""What every output layer does: score the next token."""

from abc import ABC, abstractmethod

from jaxtyping import Float, Int
from torch import Tensor, nn


class OutputLayer(nn.Module, ABC):
    """From what a decoder knows at a step to the scores of the next token."""

    @abstractmethod
    def forward(
        self,
        features: Float[Tensor, "*batch H"],
        context: Float[Tensor, "*batch C"],
        embedded: Float[Tensor, "*batch E"],
        weights: Float[Tensor, "*batch S"],
        copy_ids: Int[Tensor, "B S"],
    ) -> Float[Tensor, "*batch V"]:
        """Return the logits of one step, or of all steps at once.

        Args:
            features: The state, or the attentional vector.
            context: The context vector.
            embedded: The embedding of the token read.
            weights: Attention weights, the mean over heads.
            copy_ids: What stands at each position of the memory; see ``Source``.
        """
