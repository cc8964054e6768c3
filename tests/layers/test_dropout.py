import math

import pytest
import torch

from seq2see.compiled import usable
from seq2see.layers import Dropout, dropout


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


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_compiled_or_not_it_drops_the_same(dtype: torch.dtype, monkeypatch: pytest.MonkeyPatch) -> None:
    x = torch.linspace(-3, 3, 999).view(27, 37).to(dtype)
    found = []
    for is_there in (usable, lambda *_, **__: False):
        monkeypatch.setattr(dropout, "usable", is_there)
        torch.manual_seed(2)
        given = x.clone().requires_grad_()
        made = Dropout(0.3).train()(given)
        made.backward(x)
        found.append((made, given.grad))
    for one, other in zip(*found, strict=True):
        assert one.dtype == dtype
        torch.testing.assert_close(one, other, rtol=1e-2 if dtype == torch.bfloat16 else 1e-6, atol=0)
        assert torch.equal(one == 0, other == 0)


def test_what_is_not_of_one_piece() -> None:
    x = torch.arange(1.0, 13.0).view(3, 4).T.requires_grad_()
    y = Dropout(0.5).train()(x)
    y.sum().backward()
    assert x.grad is not None
    torch.testing.assert_close(y, x * x.grad)
