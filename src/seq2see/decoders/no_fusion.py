"""The embedding alone."""

from jaxtyping import Float
from torch import Tensor

from seq2see.decoders.fusion import Fusion
from seq2see.linear import Linear
from seq2see.recurrence import FusionParts


class NoFusion(Fusion):
    r"""The cell reads the embedding; nothing is fed back to it (Luong's order without input feeding).

    .. math:: x' = x \qquad W x' + b

    Args:
        embedding_size: Size of x.
        gates_size: Size of the cell's input, all gates.
    """

    def __init__(self, *, embedding_size: int, gates_size: int) -> None:
        super().__init__()
        self.input_projection = Linear(embedding_size, gates_size)

    def project_input(self, embedded: Float[Tensor, "*batch E"]) -> Float[Tensor, "*batch G"]:
        """Give W x + b."""
        projected: Tensor = self.input_projection(embedded)
        return projected

    def parts(self) -> FusionParts:
        """See ``Fusion``."""
        return FusionParts(None)

    def forward(self, projected_input: Float[Tensor, "B G"], context: Float[Tensor, "B C"]) -> Float[Tensor, "B G"]:
        """Return the input as it is."""
        return projected_input
