"""The passes over a robot's bodies, by name.

A step sees the body at hand and the value that the pass carries, never a neighbour, so that one step can be
traced once for every joint of a kind and compiled as the body of a loop.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from .robot.skeleton import Body

Bodies = Sequence[Body]
Kind = TypeVar("Kind", bound=Body)


def each(bodies: Bodies, step: Callable[..., Any], *own: Sequence[Any]) -> list[Any]:
    """Every body by itself: step(body, *its own values)."""
    return [step(body, *values) for body, *values in zip(bodies, *own, strict=True)]


def outward(bodies: Bodies, step: Callable[..., Any], at_base: Any, *own: Sequence[Any]) -> list[Any]:
    """From the base to the tips: step(body, the parent's value, *its own values) gives the body's value."""
    reached: list[Any] = []
    for body, *values in zip(bodies, *own, strict=True):
        carried = at_base if body.parent < 0 else reached[body.parent]
        reached.append(step(body, carried, *values))
    return reached


def inward(bodies: Bodies, to_parent: Callable[..., Any], own: Sequence[Any]) -> list[Any]:
    """From the tips to the base: each body's own value plus what to_parent(child, its total) brings."""
    totals = list(own)
    for body in reversed(bodies):
        if body.parent >= 0:
            totals[body.parent] = totals[body.parent] + to_parent(body, totals[body.index])
    return totals


def inward_keeping(bodies: Bodies, step: Callable[..., Any], own: Sequence[Any], *more: Sequence[Any]) -> list[Any]:
    """As `inward`, with a by-product: step(body, total, *more) gives (what goes to the parent, what is kept)."""
    totals, kept = list(own), [None] * len(bodies)
    for body in reversed(bodies):
        i = body.index
        passed, kept[i] = step(body, totals[i], *(values[i] for values in more))
        if body.parent >= 0:
            totals[body.parent] = totals[body.parent] + passed
    return kept


def toward_base(bodies: Sequence[Kind], body: Kind, step: Callable[..., Any], value: Any) -> Iterator[tuple[Kind, Any]]:
    """From one body down to the base: each ancestor with the value that step(child, value) hands it."""
    while body.parent >= 0:
        value = step(body, value)
        body = bodies[body.parent]
        yield body, value
