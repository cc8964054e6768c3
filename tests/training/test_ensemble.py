"""Several models in one directory."""

import shutil
from pathlib import Path

import numpy as np
import pytest
import torch

from seq2see.averaging import average_bundles
from seq2see.bundle import MEMBERS_LIST, WEIGHTS
from seq2see.errors import BundleError, ConfigError, OutputError
from seq2see.inference import Translator, load, load_ensemble
from seq2see.training import train_ensemble, train_on_pairs
from tests.toys import reverse_pairs
from tests.training.test_run import Listener, tiny, weights

PAIRS = reverse_pairs(60, seed=1)
VALID = reverse_pairs(10, seed=2)


def together(out: Path, members: int, *, overwrite: bool = False, resume: bool = False, epochs: int = 2) -> Translator:
    config = tiny("training.seed=5", f"training.max_epochs={epochs}")
    return train_ensemble(PAIRS, VALID, config, members=members, out=out, overwrite=overwrite, resume=resume)


def test_members_are_the_models_of_single_runs(tmp_path: Path) -> None:
    found = together(tmp_path / "three", 3)
    assert [bundle.config.training.seed for bundle in (found.bundle, *found.others)] == [5, 6, 7]
    alone = train_on_pairs(PAIRS, VALID, tiny("training.seed=6"), out=tmp_path / "alone")
    torch.testing.assert_close(found.others[0].model.state_dict(), weights(alone), rtol=0, atol=0)


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("ensemble") / "two"
    together(directory, 2)
    return directory


@pytest.fixture
def two(trained: Path, tmp_path: Path) -> Path:
    """A directory with two models, of one's own."""
    return shutil.copytree(trained, tmp_path / "two")


def test_one_directory_gives_what_several_give(two: Path) -> None:
    second = two / "members" / "2"
    assert len(load(two).others) == 1
    assert len(load_ensemble([two, second]).others) == 2
    first = Translator(load(two).bundle)
    token_log_probs = [one.score(["abc"], ["cba"])[0].token_log_probs for one in (first, load(second), load(two))]
    one, other, both = (np.exp(numbers) for numbers in token_log_probs)
    np.testing.assert_allclose(both, (one + other) / 2, rtol=1e-5)


def test_a_stopped_run_goes_on_and_more_can_be_added(tmp_path: Path) -> None:
    whole = together(tmp_path / "whole", 3)
    together(tmp_path / "grown", 1)
    stood = (tmp_path / "grown" / WEIGHTS).stat().st_mtime_ns
    grown = together(tmp_path / "grown", 3, resume=True)
    assert (tmp_path / "grown" / WEIGHTS).stat().st_mtime_ns == stood
    for one, other in zip(whole.others, grown.others, strict=True):
        torch.testing.assert_close(one.model.state_dict(), other.model.state_dict(), rtol=0, atol=0)


def test_what_is_there_is_not_replaced_unasked(two: Path) -> None:
    with pytest.raises(OutputError, match="holds a model already"):
        together(two, 2)
    replaced = train_on_pairs(PAIRS, VALID, tiny("training.max_updates=1"), out=two, overwrite=True)
    assert list(replaced.others) == list(load(two).others) == []


def test_minutes_are_those_of_all(tmp_path: Path) -> None:
    listener = Listener()
    config = tiny("training.minutes=0.02")
    found = train_ensemble(PAIRS, VALID, config, members=2, out=tmp_path / "model", reporter_of=lambda number: listener)
    assert found.config.training.minutes == 0.01
    assert "model 2 of 2, seed 2" in listener.notes


def test_a_foreign_or_missing_member_is_named(two: Path) -> None:
    directory = two
    own = (directory / "members" / "2" / WEIGHTS).read_bytes()
    (directory / "members" / "2" / WEIGHTS).write_bytes((directory / WEIGHTS).read_bytes())
    with pytest.raises(BundleError, match=r"members/2: its weights have the fingerprint .*members\.json"):
        load(directory)
    (directory / "members" / "2" / WEIGHTS).unlink()
    with pytest.raises(BundleError, match=r"members/2/model\.safetensors: damaged or not a weights file"):
        load(directory)
    (directory / "members" / "2" / WEIGHTS).write_bytes(own)
    assert len(load(directory).others) == 1


@pytest.mark.parametrize("content", ["", "{}", "3", '["members/2"]', '[{"directory": "../x", "weights": ""}]'])
def test_a_damaged_list_is_refused(two: Path, content: str) -> None:
    (two / MEMBERS_LIST).write_text(content)
    with pytest.raises(BundleError, match=r"members\.json: (damaged|names)"):
        load(two)


def test_an_ensemble_is_not_averaged(two: Path) -> None:
    with pytest.raises(BundleError, match="holds several models"):
        average_bundles([two])


def test_no_members(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="0 members, wanted 1 or more"):
        together(tmp_path / "model", 0)


def test_a_finished_member_is_not_replaced_where_its_run_is_forgotten(two: Path) -> None:
    shutil.rmtree(two / "members" / "2" / "state")
    stood = (two / "members" / "2" / WEIGHTS).read_bytes()
    with pytest.raises(BundleError, match="no run to go on with"):
        together(two, 2, resume=True)
    assert (two / "members" / "2" / WEIGHTS).read_bytes() == stood
