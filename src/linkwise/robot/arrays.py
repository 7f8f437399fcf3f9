"""Arrays that users hand in, looked at once."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import LinkwiseError

Array = NDArray[np.float64]


def numbers(given: Any, what: str, last: tuple[int, ...] = (), meaning: str = "") -> Array:
    """Real numbers as an array whose last axes have these lengths."""
    expected = f"numbers (…, {', '.join(map(str, last))})" if last else "numbers"
    expected = f"{expected}: {meaning}" if meaning else expected
    try:
        array = np.asarray(given)
        if array.dtype.kind not in "biuf":
            raise TypeError(f"it holds {array.dtype}")
    except (TypeError, ValueError) as error:
        raise LinkwiseError(
            f"{what} is not an array of numbers",
            given=f"{type(given).__name__} {given!r:.80}",
            expected=expected,
            mend=f"give real numbers, nested in lists of equal length or in arrays ({error})",
        ) from error
    if array.shape[max(0, array.ndim - len(last)) :] != last:
        raise LinkwiseError(
            f"{what} has the wrong shape", given=f"shape {array.shape}", expected=expected, mend="put these axes last"
        )
    return array.astype(np.float64, copy=False)


def batch(**shapes: tuple[int, ...]) -> tuple[int, ...]:
    """The shape that the leading axes of all arguments broadcast to."""
    try:
        return np.broadcast_shapes(*shapes.values())
    except ValueError as error:
        raise LinkwiseError(
            "The leading axes of the arguments do not broadcast",
            given=", ".join(f"{name} (…) = {shape}" for name, shape in shapes.items()),
            expected="leading axes that are equal, 1 or missing, as NumPy broadcasts",
            mend="give all arguments the same leading axes",
        ) from error


def shape(given: Any, what: str) -> tuple[int, ...]:
    """The shape of an array that is asked for: a length or several."""
    try:
        return np.empty(given, np.dtype([])).shape  # which takes no memory
    except (TypeError, ValueError) as error:
        raise LinkwiseError(
            f"{what} is no shape",
            given=repr(given),
            expected="an integer that is not negative, or a tuple of such",
            mend="give the number of rows, or the lengths of all leading axes",
        ) from error
