import math

import pytest
import torch

from seq2see.layers import Dropout


@pytest.mark.parametrize("share", [0.1, 0.3, 0.75])
def test_the_share_is_zeroed_and_the_rest_scaled(share: float) -> None:
    """The number of zeros is binomial: five standard deviations are never left."""
    x = torch.full((1000, 301), 2.0)
    y = Dropout(share).train()(x)
    zeroed = (y == 0.0).sum().item()
    assert abs(zeroed - share * x.numel()) < 5.0 * math.sqrt(x.numel() * share * (1.0 - share))
    kept = y[y != 0.0]
    torch.testing.assert_close(kept, torch.full_like(kept, 2.0 / (1.0 - share)), rtol=1e-4, atol=0)
    assert abs((y[:, 1:] == 0).float().corrcoef()[0, 1:].mean()) < 0.01  # rows are drawn for themselves


def test_neighbours_are_independent() -> None:
    zeroed = (Dropout(0.5).train()(torch.ones(400_000)) == 0.0).float()
    for apart in (1, 2, 3, 4, 8):
        both = torch.stack([zeroed[apart:], zeroed[:-apart]])
        assert abs(both.corrcoef()[0, 1]) < 0.01


def test_gradients_are_those_of_what_was_kept() -> None:
    x = torch.randn(7, 5, requires_grad=True)
    y = Dropout(0.4).train()(x)
    y.sum().backward()
    torch.testing.assert_close(x.grad, (y / x).detach())


def test_nothing_happens_outside_of_training_or_with_a_share_of_zero() -> None:
    x = torch.randn(3)
    assert Dropout(0.5).eval()(x) is x
    assert Dropout(0.0).train()(x) is x


def test_the_same_seed_drops_the_same() -> None:
    drawn = []
    for _ in range(2):
        torch.manual_seed(5)
        drawn.append(Dropout(0.5).train()(torch.ones(99)))
    assert torch.equal(*drawn)
