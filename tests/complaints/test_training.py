"""What users of other toolkits met with in training: numbers that are not finite, runs that go on, chance."""

import json
import math
import random
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from seq2see.bundle import METADATA, STATE, WEIGHTS
from seq2see.data.pairs import Pair
from seq2see.errors import OutputError
from seq2see.files import write_parts
from seq2see.inference import load
from seq2see.inference.forced import Likelihood
from seq2see.inference.translator import Translator
from seq2see.losses import CrossEntropy, TokenLoss
from seq2see.training import train_on_pairs
from seq2see.training.validation import Figures
from tests.toys import reverse_pairs
from tests.training.test_resume import Stopper, assert_same_run, tensors
from tests.training.test_run import Listener, tiny

PAIRS = reverse_pairs(200)
TRANSFORMERS = ["model.encoder.type=transformer", "model.decoder.type=transformer"]
SHARED = ["tokens.shared=true", "model.share_embeddings=true", "model.tie_output=true"]
OPTIONS = {
    "copies": ["model.decoder.copies=true"],
    "copies-tags": ["model.decoder.copies=true", "model.encoder.tags=attended"],
    "copies-tied": ["model.decoder.copies=true", *SHARED],
    "copies-transformers-tied": ["model.decoder.copies=true", *TRANSFORMERS, *SHARED],
    "coverage": ["model.attention.scorer=coverage", "training.coverage_loss=1.0", "search.coverage_penalty=0.2"],
    "own-tokens-copies": ["training.own_tokens=0.5", "training.own_tokens_decay=linear", "model.decoder.copies=true"],
    "luong-copies-tags": ["model.decoder.order=luong", "model.decoder.copies=true", "model.encoder.tags=added"],
}


def test_a_poisoned_batch_is_left_out_and_training_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """OpenNMT-py#1796, #2559, #1918, marian-dev#699, NeMo#5188: NaN after many steps, and all after it is useless."""
    whole, calls = CrossEntropy.of_linear, 0

    def poisoned(self: CrossEntropy, *arguments: Any) -> TokenLoss:
        nonlocal calls
        calls += 1
        loss = whole(self, *arguments)
        return loss._replace(total=loss.total * torch.nan) if calls in (2, 5) else loss

    monkeypatch.setattr(CrossEntropy, "of_linear", poisoned)
    listener = Listener()
    config = tiny("training.max_updates=8", "training.batch_tokens=200", "training.validate_every=4")
    translator = train_on_pairs(PAIRS, PAIRS[:20], config, out=tmp_path / "m", reporter=listener)
    assert [note.split(":")[0] for note in listener.notes if "left out" in note] == ["update 2", "update 5"]
    assert all(value.isfinite().all() for value in translator.model.state_dict().values())
    assert all(math.isfinite(validation.figures.loss) for validation, _ in listener.validations)


