"""Counting the operations of a program by the papers' rule.

A product or a quotient is one M, a sum or a difference one A. Free are: signs; the sine and cosine of the joint
angles, with whatever constant stands beside the angle; and all that depends on constants alone, which is worked
out off-line.
"""

from __future__ import annotations

from collections import Counter
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


PRODUCTS, SUMS = ("mul", "div", "sqrt"), ("add", "sub")


def count(program: Program) -> Count:
    """The operations of a program.

    >>> from linkwise.expr import Graph, Program, sin
    >>> g = Graph(); x, k = g.input("x"), g.parameter("k")
    >>> print(count(Program(("x",), (x * (k * k) + 1, sin(x + k)))))
    1M 1A
    """
    times = Counter(node.op for node in _worked_out(program.outputs))
    return Count(*(sum(times[op] for op in ops) for ops in (PRODUCTS, SUMS)))


def _worked_out(outputs: tuple[Node, ...]) -> set[Node]:
    """The live nodes that are not off-line, nor only there to make the angle of a sine or a cosine."""
    found: set[Node] = set()
    waiting = list(outputs)
    while waiting:
        node = waiting.pop()
        if node not in found and not node.offline:
            found.add(node)
            if node.op not in ("sin", "cos"):
                waiting.extend(node.args)
    return found


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
