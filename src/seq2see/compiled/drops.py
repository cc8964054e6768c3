"""Dropout, and its derivative: see ``layers.Dropout``."""

from typing import Any

import numpy as np
from numba import carray

from seq2see.compiled.numbers import fast, rounded, widened
from seq2see.compiled.threads import kernel, pointer, share


@fast
def _of_float32(xs: Any, drawn: Any, least: Any, scale: Any, made: Any) -> None:
    for index in range(len(xs)):
        made[index] = xs[index] * (scale if drawn[index] >= least else np.float32(0.0))


@fast
def _of_bfloat16(xs: Any, drawn: Any, least: Any, scale: Any, made: Any) -> None:
    for index in range(len(xs)):
        made[index] = rounded(widened(xs[index]) * (scale if drawn[index] >= least else np.float32(0.0)))


@kernel
def of_float32(given: Any) -> None:
    """See ``dropped``."""
    size, least = given[0], np.int16(given[1])
    scale = carray(pointer(given[2]), 1, np.float32)[0]
    xs, made = carray(pointer(given[3]), size, np.float32), carray(pointer(given[5]), size, np.float32)
    drawn = carray(pointer(given[4]), size, np.int16)
    first, end = share(size)
    _of_float32(xs[first:end], drawn[first:end], least, scale, made[first:end])


@kernel
def of_bfloat16(given: Any) -> None:
    """See ``dropped``."""
    size, least = given[0], np.int16(given[1])
    scale = carray(pointer(given[2]), 1, np.float32)[0]
    xs, made = carray(pointer(given[3]), size, np.uint16), carray(pointer(given[5]), size, np.uint16)
    drawn = carray(pointer(given[4]), size, np.int16)
    first, end = share(size)
    _of_bfloat16(xs[first:end], drawn[first:end], least, scale, made[first:end])
