"""What users hand in, looked at once: real numbers become finite floats, sequences become vectors and tensors.

Scalars that are no plain numbers (symbols, tracers, arrays, exact numbers of other libraries) pass as they are.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable, Sequence
from datetime import date, time
from difflib import get_close_matches
from itertools import islice
from typing import Any, TypeVar, cast

import numpy as np

from ..algebra import Mat, Placement, Rigid, Scalar, Screw, Sym, Turn, Vec
from ..errors import LinkwiseError

Kind = TypeVar("Kind")

_REAL: Any = (int, float, np.integer, np.floating)
_NO_NUMBER = (bool, np.bool_, str, bytes, type(None), list, tuple, dict, set, date, time)

MOST_LINKS = 5_000

MANY = 40
"""Names in a list; a humanoid has as many joints."""

CANDIDATES = 500
"""Names among which the nearest is looked for."""

UNIT = 1e-12
"""How far the length of an axis, or a rotation's columns, may be from one: rounding, no more."""


def settle(frozen: Any, **values: Any) -> None:
    """Put what was given into its settled form, while a frozen object is being made."""
    for field, value in values.items():
        object.__setattr__(frozen, field, value)


def number(given: Any, what: str) -> Scalar:
    """A finite float; -0.0 becomes 0.0, so that equal robots look equal."""
    value = bound(given, what)
    if isinstance(value, float) and not math.isfinite(value):
        raise _no_number(given, what)
    return value


def real(given: Any, what: str) -> float:
    """A finite float, where a number is needed in its own right: for an angle, whose sine is taken."""
    value = number(given, what)
    if not isinstance(value, float):
        raise _no_number(given, what)
    return value


def bound(given: Any, what: str) -> Scalar:
    """A float that may be infinite, but not NaN."""
    if isinstance(given, _NO_NUMBER):
        raise _no_number(given, what)
    if not isinstance(given, _REAL):
        return given
    try:
        value = float(given) + 0.0
    except OverflowError as error:
        raise _no_number("an integer beyond every float", what) from error
    if math.isnan(value):
        raise _no_number(given, what)
    return value


def _no_number(given: Any, what: str) -> LinkwiseError:
    return LinkwiseError(
        f"{what} is not a finite number", given=repr(given), expected="a finite number", mend="give it a finite number"
    )


def index(given: Any, what: str) -> int:
    if isinstance(given, bool) or not hasattr(given, "__index__"):
        raise LinkwiseError(
            f"{what} is not an index",
            given=repr(given),
            expected="the index of a link, or -1 for the base",
            mend="give the index of the link that carries it",
        )
    return operator.index(given)


def count_of_links(count: int) -> None:
    """Raise unless a file may be a robot's."""
    if not 0 < count <= MOST_LINKS:
        raise LinkwiseError(
            "This is no robot",
            given=f"{count} links",
            expected=f"1 to {MOST_LINKS}",
            mend="check that this is the file you meant",
        )


def sequence(given: Any, lengths: Sequence[int] | None, what: str) -> tuple[Any, ...]:
    """The items of a list, tuple or array of one of these lengths (None: of any)."""
    items = tuple(given) if _is_sequence(given) else None
    if items is None or (lengths is not None and len(items) not in lengths):
        count = "" if lengths is None else " of " + " or ".join(map(str, lengths))
        raise LinkwiseError(
            f"{what} has the wrong shape",
            given=repr(given) if items is None else f"{len(items)} items: {given!r}",
            expected=f"a sequence{count}",
            mend="give it as a list of that many",
        )
    return items


def _is_sequence(given: Any) -> bool:
    return isinstance(given, Sequence | np.ndarray) and not isinstance(given, str | bytes)


def vector(given: Any, what: str) -> Vec:
    items = tuple(given) if isinstance(given, Vec) else sequence(given, (3,), what)
    return Vec(*(number(item, f"{axis} of {what}") for axis, item in zip("xyz", items, strict=True)))


def tensor(given: Any, what: str) -> Sym:
    """A symmetric tensor from itself, (xx, yy, zz), (xx, xy, xz, yy, yz, zz), or three rows of three."""
    if isinstance(given, Sym):
        return Sym(*(number(entry, f"an entry of {what}") for entry in given.entries))
    items = sequence(given, (3, 6), what)
    if len(items) == 3 and all(map(_is_sequence, items)):
        return _symmetric(Mat(*(vector(row, f"row {i} of {what}") for i, row in enumerate(items, 1))), what)
    xx, xy, xz, yy, yz, zz = items if len(items) == 6 else (items[0], 0.0, 0.0, items[1], 0.0, items[2])
    return tensor(Sym(xx, xy, xz, yy, yz, zz), what)


def _symmetric(m: Mat, what: str) -> Sym:
    skewness = (m - m.T).axial
    if _floats(*skewness) and _largest(skewness) > UNIT * _largest((*m.x, *m.y, *m.z)):
        raise LinkwiseError(
            f"{what} is not symmetric",
            given=repr([list(row) for row in (m.x, m.y, m.z)]),
            expected="equal entries on both sides of the diagonal",
            mend="give the six entries (xx, xy, xz, yy, yz, zz)",
        )
    return m.symmetric


