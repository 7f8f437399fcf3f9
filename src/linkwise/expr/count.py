"""Counting the operations of a program by the papers' rule.

A product or a quotient is one M, a sum or a difference one A. Free are: signs; the sine and cosine of the joint
angles, with whatever constant stands beside the angle; and all that depends on constants alone, which is worked
out off-line.
"""

from __future__ import annotations

from dataclasses import dataclass

from .node import Node
from .program import Program


@dataclass(frozen=True, slots=True, order=True)
class Count:
    """Multiplications and additions."""

    M: int = 0
    A: int = 0

    def __add__(self, other: Count) -> Count:
        return Count(self.M + other.M, self.A + other.A)

    def __sub__(self, other: Count) -> Count:
        return Count(self.M - other.M, self.A - other.A)

    def __str__(self) -> str:
        return f"{self.M}M {self.A}A"


PRICE = {"mul": Count(1, 0), "div": Count(1, 0), "sqrt": Count(1, 0), "add": Count(0, 1), "sub": Count(0, 1)}


def count(program: Program) -> Count:
    """The operations of a program.

    >>> from linkwise.expr import Graph, Program, sin
    >>> g = Graph(); x, k = g.input("x"), g.parameter("k")
    >>> print(count(Program(("x",), (x * (k * k) + 1, sin(x + k)))))
    1M 1A
    """
    total = Count()
    for node in _reached_without_angles(program.outputs):
        if not node.offline:
            total = total + PRICE.get(node.op, Count())
    return total


def _reached_without_angles(outputs: tuple[Node, ...]) -> list[Node]:
    """The live nodes without those that are only there to make the angle of a sine or a cosine."""
    found: dict[Node, None] = {}
    waiting = list(outputs)
    while waiting:
        node = waiting.pop()
        if node not in found:
            found[node] = None
            if node.op not in ("sin", "cos"):
                waiting.extend(node.args)
    return list(found)


FLOPS = dict.fromkeys(("add", "sub", "mul", "div", "sqrt"), 1) | {"fma": 2}


def work(program: Program) -> tuple[int, int]:
    """The arithmetic of a lowered program: instructions, and floating-point operations, a fused product being two.

    >>> from linkwise.expr import Graph, Program
    >>> from linkwise.expr.lower import lowered
    >>> g = Graph(); x, y = g.input("x"), g.input("y")
    >>> work(lowered(Program(("x", "y"), (x + x * y,))))
    (1, 2)
    """
    done = [FLOPS[node.op] for node in program.nodes() if node.op in FLOPS]
    return len(done), sum(done)
