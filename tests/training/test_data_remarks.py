from pathlib import Path

from seq2see.config import load_config
from seq2see.training import read_all_pairs
from tests.training.test_run import Listener


def test_what_harms_comes_first_and_the_rest_is_counted(tmp_path: Path) -> None:
    train, valid = tmp_path / "train.tsv", tmp_path / "valid.tsv"
    train.write_text("a\tx\n\ty\nb \tz\nc\tw\n")
    valid.write_text("a\tx\n")
    config = load_config(None, [f"data.train={train}", f"data.valid={valid}"])
    listener = Listener()
    read_all_pairs(config, listener)
    assert listener.notes == [
        "data: 1 × the source is empty; such pairs are left out of training (train.tsv:2)",
        "data: 1 × the source is among those that are learnt from (valid.tsv:1)",
        "data: 1 further remark by seq2see check-data",
    ]


def test_good_data_and_parallel_files(tmp_path: Path) -> None:
    for name, text in (("a.en", "one\ntwo\n"), ("a.de", "eins\nzwei\n")):
        (tmp_path / name).write_text(text)
    config = load_config(None, [f"data.source={tmp_path / 'a.en'}", f"data.target={tmp_path / 'a.de'}"])
    listener = Listener()
    read_all_pairs(config, listener)
    assert listener.notes[:1] == ["data: nothing in them harms a model"]
