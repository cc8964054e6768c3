import torch
from torch.nn import functional as F

from seq2see.losses import smoothed_cross_entropy


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
