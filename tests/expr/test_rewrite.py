"""Rewriting keeps the meaning and the specification of every program, and never adds an operation."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.robots import Robot, State, cases, chain
from tests.texts import TEXTS, Text, is_aimed

from linkwise.expr import Graph, Node, Program, count, evaluate, rewritten
from linkwise.expr.rewrite import PASSES, SharedPairs
from linkwise.expr.spec import violations
from linkwise.formulations import FORMULATIONS, QUANTITIES
from linkwise.robot.symbols import generic
from linkwise.tracing import trace

NAMES = tuple("abcdef")
KNOWN = [text for text in TEXTS if text.function in QUANTITIES]


@st.composite
def programs(draw: st.DrawFn) -> Program:
    """Sums and products of a few inputs, parameters and numbers, much of it shared."""
    g = Graph()
    pool: list[Node] = [*map(g.input, NAMES[:4]), *map(g.parameter, NAMES[4:]), g.constant(3.0)]
    for op in draw(st.lists(st.sampled_from(("add", "sub", "mul", "neg")), min_size=1, max_size=30)):
        args = [pool[draw(st.integers(0, len(pool) - 1))] for _ in range(1 if op == "neg" else 2)]
        pool.append(g.make(op, *args))
    return Program(NAMES, tuple(pool[-3:]))


def exact(program: Program, values: dict[str, int]) -> list[int]:
    """On whole numbers there is no rounding to hide behind."""
    return [int(x) for x in evaluate(program, {k: np.array(v, dtype=object) for k, v in values.items()})]


@given(programs(), st.lists(st.integers(-3, 3), min_size=6, max_size=6))
def test_every_pass_keeps_the_meaning_and_the_specification(program: Program, numbers: list[int]) -> None:
    values = dict(zip(NAMES, numbers, strict=True))
    assert violations(program) == []
    for rewrite in PASSES:
        after = rewrite(program)
        assert violations(after) == []
        assert exact(after, values) == exact(program, values)


def test_a_pair_may_stand_beside_its_own_sum() -> None:
    g = Graph()
    a, b, c = (g.input(name) for name in "abc")
    pair = a + b
    program = Program(("a", "b", "c"), (pair * c, (a + pair) + b, (c + a) + b))
    values = {"a": 2, "b": 3, "c": 5}
    assert exact(rewritten(program), values) == exact(program, values)


NICE = st.sampled_from((-0.5, 0.0, 0.5, 1.0))


@given(
    st.lists(st.tuples(NICE, st.integers(0, 3), NICE, st.integers(0, 3)), min_size=1, max_size=4), st.integers(0, 15)
)
def test_robots_of_round_numbers_are_rewritten_too(rows: list[tuple[float, int, float, int]], kinds: int) -> None:
    """Equal numbers make equal terms, which random ones never do."""
    n = len(rows)
    robot = Robot.from_dh(
        [(a, α * math.pi / 2, b, θ * math.pi / 2) for a, α, b, θ in rows],
        convention="modified",
        joints="".join("RP"[kinds >> i & 1] for i in range(n)),
        masses=[2.0] * n,
        coms=[(0.25, 0.25, 0.5), (0.5, 0.0, 0.0), (0.0, 0.25, 0.5), (0.5, 0.5, 0.5)][:n],
        inertias=[(0.5, 0.5, 0.5)] * n,
        gravity=(-9.81, -9.81, -9.81),
    )
    x = np.linspace(0.1, 0.9, n)
    for row in FORMULATIONS.values():
        for function in (f for f in QUANTITIES if row.text(f) and not is_aimed(f)):
            program = trace(row.text(function), QUANTITIES[function], robot, normal=True).program
            given = dict.fromkeys(program.inputs, 0.0) | {
                f"{k}[{i}]": x[i] for k in QUANTITIES[function].arguments for i in range(n)
            }
            before, after = (np.array(evaluate(p, given)) for p in (program, rewritten(program)))
            assert violations(rewritten(program)) == []
            assert np.allclose(after, before, rtol=1e-11, atol=1e-11, equal_nan=True)


@given(programs())
def test_rewriting_never_adds_an_operation(program: Program) -> None:
    before, after = count(program), count(rewritten(program))
    assert after.M + after.A <= before.M + before.A


@pytest.mark.parametrize("text", KNOWN, ids=str)
def test_the_program_of_every_text_keeps_to_the_specification(text: Text) -> None:
    for robot in (generic("RPRR", "vertical"), chain("RRPR", seed=3)):
        for normal in (False, True):
            program = trace(text.text, QUANTITIES[text.function], robot, normal=normal).program
            assert violations(program) == []
            assert violations(rewritten(program)) == []


@given(cases((1, 5), tree=True))
def test_rewriting_moves_results_by_rounding_only(case: tuple[Robot, State]) -> None:
    robot, s = case
    text = FORMULATIONS["newton-euler"].text("inverse_dynamics")
    program = trace(text, QUANTITIES["inverse_dynamics"], robot, normal=False).program
    given = dict(zip(program.inputs, (*s.q, *s.v, *s.a), strict=True))
    before, after = (np.array(evaluate(p, given)) for p in (program, rewritten(program)))
    assert np.max(np.abs(after - before)) <= 1e-13 * np.max(np.abs(before)) * len(s.q)


def test_of_a_sum_and_a_difference_that_occur_as_often_the_same_is_taken_first() -> None:
    """Nodes are hashed by where they happen to lie, and every process has to make the same program."""
    for _ in range(20):
        g = Graph()
        a, b, *others = map(g.input, NAMES)
        lists = {g.input(f"sum {k}"): [(False, a), (k > 1, b), (False, other)] for k, other in enumerate(others)}
        assert list(SharedPairs(lists).pairs) == [a - b, a + b]
