from pathlib import Path

import pytest
import torch

from seq2see.bundle import save_bundle
from seq2see.checking import check_model
from seq2see.data.batches import make_batch
from seq2see.ensemble import Ensemble
from seq2see.errors import BundleError
from seq2see.inference import Translator, load_ensemble
from tests.small import small_translator

TRANSFORMER = ["model.decoder.type=transformer", "model.decoder.hidden_size=12", "model.embedding_size=12"]


def ensemble() -> Translator:
    """A recurrent model, another one, and a Transformer."""
    models = [small_translator(spread=4.0), small_translator("model.decoder.order=luong", seed=3, spread=4.0)]
    models.append(small_translator(*TRANSFORMER, seed=4, spread=4.0))
    return Translator(models[0].bundle, [one.bundle for one in models[1:]])


def test_probabilities_are_the_mean_of_those_of_the_models() -> None:
    together = ensemble()
    batch = make_batch(together.tokenizers.encode_pairs(["abc", "hello"], ["xy", "z"]))
    models = [one.model for one in (together.bundle, *together.others)]
    expected = torch.stack([model(batch.source, batch.decoder_input).logits.softmax(-1) for model in models]).mean(0)
    output = together.together(batch.source, batch.decoder_input)
    torch.testing.assert_close(output.logits.exp(), expected)
    weights = torch.stack([model(batch.source, batch.decoder_input).weights for model in models]).mean(0)
    torch.testing.assert_close(output.weights, weights)


def test_every_promise_of_one_model_is_kept_by_several() -> None:
    checks = {check.name: check for check in check_model(ensemble()) if check.name != "reload"}
    assert [name for name, check in checks.items() if not check.passed] == []


def test_a_model_with_itself_is_itself() -> None:
    alone = small_translator()
    twice = Translator(alone.bundle, [alone.bundle])
    assert isinstance(twice.together, Ensemble)
    for one, other in zip(*(t.translate(["abc", "hello there", ""]) for t in (alone, twice)), strict=True):
        assert one.text == other.text
        assert one.log_prob == pytest.approx(other.log_prob, abs=1e-4)


def test_models_with_other_tokens_are_refused(tmp_path: Path) -> None:
    save_bundle(tmp_path / "a", small_translator().bundle, {}, "")
    save_bundle(tmp_path / "b", small_translator("model.decoder.copies=true").bundle, {}, "")
    twice = load_ensemble([tmp_path / "a", tmp_path / "a"])
    assert len(twice.others) == 1
    assert twice.translate(["abc"])[0].text == small_translator().translate(["abc"])[0].text
    with pytest.raises(BundleError, match=r"b: its tokens are not those of .*a, wanted models with the same"):
        load_ensemble([tmp_path / "a", tmp_path / "b"])
