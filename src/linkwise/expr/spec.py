"""What a program may hold, as statements that can be checked: before every pass, and after it.

A pass may rely on all of them and has to leave all of them true.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from .node import COMMUTATIVE
from .program import MEANING, Program
from .rules import FOLDING

LEAVES = frozenset({"const", "input", "parameter"})


def known_operations(program: Program) -> Iterator[str]:
    """Every node is a leaf or an operation that the reference evaluator knows."""
    for node in program.nodes():
        if node.op not in LEAVES and node.op not in MEANING:
            yield f"{node!r} is a {node.op!r}, which has no meaning"


def declared_inputs(program: Program) -> Iterator[str]:
    """Every input is one that the program declares."""
    for node in program.nodes():
        if node.op == "input" and node.value not in program.inputs:
            yield f"{node!r} is not among the inputs"


def one_graph(program: Program) -> Iterator[str]:
    """All nodes live in one graph, each of them once."""
    keys: set[tuple[object, ...]] = set()
    for node in program.nodes():
        key = (node.op, node.args, node.value)
        if key in keys or node.graph is not program.outputs[0].graph:
            yield f"{node!r} is there twice, or in another graph"
        keys.add(key)


def operands_in_order(program: Program) -> Iterator[str]:
    """The operands of a commutative operation stand in the order in which they were made."""
    for node in program.nodes():
        if node.op in COMMUTATIVE and node.args[0].index > node.args[1].index:
            yield f"{node!r} has its operands out of order"


def nothing_to_fold(program: Program) -> Iterator[str]:
    """No folding rule applies any more."""
    for node in program.nodes():
        if any(rule(node.graph, *node.args) is not None for rule in FOLDING.get(node.op, ())):
            yield f"{node!r} could be folded"


def offline_is_inherited(program: Program) -> Iterator[str]:
    """An operation is off-line exactly if all its operands are."""
    for node in program.nodes():
        expected = all(a.offline for a in node.args) if node.args else node.op != "input"
        if node.offline != expected:
            yield f"{node!r} is marked wrongly as {'' if node.offline else 'not '}off-line"


STATEMENTS: tuple[Callable[[Program], Iterator[str]], ...] = (
    known_operations,
    declared_inputs,
    one_graph,
    operands_in_order,
    nothing_to_fold,
    offline_is_inherited,
)


def violations(program: Program) -> list[str]:
    """What is wrong with a program, nothing if all statements hold.

    >>> from linkwise.expr import Graph
    >>> g = Graph(); x = g.input("x")
    >>> violations(Program(("x",), (x * x,)))
    []
    >>> violations(Program((), (g.bare("add", x, g.constant(0)),)))
    ['x is not among the inputs', 'x + 0.0 could be folded']
    """
    return [violation for statement in STATEMENTS for violation in statement(program)]
