"""Coverage attention: additive, and it knows where it has looked so far."""

from jaxtyping import Float
from torch import Tensor

from seq2see.attention.additive import Additive, additive_energy
from seq2see.attention.carry import Carry
from seq2see.attention.scorer import ScorerParts
from seq2see.linear import Linear


class Coverage(Additive):
    r"""Additive attention that also sees how much each position has been looked at.

    .. math::
        g_i = \sum_{i' < i} \alpha_{i'} \qquad
        e_{ij} = v^\top \tanh(W_s s + W_h h_j + w_g g_{ij} + b)

    :math:`s` is the query, :math:`h_j` the memory state at position j, :math:`g` the coverage vector. Goes well with
    ``coverage_loss``.

    Args:
        query_size: Size of the query s.
        memory_size: Size of the memory states h.
        attention_size: Size of the hidden layer.

    References:
        See et al. 2017, §2.3, eq. 10 and 11 (arXiv:1704.04368).
    """

    def __init__(self, *, query_size: int, memory_size: int, attention_size: int) -> None:
        super().__init__(query_size=query_size, memory_size=memory_size, attention_size=attention_size)
        self.coverage_projection = Linear(1, attention_size, bias=False)

    def parts(self) -> ScorerParts | None:
        """None: energies depend on the weights of earlier steps."""
        return None

    def energy(self, query: Float[Tensor, "B Q"], keys: Float[Tensor, "B S A"], carry: Carry) -> Float[Tensor, "B S"]:
        """Give v · tanh(W_s s + key_j + w_g g_j) for every position j."""
        covered = self.coverage_projection(carry.coverage[:, :, None])
        return additive_energy(self.query_projection(query)[:, None, :] + keys + covered, self.v)
