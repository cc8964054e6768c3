"""Scaled dot-product attention (the query/key form of the Transformer) for a recurrent decoder."""

from jaxtyping import Float
from torch import Tensor

from seq2see.attention.carry import Carry
from seq2see.attention.dot import dot_energy
from seq2see.attention.scorer import Scorer, ScorerParts
from seq2see.linear import Linear
from seq2see.recurrence import ProductEnergy


class ScaledDot(Scorer):
    r"""Query and memory states are both projected, and meet in a space of their own.

    .. math:: q = W_q s \qquad k_j = W_k h_j \qquad e_j = \frac{k_j^\top q}{\sqrt{d_k}}

    :math:`s` is the decoder's state, :math:`h_j` the memory state at position j, :math:`d_k` the attention size.
    The values :math:`W_v v_j` of the paper are the attention's: see ``SingleHead``.

    Args:
        query_size: Size of the state s.
        memory_size: Size of the memory states h.
        attention_size: d_k, the size of q and of every k_j.

    References:
        Vaswani et al. 2017, §3.2.1, eq. 1 (arXiv:1706.03762).
    """

    def __init__(self, *, query_size: int, memory_size: int, attention_size: int) -> None:
        super().__init__()
        self.query_projection = Linear(query_size, attention_size, bias=False)
        self.key_projection = Linear(memory_size, attention_size, bias=False)
        self.scale = attention_size**-0.5

    def project(self, states: Float[Tensor, "B S M"]) -> Float[Tensor, "B S A"]:
        """W_k h_j for every position j."""
        keys: Tensor = self.key_projection(states)
        return keys

    def parts(self) -> ScorerParts:
        """See ``Scorer``."""
        return ScorerParts(ProductEnergy(self.scale), self.query_projection.weight)

    def energy(self, query: Float[Tensor, "B Q"], keys: Float[Tensor, "B S A"], carry: Carry) -> Float[Tensor, "B S"]:
        """Give q · k_j / √d_k for every position j."""
        return dot_energy(self.query_projection(query) * self.scale, keys)
