"""Robots whose numbers are not known: symbols in the place of constants, and putting scalars in their place."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cache
from operator import attrgetter
from typing import Any, TypeVar, cast

from ..algebra import Placement, Scalar, Screw, Sym, Turn, Vec
from ..errors import LinkwiseError
from .joint import Joint
from .model import Link, Robot

Data = TypeVar("Data")


@dataclass(frozen=True, slots=True)
class Symbol:
    """A constant that has a name and no value yet."""

    name: str


def with_scalars(data: Data, scalar: Callable[[Any], Scalar]) -> Data:
    """The same frozen data with scalar(x) in the place of every number and symbol x of it."""
    return _replaced(data, scalar)


def _replaced(data: Any, scalar: Callable[[Any], Scalar]) -> Any:
    if isinstance(data, float | Symbol):
        return scalar(data)
    if isinstance(data, tuple):
        given = cast("tuple[Any, ...]", data)
        items = tuple(_replaced(item, scalar) for item in given)
        return given if all(a is b for a, b in zip(items, given, strict=True)) else items
    if is_dataclass(data) and not isinstance(data, type):
        parts = {f.name: _replaced(getattr(data, f.name), scalar) for f in fields(data) if f.init}
        changed = {name: part for name, part in parts.items() if part is not getattr(data, name)}
        return replace(data, **changed) if changed else data
    return data


def symbols_of(data: Any) -> tuple[Symbol, ...]:
    """The symbols that stand in frozen data, in their order."""
    found: dict[Symbol, None] = {}
    waiting = [data]
    while waiting:
        item = waiting.pop()
        kind = cast("type[Any]", type(item))
        if kind is Symbol:
            found[item] = None
        elif kind is not float:  # which most of them are
            waiting.extend(item[::-1] if kind is tuple else _parts(kind)(item))
    return tuple(found)


@cache
def _parts(kind: type[Any]) -> Callable[[Any], tuple[Any, ...]]:
    """What picks the values of a dataclass's fields, the last one first; of all else there are none."""
    names = [f.name for f in fields(kind)][::-1] if is_dataclass(kind) else []
    if len(names) > 1:
        return attrgetter(*names)
    return lambda item: tuple(getattr(item, name) for name in names)


def generic(joints: str, first_axis: str = "general") -> Robot:
    """A serial robot of R and P joints with a symbol for every constant, in modified Denavit–Hartenberg frames.

    With a vertical first axis the base's frame is put on the first joint's axis: α₁, a₁ and b₁ are nought.
    """
    if not isinstance(joints, str) or not joints or set(joints) - {"R", "P"}:  # pyright: ignore
        raise LinkwiseError(
            "A generic robot is a word of R and P",
            given=repr(joints),
            expected="one letter a joint: R for revolute, P for prismatic",
            mend='write for example Robot.generic("RRPRRR")',
        )
    if first_axis not in ("general", "vertical"):
        raise LinkwiseError(
            "Unknown direction of the first axis",
            given=repr(first_axis),
            expected='"vertical" (along gravity) or "general"',
            mend="choose one of the two",
        )
    links = tuple(_link(i, letter, first_axis == "vertical" and i == 1) for i, letter in enumerate(joints, 1))
    return Robot(
        name=f"generic {joints}, first axis {first_axis}",
        links=links,
        gravity=Vec(0.0, 0.0, Symbol("-g")),
        source="a symbol for every constant",
    )


def _link(i: int, letter: str, on_base: bool) -> Link:
    def s(name: str) -> Symbol:
        return Symbol(f"{name}{i}")

    across = Screw(Turn("x", s("cos_alpha"), s("sin_alpha")), s("a"))
    turn = Turn("z", 1.0, 0.0) if letter == "R" else Turn("z", s("cos_theta"), s("sin_theta"))
    along = Screw(turn, s("b") if letter == "R" else 0.0)
    if on_base:
        across, along = Screw(Turn("x", 1.0, 0.0), 0.0), Screw(Turn("z", 1.0, 0.0), 0.0)
    kind = "revolute" if letter == "R" else "prismatic"
    return Link(
        name=f"link{i}",
        parent=i - 2,
        joint=Joint(f"joint{i}", kind, Placement((across, along))),
        mass=s("m"),
        com=Vec(s("cx"), s("cy"), s("cz")),
        inertia=Sym(s("Ixx"), s("Ixy"), s("Ixz"), s("Iyy"), s("Iyz"), s("Izz")),
    )
