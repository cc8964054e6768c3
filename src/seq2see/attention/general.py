"""General (bilinear) attention (Luong)."""

from jaxtyping import Float
from torch import Tensor

from seq2see.attention.carry import Carry
from seq2see.attention.dot import dot_energy
from seq2see.attention.scorer import Scorer, ScorerParts
from seq2see.linear import Linear
from seq2see.recurrence import ProductEnergy


class General(Scorer):
    r"""A matrix takes the memory states into the space of the query.

    .. math:: e_j = s^\top W h_j

    :math:`s` is the query, :math:`h_j` the memory state at position j; :math:`W h_j` are the keys.

    Args:
        query_size: Size of the query s.
        memory_size: Size of the memory states h.

    References:
        Luong et al. 2015, eq. 8, "general" (arXiv:1508.04025).
    """

    def __init__(self, *, query_size: int, memory_size: int) -> None:
        super().__init__()
        self.key_projection = Linear(memory_size, query_size, bias=False)

    def project(self, states: Float[Tensor, "B S M"]) -> Float[Tensor, "B S Q"]:
        """W h_j for every position j."""
        keys: Tensor = self.key_projection(states)
        return keys

    def parts(self) -> ScorerParts:
        """See ``Scorer``."""
        return ScorerParts(ProductEnergy(1.0))

    def energy(self, query: Float[Tensor, "B Q"], keys: Float[Tensor, "B S Q"], carry: Carry) -> Float[Tensor, "B S"]:
        """Give s · key_j for every position j."""
        return dot_energy(query, keys)
