"""The page of results says what its figures say."""

import subprocess
import sys
from pathlib import Path

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
