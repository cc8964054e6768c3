import pytest
import torch

from seq2see.tanh import tanh, tanh_


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16])
def test_is_that_of_torch_and_so_is_its_gradient(dtype: torch.dtype) -> None:
    values = torch.cat([torch.linspace(-30.0, 30.0, 999), torch.tensor([0.0, -torch.inf, torch.inf, 1e-30])]).to(dtype)
    x, other = values.clone().requires_grad_(), values.clone().requires_grad_()
    y, expected = tanh(x), torch.tanh(other)
    near = 4.0 * torch.finfo(dtype).eps
    torch.testing.assert_close(y, expected, rtol=0.0, atol=near)
    y.sum().backward()
    expected.sum().backward()
    torch.testing.assert_close(x.grad, other.grad, rtol=0.0, atol=near)
    assert torch.equal(tanh_(values.clone()), y)


def test_nan_stays_nan() -> None:
    assert tanh(torch.tensor([torch.nan])).isnan().all()


def test_one_tensor_is_kept_for_the_gradient() -> None:
    kept = []

    def keep(tensor: torch.Tensor) -> torch.Tensor:
        kept.append(tensor)
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(keep, lambda tensor: tensor):
        tanh(torch.randn(5, requires_grad=True))
    assert len(kept) == 1
