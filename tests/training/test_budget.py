import time

from seq2see.training.budget import Budget


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
