import math

import pytest
import torch
from torch.nn import functional as F

from seq2see.losses import coverage_loss, guided_alignment_loss, smoothed_cross_entropy


def test_equals_torch_with_smoothing_and_padding() -> None:
    logits, labels = torch.randn(3, 5, 11), torch.randint(1, 11, (3, 5))
    labels[1, 2:] = 0
    loss = smoothed_cross_entropy(logits, labels, label_smoothing=0.1, pad_id=0)
    flat = logits.flatten(0, 1), labels.flatten()
    expected = F.cross_entropy(*flat, label_smoothing=0.1, ignore_index=0, reduction="sum")
    torch.testing.assert_close(loss.total, expected)
    torch.testing.assert_close(loss.negative_log_likelihood, F.cross_entropy(*flat, ignore_index=0, reduction="sum"))
    assert loss.num_tokens == 12


def test_hand_worked() -> None:
    logits = torch.tensor([[[0.0, 0.0, 0.0]]])
    loss = smoothed_cross_entropy(logits, torch.tensor([[2]]), label_smoothing=0.3, pad_id=0)
    torch.testing.assert_close(loss.total, torch.tensor(3.0).log())  # uniform: log 3, smoothed or not


def test_smoothing_is_spread_over_the_vocabulary_and_not_over_copied_tokens() -> None:
    logits, labels = torch.randn(2, 3, 7), torch.tensor([[1, 5, 6], [2, 1, 0]])
    logits[0, 0, 6] = -torch.inf  # cannot come there
    loss = smoothed_cross_entropy(logits, labels, label_smoothing=0.2, pad_id=0, vocab_size=5)
    log_probs = logits.log_softmax(dim=-1)
    rows = [(0, 0, 1), (0, 1, 5), (0, 2, 6), (1, 0, 2), (1, 1, 1)]
    expected = -sum(0.8 * log_probs[b, t, y] + 0.2 * log_probs[b, t, :5].mean() for b, t, y in rows)
    torch.testing.assert_close(loss.total, torch.as_tensor(expected))


def test_hand_worked_coverage_loss() -> None:
    weights = torch.tensor([[[0.75, 0.25], [0.5, 0.5], [1.0, 0.0]]])
    # nothing before the first step; then min with (0.75, 0.25), then with (1.25, 0.75); the last step is padding
    assert coverage_loss(weights, torch.tensor([[5, 6, 0]]), pad_id=0) == 0.5 + 0.25
    assert coverage_loss(weights, torch.tensor([[5, 6, 7]]), pad_id=0) == 0.5 + 0.25 + 1.0


def test_hand_worked_guided_alignment_loss() -> None:
    weights = torch.tensor([[[0.5, 0.5, 0.0], [0.25, 0.75, 0.0], [1.0, 0.0, 0.0]]], requires_grad=True)
    wanted = torch.tensor([[[1.0, 0.0], [0.5, 0.5], [0.0, 0.0]]])  # the third column is of a tag, the third row of EOS
    loss = guided_alignment_loss(weights, wanted)
    assert loss.item() == pytest.approx(math.log(2) + 0.5 * math.log(4) + 0.5 * math.log(4 / 3))
    loss.backward()
    torch.testing.assert_close(weights.grad, torch.tensor([[[-2.0, 0, 0], [-2.0, -2 / 3, 0], [0, 0, 0]]]))


def test_a_wanted_weight_of_exactly_zero_is_finite() -> None:
    weights = torch.tensor([[[1.0, 0.0]]], requires_grad=True)
    loss = guided_alignment_loss(weights, torch.tensor([[[0.0, 1.0]]]))
    loss.backward()
    assert loss.isfinite()
    assert weights.grad is not None
    assert weights.grad.isfinite().all()
