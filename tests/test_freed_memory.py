"""Tests of memory that is kept."""

import subprocess
import sys

import pytest

from seq2see.freed_memory import keep_freed_memory

PROGRAM = """
import resource, sys
import torch
from seq2see.freed_memory import keep_freed_memory
torch.set_num_threads(1)
if sys.argv[1] == "kept":
    keep_freed_memory()
def use():
    for megabytes in (4, 9, 16, 33, 40):
        torch.zeros(megabytes, 2**18)
for _ in range(3):
    use()
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(20):
    use()
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


def _pages_asked_for(way: str) -> int:
    found = subprocess.run([sys.executable, "-c", PROGRAM, way], capture_output=True, text=True, check=True)
    return int(found.stdout)


def test_what_is_freed_is_not_asked_for_again() -> None:
    if not keep_freed_memory():
        pytest.skip("another C library than glibc")
    kept, given_back = _pages_asked_for("kept"), _pages_asked_for("given back")
    assert 10 * kept < given_back, (kept, given_back)


def test_another_c_library_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platform.libc_ver", lambda: ("musl", ""))
    keep_freed_memory.cache_clear()
    assert not keep_freed_memory()
    keep_freed_memory.cache_clear()
