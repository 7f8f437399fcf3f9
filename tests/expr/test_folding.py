"""Folding never changes a value: on floats not by one bit, on fractions not at all."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import assume, example, given
from hypothesis import strategies as st

from linkwise import expr
from linkwise.expr import Graph, Program, evaluate
from linkwise.expr.program import MEANING
from linkwise.expr.spec import violations

NUMBERS = (0.0, 1.0, -1.0, 2.0, -2.0, 0.5, -3.0)
INPUTS = ("x", "y", "z")
PYTHONS = {"add": operator.add, "sub": operator.sub, "mul": operator.mul, "neg": operator.neg, "div": operator.truediv}


@dataclass(frozen=True)
class Tree:
    """An expression that has not been folded: what was written."""

    op: str
    args: tuple[Tree, ...] = ()
    value: Any = None

    def __repr__(self) -> str:
        return f"{self.op}({', '.join(map(repr, self.args))})" if self.args else repr(self.value)

    def over(self, leaf: Callable[[Any], Any], functions: dict[str, Callable[..., Any]]) -> Any:
        """Worked out with these leaves and these meanings of the operations."""
        if not self.args:
            return leaf(self.value)
        return functions[self.op](*(a.over(leaf, functions) for a in self.args))


LEAVES = st.sampled_from(INPUTS + NUMBERS).map(lambda value: Tree("leaf", value=value))


def trees(*operations: str) -> st.SearchStrategy[Tree]:
    """Expressions of these operations; divisors are inputs, so that fractions stay exact."""

    def extended(inner: st.SearchStrategy[Tree]) -> st.SearchStrategy[Tree]:
        unary = [st.tuples(st.just(op), st.tuples(inner)) for op in operations if op in ("neg", "sin", "cos", "sqrt")]
        binary = [st.tuples(st.just(op), st.tuples(inner, inner)) for op in operations if op in ("add", "sub", "mul")]
        divisor = st.sampled_from(INPUTS).map(lambda name: Tree("leaf", value=name))
        quotient = [st.tuples(st.just("div"), st.tuples(inner, divisor))] if "div" in operations else []
        return st.one_of(*unary, *binary, *quotient).map(lambda op_args: Tree(*op_args))

    return st.recursive(LEAVES, extended, max_leaves=25)


def folded(tree: Tree) -> Program:
    graph = Graph()
    functions = PYTHONS | {"sin": expr.sin, "cos": expr.cos, "sqrt": expr.sqrt}
    output = tree.over(lambda value: graph.input(value) if isinstance(value, str) else graph.constant(value), functions)
    return Program(INPUTS, (output,))


VALUES = st.sampled_from([-2.5, -1.0, -0.3, 0.1, 0.7, 1.0, 3.0, 17.25])
GIVEN = st.fixed_dictionaries(dict.fromkeys(INPUTS, VALUES))
EVERY = ("add", "sub", "mul", "div", "neg", "sin", "cos", "sqrt")


def as_written(tree: Tree, given_to: dict[str, float]) -> float:
    with np.errstate(all="ignore"):
        return float(tree.over(lambda value: np.float64(given_to.get(value, value)), MEANING))


@given(trees(*EVERY), GIVEN)
@example(Tree("sub", (Tree("leaf", value=-1.0), Tree("leaf", value="x"))), dict.fromkeys(INPUTS, 0.1))
def test_folding_changes_no_bit_of_a_float(tree: Tree, given_to: dict[str, float]) -> None:
    """Where what is written is a number at all: folding may mend nought times infinity."""
    expected = as_written(tree, given_to)
    assume(np.isfinite(expected))
    assert evaluate(folded(tree), given_to) == [expected]


@given(trees("add", "sub", "mul", "div", "neg"), GIVEN)
def test_folding_is_exact_on_fractions(tree: Tree, given_to: dict[str, float]) -> None:
    fractions = {name: Fraction(x) for name, x in given_to.items()}
    expected = tree.over(lambda value: fractions[value] if isinstance(value, str) else Fraction(value), PYTHONS)
    (output,) = folded(tree).outputs
    assert exact(output, fractions) == expected


def exact(node: Any, fractions: dict[str, Fraction]) -> Fraction:
    if node.op in ("input", "const"):
        return fractions[node.value] if node.op == "input" else Fraction(node.value)
    return PYTHONS[node.op](*(exact(a, fractions) for a in node.args))


@given(trees(*EVERY))
def test_folded_programs_keep_to_the_specification(tree: Tree) -> None:
    assert violations(folded(tree)) == []


@given(trees(*EVERY))
def test_folding_never_adds_an_operation(tree: Tree) -> None:
    def operations(t: Tree) -> set[Tree]:
        return {t}.union(*map(operations, t.args)) if t.args else set()

    nodes = [node for node in folded(tree).nodes() if node.args and node.op != "neg"]
    assert len(nodes) <= len([t for t in operations(tree) if t.op != "neg"])
