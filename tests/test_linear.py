import torch

from seq2see.linear import Linear, reduce_products


def pair() -> tuple[Linear, torch.nn.Linear]:
    ours, theirs = Linear(37, 23), torch.nn.Linear(37, 23)
    theirs.load_state_dict(ours.state_dict())
    return ours, theirs


def test_is_that_of_torch_unless_reduced() -> None:
    ours, theirs = pair()
    x = torch.randn(3, 5, 37)
    assert torch.equal(ours(x), theirs(x))
    reduce_products(ours, True)
    assert torch.equal(ours.eval()(x), theirs(x))
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
