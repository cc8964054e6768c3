"""Monotonic attention: never look back behind where you looked."""

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from seq2see.attention.carry import Carry
from seq2see.attention.normaliser import Normaliser
from seq2see.masks import last_position


class Monotonic(Normaliser):
    r"""From where the step before stopped, go right, and at each position stop or go on.

    .. math::
        p_j = \sigma(e_j + r + \epsilon) \qquad
        \alpha_{ij} = p_{ij} \sum_{k \le j} \alpha_{i-1,k} \prod_{l=k}^{j-1} (1 - p_{il})

    In training the weights are these expected ones, and :math:`\epsilon` is noise from N(0, 1) that makes p near
    0 or 1 worth while. Otherwise the decision is hard: all weight stands on the first position from the last stop on
    where :math:`p_j > 1/2`. Before the first step it stands at the first position.

    The last real position always stops (p = 1), so that the weights sum to 1; in the paper the rest of the weight is
    lost.

    Args:
        noise: Standard deviation of :math:`\epsilon`.

    References:
        Raffel et al. 2017, §2, eq. 8 to 11 (arXiv:1704.00784).
    """

    def __init__(self, *, noise: float = 1.0) -> None:
        super().__init__()
        self.noise = noise
        self.r = nn.Parameter(torch.zeros(()))

    def forward(
        self, energy: Float[Tensor, "B S"], mask: Bool[Tensor, "B S"], query: Float[Tensor, "B Q"], carry: Carry
    ) -> Float[Tensor, "B S"]:
        """Return expected weights in training, hard ones otherwise."""
        energy = energy + self.r
        if self.training:
            return _expected(energy + self.noise * torch.randn_like(energy), mask, carry.previous)
        return _hard(energy > 0.0, mask, carry.previous)


def _expected(
    energy: Float[Tensor, "B S"], mask: Bool[Tensor, "B S"], previous: Float[Tensor, "B S"]
) -> Float[Tensor, "B S"]:
    """The sum over k as one product with all the products over l, from k (rows) to j (columns)."""
    stop = energy.sigmoid().masked_fill(last_position(mask), 1.0).masked_fill(~mask, 0.0)
    went_on = nn.functional.pad((-energy).sigmoid()[:, :-1], (1, 0), value=1.0)
    size = energy.shape[-1]
    below = torch.ones(size, size, dtype=torch.bool, device=energy.device).tril()  # j at most k: nothing to pass
    passed = went_on[:, None, :].expand(-1, size, -1).masked_fill(below, 1.0).cumprod(dim=-1).triu()
    return stop * torch.bmm(previous[:, None, :], passed).squeeze(1)


def _hard(
    stops: Bool[Tensor, "B S"], mask: Bool[Tensor, "B S"], previous: Float[Tensor, "B S"]
) -> Float[Tensor, "B S"]:
    reached = previous.cumsum(dim=-1) > 0.5
    stopping = mask & reached & (stops | last_position(mask))
    first = stopping & (stopping.cumsum(dim=-1) == 1)
    return first.to(previous.dtype)
