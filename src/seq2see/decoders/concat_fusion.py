"""The embedding and the context side by side."""

from jaxtyping import Float
from torch import Tensor

from seq2see.decoders.fusion import Fusion
from seq2see.linear import Linear
from seq2see.recurrence import FusionParts


class ConcatFusion(Fusion):
    r"""The cell reads the concatenation of both.

    .. math:: x' = [x; c] \qquad W x' + b = W_x x + b + W_c c

    Args:
        embedding_size: Size of x.
        context_size: Size of c.
        gates_size: Size of the cell's input, all gates.

    References:
        Bahdanau et al. 2015, appendix A.1.1 (arXiv:1409.0473).
    """

    def __init__(self, *, embedding_size: int, context_size: int, gates_size: int) -> None:
        super().__init__()
        self.input_projection = Linear(embedding_size, gates_size)
        self.context_projection = Linear(context_size, gates_size, bias=False)

    def project_input(self, embedded: Float[Tensor, "*batch E"]) -> Float[Tensor, "*batch G"]:
        """W_x x + b."""
        projected: Tensor = self.input_projection(embedded)
        return projected

    def parts(self) -> FusionParts:
        """See ``Fusion``."""
        return FusionParts(self.context_projection.weight)

    def forward(self, projected_input: Float[Tensor, "B G"], context: Float[Tensor, "B C"]) -> Float[Tensor, "B G"]:
        """Add W_c c."""
        fused: Tensor = projected_input + self.context_projection(context)
        return fused
