import builtins
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from seq2see.errors import ConfigError
from seq2see.training import SeveralReporters, TensorBoardReporter, train_on_pairs
from seq2see.training.validation import attention_entropy
from tests.toys import reverse_pairs
from tests.training.test_run import Listener, tiny


def test_curves_and_the_picture_of_an_alignment(tmp_path: Path) -> None:
    accumulator = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    pairs, listener = reverse_pairs(200), Listener()
    reporter = SeveralReporters([listener, TensorBoardReporter(tmp_path / "events")])
    train_on_pairs(pairs[:180], pairs[180:], tiny("training.max_updates=40"), out=tmp_path / "m", reporter=reporter)
    events = accumulator.EventAccumulator(str(tmp_path / "events"))
    events.Reload()
    assert {event.step for event in events.Scalars("train/loss")} == {10, 20, 30, 40}
    assert all(event.value > 0 for event in events.Scalars("train/gradient_norm"))
    assert events.Scalars("train/learning_rate")[0].value == pytest.approx(0.003)
    assert len(events.Scalars("valid/loss")) == len(listener.validations)
    entropies = [event.value for event in events.Scalars("valid/attention_entropy")]
    known = [entropy for entropy in entropies if not math.isnan(entropy)]  # nothing is known of empty outputs
    assert len(known) > 0
    assert all(0.0 <= entropy < math.log(20) + 1e-3 for entropy in known)
    assert 0 < len(events.Images("valid/alignment")) <= len(entropies)
    assert "closed" in listener.notes


def test_hand_worked_entropy() -> None:
    weights = [np.array([[0.5, 0.5], [1.0, 0.0]], dtype=np.float32), np.zeros((0, 0), dtype=np.float32)]
    assert attention_entropy(weights) == pytest.approx(math.log(2) / 2)
    assert math.isnan(attention_entropy([]))


def test_without_tensorboard_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = builtins.__import__

    def without(name: str, *arguments: Any, **settings: Any) -> Any:
        if name.startswith("torch.utils.tensorboard"):
            raise ImportError(name)
        return whole(name, *arguments, **settings)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(ConfigError, match=r"wanted `pip install seq2see\[tensorboard\]`"):
        TensorBoardReporter(tmp_path)
