"""A first state that knows nothing of the source."""

from jaxtyping import Float
from torch import Tensor

from seq2see.decoders.first_state import FirstState


class ZeroState(FirstState):
    r"""All parts are zero; all that the decoder knows of the source comes by attention.

    .. math:: s_0 = 0

    Args:
        hidden_size: Size of each part.
        num_parts: Parts of the state.
    """

    def __init__(self, *, hidden_size: int, num_parts: int) -> None:
        super().__init__()
        self.hidden_size = hidden_size
        self.num_parts = num_parts

    def forward(self, final: Float[Tensor, "B F"]) -> tuple[Tensor, ...]:
        """Return zeros."""
        return tuple(final.new_zeros(len(final), self.hidden_size) for _ in range(self.num_parts))
