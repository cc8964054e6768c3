"""Whether what is compiled can be used."""

import ctypes
import importlib.util
import os
import warnings
from collections.abc import Collection
from functools import cache

import torch
from torch import Tensor


def usable(*tensors: Tensor, types: Collection[torch.dtype] = (torch.float32,)) -> bool:
    """Whether compiled work can be done with such tensors: of one of the types, on a processor, in own memory."""
    return (
        all(
            type(tensor) in (Tensor, torch.nn.Parameter) and tensor.device.type == "cpu" and tensor.dtype in types
            for tensor in tensors
        )
        and is_there()
    )


@cache
def is_there() -> bool:
    """Whether numba is installed and works, and torch's threads are those of GNU's OpenMP; compiles what is not yet."""
    if importlib.util.find_spec("numba") is None or not _has_threads():
        return False
    try:
        from seq2see.compiled import drops, gates, looks, scores, sums  # noqa: F401
    except Exception as error:  # noqa: BLE001 - whatever ails numba, torch can do it
        warnings.warn(f"numba is installed and cannot be used ({error}); learning is slower without it", stacklevel=2)
        return False
    return True


def _has_threads() -> bool:
    only_if_loaded = getattr(os, "RTLD_NOLOAD", None)
    if only_if_loaded is None:
        return False
    try:
        return hasattr(ctypes.CDLL("libgomp.so.1", mode=only_if_loaded | os.RTLD_NOW), "GOMP_parallel")
    except OSError:
        return False
