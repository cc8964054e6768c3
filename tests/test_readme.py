"""What the README tells people to type, typed."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.toys import reverse_pairs, tsv

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, count, seed in [("train.tsv", 64, 0), ("dev.tsv", 8, 1), ("test.tsv", 8, 2)]:
        (tmp_path / name).write_text(tsv(reverse_pairs(count, seed=seed)), encoding="utf-8")
    (tmp_path / "input.txt").write_text("abc\nxyz\n")
    return tmp_path


def typed(folder: Path, command: list[str]) -> str:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        command, cwd=folder, env={**os.environ, "PATH": path}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_commands(folder: Path) -> None:
    commands = re.findall(r"^    (seq2see .+)$", README, re.MULTILINE)
    assert [command.split()[1] for command in commands] == ["train", "evaluate", "translate", "plot"]
    for command in commands:
        typed(folder, ["sh", "-c", command])
    assert len((folder / "output.txt").read_text(encoding="utf-8").splitlines()) == 2
    assert (folder / "picture.svg").read_text(encoding="utf-8").startswith("<?xml")


def test_the_python(folder: Path) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    assert len([line for line in code.splitlines() if line]) <= 10
    typed(folder, [sys.executable, "-W", "error", "-c", code])
    assert (folder / "picture.svg").is_file()


def test_pictures_and_pages_it_links_to_are_there() -> None:
    for target in re.findall(r"\]\(([^)]+)\)", README):
        assert (Path(__file__).parents[1] / target).exists(), target
