"""What attention knows of the steps before."""

from typing import NamedTuple

import torch
from jaxtyping import Bool, Float
from torch import Tensor


class Carry(NamedTuple):
    """The weights of earlier steps.

    Args:
        previous: Weights of the step before; before the first step all weight stands on the first position.
        coverage: Sum of the weights of all steps before.
    """

    previous: Float[Tensor, "B S"]
    coverage: Float[Tensor, "B S"]

    @classmethod
    def first(cls, mask: Bool[Tensor, "B S"], dtype: torch.dtype) -> "Carry":
        """Before the first step."""
        nothing = torch.zeros(mask.shape, dtype=dtype, device=mask.device)
        on_first = torch.cat([torch.ones_like(nothing[:, :1]), nothing[:, 1:]], dim=1)
        return cls(previous=on_first, coverage=nothing)

    def after(self, weights: Float[Tensor, "B S"]) -> "Carry":
        """After a step with these weights."""
        return Carry(previous=weights, coverage=self.coverage + weights)
