"""The order in which a printer writes a program: angles first, then depth first, so that few values wait.

What takes more operations goes before what takes fewer: there is less to keep while the rest is worked out.
"""

from __future__ import annotations

from .node import Node
from .program import Program, reached

FAR_OPERATIONS = frozenset({"far_sin", "far_cos"})


def scheduled(program: Program) -> list[Node]:
    """Every live node: first what the far angles need, then these together, then the rest.

    Sines and cosines of far angles are a branch of the program; together they are one.
    """
    everything = reached(program.outputs, first=_operations(program).__getitem__)
    far = [node for node in everything if node.op in FAR_OPERATIONS]
    needed = dict.fromkeys(reached(a for node in far for a in node.args))
    return list(needed | dict.fromkeys(far) | dict.fromkeys(everything))


def _operations(program: Program) -> dict[Node, float]:
    """How many operations every node takes, those that it takes twice being counted twice."""
    taken: dict[Node, float] = {}
    for node in program.nodes():
        taken[node] = 1.0 + sum(taken[a] for a in node.args)
    return taken
