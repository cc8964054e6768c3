"""How often a decoder reads its own tokens while it learns: scheduled sampling."""

import math
from collections.abc import Callable

LAST_TEACHER_SHARE = 0.01
STEEPNESS = 50.0


def own_share(decay: str, most: float, progress: float) -> float:
    r"""The share of a target's tokens that the decoder reads from itself in place of the teacher.

    .. math:: q(p) = q_{\max} (1 - \epsilon(p))

    p is the share of the run that is done, ε the share of the teacher. The paper counts updates i; here it is the run,
    so that a run of any length, or of minutes, goes from the teacher to itself.

    Args:
        decay: One of ``DECAYS``.
        most: q_max.
        progress: p, 0 to 1.

    References:
        Bengio et al. 2015, §2.4 (arXiv:1506.03099).
    """
    return most * (1.0 - DECAYS[decay](progress))


def constant(progress: float) -> float:
    """No teacher but for the rest that ``most`` leaves: ε = 0."""
    return 0.0


def linear(progress: float) -> float:
    """ε = 1 − p."""
    return 1.0 - progress


def exponential(progress: float) -> float:
    """ε = k^p, k = 0.01."""
    return float(LAST_TEACHER_SHARE**progress)


def inverse_sigmoid(progress: float) -> float:
    r"""Slowly at first, and at last, and fast in the middle.

    .. math:: \epsilon = \frac{k + 1}{k + k^{2p}}, \qquad k = 50

    It is the paper's k / (k + exp(i / k)) with i / k = 2p ln k, and scaled to begin at 1.
    """
    return (STEEPNESS + 1.0) / (STEEPNESS + math.exp(2.0 * progress * math.log(STEEPNESS)))


DECAYS: dict[str, Callable[[float], float]] = {
    "constant": constant,
    "linear": linear,
    "exponential": exponential,
    "inverse_sigmoid": inverse_sigmoid,
}
