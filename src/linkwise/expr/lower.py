"""From a program of mathematics to one of machine operations, each of them rounded once.

Printers add nothing to a lowered program and leave nothing out, so that all of them compute the same bits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from .node import Node
from .program import Program
from .trigonometry import PRECISIONS, Precision, sine_and_cosine

Became = dict[Node, Node]
Rebuild = Callable[[Node, Became], Node | None]
"""What a node becomes, given what its operands have become; None if it stays as it is."""


def lowered(program: Program, precision: str = "double") -> Program:
    """The program with divisions guarded and shared, products fused into sums, and sines and cosines written out.

    >>> from linkwise.expr import Graph
    >>> g = Graph(); x, y = g.input("x"), g.input("y")
    >>> lowered(Program(("x", "y"), (x + x * y,))).outputs
    (fma(x, y, x),)
    """
    return expand_trigonometry(fuse(write_divisions(program)), PRECISIONS[precision])


def write_divisions(program: Program) -> Program:
    """What divides is a pivot of a positive definite matrix: if it is not positive, the quotient is no number.

    A number that divides twice or more is inverted once: machines multiply many times faster than they divide.

    >>> from linkwise.expr import Graph
    >>> g = Graph(); x, y, z = g.input("x"), g.input("y"), g.input("z")
    >>> write_divisions(Program(("x", "y"), (x / y,))).outputs
    (x/positive(y),)
    >>> write_divisions(Program(("x", "y", "z"), (x / z, y / z))).outputs
    (x*1.0/positive(z), y*1.0/positive(z))
    """
    divided = Counter(node.args[1] for node in program.nodes() if node.op == "div")

    def rebuild(node: Node, became: Became) -> Node | None:
        if node.op != "div":
            return None
        above, below = (became[a] for a in node.args)
        if below.op != "const" or below.value <= 0.0:
            below = node.graph.bare("positive", below)
        return above * (1.0 / below) if divided[node.args[1]] > 1 else above / below

    return _rebuilt(program, rebuild)


def fuse(program: Program) -> Program:
    """A product that is only ever added or subtracted is no operation of its own.

    >>> from linkwise.expr import Graph
    >>> g = Graph(); a, b, c, d = (g.input(k) for k in "abcd")
    >>> fuse(Program(tuple("abcd"), (a * b + c * d,))).outputs
    (fma(a, b, c*d),)
    """
    nodes = program.nodes()
    users: dict[Node, list[Node]] = {node: [] for node in nodes}
    for node in nodes:
        for a in node.args:
            users[a].append(node)
    kept = set(program.outputs)
    fused: dict[Node, Node] = {}
    """For each sum the product that goes into it."""
    for node in nodes:
        if node.op in ("add", "sub"):
            product = next((a for a in node.args if _can_fuse(a, users, kept)), None)
            if product is not None:
                fused[node] = product
                kept.update(a for a in node.args if a is not product)

    def rebuild(node: Node, became: Became) -> Node | None:
        if node not in fused:
            return None
        first = node.args[0] is fused[node]
        a, b = (became[factor] for factor in fused[node].args)
        other = became[node.args[first]]
        if node.op == "sub":
            a, other = (a, -other) if first else (-a, other)
        return node.graph.bare("fma", a, b, other)

    return _rebuilt(program, rebuild)


def _can_fuse(node: Node, users: dict[Node, list[Node]], kept: set[Node]) -> bool:
    """Whether a product is needed nowhere as such."""
    return node.op == "mul" and node not in kept and all(user.op in ("add", "sub") for user in users[node])


def expand_trigonometry(program: Program, precision: Precision) -> Program:
    """Sines and cosines as expressions; those of one angle share its reduction."""
    pairs: dict[Node, tuple[Node, Node]] = {}

    def rebuild(node: Node, became: Became) -> Node | None:
        if node.op not in ("sin", "cos"):
            return None
        x = became[node.args[0]]
        if x not in pairs:
            pairs[x] = sine_and_cosine(x, precision)
        return pairs[x][node.op == "cos"]

    return _rebuilt(program, rebuild)


def _rebuilt(program: Program, rebuild: Rebuild) -> Program:
    """The program with every node as `rebuild` makes it, or as it was."""
    became: Became = {}
    for node in program.nodes():
        made = rebuild(node, became)
        became[node] = made if made is not None else _again(node, became)
    return Program(program.inputs, tuple(became[node] for node in program.outputs))


def _again(node: Node, became: Became) -> Node:
    args = tuple(became[a] for a in node.args)
    return node if args == node.args else node.graph.make(node.op, *args)
