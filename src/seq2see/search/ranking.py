"""Ranking hypotheses: of different lengths, and of how much of the source they looked at."""

from dataclasses import dataclass

from jaxtyping import Bool, Float
from torch import Tensor

from seq2see.search.length_penalty import length_penalty

LEAST_LOOKED_AT = 1e-6


@dataclass(frozen=True, slots=True)
class Ranking:
    r"""How hypotheses are scored.

    .. math::
        s(Y) = \frac{\log P(Y)}{lp(Y)} + cp(Y) \qquad
        cp(Y) = \beta \sum_j \log \min\Big(\sum_i \alpha_{ij}, 1\Big)

    With ``average``, :math:`lp(Y) = |Y|`, so that it is the mean log-probability of a token. The sum over i is taken as
    at least a millionth, so that weights of exactly 0 cost much, but not everything.

    Args:
        alpha: Of the length penalty; not used with ``average``.
        beta: Weight of the coverage penalty.
        average: Divide by the number of tokens, EOS included.

    References:
        Wu et al. 2016, §7, eq. 14 (arXiv:1609.08144).
    """

    alpha: float
    beta: float
    average: bool = False

    def score(self, log_prob: float, num_tokens: int, weights: Float[Tensor, "T S"], mask: Bool[Tensor, " S"]) -> float:
        """The score of a finished hypothesis.

        Args:
            log_prob: Of its tokens and of EOS, in nats.
            num_tokens: EOS included.
            weights: A row per token, EOS left out.
            mask: True where a position of the source is real.
        """
        score = self.reachable(log_prob, num_tokens)
        if self.beta == 0.0:
            return score
        looked_at = weights.sum(dim=0)[mask].clamp(LEAST_LOOKED_AT, 1.0)
        return score + self.beta * float(looked_at.log().sum())

    def reachable(self, log_prob: float, num_tokens: int) -> float:
        """The score of a hypothesis that looked at everything: no other of this length and probability has more."""
        return log_prob / (num_tokens if self.average else length_penalty(num_tokens, self.alpha))
