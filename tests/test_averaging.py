from pathlib import Path

import pytest
import torch

from seq2see.averaging import average_bundles
from seq2see.bundle import TAG_TOKENIZER, load_bundle, save_bundle
from seq2see.errors import BundleError
from tests.cli.running import refused, run
from tests.small import small_translator


def test_weights_are_the_mean(tmp_path: Path) -> None:
    models = [small_translator(seed=seed) for seed in (1, 2, 3)]
    for number, model in enumerate(models):
        save_bundle(tmp_path / str(number), model.bundle, {}, "")
    done = run("average", *(tmp_path / str(number) for number in range(3)), "-o", tmp_path / "mean")
    assert done.returncode == 0, done.stderr.decode()
    mean = load_bundle(tmp_path / "mean").model.state_dict()
    for name, entry in mean.items():
        expected = sum(model.model.state_dict()[name].double() for model in models) / 3
        torch.testing.assert_close(entry, torch.as_tensor(expected).float())
    assert "holds a model already" in refused("average", tmp_path / "0", "-o", tmp_path / "mean")


def test_models_of_another_kind_are_refused(tmp_path: Path) -> None:
    save_bundle(tmp_path / "a", small_translator().bundle, {}, "")
    save_bundle(tmp_path / "b", small_translator("model.decoder.cell=gru").bundle, {}, "")
    with pytest.raises(BundleError, match=r"b: its model is not of the kind of .*a"):
        average_bundles([tmp_path / "a", tmp_path / "b"])


def test_a_model_without_tags_leaves_no_tags_behind(tmp_path: Path) -> None:
    save_bundle(tmp_path, small_translator("model.encoder.tags=added").bundle, {}, "")
    assert (tmp_path / TAG_TOKENIZER).is_file()
    assert load_bundle(tmp_path).tokenizers.tags is not None
    save_bundle(tmp_path, small_translator().bundle, {}, "")
    assert not (tmp_path / TAG_TOKENIZER).exists()
    assert load_bundle(tmp_path).tokenizers.tags is None
