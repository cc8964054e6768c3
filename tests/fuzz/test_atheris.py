import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.slow
@pytest.mark.timeout(7200)
def test_no_input_of_many_fails(tmp_path: Path) -> None:
    pytest.importorskip("atheris", reason='atheris is not installed; pip install ".[fuzzing]"')
    command = [sys.executable, "-m", "tests.fuzz.run_atheris", "--keep", str(tmp_path)]
    done = subprocess.run(command, check=False, capture_output=True, text=True, cwd=Path(__file__).parents[2])
    assert done.returncode == 0, done.stdout + done.stderr[-5000:]