def test_a_model_whose_figures_are_not_finite_does_not_replace_the_best(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """OpenNMT-py#1796, NeMo#5188: checkpoints after a NaN replace the good ones."""
    whole, calls = Translator.likelihood, 0

    def first_alone(self: Translator, *pairs: Any) -> Likelihood:
        nonlocal calls
        calls += 1
        return whole(self, *pairs) if calls == 1 else Likelihood(math.nan, math.nan, 1)

    monkeypatch.setattr(Translator, "likelihood", first_alone)
    listener, config = Listener(), tiny("training.max_updates=6", "training.validate_every=2")
    train_on_pairs(PAIRS, PAIRS[:20], config, out=tmp_path / "m", reporter=listener)
    assert [best for _, best in listener.validations] == [True, False, False]
    assert json.loads((tmp_path / "m" / METADATA).read_text())["update"] == 2
    assert not Figures(math.nan, math.nan, "loss", math.nan).is_better_than(None)
    assert not Figures(1.0, 1.0, "bleu", math.nan).is_better_than(Figures(9.0, 9.0, "bleu", 0.0))


def test_forty_updates_are_seventeen_and_twenty_three(tmp_path: Path) -> None:
    """joeynmt#125, OpenNMT-py#2006, #2517, sockeye#7: a continued training repeats batches, or forgets patience."""
    config = tiny("training.max_updates=40", "training.validate_every=6", "training.batch_tokens=200")
    train_on_pairs(PAIRS, PAIRS[:30], config, out=tmp_path / "whole")
    with pytest.raises(KeyboardInterrupt):
        train_on_pairs(PAIRS, PAIRS[:30], config, out=tmp_path / "two", reporter=Stopper(17, signal.SIGTERM))
    train_on_pairs(PAIRS, PAIRS[:30], config, out=tmp_path / "two", resume=True)
    assert_same_run(tmp_path / "whole", tmp_path / "two")


def test_a_crash_in_a_validation_loses_nothing_before_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """fairseq#2140: a crash in the validation loses the epoch; sockeye#1102: continuing ends with an IndexError."""
    config = tiny("training.max_updates=9", "training.validate_every=3", "training.batch_tokens=200")
    train_on_pairs(PAIRS, PAIRS[:20], config, out=tmp_path / "whole")
    whole, calls = Translator.likelihood, 0

    def crashing(self: Translator, *pairs: Any) -> Likelihood:
        nonlocal calls
        calls += 1
        if calls == 3:
            raise MemoryError
        return whole(self, *pairs)

    with monkeypatch.context() as patch:
        patch.setattr(Translator, "likelihood", crashing)
        with pytest.raises(MemoryError):
            train_on_pairs(PAIRS, PAIRS[:20], config, out=tmp_path / "crashed")
    assert load(tmp_path / "crashed").translate(["abc"])[0].source == "abc"
    listener = Listener()
    train_on_pairs(PAIRS, PAIRS[:20], config, out=tmp_path / "crashed", resume=True, reporter=listener)
    assert any(note.startswith("going on from update 6 ") for note in listener.notes)
    assert_same_run(tmp_path / "whole", tmp_path / "crashed")


def test_a_write_that_ends_halfway_leaves_what_was_there(tmp_path: Path) -> None:
    """fairseq#2140, sockeye#1102: a run that is killed while it saves leaves a checkpoint that cannot be loaded."""

    def halfway() -> Iterator[bytes]:
        yield b"new" * 1000
        assert (tmp_path / "weights").read_bytes() == b"old"  # nothing is seen of it yet
        raise KeyboardInterrupt

    (tmp_path / "weights").write_bytes(b"old")
    with pytest.raises(KeyboardInterrupt):
        write_parts(tmp_path / "weights", halfway())
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [b"old"]


@pytest.mark.parametrize("name", ["config.yaml", WEIGHTS, STATE])
def test_a_run_killed_in_its_first_save_can_be_begun_again(tmp_path: Path, name: str) -> None:
    """sockeye#1102: the same command fails after a run that was killed."""
    out = tmp_path / "m"
    left_behind = (out / name).with_name(f".{Path(name).name}.0123abcd")
    left_behind.parent.mkdir(parents=True)
    left_behind.write_bytes(b"half")
    (out / "source.tokenizer.json").write_text("{}")
    config = tiny("training.max_updates=1")
    with pytest.raises(OutputError, match="is not empty"):
        train_on_pairs(PAIRS, PAIRS[:20], config, out=out)
    assert left_behind.exists()
    train_on_pairs(PAIRS, PAIRS[:20], config, out=out, overwrite=True)
    assert not left_behind.exists()
    (out / ".mine.0123abcd").write_text("mine")
    train_on_pairs(PAIRS, PAIRS[:20], config, out=out, overwrite=True)
    assert (out / ".mine.0123abcd").read_text() == "mine"


def test_the_seed_alone_decides(tmp_path: Path) -> None:
    """OpenNMT-py#392, #605, #1341, #2019, fairseq#3384, #4266: the same seed, another loss."""
    for number in (1, 2):
        random.seed(number)
        np.random.seed(number)
        torch.manual_seed(number)
        train_on_pairs(PAIRS, PAIRS[:20], tiny("training.max_updates=6"), out=tmp_path / str(number))
    assert_same_run(tmp_path / "1", tmp_path / "2")
    metadata = json.loads((tmp_path / "1" / METADATA).read_text())
    assert metadata["torch_version"] == torch.__version__
    assert metadata["threads"] == torch.get_num_threads()


@pytest.mark.parametrize("settings", OPTIONS.values(), ids=OPTIONS)
def test_every_option_trains_goes_on_searches_and_scores(tmp_path: Path, settings: list[str]) -> None:
    """OpenNMT-py#258, #101, #211, #310: copying breaks preparing, scoring and tied embeddings, one after the other."""
    tagged = any("tags=" in setting for setting in settings)
    pairs = [Pair(f"{pair.source}\tN;PL", pair.target) for pair in PAIRS] if tagged else PAIRS
    types = ["tokens.source.type=char", "tokens.target.type=char"]
    config = tiny(*settings, *types, "training.max_updates=4", "training.batch_tokens=200")
    train_on_pairs(pairs, pairs[:20], config, out=tmp_path / "whole")
    with pytest.raises(KeyboardInterrupt):
        train_on_pairs(pairs, pairs[:20], config, out=tmp_path / "two", reporter=Stopper(2, signal.SIGTERM))
    translator = train_on_pairs(pairs, pairs[:20], config, out=tmp_path / "two", resume=True)
    assert_same_run(tmp_path / "whole", tmp_path / "two")
    assert all(tensor.isfinite().all() for tensor in tensors(tmp_path / "two" / WEIGHTS).values())
    sources = [f"{text}\tN;PL" if tagged else text for text in ("abc", "xɮy")]
    for hypotheses in translator.translate_n_best(sources, n_best=3, beam=4):
        for one in hypotheses:
            (forced,) = translator.score([one.source], [one.text])
            assert forced.log_prob == pytest.approx(one.log_prob, abs=1e-4)
