"""The operations of a text on a generic robot, by the papers' rule."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import linkwise.expr as ex
from linkwise.expr import Count, Graph, Program, count
from linkwise.robot.skeleton import skeleton
from linkwise.robot.symbols import Symbol, generic, with_scalars


def operations(text: Callable[..., Any], n: int, states: str, first_axis: str = "general") -> Count:
    """M and A for n revolute joints; `states` has a letter for each argument, 0 for one that is nought."""
    graph = Graph()
    robot = with_scalars(
        generic("R" * n, first_axis), lambda x: graph.parameter(x.name) if isinstance(x, Symbol) else x
    )
    arguments = [[0.0 if s == "0" else graph.input(f"{s}{i}") for i in range(n)] for s in states]
    outputs = tuple(graph.lift(x) for x in entries(text(skeleton(robot), *arguments, ex)))
    return count(Program(tuple(map(str, range(len(outputs)))), outputs))


def entries(result: Sequence[Any]) -> Iterator[Any]:
    for x in result:
        yield from x if isinstance(x, list) else (x,)
