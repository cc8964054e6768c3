import math
from typing import Any

import pytest
import torch
from torch.nn import functional as F
from torch.utils._python_dispatch import TorchDispatchMode

from seq2see import linear_cross_entropy as its_module
from seq2see.linear import Linear
from seq2see.linear_cross_entropy import linear_cross_entropy
from seq2see.losses import CrossEntropy, coverage_loss, guided_alignment_loss, smoothed_cross_entropy


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


@pytest.mark.parametrize("label_smoothing", [0.0, 0.2])
@pytest.mark.parametrize(("scores_at_once", "nearby"), [(1, 1), (30, 1), (40, 25), (10_000, 25), (10_000, 10_000)])
def test_scores_in_pieces_give_the_same_loss_and_gradients(
    label_smoothing: float, scores_at_once: int, nearby: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(its_module, "SCORES_NEARBY", nearby)
    hidden, layer, labels = torch.randn(7, 3).double(), Linear(3, 11).double(), torch.randint(0, 11, (7,))
    layer.bias.data.uniform_(-3.0, 3.0)
    found = []
    for in_pieces in (False, True):
        given = hidden.clone().requires_grad_()
        layer.zero_grad()
        if in_pieces:
            total, nll = linear_cross_entropy(
                given,
                layer.weight,
                layer.bias,
                labels,
                label_smoothing=label_smoothing,
                reduced=False,
                scores_at_once=scores_at_once,
            )
            assert not nll.requires_grad
        else:
            scores = layer(given)
            total = F.cross_entropy(scores, labels, label_smoothing=label_smoothing, reduction="sum")
            nll = F.cross_entropy(scores, labels, reduction="sum").detach()
        (total * 0.3).backward()
        found.append((total.detach(), nll, given.grad, layer.weight.grad, layer.bias.grad))
    torch.testing.assert_close(*found, rtol=0, atol=1e-10)


@pytest.mark.parametrize("shift", [0.0, 1000.0])
def test_a_small_loss_of_large_scores_is_exact_enough(shift: float) -> None:
    """A confident model, whose scores are far from 0, in float32: expected from the same scores in float64."""
    layer, labels = Linear(8, 8), torch.arange(8).repeat(40)
    layer.weight.data = 14.0 * torch.eye(8)
    layer.bias.data.fill_(shift)
    hidden = torch.eye(8)[labels]
    total, nll = linear_cross_entropy(hidden, layer.weight, layer.bias, labels, label_smoothing=0.1, reduced=False)
    scores = hidden.double() @ layer.weight.double().T + layer.bias.double()
    torch.testing.assert_close(nll.double(), F.cross_entropy(scores, labels, reduction="sum"), rtol=2e-2, atol=0.0)
    expected = F.cross_entropy(scores, labels, label_smoothing=0.1, reduction="sum")
    torch.testing.assert_close(total.double(), expected, rtol=1e-6, atol=0.0)


def test_scores_made_of_rounded_products_are_near() -> None:
    hidden, layer, labels = torch.randn(50, 64), Linear(64, 90), torch.randint(0, 90, (50,))
    exact = linear_cross_entropy(hidden, layer.weight, layer.bias, labels, label_smoothing=0.1, reduced=False)
    rounded = linear_cross_entropy(hidden, layer.weight, layer.bias, labels, label_smoothing=0.1, reduced=True)
    torch.testing.assert_close(rounded, exact, rtol=1e-3, atol=0)
    assert rounded != exact


@pytest.mark.parametrize("nearby", [90, 1000, 100_000])
def test_gradients_made_of_rounded_products_are_near(nearby: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(its_module, "SCORES_NEARBY", nearby)
    hidden, layer, labels = torch.randn(50, 64), Linear(64, 90), torch.randint(0, 90, (50,))
    found = []
    for reduced in (False, True):
        given = hidden.clone().requires_grad_()
        layer.zero_grad()
        options: dict[str, Any] = {"label_smoothing": 0.1, "reduced": reduced, "scores_at_once": 2000}
        linear_cross_entropy(given, layer.weight, layer.bias, labels, **options)[0].backward()
        found.append((given.grad, layer.weight.grad, layer.bias.grad))
    for exact, rounded in zip(*found, strict=True):
        assert (exact - rounded).norm() < 0.01 * exact.norm()


class LargestTensor(TorchDispatchMode):
    """Remembers how many elements the largest tensor had that was made."""

    largest = 0

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        made = func(*args, **(kwargs or {}))
        sizes = [one.numel() for one in (made if isinstance(made, tuple) else (made,)) if isinstance(one, torch.Tensor)]
        self.largest = max(self.largest, *sizes, 0)
        return made


def test_scores_of_the_whole_batch_never_exist() -> None:
    layer, hidden = Linear(4, 100), torch.randn(2, 150, 4, requires_grad=True)
    labels = torch.randint(1, 100, (2, 150))
    with LargestTensor() as seen:  # type: ignore[no-untyped-call]
        total, _ = linear_cross_entropy(
            hidden.flatten(0, 1),
            layer.weight,
            layer.bias,
            labels.flatten(),
            label_smoothing=0.1,
            reduced=False,
            scores_at_once=3200,
        )
        total.backward()
    assert seen.largest == 3200
    with LargestTensor() as seen:  # type: ignore[no-untyped-call]
        CrossEntropy(0.1, 0, 100).of_logits(layer(hidden), labels).total.backward()
    assert seen.largest >= 2 * 150 * 100


def test_padding_counts_for_nothing_in_pieces() -> None:
    layer, labels = Linear(4, 9), torch.tensor([[1, 2, 0], [3, 0, 0], [0, 0, 0]])
    hidden = torch.randn(3, 3, 4)
    hidden[labels == 0] = torch.nan
    loss = CrossEntropy(0.1, 0, 9).of_linear(hidden, layer, labels)
    assert loss.total.isfinite()
    assert loss.num_tokens == 3
    nothing = CrossEntropy(0.1, 0, 9).of_linear(hidden[2:], layer, labels[2:])
    nothing.total.backward()
    assert nothing.total == 0.0
    assert layer.weight.grad is not None
    assert not layer.weight.grad.any()


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
