"""The meaning of the operations that a lowered program has beyond the mathematical ones, bit by bit.

`fma`, and sine and cosine of far angles, are the C library's: NumPy has no fused product, and its own sine and
cosine differ from machine to machine.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import sys
from collections.abc import Callable
from functools import cache
from typing import Any, cast

import numpy as np

from .trigonometry import FAR


@cache
def libm(name: str, arguments: int, ctype: Any = ctypes.c_double) -> np.ufunc:
    """A function of the C library on arrays."""
    library = "ucrtbase" if sys.platform == "win32" else ctypes.util.find_library("m")
    function = getattr(ctypes.CDLL(library), name)
    function.restype, function.argtypes = ctype, [ctype] * arguments
    return cast(np.ufunc, np.frompyfunc(function, arguments, 1))


def fma(a: Any, b: Any, c: Any) -> Any:
    """a b + c, rounded once."""
    kind = np.result_type(a, b, c)
    name, ctype = ("fmaf", ctypes.c_float) if kind == np.float32 else ("fma", ctypes.c_double)
    fused: Any = np.asarray(libm(name, 3, ctype)(a, b, c), dtype=kind)
    return fused[()]


def quadrant(j: Any) -> Any:
    """The low bits of the mantissa, where the number of quarter turns stands."""
    array = np.asarray(j)
    return array.view(np.int32 if array.dtype == np.float32 else np.int64)


def quadrant_sin(j: Any, s: Any, c: Any) -> Any:
    """The sine of an angle from sine and cosine of its reduced angle."""
    return _signed(quadrant(j) & 2, np.where(quadrant(j) & 1, c, s))


def quadrant_cos(j: Any, s: Any, c: Any) -> Any:
    """The cosine of an angle from sine and cosine of its reduced angle."""
    return _signed((quadrant(j) + 1) & 2, np.where(quadrant(j) & 1, s, c))


def _signed(negative: Any, size: Any) -> Any:
    return cast(Any, np.where(negative, -size, size))[()]


def positive(x: Any) -> Any:
    """x, or no number where x is not positive."""
    x = np.asarray(x)
    return cast(Any, np.where(x > 0.0, x, np.asarray(np.nan, dtype=x.dtype)))[()]


def sign(x: Any) -> Any:
    """1 or -1, or x itself where it is nought or no number."""
    x = np.asarray(x)
    one = np.asarray(1.0, dtype=x.dtype)
    return cast(Any, np.where(x > 0.0, one, np.where(x < 0.0, -one, x)))[()]


def _far(name: str) -> Callable[[Any, Any], Any]:
    def far(x: Any, near: Any) -> Any:
        x = np.asarray(x)
        with np.errstate(invalid="ignore"):
            beyond = np.asarray(libm(name, 1)(x.astype(np.float64)), dtype=x.dtype)
        return np.where(np.abs(x) <= FAR, near, beyond)[()]

    return far


MACHINE = {
    "fma": fma,
    "positive": positive,
    "quadrant_sin": quadrant_sin,
    "quadrant_cos": quadrant_cos,
    "far_sin": _far("sin"),
    "far_cos": _far("cos"),
}
