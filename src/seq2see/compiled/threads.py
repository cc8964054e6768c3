"""Rows shared out among the threads of torch.

Threads of their own would wait for a core that torch's keep busy between two operations.
"""

import ctypes
from collections.abc import Callable
from functools import cache
from typing import Any

import llvmlite.binding
import torch
from numba import cfunc, njit, types
from numba.core.types import ExternalFunction
from numba.extending import intrinsic
from torch import Tensor

_LIBRARY = ctypes.CDLL("libgomp.so.1")  # torch has loaded it
for _name in ("omp_get_thread_num", "omp_get_num_threads"):
    llvmlite.binding.add_symbol(_name, ctypes.cast(getattr(_LIBRARY, _name), ctypes.c_void_p).value)

_thread_number = ExternalFunction("omp_get_thread_num", types.int32())
_num_threads = ExternalFunction("omp_get_num_threads", types.int32())


def kernel(function: Callable[[Any], None]) -> Any:
    """A function of an array of whole numbers, of which the first is how many rows there are, that does some of them.

    What is compiled is kept beside the source for later processes, or where else numba may write.
    """
    try:
        return cfunc("void(CPointer(int64))", cache=True, error_model="numpy")(function)
    except RuntimeError:  # no place to keep it
        return cfunc("void(CPointer(int64))", error_model="numpy")(function)


def run(work: Any, rows: int, *numbers: int | Tensor) -> None:
    """Do all rows, on as many threads as torch uses.

    Args:
        work: See ``kernel``.
        rows: How many.
        numbers: What the kernel is given after them; tensors as addresses.
    """
    given = [number.data_ptr() if isinstance(number, Tensor) else number for number in numbers]
    array = (ctypes.c_int64 * (1 + len(given)))(rows, *given)
    _parallel()(work.address, ctypes.addressof(array), min(rows, torch.get_num_threads()), 0)


@cache
def _parallel() -> Any:
    function = _LIBRARY.GOMP_parallel
    function.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_uint, ctypes.c_uint]
    return function


@njit(error_model="numpy")  # type: ignore[untyped-decorator]
def share(rows: int) -> tuple[int, int]:
    """Which rows are this thread's: from the first to before the second number."""
    number, threads = _thread_number(), _num_threads()
    return rows * number // threads, rows * (number + 1) // threads


@intrinsic  # type: ignore[untyped-decorator]
def pointer(context: Any, address: Any) -> Any:
    """An address as a pointer, for ``numba.carray``."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.inttoptr(arguments[0], context.get_value_type(types.voidptr))

    return types.voidptr(types.int64), generate
