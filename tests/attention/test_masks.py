import math

import torch

from seq2see.attention import mask_from_lengths, masked_softmax


def test_mask_is_true_on_real_positions() -> None:
    assert mask_from_lengths(torch.tensor([2, 0, 3]), 3).tolist() == [
        [True, True, False],
        [False, False, False],
        [True, True, True],
    ]


def test_hand_worked_weights() -> None:
    energy = torch.tensor([[0.0, 1.0, 9.0]])
    weights = masked_softmax(energy, torch.tensor([[True, True, False]]))
    torch.testing.assert_close(weights, torch.tensor([[1.0, math.e, 0.0]]) / (1.0 + math.e))
    assert weights[0, 2] == 0.0


def test_row_without_real_positions_is_zero_not_nan() -> None:
    assert masked_softmax(torch.randn(1, 3), torch.zeros(1, 3, dtype=torch.bool)).tolist() == [[0.0, 0.0, 0.0]]


def test_gradient_is_finite_where_everything_is_masked() -> None:
    energy = torch.randn(2, 3, requires_grad=True)
    masked_softmax(energy, torch.tensor([[True, False, True], [False, False, False]])).sum().backward()
    assert energy.grad is not None
    assert energy.grad.isfinite().all()
