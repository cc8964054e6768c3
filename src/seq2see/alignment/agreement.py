"""Links on which the weights of two directions agree."""

import numpy as np
from numpy.typing import NDArray

from seq2see.alignment.alignment import Alignment
from seq2see.alignment.symmetrise import Link


def joint_weights(forward: Alignment, backward: Alignment) -> NDArray[np.float32]:
    r"""What both directions say of each pair of words.

    .. math:: w_{ij} = \sqrt{\alpha_{ij}\, \beta_{ji}}

    Args:
        forward: α, of the model that reads the source: a row for each target word.
        backward: β, of the model that reads the target: a row for each source word.

    Returns:
        (T, S), between 0 and 1.

    References:
        Liang, Taskar & Klein 2006, "Alignment by agreement", §3 (NAACL).
    """
    joint: NDArray[np.float32] = np.sqrt(forward.weights * backward.weights.T)
    return joint


def agreed_links(forward: Alignment, backward: Alignment, threshold: float | None = None) -> set[Link]:
    """Links of two directions together, (source word, target word).

    Args:
        forward: See ``joint_weights``.
        backward: See ``joint_weights``.
        threshold: All with at least this joint weight; None takes every pair of words of which each is the other's
            best.
    """
    if forward.weights.size == 0 or backward.weights.size == 0:
        return set()
    joint = joint_weights(forward, backward)
    chosen = joint >= threshold if threshold is not None else _best_of_each_other(joint)
    return {(int(source), int(target)) for target, source in np.argwhere(chosen)}


def _best_of_each_other(joint: NDArray[np.float32]) -> NDArray[np.bool_]:
    """(T, S): True where a weight is above 0 and the first highest of its row and of its column."""
    targets, sources = np.indices(joint.shape)
    best: NDArray[np.bool_] = (joint.argmax(axis=1)[:, None] == sources) & (joint.argmax(axis=0)[None] == targets)
    return best & (joint > 0.0)
