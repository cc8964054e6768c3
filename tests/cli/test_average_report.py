from pathlib import Path

from tests.cli.running import run
from tests.toys import reverse_pairs, tsv


def test_an_averaged_model_has_a_report_too(reverse_directory: Path, tmp_path: Path) -> None:
    pairs, both, page = tmp_path / "t.tsv", tmp_path / "both", tmp_path / "r.html"
    pairs.write_text(tsv(reverse_pairs(10, seed=1)))
    assert run("average", reverse_directory, reverse_directory, "-o", both).returncode == 0
    done = run("evaluate", both, "--data", pairs, "--report", page)
    assert done.returncode == 0, done.stderr.decode()
    assert "wanted" in page.read_text(encoding="utf-8")
