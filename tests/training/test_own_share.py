import pytest

from seq2see.training.own_share import own_share


@pytest.mark.parametrize(
    ("decay", "expected"),
    [
        ("constant", [0.5, 0.5, 0.5]),
        ("linear", [0.0, 0.25, 0.5]),
        ("exponential", [0.0, 0.5 * (1 - 0.1), 0.5 * (1 - 0.01)]),
        ("inverse_sigmoid", [0.0, 0.5 * (1 - 51 / 100), 0.5 * (1 - 51 / 2550)]),
    ],
)
def test_hand_worked_shares(decay: str, expected: list[float]) -> None:
    assert [own_share(decay, 0.5, progress) for progress in (0.0, 0.5, 1.0)] == pytest.approx(expected)
