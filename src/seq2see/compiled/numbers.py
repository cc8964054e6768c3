"""Functions of one number, such that loops over them become vector instructions."""

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.core import cgutils
from numba.extending import intrinsic

ONE, TWO = np.float32(1.0), np.float32(2.0)
LOG2_E = np.float32(1.4426950408889634)
_F = TypeVar("_F", bound=Callable[..., Any])

_INT, _FLOAT = ir.IntType(32), ir.FloatType()


def fast(function: _F) -> _F:
    """Compile a function in which sums may be taken in any order; what is not a number stays so."""
    compiled: _F = njit(fastmath={"contract", "reassoc", "nsz", "arcp"}, error_model="numpy")(function)
    return compiled


def _whole(number: int) -> Any:
    return ir.Constant(_INT, number)


@intrinsic  # type: ignore[untyped-decorator]
def widened(context: Any, x: Any) -> Any:
    """A float32 from the 16 bits of a bfloat16."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.bitcast(builder.shl(builder.zext(arguments[0], _INT), _whole(16)), _FLOAT)

    return types.float32(types.uint16), generate


@intrinsic  # type: ignore[untyped-decorator]
def rounded(context: Any, x: Any) -> Any:
    """The 16 bits of the bfloat16 next to a float32; the even one of two."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        bits = builder.bitcast(arguments[0], _INT)
        is_odd = builder.and_(builder.lshr(bits, _whole(16)), _whole(1))
        nearest = builder.add(builder.add(bits, _whole(0x7FFF)), is_odd)
        is_no_number = builder.fcmp_unordered("uno", arguments[0], arguments[0])
        kept = builder.select(is_no_number, _whole(0x7FC00000), nearest)
        return builder.trunc(builder.lshr(kept, _whole(16)), ir.IntType(16))

    return types.uint16(types.float32), generate


@intrinsic  # type: ignore[untyped-decorator]
def _to_int(context: Any, x: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.fptosi(arguments[0], _INT)

    return types.int32(types.float32), generate


@intrinsic  # type: ignore[untyped-decorator]
def _of_exponent(context: Any, exponent: Any) -> Any:
    """2^(n - 127), whose bits are n, 23 to the left."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.bitcast(builder.shl(arguments[0], _whole(23)), _FLOAT)

    return types.float32(types.int32), generate


@intrinsic  # type: ignore[untyped-decorator]
def greater(context: Any, x: Any, y: Any) -> Any:
    """The greater of two; any of them where one is not a number."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        of_two = ir.FunctionType(_FLOAT, [_FLOAT, _FLOAT])
        function = cgutils.get_or_insert_function(builder.module, of_two, "llvm.maxnum.f32")
        return builder.call(function, arguments, fastmath=("nnan", "nsz"))

    return types.float32(types.float32, types.float32), generate


@fast
def exp2(x: Any) -> Any:
    """2^x, between 2^-126 and 2^126: of the whole number next to x by its bits, of the rest by its Taylor polynomial.

    The polynomial of degree 6 is 1.2e-7 off at most, as the rest is between -1/2 and 1/2.
    """
    least, most = np.float32(-126.0), np.float32(126.0)
    x = least if x < least else x
    x = most if x > most else x
    shifted = _to_int(x + np.float32(127.5))
    rest = x - np.float32(shifted - np.int32(127))
    power = np.float32(1.5403530e-4)  # ln(2)^k / k! for k = 6, 5, 4, 3, 2, 1, 0
    power = power * rest + np.float32(1.3333558e-3)
    power = power * rest + np.float32(9.6181291e-3)
    power = power * rest + np.float32(5.5504109e-2)
    power = power * rest + np.float32(2.4022651e-1)
    power = power * rest + np.float32(6.9314718e-1)
    power = power * rest + ONE
    return power * _of_exponent(shifted)


@fast
def sigmoid(x: Any) -> Any:
    """The logistic function."""
    return ONE / (ONE + exp2(-LOG2_E * x))


@fast
def tanh(x: Any) -> Any:
    """2 sigmoid(2x) - 1."""
    return TWO / (ONE + exp2(-TWO * LOG2_E * x)) - ONE
