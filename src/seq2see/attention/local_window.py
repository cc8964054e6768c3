"""Local attention: a window around a predicted position."""

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from seq2see.attention.carry import Carry
from seq2see.attention.normaliser import Normaliser
from seq2see.linear import Linear
from seq2see.masks import masked_softmax
from seq2see.tanh import tanh


class LocalWindow(Normaliser):
    r"""Predict from the query where to look, and look only near there.

    .. math::
        p = (S - 1)\,\sigma(v_p^\top \tanh(W_p s)) \qquad
        \alpha_j = \operatorname{softmax}_{|j - p| \le D}\Big(e_j - \frac{(j - p)^2}{2 (D/2)^2}\Big)

    :math:`s` is the query, :math:`S` the number of real positions, counted from 0, :math:`D` the half width. The paper
    multiplies softmax weights with the bell curve, which leaves a sum below 1; with the curve's exponent in
    the softmax the proportions inside the window are the same, and the sum is 1.

    Args:
        query_size: Size of the query s.
        half_width: D, in positions, at least 1.

    References:
        Luong et al. 2015, §3.2, "local-p", eq. 9 and 10 (arXiv:1508.04025).
    """

    def __init__(self, *, query_size: int, half_width: int) -> None:
        super().__init__()
        self.position_projection = Linear(query_size, query_size, bias=False)
        self.v = nn.Parameter(torch.empty(query_size).uniform_(-0.1, 0.1))
        self.half_width = half_width

    def forward(
        self, energy: Float[Tensor, "B S"], mask: Bool[Tensor, "B S"], query: Float[Tensor, "B Q"], carry: Carry
    ) -> Float[Tensor, "B S"]:
        """Return the weights of the window."""
        last = (mask.sum(dim=-1) - 1).to(energy.dtype)
        centre = last * torch.sigmoid(tanh(self.position_projection(query)) @ self.v)
        positions = torch.arange(energy.shape[-1], dtype=energy.dtype, device=energy.device)
        distance = positions - centre[:, None]
        bell = -2.0 * (distance / self.half_width).square()
        return masked_softmax(energy + bell, mask & (distance.abs() <= self.half_width))
