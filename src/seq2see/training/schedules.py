"""The learning rate of every update."""

import math
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Moment:
    """Where a run stands, as far as the learning rate depends on it.

    Args:
        update: Updates done.
        progress: Share of the run that is done, 0 to 1.
        warmup_updates: Updates over which the rate rises.
        halvings: How often validation found that it should be halved.
    """

    update: int
    progress: float
    warmup_updates: int
    halvings: int = 0


def learning_rate(schedule: str, highest: float, moment: Moment) -> float:
    r"""The learning rate of an update.

    .. math:: \eta_u = \eta \cdot \min\Big(1, \frac{u + 1}{w + 1}\Big) \cdot f(u)

    :math:`\eta` is the highest rate, u the updates done, w those of the warm-up, f the schedule.

    Args:
        schedule: One of ``SCHEDULES``.
        highest: The highest rate.
        moment: Where the run stands.
    """
    warmup = min(1.0, (moment.update + 1) / (moment.warmup_updates + 1))
    return highest * warmup * SCHEDULES[schedule](moment)


def linear_decay(moment: Moment) -> float:
    """1 for the first half of the run, then linearly to 0."""
    return max(0.0, min(1.0, 2.0 * (1.0 - moment.progress)))


def constant(moment: Moment) -> float:
    """Always 1."""
    return 1.0


def cosine(moment: Moment) -> float:
    r"""From 1 to 0 over the run.

    .. math:: f = \tfrac{1}{2} (1 + \cos \pi p)

    p is the share of the run that is done.

    References:
        Loshchilov & Hutter 2017, eq. 5, without restarts (arXiv:1608.03983).
    """
    return 0.5 * (1.0 + math.cos(math.pi * min(1.0, moment.progress)))


def inverse_sqrt(moment: Moment) -> float:
    r"""1 until the warm-up ends, then with the square root of the updates.

    .. math:: f = \sqrt{\frac{w + 1}{\max(u, w) + 1}}

    References:
        Vaswani et al. 2017, §5.3, eq. 3 (arXiv:1706.03762).
    """
    return math.sqrt((moment.warmup_updates + 1) / (max(moment.update, moment.warmup_updates) + 1))


def plateau(moment: Moment) -> float:
    """Half as much each time ``training.plateau_patience`` validations in a row brought no better model.

    References:
        Bengio 2012, §3.3, "Practical recommendations for gradient-based training" (arXiv:1206.5533).
    """
    return float(0.5**moment.halvings)


SCHEDULES: dict[str, Callable[[Moment], float]] = {
    "linear_decay": linear_decay,
    "constant": constant,
    "cosine": cosine,
    "inverse_sqrt": inverse_sqrt,
    "plateau": plateau,
}
