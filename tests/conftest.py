"""Fixtures that many tests share."""

from pathlib import Path

import pytest
import torch
from filelock import FileLock

from seq2see.config import Config, load_config
from seq2see.inference import Translator, load
from tests.small import small_translator
from tests.toys import copy_pairs, reverse_pairs

SHARED_DATA = Path(__file__).parents[2] / "shared" / "data"
TOY_SETTINGS = [
    "model.embedding_size=128",
    "model.dropout=0.3",
    "model.encoder.hidden_size=128",
    "model.decoder.hidden_size=128",
    "model.attention.attention_size=128",
    "training.max_updates=2000",
    "training.max_valid_sources=100",
    "training.batch_tokens=370",
]


@pytest.fixture(autouse=True)
def _same_random_numbers() -> None:
    torch.manual_seed(0)


@pytest.fixture
def shared_data() -> Path:
    """The folder of real data sets that are not part of this repository."""
    if not SHARED_DATA.is_dir():
        pytest.skip("the data sets of shared/data are not beside this clone")
    return SHARED_DATA


@pytest.fixture
def translator() -> Translator:
    """A model with random weights: fast, and no invariance can hide behind having learnt."""
    return small_translator()


def toy_config() -> Config:
    """What the toy models are trained with."""
    return load_config(None, TOY_SETTINGS)


def _trained_once(folder: Path, name: str, pairs: object) -> Path:
    """Train a toy model, unless another test process has; return its directory."""
    from seq2see.training import train_on_pairs

    directory = folder / name
    with FileLock(folder / f"{name}.lock"):
        if not directory.exists():
            made = pairs(7800)  # type: ignore[operator]
            train_on_pairs(made[:7500], made[7500:], toy_config(), out=directory)
    return directory


@pytest.fixture(scope="session")
def shared_tmp(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that all test processes of one run share."""
    base = tmp_path_factory.getbasetemp()
    return base.parent if base.name.startswith("popen-") else base


@pytest.fixture(scope="session")
def reverse_directory(shared_tmp: Path) -> Path:
    """The directory of a model trained to reverse strings."""
    return _trained_once(shared_tmp, "reverse", reverse_pairs)


@pytest.fixture(scope="session")
def reverse_model(reverse_directory: Path) -> Translator:
    """A model trained to reverse strings."""
    return load(reverse_directory)


@pytest.fixture(scope="session")
def copy_model(shared_tmp: Path) -> Translator:
    """A model trained to copy strings."""
    return load(_trained_once(shared_tmp, "copy", copy_pairs))
