"""Concat attention: additive attention as tutorials write it."""

import torch
from jaxtyping import Float
from torch import Tensor, nn

from seq2see.attention.carry import Carry
from seq2see.attention.scorer import Scorer
from seq2see.linear import Linear
from seq2see.tanh import tanh


class Concat(Scorer):
    r"""One matrix on the concatenation of memory state and query.

    .. math:: e_j = v^\top \tanh(W [h_j; s] + b)

    :math:`h_j` is the memory state at position j, :math:`s` the query. With :math:`W = [W_h\;W_s]` this is
    ``Additive``, the same function; it is kept because it is often written so. It costs more: nothing of
    the memory can be projected beforehand.

    Args:
        query_size: Size of the query s.
        memory_size: Size of the memory states h.
        attention_size: Size of the hidden layer.

    References:
        Luong et al. 2015, §3.1, "concat" (arXiv:1508.04025); the paper has no bias.
    """

    def __init__(self, *, query_size: int, memory_size: int, attention_size: int) -> None:
        super().__init__()
        self.projection = Linear(memory_size + query_size, attention_size)
        self.v = nn.Parameter(torch.empty(attention_size).uniform_(-0.1, 0.1))

    def project(self, states: Float[Tensor, "B S M"]) -> Float[Tensor, "B S M"]:
        """The states themselves."""
        return states

    def energy(self, query: Float[Tensor, "B Q"], keys: Float[Tensor, "B S M"], carry: Carry) -> Float[Tensor, "B S"]:
        """Give v · tanh(W [h_j; s] + b) for every position j."""
        queries = query[:, None, :].expand(-1, keys.shape[1], -1)
        return tanh(self.projection(torch.cat([keys, queries], dim=-1))) @ self.v
