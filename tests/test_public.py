import subprocess
import sys
import time

import seq2see


def test_every_exported_name_is_there_and_sorted() -> None:
    assert seq2see.__all__ == [*sorted(set(seq2see.__all__) - {"__version__"}), "__version__"]
    for name in seq2see.__all__:
        assert getattr(seq2see, name) is not None
    assert set(seq2see.__all__) <= set(dir(seq2see))


def test_help_is_quick_and_needs_no_torch() -> None:
    code = (
        "import sys\n"
        "from seq2see.cli.main import app\n"
        "try: app(['--help'])\n"
        "except SystemExit: pass\n"
        "print('heavy:', sorted({'torch', 'matplotlib', 'pydantic', 'tokenizers', 'numpy'} & set(sys.modules)))\n"
    )
    best = 9.0
    for _ in range(3):
        start = time.monotonic()
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        best = min(best, time.monotonic() - start)
        assert "heavy: []" in done.stdout
        assert "translate" in done.stdout
    assert best < 1.0
