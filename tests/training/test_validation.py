import math

import numpy as np
import pytest

from seq2see.alignment import Alignment
from seq2see.inference import Translation
from seq2see.training.validation import Figures

NOTHING = Translation("", "", 0.0, 0.0, Alignment([], [], np.zeros((0, 0), dtype=np.float32)), [])


def validation(value: float, loss: float = 1.0, smoothed_loss: float = 1.0, metric: str = "bleu") -> Figures:
    return Figures(loss, smoothed_loss, metric, value)


@pytest.mark.parametrize(
    ("new", "old", "better"),
    [
        (validation(2.0), validation(1.0), True),
        (validation(1.0), validation(2.0), False),
        (validation(1.0, smoothed_loss=0.5), validation(1.0), True),
        (validation(1.0, loss=0.5), validation(1.0), False),
        (validation(1.0), validation(1.0), False),
        (validation(1.0, metric="loss"), validation(2.0, metric="loss"), True),
        (validation(math.nan), validation(1.0), False),
        (validation(2.0, loss=math.nan), validation(1.0), False),
        (validation(math.inf, metric="loss"), validation(1.0, metric="loss"), False),
    ],
)
def test_which_is_better(new: Figures, old: Figures, better: bool) -> None:
    assert new.is_better_than(old) is better


def test_anything_finite_is_better_than_nothing() -> None:
    assert validation(0.0).is_better_than(None)
    assert not validation(math.nan).is_better_than(None)
    assert not validation(0.0, loss=math.nan).is_better_than(None)
