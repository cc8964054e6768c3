"""Sums that rounded numbers are added to."""

from typing import Any

import numpy as np
from numba import carray

from seq2see.compiled.numbers import fast, widened
from seq2see.compiled.threads import kernel, pointer, share


@fast
def _add(sums: Any, added: Any) -> None:
    for index in range(len(sums)):
        sums[index] += widened(added[index])


@kernel
def add(given: Any) -> None:
    """See ``add_``."""
    size = given[0]
    sums, added = carray(pointer(given[1]), size, np.float32), carray(pointer(given[2]), size, np.uint16)
    first, end = share(size)
    _add(sums[first:end], added[first:end])
