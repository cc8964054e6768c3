import time

import pytest

from seq2see.training.schedule import Budget, learning_rate


def rate(update: int, progress: float, *, warmup: int = 0, decay: bool = True) -> float:
    return learning_rate(0.004, update=update, progress=progress, warmup_updates=warmup, decay=decay)


def test_full_for_the_first_half_then_linearly_to_zero() -> None:
    assert [rate(100, share) for share in (0.0, 0.5, 0.75, 1.0)] == pytest.approx([0.004, 0.004, 0.002, 0.0])
    assert rate(100, 0.9, decay=False) == 0.004


def test_warm_up_rises_from_the_first_update() -> None:
    assert [rate(update, 0.0, warmup=3) for update in range(5)] == pytest.approx([0.001, 0.002, 0.003, 0.004, 0.004])


def test_a_budget_of_updates_counts_them_and_one_of_seconds_keeps_time_for_the_last_validation() -> None:
    assert Budget(200, None).progress(50) == 0.25
    assert Budget(200, 1e9).progress(50) == 0.25
    budget = Budget(None, 100.0)
    assert budget.progress(10_000) < 0.01
    budget.validated(83.0)
    assert 0.0 < budget.progress(0) < 0.1


def test_progress_never_falls() -> None:
    budget = Budget(None, 1.0)
    budget.validated(1e6)
    time.sleep(0.06)
    before = budget.progress(0)
    budget.validated(0.0)
    assert budget.progress(0) >= before > 0.5
