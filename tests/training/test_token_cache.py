from pathlib import Path

import pytest
import torch

from seq2see.data.pairs import Pair
from seq2see.errors import BundleError, DataError
from seq2see.inference import Translator
from seq2see.training import token_cache, train
from tests.toys import reverse_pairs, tsv
from tests.training.test_run import Listener, tiny, weights

PAIRS = [*reverse_pairs(300), Pair("", "x")]


def learn(folder: Path, out: str, *settings: str, cache: bool = True) -> tuple[Translator, Listener]:
    (folder / "valid.tsv").write_text(tsv(reverse_pairs(30, seed=1)))
    listener = Listener()
    config = tiny(
        f"data.train={folder / 'train.tsv'}",
        f"data.valid={folder / 'valid.tsv'}",
        *([f"data.cache={folder / 'cache'}"] if cache else []),
        *settings,
    )
    return train(config, out=folder / out, reporter=listener), listener


def test_the_same_model_with_and_without_a_cache_and_from_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "train.tsv").write_text(tsv(PAIRS))
    plain, told = learn(tmp_path, "plain", cache=False)
    first, told_first = learn(tmp_path, "first")
    monkeypatch.setattr(token_cache, "_write", None)  # nothing is cut again
    again, told_again = learn(tmp_path, "again")
    for other in (first, again):
        assert all(torch.equal(value, weights(other)[name]) for name, value in weights(plain).items())
    without_remarks = [note for note in told.notes if not note.startswith("data: ")]
    assert without_remarks == told_first.notes == told_again.notes
    assert "left out 1 pairs with an empty source or target" in told.notes


def test_other_data_and_other_tokens_are_cut_anew(tmp_path: Path) -> None:
    (tmp_path / "train.tsv").write_text(tsv(PAIRS))
    learn(tmp_path, "first")
    learn(tmp_path, "longer", "data.max_source_length=15")
    (tmp_path / "train.tsv").write_text(tsv(PAIRS[1:]))
    learn(tmp_path, "fewer")
    assert len(list((tmp_path / "cache").iterdir())) == 3


def test_a_half_written_cache_is_written_anew_and_a_damaged_one_is_named(tmp_path: Path) -> None:
    (tmp_path / "train.tsv").write_text(tsv(PAIRS))
    learn(tmp_path, "first")
    (folder,) = (tmp_path / "cache").iterdir()
    folder.rename(folder.with_name(f".{folder.name}.xyz"))  # as a killed process leaves it
    learn(tmp_path, "second")
    assert folder.is_dir()
    ids = folder / "source.ids"
    whole = ids.read_bytes()
    ids.write_bytes(whole[:-4])
    with pytest.raises(BundleError, match=r"source\.ids has .* bytes, wanted"):
        learn(tmp_path, "cut")
    ids.write_bytes(whole)
    (folder / "source.tokenizer.json").unlink()
    with pytest.raises(BundleError, match=r"missing or damaged .* delete the folder, and it is made anew"):
        learn(tmp_path, "third")


def test_validation_pairs_must_be_given(tmp_path: Path) -> None:
    (tmp_path / "train.tsv").write_text(tsv(PAIRS))
    config = tiny(f"data.train={tmp_path / 'train.tsv'}", f"data.cache={tmp_path / 'cache'}")
    with pytest.raises(DataError, match="wanted validation pairs"):
        train(config, out=tmp_path / "m")
