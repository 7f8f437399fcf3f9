"""A program: named inputs and the nodes that are its outputs; what is not reached from these is dead."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .machine import MACHINE, sign
from .node import Node


@dataclass(frozen=True, slots=True)
class Program:
    """The outputs of a traced text, in the order in which it returned them."""

    inputs: tuple[str, ...]
    outputs: tuple[Node, ...]

    def nodes(self) -> list[Node]:
        """Every live node, operands before the operations on them."""
        return reached(self.outputs)


def reached(outputs: Iterable[Node], first: Callable[[Node], float] | None = None) -> list[Node]:
    """All nodes that the outputs depend on, operands first; among operands in their order, or the greatest first."""
    found: dict[Node, None] = {}
    waiting = list(outputs)[::-1]
    while waiting:
        node = waiting[-1]
        if node in found:
            waiting.pop()
            continue
        depth = len(waiting)
        for a in sorted(node.args, key=first) if first else node.args[::-1]:
            if a not in found:
                waiting.append(a)
        if len(waiting) == depth:
            found[waiting.pop()] = None
    return list(found)


MEANING = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": np.divide,
    "neg": np.negative,
    "sin": np.sin,
    "cos": np.cos,
    "sqrt": np.sqrt,
    "sign": sign,
    **MACHINE,
}


def evaluate(program: Program, given: Mapping[str, Any]) -> list[Any]:
    """The reference meaning of a program: every node in turn, on numbers or arrays of any shape.

    With arrays in single precision, its numbers are rounded to that.

    >>> from linkwise.expr import Graph
    >>> g = Graph(); x = g.input("x")
    >>> evaluate(Program(("x",), (x * x, g.constant(3))), {"x": np.array([1.0, 2.0])})
    [array([1., 4.]), 3.0]
    """
    values: dict[Node, Any] = {}
    number = np.float32 if any(getattr(x, "dtype", None) == np.float32 for x in given.values()) else float
    with np.errstate(all="ignore"):
        for node in program.nodes():
            values[node] = _value(node, given, [values[a] for a in node.args], number)
    return [values[node] for node in program.outputs]


def _value(node: Node, given: Mapping[str, Any], args: Sequence[Any], number: type) -> Any:
    if node.op == "const":
        return number(node.value)
    if node.op in ("input", "parameter"):
        return given[node.value]
    return MEANING[node.op](*args)
