"""Expressions as interned nodes: the same operation on the same operands is the same node, whoever writes it.

A node is built through its graph, which first tries the folding rules (rules.py). Python's operators on nodes do
that, so that a text run on nodes leaves its own expression graph behind.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

Number = float | int


class Graph:
    """The home of interned nodes: every node is made here, once."""

    __slots__ = ("_interned", "_made")

    folding: ClassVar[Mapping[str, tuple[Callable[..., Node | None], ...]]] = {}
    """The folding rules of every operation; rules.py puts them here."""

    def __init__(self) -> None:
        self._interned: dict[tuple[Any, ...], Node] = {}
        self._made = 0

    def constant(self, value: Number) -> Node:
        """A number."""
        return self._node("const", (), float(value) + 0.0, True)  # + 0.0: minus nought is nought here

    def input(self, name: str) -> Node:
        """A quantity that is given anew at every evaluation."""
        return self._node("input", (), name, False)

    def parameter(self, name: str) -> Node:
        """A constant whose number is not known yet: what depends on parameters alone is worked out off-line."""
        return self._node("parameter", (), name, True)

    def lift(self, value: Any) -> Node:
        return value if isinstance(value, Node) else self.constant(value)

    def make(self, op: str, *args: Node) -> Node:
        """The node op(*args), after folding."""
        for rule in self.folding.get(op, ()):
            found = rule(self, *args)
            if found is not None:
                return found
        return self.bare(op, *args)

    def bare(self, op: str, *args: Node) -> Node:
        """The node op(*args) as it stands."""
        offline = True
        for a in args:
            offline = offline and a.offline
        if op in COMMUTATIVE and args[0].index > args[1].index:
            args = (args[1], args[0])
        return self._node(op, args, None, offline)

    def _node(self, op: str, args: tuple[Node, ...], value: Any, offline: bool) -> Node:
        key = (op, args, value)
        node = self._interned.get(key)
        if node is None:
            node = Node(self, op, args, value, self._made, offline)
            self._interned[key] = node
            self._made += 1
        return node


COMMUTATIVE = frozenset({"add", "mul"})


class Node:
    """An operation on other nodes, an input, a parameter or a number."""

    __slots__ = ("args", "graph", "index", "offline", "op", "value")
    __array_ufunc__ = None

    def __init__(self, graph: Graph, op: str, args: tuple[Node, ...], value: Any, index: int, offline: bool) -> None:
        self.graph, self.op, self.args = graph, op, args
        self.value, self.index, self.offline = value, index, offline

    def __add__(self, other: Any) -> Node:
        return self.graph.make("add", self, self.graph.lift(other))

    __radd__ = __add__

    def __sub__(self, other: Any) -> Node:
        return self.graph.make("sub", self, self.graph.lift(other))

    def __rsub__(self, other: Any) -> Node:
        return self.graph.make("sub", self.graph.lift(other), self)

    def __mul__(self, other: Any) -> Node:
        return self.graph.make("mul", self, self.graph.lift(other))

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Node:
        return self.graph.make("div", self, self.graph.lift(other))

    def __rtruediv__(self, other: Any) -> Node:
        return self.graph.make("div", self.graph.lift(other), self)

    def __neg__(self) -> Node:
        return self.graph.make("neg", self)

    def __bool__(self) -> bool:
        raise TypeError("a traced value has no truth: a text may branch on structure, never on values")

    def __repr__(self) -> str:
        """As it would be written, as deep as a person can read.

        >>> g = Graph()
        >>> x, y = g.input("x"), g.input("y")
        >>> x * y - 2.0 * x
        x*y - (x + x)
        """
        return _written(self, 0, DEPTH_WRITTEN)


DEPTH_WRITTEN = 6
_SIGN = {"add": (" + ", 1), "sub": (" - ", 1), "mul": ("*", 2), "div": ("/", 2)}


def _written(node: Node, binding: int, depth: int) -> str:
    if node.op in ("const", "input", "parameter"):
        return str(node.value)
    if depth == 0:
        return "…"
    if node.op in _SIGN:
        sign, own = _SIGN[node.op]
        right = own + (node.op in ("sub", "div"))
        text = _written(node.args[0], own, depth - 1) + sign + _written(node.args[1], right, depth - 1)
        return f"({text})" if own < binding else text
    if node.op == "neg":
        return "-" + _written(node.args[0], 2, depth - 1)
    return f"{node.op}({', '.join(_written(a, 0, depth - 1) for a in node.args)})"


def sin(x: Node | Number) -> Node | Number:
    return x.graph.make("sin", x) if isinstance(x, Node) else math.sin(x)


def cos(x: Node | Number) -> Node | Number:
    return x.graph.make("cos", x) if isinstance(x, Node) else math.cos(x)


def sign(x: Node | Number) -> Node | Number:
    """1 where x is above nought, -1 where it is below, x itself where it is neither."""
    return x.graph.make("sign", x) if isinstance(x, Node) else math.copysign(1.0, x) if x < 0 or x > 0 else x


def sqrt(x: Node | Number) -> Node | Number:
    return x.graph.make("sqrt", x) if isinstance(x, Node) else math.sqrt(x)
