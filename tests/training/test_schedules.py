import math

import pytest

from seq2see.training.schedules import Moment, learning_rate


def rate(schedule: str, update: int, progress: float = 0.0, *, warmup: int = 0, halvings: int = 0) -> float:
    return learning_rate(schedule, 0.004, Moment(update, progress, warmup, halvings))


def test_full_for_the_first_half_then_linearly_to_zero() -> None:
    rates = [rate("linear_decay", 100, share) for share in (0.0, 0.5, 0.75, 1.0)]
    assert rates == pytest.approx([0.004, 0.004, 0.002, 0.0])


def test_constant() -> None:
    assert rate("constant", 100, 0.9) == 0.004


@pytest.mark.parametrize("schedule", ["linear_decay", "constant", "cosine", "inverse_sqrt", "plateau"])
def test_warm_up_rises_from_the_first_update(schedule: str) -> None:
    rates = [rate(schedule, update, warmup=3) for update in range(4)]
    assert rates == pytest.approx([0.001, 0.002, 0.003, 0.004])


def test_half_a_cosine() -> None:
    rates = [rate("cosine", 100, share) for share in (0.0, 1 / 3, 0.5, 1.0)]
    assert rates == pytest.approx([0.004, 0.003, 0.002, 0.0])


def test_inverse_square_root_of_updates_after_the_warm_up() -> None:
    assert rate("inverse_sqrt", 399, warmup=99) == pytest.approx(0.002)
    assert rate("inverse_sqrt", 899, warmup=99) == pytest.approx(0.004 / 3)
    assert rate("inverse_sqrt", 49, warmup=99) == pytest.approx(0.004 * 50 / 100)
    assert rate("inverse_sqrt", 1) == pytest.approx(0.004 / math.sqrt(2))


def test_every_plateau_halves() -> None:
    assert [rate("plateau", 100, 0.5, halvings=count) for count in range(3)] == [0.004, 0.002, 0.001]
