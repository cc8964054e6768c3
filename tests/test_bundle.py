import shutil
from pathlib import Path

import pytest
import safetensors.torch
import torch

from seq2see.bundle import Bundle, load_bundle, save_bundle
from seq2see.errors import BundleError, OutputError
from seq2see.inference import Translator, load
from tests.small import small_translator


@pytest.fixture
def directory(tmp_path: Path, translator: Translator) -> Path:
    save_bundle(tmp_path / "model", translator.bundle, {"note": "a test"}, "# card\n")
    return tmp_path / "model"


def test_what_is_loaded_is_what_was_saved(directory: Path, translator: Translator) -> None:
    again = load(directory)
    assert again.config == translator.config
    for (name, ours), (other, theirs) in zip(
        translator.model.state_dict().items(), again.model.state_dict().items(), strict=True
    ):
        assert name == other
        assert torch.equal(ours, theirs)
    texts = ["abc", "zyx", "hello"]
    assert [t.text for t in again.translate(texts)] == [t.text for t in translator.translate(texts)]


def test_it_holds_no_pickle_and_moves_as_a_whole(directory: Path, tmp_path: Path) -> None:
    names = sorted(path.name for path in directory.iterdir())
    assert names == [
        "README.md",
        "config.yaml",
        "metadata.json",
        "model.safetensors",
        "source.tokenizer.json",
        "target.tokenizer.json",
    ]
    assert all(not path.read_bytes().startswith((b"\x80", b"PK")) for path in directory.iterdir())
    shutil.move(directory, tmp_path / "elsewhere")
    load(tmp_path / "elsewhere")


@pytest.mark.parametrize("name", ["config.yaml", "model.safetensors", "source.tokenizer.json", "target.tokenizer.json"])
@pytest.mark.parametrize("damage", ["missing", "truncated", "empty"])
def test_missing_and_damaged_files_are_named(directory: Path, name: str, damage: str) -> None:
    path = directory / name
    content = path.read_bytes()
    if damage == "missing":
        path.unlink()
    else:
        path.write_bytes(content[: len(content) // 2] if damage == "truncated" else b"")
    with pytest.raises(BundleError, match=rf"{name}.*missing" if damage == "missing" else name):
        load_bundle(directory)


def test_changed_bits_are_found(directory: Path) -> None:
    path = directory / "model.safetensors"
    content = bytearray(path.read_bytes())
    content[-5] ^= 1
    path.write_bytes(content)
    with pytest.raises(BundleError, match=r"model\.safetensors: damaged: the weights are not those that were saved"):
        load_bundle(directory)


def test_files_of_another_model_are_refused(directory: Path, tmp_path: Path) -> None:
    other = small_translator("model.decoder.hidden_size=17")
    save_bundle(tmp_path / "other", other.bundle, {}, "")
    shutil.copy(tmp_path / "other" / "config.yaml", directory / "config.yaml")
    with pytest.raises(BundleError, match=r"config\.yaml: is not the file that model\.safetensors was saved with"):
        load_bundle(directory)


def test_foreign_weights_are_refused(directory: Path) -> None:
    safetensors.torch.save_file({"x": torch.zeros(1)}, directory / "model.safetensors")
    with pytest.raises(BundleError, match=r"model\.safetensors: format is 'none', wanted 'seq2see 1'"):
        load_bundle(directory)


def test_what_is_no_directory(tmp_path: Path) -> None:
    with pytest.raises(BundleError, match="no such directory"):
        load_bundle(tmp_path / "nowhere")
    (tmp_path / "file").touch()
    with pytest.raises(BundleError, match="is a file; wanted a model directory"):
        load_bundle(tmp_path / "file")
    with pytest.raises(BundleError, match=r"not a whole model directory: config\.yaml"):
        load_bundle(tmp_path)


def test_names_that_no_file_can_have(tmp_path: Path) -> None:
    for name in ("x" * 300, "a\0b"):
        with pytest.raises(BundleError, match=r"cannot be read|no such directory"):
            load_bundle(tmp_path / name)


def test_a_place_that_cannot_be_written(tmp_path: Path, translator: Translator) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(OutputError, match="cannot be written"):
        save_bundle(tmp_path / "file" / "model", translator.bundle, {}, "")


def test_the_training_fingerprint_stands_in_the_bundle(directory: Path) -> None:
    assert '"format_version": 1' in (directory / "metadata.json").read_text()
    assert isinstance(load_bundle(directory), Bundle)
