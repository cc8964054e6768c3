import pytest
import torch

from seq2see import products
from seq2see.linear import Linear, reduce_products


def pair() -> tuple[Linear, torch.nn.Linear]:
    ours, theirs = Linear(37, 23), torch.nn.Linear(37, 23)
    theirs.load_state_dict(ours.state_dict())
    return ours, theirs


def test_is_that_of_torch_unless_reduced() -> None:
    ours, theirs = pair()
    x = torch.randn(3, 5, 37)
    torch.testing.assert_close(ours(x), theirs(x))
    reduce_products(ours, True)
    torch.testing.assert_close(ours.eval()(x), theirs(x))
    assert torch.equal(ours.train().double()(x.double()), theirs.double()(x.double()))


def test_reduced_products_are_those_of_rounded_numbers() -> None:
    ours, theirs = pair()
    reduce_products(ours, True)
    with torch.no_grad():
        theirs.weight.copy_(ours.weight.bfloat16().float())
    x, gradient = torch.randn(3, 5, 37, requires_grad=True), torch.randn(3, 5, 23).bfloat16().float()
    rounded = x.detach().bfloat16().float().requires_grad_()
    got, expected = ours(x), theirs(rounded)
    torch.testing.assert_close(got, expected, rtol=1e-2, atol=1e-2)  # the product itself is rounded once more
    got.backward(gradient)
    expected.backward(gradient)
    assert x.grad is not None
    assert rounded.grad is not None
    torch.testing.assert_close(x.grad, rounded.grad, rtol=1e-2, atol=1e-2)
    torch.testing.assert_close(ours.weight.grad, theirs.weight.grad, rtol=1e-2, atol=2e-2)
    torch.testing.assert_close(ours.bias.grad, theirs.bias.grad)


@pytest.mark.parametrize("rows", [(), (1,), (3,), (4,), (2, 31), (0,)])
def test_products_and_gradients_are_those_of_torch_however_many_rows(rows: tuple[int, ...]) -> None:
    ours, theirs = pair()
    given = torch.randn(*rows, 37)
    with torch.no_grad():
        torch.testing.assert_close(ours(given), theirs(given))
    x, other = given.clone().requires_grad_(), given.clone().requires_grad_()
    for layer, one in ((ours, x), (theirs, other)):
        layer(one).square().sum().backward()
    torch.testing.assert_close(x.grad, other.grad)
    torch.testing.assert_close(ours.weight.grad, theirs.weight.grad, rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(ours.bias.grad, theirs.bias.grad, rtol=1e-4, atol=1e-5)


def test_products_without_onednn_are_torchs(monkeypatch: pytest.MonkeyPatch) -> None:
    ours, theirs = pair()
    monkeypatch.setattr(products, "_HAS_ONEDNN", False)
    x = torch.randn(9, 37)
    assert torch.equal(ours(x), theirs(x))
