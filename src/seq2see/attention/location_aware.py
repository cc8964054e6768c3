"""Location-aware attention: additive, and it knows where it looked last."""

from jaxtyping import Float
from torch import Tensor, nn

from seq2see.attention.additive import Additive, additive_energy
from seq2see.attention.carry import Carry
from seq2see.attention.scorer import ScorerParts
from seq2see.linear import Linear


class LocationAware(Additive):
    r"""Additive attention that also sees the weights of the step before, around each position.

    .. math:: f_i = F * \alpha_{i-1} \qquad e_{ij} = v^\top \tanh(W_s s + W_h h_j + W_f f_{ij} + b)

    :math:`s` is the query, :math:`h_j` the memory state at position j, :math:`F` a convolution over positions.
    Made for recordings, whose neighbouring frames look alike.

    Args:
        query_size: Size of the query s.
        memory_size: Size of the memory states h.
        attention_size: Size of the hidden layer.
        num_filters: Channels of the convolution.
        width: Positions that a filter sees; odd.

    References:
        Chorowski et al. 2015, §2.1, eq. 8 and 9 (arXiv:1506.07503).
    """

    def __init__(
        self, *, query_size: int, memory_size: int, attention_size: int, num_filters: int = 10, width: int = 15
    ) -> None:
        super().__init__(query_size=query_size, memory_size=memory_size, attention_size=attention_size)
        self.convolution = nn.Conv1d(1, num_filters, width, padding=width // 2, bias=False)
        self.location_projection = Linear(num_filters, attention_size, bias=False)

    def parts(self) -> ScorerParts | None:
        """None: energies depend on the weights of earlier steps."""
        return None

    def energy(self, query: Float[Tensor, "B Q"], keys: Float[Tensor, "B S A"], carry: Carry) -> Float[Tensor, "B S"]:
        """Give v · tanh(W_s s + key_j + W_f f_j) for every position j."""
        location = self.convolution(carry.previous[:, None, :]).transpose(1, 2)
        hidden = self.query_projection(query)[:, None, :] + keys + self.location_projection(location)
        return additive_energy(hidden, self.v)
