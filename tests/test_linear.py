import pytest
import torch

from seq2see import products
from seq2see.linear import Linear, reduce_products


def pair(*, stays_rounded: bool = False) -> tuple[Linear, torch.nn.Linear]:
    ours, theirs = Linear(37, 23, stays_rounded=stays_rounded), torch.nn.Linear(37, 23)
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


def test_for_a_further_product_it_may_stay_rounded() -> None:
    layer, other = pair(stays_rounded=True)
    x = torch.randn(3, 5, 37)
    torch.testing.assert_close(layer(x), other(x))
    reduce_products(layer, True)
    found = layer(x)
    assert found.dtype == torch.bfloat16
    torch.testing.assert_close(found.float(), other(x), rtol=2e-2, atol=2e-2)
    assert torch.equal(layer(x.bfloat16()), found)
    assert layer.eval()(x).dtype == layer(x.bfloat16()).dtype == torch.float32


def test_gradients_of_what_stays_rounded_are_near() -> None:
    layer, other = pair(stays_rounded=True)
    reduce_products(layer, True)
    x, y = (torch.linspace(-1, 1, 41 * 37).view(41, 37).requires_grad_() for _ in range(2))
    for one, made in ((x, layer(x)), (y, other(y))):
        made.float().square().sum().backward()
        assert one.grad is not None
        assert one.grad.dtype == torch.float32
    for found, expected in ((x, y), *zip(layer.parameters(), other.parameters(), strict=True)):
        assert found.grad is not None
        assert expected.grad is not None
        assert (found.grad - expected.grad).norm() < 0.02 * expected.grad.norm()


def test_biases_are_exact_where_nothing_stays_rounded() -> None:
    layer, _ = pair()
    reduce_products(layer, True)
    assert torch.equal(layer(torch.zeros(9, 37)), layer.bias.detach().expand(9, 23))


@pytest.mark.parametrize("reduced", [False, True])
@pytest.mark.parametrize("stays_rounded", [False, True])
@pytest.mark.parametrize("rows", [32, 41])
def test_the_result_may_be_changed_in_place(rows: int, stays_rounded: bool, reduced: bool) -> None:
    layer, _ = pair(stays_rounded=stays_rounded)
    reduce_products(layer, reduced)
    x = torch.randn(2, rows, 37, requires_grad=True)
    once = torch.relu(layer(x))
    expected = torch.autograd.grad(once.float().sum(), x)
    in_place = layer(x).relu_()
    assert torch.equal(in_place, once)
    assert torch.equal(*torch.autograd.grad(in_place.float().sum(), x), *expected)


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
