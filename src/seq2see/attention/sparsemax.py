"""Sparsemax weights."""

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from seq2see.attention.carry import Carry
from seq2see.attention.normaliser import Normaliser


class Sparsemax(Normaliser):
    r"""The point of the simplex that is nearest to the energies: positions that fit badly get exactly 0.

    .. math::
        \alpha = \operatorname*{argmin}_{p \in \Delta} \lVert p - e \rVert^2 = \max(0, e - \tau) \qquad
        \tau = \frac{\sum_{j \le k} e_{(j)} - 1}{k}

    :math:`e_{(1)} \ge e_{(2)} \ge \dots` are the sorted energies, :math:`k` the largest number with
    :math:`1 + k\,e_{(k)} > \sum_{j \le k} e_{(j)}`.

    References:
        Martins & Astudillo 2016, §2.2, algorithm 1 (arXiv:1602.02068).
    """

    def forward(
        self, energy: Float[Tensor, "B S"], mask: Bool[Tensor, "B S"], query: Float[Tensor, "B Q"], carry: Carry
    ) -> Float[Tensor, "B S"]:
        """Return the sparsemax over the real positions."""
        lowest = torch.finfo(energy.dtype).min
        shifted = energy - energy.masked_fill(~mask, lowest).amax(dim=-1, keepdim=True)
        # what is more than 1 below the highest gets nothing, however far below
        ordered = shifted.masked_fill(~mask, -2.0).clamp(min=-2.0).sort(dim=-1, descending=True).values
        counts = torch.arange(1, energy.shape[-1] + 1, dtype=energy.dtype, device=energy.device)
        sums = ordered.cumsum(dim=-1)
        support = (1.0 + counts * ordered > sums).sum(dim=-1, keepdim=True)
        threshold = (sums.gather(-1, support - 1) - 1.0) / support
        return (shifted - threshold).clamp(min=0.0).masked_fill(~mask, 0.0)
