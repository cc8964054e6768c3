import copy

import pytest
import torch
from torch import Tensor

from seq2see.data.batches import Batch, make_batch
from seq2see.data.special import PAD
from seq2see.seq2seq import Seq2Seq
from seq2see.training.learner import Learner, Work
from seq2see.training.processes import Processes
from tests.small import small_translator
from tests.toys import reverse_pairs

FULL = ["model.dropout=0.0", "training.precision=float32", "training.learning_rate=0.01"]


def learner_and_batches(*settings: str, dtype: torch.dtype = torch.float64) -> tuple[Seq2Seq, Learner, list[Batch]]:
    """A small model that learns, two batches of unequal size, and both as one."""
    translator = small_translator(*FULL, *settings, spread=1.0)
    model = translator.model.to(dtype).train()
    pairs = reverse_pairs(9)
    examples = translator.tokenizers.encode_pairs([pair.source for pair in pairs], [pair.target for pair in pairs])
    batches = [make_batch(part) for part in (examples[:2], examples[2:], examples)]
    return model, Learner(model, translator.config, Processes()), batches


def work(*batches: Batch) -> Work:
    """All that one process alone learns from."""
    return Work(batches, sum(int((batch.labels != PAD).sum()) for batch in batches))


def values(model: torch.nn.Module) -> list[Tensor]:
    return [parameter.detach().clone() for parameter in model.parameters()]


def test_batches_that_are_accumulated_are_one_large_batch() -> None:
    _, one, (first, second, whole) = learner_and_batches()
    _, other, _ = learner_and_batches()
    together, alone = (
        one.update(work(first, second), rate=0.01, number=0),
        other.update(work(whole), rate=0.01, number=0),
    )
    assert together is not None
    assert alone is not None
    assert together.nats == pytest.approx(alone.nats, rel=1e-12)
    assert together.gradient_norm == pytest.approx(alone.gradient_norm, rel=1e-10)
    for ours, theirs in zip(one.learning.parameters(), other.learning.parameters(), strict=True):
        assert ours.grad is not None
        assert theirs.grad is not None
        torch.testing.assert_close(ours.grad, theirs.grad, rtol=1e-10, atol=1e-13)


def test_the_average_is_kept_and_what_learns_is_not_touched_by_it() -> None:
    """By hand: decays are 1/10, then 0.15, the most, since 2/11 is more."""
    kept, learner, (first, second, _) = learner_and_batches("training.average_decay=0.15")
    _, plain, _ = learner_and_batches()
    expected = values(kept)
    for number, (batch, decay) in enumerate([(first, 0.1), (second, 0.15), (first, 0.15)]):
        learner.update(work(batch), rate=0.01, number=number)
        plain.update(work(batch), rate=0.01, number=number)
        now = values(learner.learning)
        expected = [decay * old + (1 - decay) * new for old, new in zip(expected, now, strict=True)]
    for ours, wanted in zip(values(kept), expected, strict=True):
        torch.testing.assert_close(ours, wanted)
    for ours, theirs in zip(values(learner.learning), values(plain.learning), strict=True):
        assert torch.equal(ours, theirs)


@pytest.mark.parametrize("settings", [[], ["training.average_decay=0.5"]])
def test_restored_it_goes_on_as_it_would_have(settings: list[str]) -> None:
    kept, learner, (first, second, _) = learner_and_batches(*settings)
    learner.update(work(first), rate=0.01, number=0)
    state = copy.deepcopy(learner.state())
    learner.update(work(second), rate=0.01, number=1)
    again, other, _ = learner_and_batches(*settings)
    other.restore(state)
    other.update(work(second), rate=0.01, number=1)
    for model, restored in ((kept, again), (learner.learning, other.learning)):
        assert all(torch.equal(a, b) for a, b in zip(model.parameters(), restored.parameters(), strict=True))


def test_scheduled_sampling_changes_what_is_learnt_as_the_run_goes_on() -> None:
    """At its beginning the teacher is followed; at its end the decoder reads itself."""
    learnt = {}
    for name, settings, progress in (
        ("teacher", [], 1.0),
        ("begin", ["training.own_tokens=1.0"], 0.0),
        ("end", ["training.own_tokens=1.0"], 1.0),
    ):
        kept, learner, (_, _, whole) = learner_and_batches(*settings)
        learner.update(work(whole), rate=0.01, number=0, progress=progress)
        learnt[name] = torch.cat([value.flatten() for value in values(kept)])
    torch.testing.assert_close(learnt["begin"], learnt["teacher"])
    assert not torch.allclose(learnt["end"], learnt["teacher"])
