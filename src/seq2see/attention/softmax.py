"""Softmax weights."""

from jaxtyping import Bool, Float
from torch import Tensor

from seq2see.attention.carry import Carry
from seq2see.attention.normaliser import Normaliser
from seq2see.masks import masked_softmax


class Softmax(Normaliser):
    r"""Every position gets some weight.

    .. math:: \alpha_j = \frac{\exp(e_j)}{\sum_k \exp(e_k)}

    References:
        Bahdanau et al. 2015, §3.1, eq. 6 (arXiv:1409.0473).
    """

    is_softmax = True

    def forward(
        self, energy: Float[Tensor, "B S"], mask: Bool[Tensor, "B S"], query: Float[Tensor, "B Q"], carry: Carry
    ) -> Float[Tensor, "B S"]:
        """Return the softmax over the real positions."""
        return masked_softmax(energy, mask)
