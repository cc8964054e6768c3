import json
from pathlib import Path
from typing import Any

import pytest
import torch

from seq2see.config import Config, load_config
from seq2see.data.pairs import Pair
from seq2see.errors import DataError, ModelError, OutputError
from seq2see.inference import Translator
from seq2see.losses import CrossEntropy, TokenLoss
from seq2see.training import train_on_pairs
from seq2see.training.reporter import UpdateFigures
from seq2see.training.validation import Validation
from tests.toys import reverse_pairs


def tiny(*settings: str) -> Config:
    return load_config(
        None,
        [
            "model.embedding_size=8",
            "model.encoder.hidden_size=8",
            "model.decoder.hidden_size=8",
            "model.attention.attention_size=8",
            "training.max_epochs=2",
            *settings,
        ],
    )


class Listener:
    """A reporter that remembers."""

    def __init__(self) -> None:
        self.notes: list[str] = []
        self.validations: list[tuple[Validation, bool]] = []
        self.shares: list[float] = []

    def note(self, text: str) -> None:
        self.notes.append(text)

    def advanced(self, figures: UpdateFigures) -> None:
        self.shares.append(figures.progress)
        assert figures.tokens_per_second >= 0
        assert figures.learning_rate >= 0

    def validated(self, validation: Validation, epoch: int, update: int, train_loss: float, best: bool) -> None:
        self.validations.append((validation, best))

    def close(self) -> None:
        self.notes.append("closed")


def weights(translator: Translator) -> dict[str, torch.Tensor]:
    return dict(translator.model.state_dict())


@pytest.mark.parametrize("precision", ["float32", "bfloat16"])
def test_same_seed_same_weights_and_another_seed_others(tmp_path: Path, precision: str) -> None:
    pairs, settings = reverse_pairs(300), f"training.precision={precision}"
    runs = [
        weights(train_on_pairs(pairs[:250], pairs[250:], tiny(settings, f"training.seed={seed}"), out=tmp_path / name))
        for name, seed in [("a", 1), ("b", 1), ("c", 2)]
    ]
    assert all(torch.equal(value, runs[1][name]) for name, value in runs[0].items())
    assert not any(torch.equal(value, runs[2][name]) for name, value in runs[0].items())


def test_what_a_run_tells_and_leaves_behind(tmp_path: Path) -> None:
    listener, pairs = Listener(), reverse_pairs(300)
    train_on_pairs(pairs[:250], pairs[250:], tiny(), out=tmp_path / "model", reporter=listener)
    history = [json.loads(line) for line in (tmp_path / "model" / "history.jsonl").read_text().splitlines()]
    assert len(history) == len(listener.validations) >= 2
    assert [record["best"] for record in history] == [best for _, best in listener.validations]
    assert history[0]["best"] is True
    assert listener.shares == sorted(listener.shares)
    assert listener.shares[-1] == 1.0
    assert any("tokens.source.type = char" in note for note in listener.notes)
    assert listener.notes[-1] == "closed"
    metadata = json.loads((tmp_path / "model" / "metadata.json").read_text())
    assert metadata["data"]["training_pairs"] == 250
    assert "exact_match" in (tmp_path / "model" / "README.md").read_text()


def test_the_best_model_is_the_one_that_is_kept(tmp_path: Path) -> None:
    """With a rate that destroys the model after the first validation, the first one stays."""
    pairs = reverse_pairs(200)
    settings = ["training.learning_rate=30.0", "training.schedule=constant", "training.metric=loss"]
    listener = Listener()
    kept = train_on_pairs(pairs, pairs, tiny(*settings, "training.max_epochs=4"), out=tmp_path / "m", reporter=listener)
    losses = [validation.figures.loss for validation, _ in listener.validations]
    likelihood = kept.likelihood([pair.source for pair in pairs], [pair.target for pair in pairs])
    assert likelihood.nats / likelihood.num_tokens == pytest.approx(min(losses), rel=1e-5)


def test_too_long_and_empty_pairs_are_left_out_and_counted(tmp_path: Path) -> None:
    pairs = [*reverse_pairs(100), Pair("x" * 51, "y"), Pair("", "a"), Pair("b", "")]
    listener = Listener()
    config = tiny("data.max_source_length=50", "training.max_epochs=1")
    train_on_pairs(pairs, reverse_pairs(10, seed=1), config, out=tmp_path / "m", reporter=listener)
    assert "left out 2 pairs with an empty source or target" in listener.notes
    assert any(note.startswith("left out 1 pairs with more than 50 source") for note in listener.notes)
    with pytest.raises(DataError, match="no validation pairs"):
        train_on_pairs(pairs, [], tiny(), out=tmp_path / "n")
    with pytest.raises(DataError, match="no pair is left to train on: left out 1 pairs with an empty"):
        train_on_pairs([Pair("", "a")], [Pair("a", "a")], tiny(), out=tmp_path / "n")


