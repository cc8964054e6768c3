"""Drawing tokens at random, as likely as the model says."""

from collections.abc import Sequence

import torch
from jaxtyping import Float, Int
from torch import Tensor


class Sampler:
    r"""Draws the next token of every row.

    .. math:: P(y) \propto p(y)^{1/\tau} \quad\text{for } y \text{ among those that are kept}

    Kept are the ``top_k`` most probable tokens, and of these the fewest that together have ``top_p`` of the mass
    (after the temperature). Every row draws from a random sequence of its own, so that neighbours change nothing.

    Args:
        seeds: A seed for each row of the first state.
        temperature: :math:`\tau`, above 0; below 1 prefers what is probable.
        top_k: Most tokens kept; None keeps all.
        top_p: Mass that is kept, in (0, 1].

    References:
        Holtzman et al. 2020, §3.1 (arXiv:1904.09751), for top-p; Fan et al. 2018 (arXiv:1805.04833) for top-k.
    """

    def __init__(
        self, seeds: Sequence[int], *, temperature: float = 1.0, top_k: int | None = None, top_p: float = 1.0
    ) -> None:
        self.generators = [torch.Generator().manual_seed(seed) for seed in seeds]
        self.temperature = temperature
        self.top_k = top_k
        self.top_p = top_p

    def __call__(self, log_probs: Float[Tensor, "LW V"], rows: Sequence[int]) -> Int[Tensor, " LW"]:
        """Return a token for each row."""
        kept = self.probabilities(log_probs)
        drawn = [torch.rand((), generator=self.generators[row], dtype=torch.float64) for row in rows]
        # the first token at which the running sum passes the drawn share of the whole
        sums = kept.values.cumsum(dim=-1)
        wanted = torch.stack(drawn).to(sums.device)[:, None] * sums[:, -1:]
        place = torch.searchsorted(sums, wanted, right=True).clamp(max=sums.shape[1] - 1)
        return kept.indices.gather(1, place).squeeze(1)

    def probabilities(self, log_probs: Float[Tensor, "LW V"]) -> torch.return_types.sort:
        """Probabilities after temperature and cuts, the highest first, with their tokens; not normalised."""
        ordered = (log_probs.double() / self.temperature).softmax(dim=-1).sort(dim=-1, descending=True, stable=True)
        values = ordered.values.clone()
        if self.top_k is not None:
            values[:, self.top_k :] = 0.0
        shares = values / values.sum(dim=-1, keepdim=True)
        before = shares.cumsum(dim=-1) - shares
        values = values.masked_fill(before >= self.top_p, 0.0)
        return torch.return_types.sort((values, ordered.indices))
