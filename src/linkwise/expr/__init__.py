"""Expression graphs: interned nodes, folding, counting and the reference evaluator."""

from . import rules as _rules  # noqa: F401  # pyright: ignore[reportUnusedImport]  # a graph folds by them
from .count import Count, count
from .node import Graph, Node, cos, sign, sin, sqrt
from .program import Program, evaluate, reached
from .rewrite import rewritten

__all__ = [
    "Count",
    "Graph",
    "Node",
    "Program",
    "cos",
    "count",
    "evaluate",
    "reached",
    "rewritten",
    "sign",
    "sin",
    "sqrt",
]