def test_a_model_is_not_overwritten_unasked(tmp_path: Path) -> None:
    pairs, out = reverse_pairs(60), tmp_path / "m"
    train_on_pairs(pairs, pairs, tiny("training.max_epochs=1"), out=out)
    before = (out / "model.safetensors").read_bytes()
    with pytest.raises(OutputError, match="holds a model already; choose another --out, or give --overwrite"):
        train_on_pairs(pairs, pairs, tiny(), out=out)
    assert (out / "model.safetensors").read_bytes() == before
    train_on_pairs(pairs, pairs, tiny("training.seed=9"), out=out, overwrite=True)
    assert (out / "model.safetensors").read_bytes() != before


def test_a_run_that_diverges_says_so_and_leaves_the_old_model(tmp_path: Path) -> None:
    pairs, out, listener = reverse_pairs(60), tmp_path / "m", Listener()
    train_on_pairs(pairs, pairs, tiny("training.max_epochs=1"), out=out)
    before = (out / "model.safetensors").read_bytes()
    config = tiny("training.learning_rate=1e30", "training.validate_every=1000", "training.max_updates=30")
    with pytest.raises(ModelError, match=r"no model was kept; try a smaller training\.learning_rate than 1e\+30"):
        train_on_pairs(pairs, pairs, config, out=out, overwrite=True, reporter=listener)
    assert "update 2: loss or gradient is not finite, left out" in listener.notes
    assert "10 updates in a row were left out: stopping" in listener.notes
    assert (out / "model.safetensors").read_bytes() == before


def test_files_of_the_user_are_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("mine")
    (tmp_path / "notes.txt").write_text("mine")
    pairs = reverse_pairs(60)
    for overwrite in (False, True):
        with pytest.raises(OutputError, match="is not empty and holds no model; choose another --out"):
            train_on_pairs(pairs, pairs, tiny(), out=tmp_path, overwrite=overwrite)
    assert (tmp_path / "README.md").read_text() == "mine"


def test_one_strange_pair_does_not_set_the_limit_of_lengths(tmp_path: Path) -> None:
    pairs = [*reverse_pairs(1500), Pair("x", "y" * 900)]
    config = tiny("training.max_updates=1", "training.max_valid_sources=2")
    translator = train_on_pairs(pairs, pairs[:10], config, out=tmp_path / "m")
    assert translator.config.search.length_ratio == 1.0


def test_patience_ends_a_run(tmp_path: Path) -> None:
    pairs, listener = reverse_pairs(100), Listener()
    settings = [
        "training.learning_rate=1e-12",
        "training.patience=2",
        "training.max_epochs=50",
        "training.metric=exact_match",
    ]
    train_on_pairs(pairs, pairs, tiny(*settings, "training.validate_every=1"), out=tmp_path / "m", reporter=listener)
    assert "no better model in 2 validations: stopping early" in listener.notes


def test_minutes_end_a_run_with_a_model(tmp_path: Path) -> None:
    pairs, listener = reverse_pairs(300), Listener()
    config = tiny("training.minutes=0.05")
    translator = train_on_pairs(pairs[:250], pairs[250:], config, out=tmp_path / "m", reporter=listener)
    assert listener.shares[-1] == 1.0
    assert translator.translate(["abc"])[0].source == "abc"


def test_pairs_are_held_out_where_none_are_given_for_validation(tmp_path: Path) -> None:
    listener = Listener()
    train_on_pairs(reverse_pairs(100), None, tiny("training.max_epochs=1"), out=tmp_path / "m", reporter=listener)
    assert any(note.startswith("no validation pairs given: ") for note in listener.notes)


def test_one_source_alone_cannot_be_held_out(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"the pairs have one source only, so none can be held out"):
        train_on_pairs([Pair("a", "b"), Pair("a", "c")], None, tiny(), out=tmp_path / "m")


def test_literal_reserved_symbols_in_the_data(tmp_path: Path) -> None:
    pairs = [Pair(f"<s> <unk> {letter} </s>", f"<pad> {letter}") for letter in "abcdefgh"] * 5
    for kind in ("char", "space", "word", "bpe"):
        config = tiny(f"tokens.source.type={kind}", f"tokens.target.type={kind}", "training.max_epochs=1")
        translator = train_on_pairs(pairs, pairs, config, out=tmp_path / kind)
        assert len(translator.translate([pair.source for pair in pairs])) == 40


def test_one_update_that_is_not_finite_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One batch with an infinite loss changes nothing but the count."""
    calls = 0
    whole = CrossEntropy.of_linear

    def once_infinite(self: CrossEntropy, *arguments: Any) -> TokenLoss:
        nonlocal calls
        calls += 1
        loss = whole(self, *arguments)
        return loss._replace(total=loss.total * torch.inf) if calls == 3 else loss

    monkeypatch.setattr(CrossEntropy, "of_linear", once_infinite)
    pairs, listener = reverse_pairs(200), Listener()
    translator = train_on_pairs(pairs, pairs[:20], tiny(), out=tmp_path / "m", reporter=listener)
    assert [note for note in listener.notes if "left out" in note] == [
        "update 3: loss or gradient is not finite, left out"
    ]
    assert all(value.isfinite().all() for value in weights(translator).values())
