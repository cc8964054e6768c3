"""The embedding and the context mixed by one layer."""

from jaxtyping import Float
from torch import Tensor

from seq2see.decoders.fusion import Fusion
from seq2see.linear import Linear
from seq2see.tanh import tanh


class ProjectFusion(Fusion):
    r"""A linear layer and tanh bring both back to the size of the state before the cell reads them.

    .. math:: x' = \tanh(W_x x + W_c c + b_x) \qquad W x' + b

    The cell's own matrix is smaller than with ``ConcatFusion``, at the price of one more layer per step.

    Args:
        embedding_size: Size of x.
        context_size: Size of c.
        hidden_size: Size of x'.
        gates_size: Size of the cell's input, all gates.
    """

    def __init__(self, *, embedding_size: int, context_size: int, hidden_size: int, gates_size: int) -> None:
        super().__init__()
        self.input_projection = Linear(embedding_size, hidden_size)
        self.context_projection = Linear(context_size, hidden_size, bias=False)
        self.cell_projection = Linear(hidden_size, gates_size)

    def project_input(self, embedded: Float[Tensor, "*batch E"]) -> Float[Tensor, "*batch H"]:
        """W_x x + b_x."""
        projected: Tensor = self.input_projection(embedded)
        return projected

    def forward(self, projected_input: Float[Tensor, "B H"], context: Float[Tensor, "B C"]) -> Float[Tensor, "B G"]:
        """Give W x' + b."""
        fused: Tensor = self.cell_projection(tanh(projected_input + self.context_projection(context)))
        return fused
