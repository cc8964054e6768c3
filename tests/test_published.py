"""Real data against published figures; the data stands beside the repository, not in it."""

import json
from pathlib import Path

import pytest

from tests.cli.running import run


@pytest.mark.slow
@pytest.mark.parametrize(("language", "most"), [("hun", 6.5), ("fre", 7.5), ("ady", 29.0)])
def test_pronunciation(shared_data: Path, tmp_path: Path, language: str, most: float) -> None:
    """WER of SIGMORPHON 2020 task 1; its tuned LSTM has 5.33, 6.22 and 28.00 (Gorman et al. 2020, Table 2)."""
    folder = shared_data / "sigmorphon2020_g2p"
    files = {part: folder / part / f"{language}_{part}.tsv" for part in ("train", "dev", "test")}
    done = run("train", "--data", files["train"], "--valid", files["dev"], "--out", tmp_path / "model")
    assert done.returncode == 0, done.stderr.decode()
    done = run("evaluate", tmp_path / "model", "--data", files["test"], "--json", "-")
    figures = json.loads(done.stdout)
    print(language, figures["metrics"])
    assert 100.0 - figures["metrics"]["exact_match"] <= most
