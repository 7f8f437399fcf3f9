"""The folding rules: what is known of an operation before it becomes a node.

Each rule takes the graph and the operands and gives the simpler node, or None where it has nothing to say.
Products with nought are nought and x - x is nought whatever x is: structural zeros are not computed.

The examples share a graph `g` with the inputs x, y and the parameter k.

>>> from linkwise.expr import Graph
>>> g = Graph()
>>> x, y, k = g.input("x"), g.input("y"), g.parameter("k")
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

from .node import Graph, Node, sign

Rule = Callable[..., Node | None]


def _is(node: Node, value: float) -> bool:
    return node.op == "const" and node.value == value


def numbers(operation: Callable[..., Any]) -> Rule:
    """An operation on numbers is a number.

    >>> from linkwise.expr import Graph
    >>> g = Graph()
    >>> g.constant(2) + g.constant(3)
    5.0
    """

    def rule(g: Graph, *args: Node) -> Node | None:
        for a in args:
            if a.op != "const":
                return None
        return g.constant(operation(*[a.value for a in args]))

    return rule


def add_nought(g: Graph, a: Node, b: Node) -> Node | None:
    """x + 0 is x.

    >>> from linkwise.expr import Graph
    >>> Graph().input("x") + 0
    x
    """
    return b if _is(a, 0.0) else a if _is(b, 0.0) else None


def add_negative(g: Graph, a: Node, b: Node) -> Node | None:
    """x + (-y) is x - y.

    >>> from linkwise.expr import Graph
    >>> g = Graph(); g.input("x") + -g.input("y")
    x - y
    """
    if a.op == "neg" and b.op == "neg":
        return -(a.args[0] + b.args[0])
    return a - b.args[0] if b.op == "neg" else b - a.args[0] if a.op == "neg" else None


def add_negative_number(g: Graph, a: Node, b: Node) -> Node | None:
    """x + (-2) is x - 2: numbers in sums are positive, so that equal magnitudes meet.

    >>> from linkwise.expr import Graph
    >>> Graph().input("x") + -2.0
    x - 2.0
    """
    if b.op == "const" and b.value < 0:
        return a - g.constant(-b.value)
    return b - g.constant(-a.value) if a.op == "const" and a.value < 0 else None


def subtract_nought(g: Graph, a: Node, b: Node) -> Node | None:
    """x - 0 is x, and 0 - x is -x.

    >>> from linkwise.expr import Graph
    >>> x = Graph().input("x"); (x - 0, 0 - x)
    (x, -x)
    """
    return a if _is(b, 0.0) else -b if _is(a, 0.0) else None


def subtract_itself(g: Graph, a: Node, b: Node) -> Node | None:
    """x - x is nought.

    >>> from linkwise.expr import Graph
    >>> x = Graph().input("x"); x - x
    0.0
    """
    return g.constant(0.0) if a is b else None


def subtract_negative(g: Graph, a: Node, b: Node) -> Node | None:
    """x - (-y) is x + y, and (-x) - y is -(x + y).

    >>> from linkwise.expr import Graph
    >>> g = Graph(); x, y = g.input("x"), g.input("y"); (x - -y, -x - y)
    (x + y, -(x + y))
    """
    if b.op == "neg":
        return a + b.args[0]
    return -(a.args[0] + b) if a.op == "neg" else None


def subtract_negative_number(g: Graph, a: Node, b: Node) -> Node | None:
    """x - (-2) is x + 2.

    >>> from linkwise.expr import Graph
    >>> Graph().input("x") - -2.0
    x + 2.0
    """
    return a + g.constant(-b.value) if b.op == "const" and b.value < 0 else None


def subtract_in_order(g: Graph, a: Node, b: Node) -> Node | None:
    """y - x is -(x - y) where x is the older: a difference and its opposite are one node.

    >>> from linkwise.expr import Graph
    >>> g = Graph(); x, y = g.input("x"), g.input("y"); y - x
    -(x - y)
    """
    if a.index > b.index:
        return -(b - a)
    return None


def multiply_nought_or_one(g: Graph, a: Node, b: Node) -> Node | None:
    """x 0 is 0, x 1 is x and x (-1) is -x.

    >>> from linkwise.expr import Graph
    >>> x = Graph().input("x"); (x * 0, x * 1, x * -1)
    (0.0, x, -x)
    """
    if a.op == "const":
        a, b = b, a
    if b.op != "const":
        return None
    return b if b.value == 0.0 else a if b.value == 1.0 else -a if b.value == -1.0 else None


def multiply_by_two(g: Graph, a: Node, b: Node) -> Node | None:
    """2 x is x + x: a sum is never dearer than a product.

    >>> from linkwise.expr import Graph
    >>> 2 * Graph().input("x")
    x + x
    """
    return b + b if _is(a, 2.0) else a + a if _is(b, 2.0) else None


def multiply_negative(g: Graph, a: Node, b: Node) -> Node | None:
    """Signs leave products, so that equal magnitudes meet.

    >>> from linkwise.expr import Graph
    >>> g = Graph(); x, y = g.input("x"), g.input("y"); (-x * y, x * -3.0)
    (-x*y, -x*3.0)
    """
    if a.op == "neg":
        return -(a.args[0] * b)
    if b.op == "neg":
        return -(a * b.args[0])
    if a.op == "const" and a.value < 0:
        return -(g.constant(-a.value) * b)
    return -(a * g.constant(-b.value)) if b.op == "const" and b.value < 0 else None


def divide_nought_or_by_one(g: Graph, a: Node, b: Node) -> Node | None:
    """0 / x is 0, and x / 1 is x.

    >>> from linkwise.expr import Graph
    >>> x = Graph().input("x"); (0 / x, x / 1)
    (0.0, x)
    """
    return a if _is(a, 0.0) or _is(b, 1.0) else None


def divide_negative(g: Graph, a: Node, b: Node) -> Node | None:
    """The sign of what is divided leaves the quotient; that of what divides stays, since pivots are positive.

    >>> from linkwise.expr import Graph
    >>> g = Graph(); x, y = g.input("x"), g.input("y"); -x / -y
    -x/-y
    """
    return -(a.args[0] / b) if a.op == "neg" else None


def negate_twice(g: Graph, a: Node) -> Node | None:
    """-(-x) is x.

    >>> from linkwise.expr import Graph
    >>> x = Graph().input("x"); -(-x)
    x
    """
    return a.args[0] if a.op == "neg" else None


def sine_of_negative(g: Graph, a: Node) -> Node | None:
    """sin(-x) is -sin x.

    >>> from linkwise.expr import Graph, sin
    >>> sin(-Graph().input("x"))
    -sin(x)
    """
    return -g.make("sin", a.args[0]) if a.op == "neg" else None


def cosine_of_negative(g: Graph, a: Node) -> Node | None:
    """cos(-x) is cos x.

    >>> from linkwise.expr import Graph, cos
    >>> cos(-Graph().input("x"))
    cos(x)
    """
    return g.make("cos", a.args[0]) if a.op == "neg" else None


def sign_of_negative(g: Graph, a: Node) -> Node | None:
    """sign(-x) is -sign(x).

    >>> from linkwise.expr import Graph, sign
    >>> sign(-Graph().input("x"))
    -sign(x)
    """
    return -g.make("sign", a.args[0]) if a.op == "neg" else None


def _quotient(a: float, b: float) -> float:
    if b == 0.0:
        return math.nan if a == 0.0 or math.isnan(a) else math.copysign(math.inf, a)
    return a / b


def _root(a: float) -> float:
    return math.sqrt(a) if a >= 0.0 else math.nan


FOLDING: dict[str, tuple[Rule, ...]] = {
    "add": (numbers(operator.add), add_nought, add_negative, add_negative_number),
    "sub": (
        numbers(operator.sub),
        subtract_nought,
        subtract_itself,
        subtract_negative,
        subtract_negative_number,
        subtract_in_order,
    ),
    "mul": (numbers(operator.mul), multiply_nought_or_one, multiply_by_two, multiply_negative),
    "div": (numbers(_quotient), divide_nought_or_by_one, divide_negative),
    "neg": (numbers(operator.neg), negate_twice),
    "sin": (numbers(math.sin), sine_of_negative),
    "cos": (numbers(math.cos), cosine_of_negative),
    "sqrt": (numbers(_root),),
    "sign": (numbers(sign), sign_of_negative),
}

Graph.folding = FOLDING