def unit(given: Any, what: str) -> Vec:
    """A vector of length one."""
    v = vector(given, what)
    if not _floats(*v):
        return v
    length = math.hypot(*v)
    if abs(length - 1.0) > UNIT:
        mend = f"divide it by its length: {tuple(x / length for x in v)}" if length else "name a direction"
        raise LinkwiseError(f"{what} is not of length 1", given=tuple(v), expected=f"length 1, not {length}", mend=mend)
    return v


def placement(given: Placement, what: str) -> Placement:
    instance(given, Placement, what)
    return Placement(tuple(_factor(factor, what) for factor in given.factors))


def _factor(given: Screw | Rigid, what: str) -> Screw | Rigid:
    if isinstance(given, Screw):
        return Screw(_turn(given.turn, what), number(given.slide, f"the slide of {what}"))
    rows = (vector(row, f"the rotation of {what}") for row in (given.matrix.x, given.matrix.y, given.matrix.z))
    return Rigid(_rotation(Mat(*rows), what), vector(given.position, f"the position of {what}"))


def _turn(given: Turn, what: str) -> Turn:
    c, s = number(given.c, f"the cosine of {what}"), number(given.s, f"the sine of {what}")
    if given.axis not in ("x", "z") or (_floats(c, s) and abs(math.hypot(c, s) - 1.0) > UNIT):
        raise LinkwiseError(
            f"A turn of {what} is none",
            given=repr(given),
            expected="a turn about x or z, whose cosine and sine have squares that add up to 1",
            mend="take cosine and sine of one angle",
        )
    return Turn(given.axis, c, s)


def _rotation(m: Mat, what: str) -> Mat:
    entries = (*m.x, *m.y, *m.z)
    if not _floats(*entries):
        return m
    product = (*(m.x.cross(m.y) - m.z), m.x.dot(m.x) - 1.0, m.y.dot(m.y) - 1.0, m.x.dot(m.y))
    if _largest(product) > UNIT:
        raise LinkwiseError(
            f"The rotation of {what} is none",
            given=repr([list(row) for row in (m.x, m.y, m.z)]),
            expected="three perpendicular rows of length 1, right-handed",
            mend="give it with all its digits, or as angles",
        )
    return m


def instance(given: Any, kind: type[Kind], what: str) -> Kind:
    if not isinstance(given, kind):
        raise LinkwiseError(
            f"{what} is not a {kind.__name__}",
            given=repr(given),
            expected=f"a linkwise {kind.__name__}",
            mend=f"write {kind.__name__}(…)",
        )
    return given


def name(given: Any, what: str) -> str:
    if not isinstance(given, str) or not given.strip():
        raise LinkwiseError(
            f"{what} has no name", given=repr(given), expected="a text that is not empty", mend="give it a name"
        )
    return given


def text(given: Any, what: str) -> str:
    if not isinstance(given, str):
        raise LinkwiseError(f"{what} is not a text", given=repr(given), expected="a text", mend="put it in quotes")
    return given


def one_of(given: Any, known: Sequence[str], what: str) -> str:
    """One of the known words; otherwise an error that lists them and names the nearest."""
    if isinstance(given, str) and given in known:
        return given
    raise LinkwiseError(
        f"Unknown {what}", given=f"{given!r:.200}", expected=f"one of {listed(known)}", mend=nearest(given, known)
    )


def listed(names: Iterable[str], between: str = ", ") -> str:
    """The names one after the other, or as many of them as anybody reads."""
    first = tuple(islice(names, MANY + 1))
    return between.join(f"{name:.100}" for name in first[:MANY]) + f"{between}…" * (len(first) > MANY)


def some_of(given: Any, known: Sequence[str], what: str) -> tuple[str, ...]:
    """Some of the known words, in a sequence: a word alone is one of letters, which nobody can have meant."""
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise LinkwiseError(
            f"{what} should be a sequence of names",
            given=f"{given!r:.200}",
            expected=f"a sequence of some of {listed(known)}",
            mend=f"write for example [{given if given in known else known[0]!r}]",
        )
    words = cast(Iterable[Any], given)
    return tuple(one_of(word, known, f"name in {what}") for word in words)


def nearest(given: Any, known: Sequence[str]) -> str:
    found = near(given, known)
    return "did you mean " + " or ".join(found) + "?" if found else "choose one of these"


def near(given: Any, known: Sequence[str]) -> list[str]:
    """The known words that it looks like, the most alike first."""
    return get_close_matches(f"{given!s:.100}", known[:CANDIDATES])


def _floats(*values: Any) -> bool:
    return all(isinstance(value, float) for value in values)


def _largest(values: Iterable[Any]) -> Scalar:
    return max(abs(value) for value in values)
