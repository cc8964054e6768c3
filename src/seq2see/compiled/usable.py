"""Whether what is compiled can be used."""

import ctypes
import importlib.util
from functools import cache

import torch
from torch import Tensor


def usable(*tensors: Tensor) -> bool:
    """Whether compiled work can be done with such tensors: float32, on a processor, by threads of GNU's OpenMP."""
    return all(tensor.device.type == "cpu" and tensor.dtype == torch.float32 for tensor in tensors) and is_there()


@cache
def is_there() -> bool:
    """Whether numba is installed, and GNU's OpenMP loaded or to be found."""
    if importlib.util.find_spec("numba") is None:
        return False
    try:
        return hasattr(ctypes.CDLL("libgomp.so.1"), "GOMP_parallel")
    except OSError:
        return False
