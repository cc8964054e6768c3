"""The page of results says what its figures say."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def in_benchmarks(script: str) -> str:
    start = "import sys; sys.path.insert(0, 'benchmarks')\n"
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8"}
    command = [sys.executable, "-c", start + script]
    return subprocess.run(command, check=True, capture_output=True, encoding="utf-8", cwd=ROOT, env=environment).stdout


def page_of(figures: Path) -> str:
    script = "from pathlib import Path; from quality_page import page_text\n"
    return in_benchmarks(f"{script}print(page_text(Path({str(figures)!r})), end='')")


def test_the_page_is_made_of_its_figures() -> None:
    assert page_of(ROOT / "docs" / "results.json") == (ROOT / "docs" / "results.md").read_text(encoding="utf-8")


def test_every_table_names_recipes_and_settings_that_are_there() -> None:
    script = "from quality_tables import TABLES; from seq2see.config import load_config\n"
    script += "for one in [one for table in TABLES.values() for one in table.models.values()]:\n"
    script += "    load_config('configs/' + one.config, one.settings); print(one.config)"
    assert {"g2p.yaml", "inflection.yaml"} < set(in_benchmarks(script).split())


def test_a_peer_learns_and_is_scored_as_ours_are() -> None:
    script = """
from pathlib import Path
from quality import run_peer
from quality_tables import TABLES, DataSet
from quality_tables.table import Learnt
from seq2see.data.pairs import Pair
words = [Pair("ab", "a b"), Pair("ba", "b a")]
def peer(data_set, environments, work, threads):
    assert work.is_dir() and environments == Path("peers") and threads == 1
    return Learnt(lambda sources: ["a b" for _ in sources], 12.346)
print(run_peer(TABLES["g2p"], DataSet("set", words, words, words[:1]), peer, Path("peers"), 1))
"""
    found = in_benchmarks(script)
    assert "{'minutes': 12.35, 'valid': {'WER': 50.0, 'PER': 50.0}, 'test': {'WER': 0.0, 'PER': 0.0}" in found


def test_rows_of_peers_and_of_validation_words_are_on_the_page(tmp_path: Path) -> None:
    row: dict[str, object] = {"set": "bul", "seed": 1, "minutes": 30.5}
    scores = {"WER": 31.25, "PER": 6.5}
    results = [
        {**row, "table": "g2p", "model": "yoyodyne, as documented", "test": scores},
        {**row, "table": "gains", "model": "no dropout", "parameters": 3_000_000, "valid": scores},
    ]
    figures = tmp_path / "figures.json"
    figures.write_text(json.dumps({"results": results, "published": {}}), encoding="utf-8")
    page = page_of(figures)
    assert "| WER | yoyodyne, as documented |" in page
    assert '--models "yoyodyne, as documented" --peers peers' in page
    assert "yoyodyne, as documented: 30.5 minutes." in page
    assert "| WER | no dropout |" in page
    assert page.count("| bul | 31.25 |") == 2
    assert "--set model.dropout=0.0" in page
    assert "evaluate model --data results/pairs/gains/$SET/valid.tsv" in page


def rows() -> list[tuple[str, str, str]]:
    """Table, set and model of a row for each recipe that has one: that which is trained the fastest."""
    results = json.loads((ROOT / "docs" / "results.json").read_text(encoding="utf-8"))["results"]
    found: dict[tuple[str, str], dict[str, object]] = {}
    ours = [one for one in results if one.get("minutes") and "parameters" in one]
    for result in sorted(ours, key=lambda one: one["minutes"]):
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
    part = "test" if "test" in told else "valid"
    for name, value in told[part].items():
        assert made[part][name] == pytest.approx(value, rel=0.1, abs=1.5), name
