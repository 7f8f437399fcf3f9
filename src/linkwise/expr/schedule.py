"""The order in which a printer writes a program: angles first, then depth first, so that few values wait."""

from __future__ import annotations

from .node import Node
from .program import Program, reached

FAR_OPERATIONS = frozenset({"far_sin", "far_cos"})


def scheduled(program: Program) -> list[Node]:
    """Every live node: first what the far angles need, then these together, then the rest.

    Sines and cosines of far angles are a branch of the program; together they are one.
    """
    everything = reached(program.outputs)
    far = [node for node in everything if node.op in FAR_OPERATIONS]
    needed = dict.fromkeys(reached(a for node in far for a in node.args))
    return list(needed | dict.fromkeys(far) | dict.fromkeys(everything))
