"""Programs seen flat: sums of many terms and products of many factors, as the rewriting passes want them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from .node import Graph, Node
from .program import Program, reached

Term = tuple[bool, Node]
"""Whether it is subtracted, and what."""

SUMS = frozenset({"add", "sub", "neg"})


class Flat:
    """Which nodes of a program belong to the sum or product above them, being used there alone."""

    def __init__(self, program: Program) -> None:
        self.nodes = reached(program.outputs)
        self.graph: Graph = self.nodes[0].graph if self.nodes else Graph()
        uses = Counter(a for node in self.nodes for a in node.args)
        uses.update(program.outputs)
        user = {a: node for node in self.nodes for a in node.args}
        self._inner = {
            node
            for node in self.nodes
            if not node.offline and uses[node] == 1 and node in user and _absorbs(user[node].op, node.op)
        }
        self.uses = uses

    def roots(self) -> Iterable[Node]:
        """The nodes that are not part of a larger sum or product, operands first."""
        return (node for node in self.nodes if node not in self._inner)

    def terms(self, root: Node) -> list[Term]:
        """The terms of the sum at this root."""
        found: list[Term] = []
        waiting: list[Term] = [(False, root)]
        while waiting:
            minus, node = waiting.pop()
            opened = node is root or node in self._inner
            if opened and node.op == "neg":
                waiting.append((not minus, node.args[0]))
            elif opened and node.op in SUMS:
                waiting.append((minus ^ (node.op == "sub"), node.args[1]))
                waiting.append((minus, node.args[0]))
            else:
                found.append((minus, node))
        return found

    def factors(self, node: Node) -> list[Node]:
        """The factors of the product at a root, or at a term that is used nowhere else."""
        found: list[Node] = []
        waiting = [node]
        while waiting:
            factor = waiting.pop()
            if factor.op == "mul" and not factor.offline and (factor is node or factor in self._inner):
                waiting.extend(factor.args)
            else:
                found.append(factor)
        return found

    def is_inner(self, node: Node) -> bool:
        return node in self._inner


def _absorbs(user: str, op: str) -> bool:
    return op == "mul" if user == "mul" else user in SUMS and (op in SUMS or op == "mul")


def rebuilt(program: Program, flat: Flat, sum_of: Callable[[Node], Node | None], became: dict[Node, Node]) -> Program:
    """The program with every root made anew: sums as `sum_of` says, the rest as they were.

    `became` is filled with what each root has become, and may be read by `sum_of`.
    """
    for node in flat.roots():
        if node.op in SUMS and not node.offline:
            made = sum_of(node)
        elif node.op == "mul" and not node.offline:
            made = product(became[f] for f in flat.factors(node))
        else:
            made = None
        became[node] = made if made is not None else _again(node, became)
    return Program(program.inputs, tuple(became[node] for node in program.outputs))


def _again(node: Node, became: dict[Node, Node]) -> Node:
    return node.graph.make(node.op, *(became[a] for a in node.args)) if node.args else node


def product(factors: Iterable[Node]) -> Node:
    """The product with all that is known beforehand gathered in one factor."""
    ordered = sorted(factors, key=lambda f: (not f.offline, f.index))
    made = ordered[0]
    for factor in ordered[1:]:
        made = made * factor
    return made


def total(terms: Iterable[Term]) -> Node:
    """The sum of the terms, added ones first, so that no sign is left over where one can be avoided."""
    ordered = sorted(terms, key=lambda t: (t[0], not t[1].offline, t[1].index))
    minus, made = ordered[0]
    if minus:
        return -total((False, node) for _, node in ordered)
    for minus, node in ordered[1:]:
        made = made - node if minus else made + node
    return made
