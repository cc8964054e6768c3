import math

import pytest
import torch

from seq2see.compiled.usable import is_there
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


@pytest.mark.skipif(not is_there(), reason="numba or GNU's OpenMP is not there")
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_compiled_or_not_it_drops_the_same(dtype: torch.dtype, monkeypatch: pytest.MonkeyPatch) -> None:
    x = torch.linspace(-3, 3, 37 * 501).view(37, 501).to(dtype)
    found = []
    for fewest in (0, 10**9):
        monkeypatch.setattr(dropout, "FEWEST_COMPILED", fewest)
        torch.manual_seed(2)
        given = x.clone().requires_grad_()
        made = Dropout(0.3).train()(given)
        made.backward(x)
        assert made.grad_fn is not None
        found.append((type(made.grad_fn).__name__, made, given.grad))
    (name, *compiled), (other, *exact) = found
    assert name == "_DroppedBackward" != other
    for one, expected in zip(compiled, exact, strict=True):
        assert one.dtype == dtype
        torch.testing.assert_close(one, expected, rtol=1e-6 if dtype == torch.float32 else 0.0, atol=0.0)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("fewest", [0, 10**9])
def test_the_mean_stays(dtype: torch.dtype, fewest: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Numbers of all roundings: a scale that is itself rounded would be wrong by a thousandth."""
    monkeypatch.setattr(dropout, "FEWEST_COMPILED", fewest)
    x = torch.rand(200_000).add_(1.0).to(dtype)
    y = Dropout(0.1).train()(x)
    kept = y != 0
    assert abs(float((y[kept].double() / x[kept].double()).mean()) * 0.9 - 1.0) < 2e-4


def test_torchs_default_type_does_not_matter() -> None:
    x = torch.ones(20_000)
    torch.set_default_dtype(torch.float64)
    try:
        y = Dropout(0.5).train()(x)
    finally:
        torch.set_default_dtype(torch.float32)
    assert y.unique().tolist() == [0.0, 2.0]


def test_gradients_of_gradients() -> None:
    x = torch.randn(20_000, dtype=torch.float32, requires_grad=True)
    (of_x,) = torch.autograd.grad(Dropout(0.5).train()(x).square().sum(), x, create_graph=True)
    (again,) = torch.autograd.grad(of_x.sum(), x)
    assert again.unique().tolist() == [0.0, 8.0]


def test_what_is_not_of_one_piece() -> None:
    x = torch.arange(1.0, 13.0).view(3, 4).T.requires_grad_()
    y = Dropout(0.5).train()(x)
    y.sum().backward()
    assert x.grad is not None
    torch.testing.assert_close(y, x * x.grad)
