"""That the fast path is fast, with a wide margin; ``benchmarks/`` measures by how much."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def ratios(*arguments: str) -> dict[str, float]:
    """How much faster than the loop of tutorials each way to train is."""
    command = [sys.executable, "benchmarks/train_speed.py", "--task", "demo", *arguments]
    done = subprocess.run(command, check=False, capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    rows = [[cell.strip() for cell in line.split("|")] for line in done.stdout.splitlines() if line.startswith("| ")]
    return {row[1]: float(row[4]) for row in rows[1:]}


def test_training_is_faster_than_the_loop_of_tutorials() -> None:
    found = ratios("--rounds", "3", "--updates", "3", "--sentences", "32")
    assert list(found) == ["textbook, float32", "step by step, float32", "fast, float32", "fast, bfloat16"]
    assert found["fast, float32"] > 1.2, found
