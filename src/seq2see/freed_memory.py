"""Memory that a process frees, and needs again at once."""

import ctypes
import platform
from functools import cache

TRIM_THRESHOLD, MMAP_THRESHOLD = -1, -3
"""Numbers by which glibc's ``mallopt`` knows what it sets."""
LARGEST = 2**30
"""Bytes: of a block that is kept, and of freed memory at the end of what a process has before any goes back."""


@cache
def keep_freed_memory() -> bool:
    """Keep freed memory for what comes next, where the C library is glibc; whether it is.

    By itself it gives large blocks back to the system and asks for them again, and each of their pages is filled with
    zeros at its first touch. On a processor that is a tenth of the time of learning, and some of that of searching. The
    most that a process has at a time does not grow by keeping them.
    """
    if platform.libc_ver()[0] != "glibc":
        return False
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    return mallopt is not None and bool(mallopt(MMAP_THRESHOLD, LARGEST)) and bool(mallopt(TRIM_THRESHOLD, LARGEST))
