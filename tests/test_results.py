"""The page of results says what its figures say."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SHOW = """
import sys
from pathlib import Path
sys.path.insert(0, "benchmarks")
from quality_page import page_text
sys.stdout.buffer.write(page_text(Path("docs/results.json")).encode())
"""


def test_the_page_is_made_of_its_figures() -> None:
    done = subprocess.run([sys.executable, "-c", SHOW], check=True, capture_output=True, cwd=ROOT)
    assert done.stdout.decode() == (ROOT / "docs" / "results.md").read_text(encoding="utf-8")


def test_every_table_names_recipes_that_are_there() -> None:
    script = "import sys; sys.path.insert(0, 'benchmarks'); from quality_tables import TABLES\n"
    script += "print(*(one.config for table in TABLES.values() for one in table.models.values()))"
    done = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True, cwd=ROOT)
    for name in done.stdout.split():
        assert (ROOT / "configs" / name).is_file()


def rows() -> list[tuple[str, str, str]]:
    """Table, set and model of a row for each recipe that has one: that which is trained the fastest."""
    results = json.loads((ROOT / "docs" / "results.json").read_text(encoding="utf-8"))["results"]
    found: dict[tuple[str, str], dict[str, object]] = {}
    for result in sorted((one for one in results if one.get("minutes")), key=lambda one: one["minutes"]):
        found.setdefault((result["table"], result["model"]), result)
    return [(table, str(result["set"]), model) for (table, model), result in found.items()]


@pytest.mark.slow
@pytest.mark.parametrize(("table", "data_set", "model"), rows())
def test_a_recipe_reaches_what_the_page_says(
    shared_data: Path, tmp_path: Path, table: str, data_set: str, model: str
) -> None:
    """Seeds and processors differ: by a tenth, or by a point and a half, of every score that the page shows."""
    arguments = [table, "--sets", data_set, "--models", model, "--seeds", "1", "--out", tmp_path]
    command = [sys.executable, ROOT / "benchmarks" / "quality.py", *arguments, "--data", shared_data]
    subprocess.run([*map(str, command)], check=True)
    (made,) = [json.loads(line) for line in (tmp_path / f"{table}.jsonl").read_text().splitlines()]
    results = json.loads((ROOT / "docs" / "results.json").read_text(encoding="utf-8"))["results"]
    key = ("table", "set", "model", "seed")
    (told,) = [one for one in results if all(one[name] == made[name] for name in key)]
    print(made)
    for name, value in told["test"].items():
        assert made["test"][name] == pytest.approx(value, rel=0.1, abs=1.5), name
