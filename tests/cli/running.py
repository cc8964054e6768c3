"""Running the command line as its user does."""

import os
import subprocess
import sys
from pathlib import Path


def run(*arguments: str | Path, stdin: bytes | None = None, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Run ``seq2see`` in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "seq2see", *map(str, arguments)],
        input=stdin if stdin is not None else b"",
        capture_output=True,
        check=False,
        env={**os.environ, **environment},
    )


def refused(*arguments: str | Path, stdin: bytes | None = None) -> str:
    """Run something that must be refused as the user's fault; return the message."""
    done = run(*arguments, stdin=stdin)
    message = done.stderr.decode("utf-8")
    assert done.returncode == 2, message
    assert "Traceback" not in message
    assert done.stdout == b""
    return message
