"""One text, many scalars: floats, arrays, mpmath, SymPy, numbers with units, and the tracer all run it unchanged."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import mpmath
import numpy as np
import pytest
import sympy
from hypothesis import given, settings
from tests.robots import State, cases, chain, state
from tests.scalars import (
    JOULE,
    KG,
    METRE,
    NEWTON,
    PURE,
    SECOND,
    Quantity,
    Unit,
    coordinate_unit,
    is_nought,
    measured,
    unit_of,
    units,
    with_units,
)
from tests.texts import ARGUMENTS, IN_SPACE, TEXTS, Text

from linkwise import expr
from linkwise.expr import Graph, Program, evaluate
from linkwise.robot.model import Robot

BATCH = 3

EVERY = [*TEXTS, *(text for text in IN_SPACE if text.function != "operational_space_inertia")]
"""All but what few joints do not have, the inverse of the operational-space mobility."""

every_text = pytest.mark.parametrize("text", EVERY, ids=str)
few = settings(max_examples=6)


def scalars(result: Any) -> list[Any]:
    """All scalars of a result, row by row; of a motion or a wrench what shifts before what turns."""
    result = getattr(result, "components", result)
    return [x for part in result for x in scalars(part)] if isinstance(result, list | tuple) else [result]


def close(ours: Any, theirs: Any) -> None:
    """Equal to rounding, beside the largest."""
    ours, theirs = np.array(ours, float), np.array(theirs, float)
    assert ours.shape == theirs.shape
    assert np.max(abs(ours - theirs), initial=0.0) <= 1e-12 * np.max(abs(theirs), initial=0.0)


@every_text
@few
@given(case=cases((2, 5)))
def test_arrays_as_components(text: Text, case: tuple[Robot, State]) -> None:
    """A batch of states is one state whose components are arrays."""
    robot, s = case
    states = [s, *(state(robot, seed) for seed in range(1, BATCH))]
    columns = [np.transpose(rows) for rows in zip(*map(text.arguments, states), strict=True)]
    batch = [np.broadcast_to(x, (BATCH,)) for x in scalars(text(robot, *map(list, columns), fn=np))]
    one_by_one = [scalars(text(robot, *text.arguments(each))) for each in states]
    close(np.transpose(batch), one_by_one)


@every_text
@few
@given(case=cases((2, 5)))
def test_mpmath(text: Text, case: tuple[Robot, State]) -> None:
    """The constants stay floats, the state has fifty digits; truth on fifty digits is in test_rounding."""
    robot, s = case
    with mpmath.mp.workdps(50):
        lifted = scalars(text(robot, *text.arguments(s, mpmath.mp.mpf), fn=mpmath.mp))
    close(lifted, scalars(text(robot, *text.arguments(s))))


@every_text
@pytest.mark.parametrize("word", ["RP", "PR"])
def test_sympy(text: Text, word: str) -> None:
    robot = chain(word, axis="z", frame="aligned")
    s = state(robot, 0)
    symbols = [sympy.symbols(f"{name}:{len(word)}") for name in ARGUMENTS[text.kind]]
    formulas = scalars(text(robot, *map(list, symbols), fn=sympy))
    numbers = sympy.lambdify(symbols, formulas, "math")(*text.arguments(s))
    close(numbers, scalars(text(robot, *text.arguments(s))))


@every_text
@few
@given(case=cases((1, 5)))
def test_tracer(text: Text, case: tuple[Robot, State]) -> None:
    robot, s = case
    graph, given_to = Graph(), dict(zip(ARGUMENTS[text.kind], text.arguments(s), strict=True))
    inputs = {f"{name}{i}": x for name, xs in given_to.items() for i, x in enumerate(xs)}
    nodes = [[graph.input(f"{name}{i}") for i in range(len(xs))] for name, xs in given_to.items()]
    outputs = tuple(graph.lift(x) for x in scalars(text(robot, *nodes, fn=expr)))
    close(evaluate(Program(tuple(inputs), outputs), inputs), scalars(text(robot, *text.arguments(s))))


UNITS = {"q": PURE, "v": PURE / SECOND, "a": PURE / SECOND**2, "tau": JOULE}


def units_of(name: str, coordinates: list[Unit]) -> list[Unit]:
    """Of a joint vector: what moves has the coordinate's unit, what drives it its inverse."""
    return [UNITS[name] / c if name == "tau" else UNITS[name] * c for c in coordinates]


INERTIA = JOULE * SECOND**2
TWIST = [PURE] * 3 + [METRE] * 3
MOTION, WRENCH = [METRE] * 3 + [PURE] * 3, [NEWTON] * 3 + [JOULE] * 3
MOMENTUM = [unit * SECOND for unit in WRENCH]


def matrix_units(unit: Unit, rows: list[Unit], columns: list[Unit]) -> list[Unit]:
    return [unit / (r * c) for r in rows for c in columns]


def ratios(rows: list[Unit], columns: list[Unit]) -> list[Unit]:
    return [r / c for r in rows for c in columns]


def change_of(coordinates: list[Unit]) -> list[Unit]:
    """The units of U, and of what eliminates a column: those of a change of coordinates."""
    return [c / r for r in coordinates for c in coordinates]


def factors_units(coordinates: list[Unit]) -> list[Unit]:
    """D has the units of a diagonal mass matrix."""
    return change_of(coordinates) + [INERTIA / c**2 for c in coordinates]


def steps_units(coordinates: list[Unit]) -> list[Unit]:
    """Of every step what eliminates, and what is left, which is a mass matrix still."""
    step = change_of(coordinates) + matrix_units(INERTIA, coordinates, coordinates)
    return step * (len(coordinates) - 1)


def jacobian_units(per: Unit, coordinates: list[Unit]) -> list[Unit]:
    """Three rows of a linear, three of an angular quantity by these coordinates; `per` is what both are further of."""
    return [unit * per / c for unit in MOTION for c in coordinates]


def mobility_units(coordinates: list[Unit]) -> list[Unit]:
    return [r * c / INERTIA for r in MOTION for c in MOTION]


RESULTS = {
    "forward_kinematics": lambda c: [*([PURE] * 3 + [METRE]) * 3, *[PURE] * 4],
    "frame_velocities": lambda c: [u / SECOND for u in MOTION],
    "frame_accelerations": lambda c: [u / SECOND**2 for u in MOTION],
    "jacobian": partial(jacobian_units, PURE),
    "jacobian_rate": partial(jacobian_units, PURE / SECOND),
    "operational_space_mobility": mobility_units,
    "com": lambda c: [METRE] * 3,
    "com_jacobian": lambda c: jacobian_units(PURE, c)[: 3 * len(c)],
    "momentum": lambda c: MOMENTUM,
    "momentum_matrix": lambda c: [p * SECOND / x for p in MOMENTUM for x in c],
    "kinetic_energy": lambda c: [JOULE],
    "potential_energy": lambda c: [JOULE],
    "inverse_dynamics": partial(units_of, "tau"),
    "forward_dynamics": partial(units_of, "a"),
    "accelerations": partial(units_of, "a"),
    "mass_matrix": lambda c: matrix_units(INERTIA, c, c),
    "inverse_mass_matrix": lambda c: [u**-1 for u in matrix_units(INERTIA, c, c)],
    "coriolis_matrix": lambda c: matrix_units(JOULE * SECOND, c, c),
    "factors": factors_units,
    "N_l": lambda c: ratios(TWIST * len(c), TWIST * len(c)),
    "N_d": lambda c: ratios(TWIST * len(c), c),
    "reverse_gaussian_elimination": steps_units,
    "link_accelerations": lambda c: [u / SECOND**2 for u in MOTION] * len(c),
    "tip_acceleration": lambda c: [u / SECOND**2 for u in MOTION],
    "joint_reactions": lambda c: WRENCH * len(c),
}


@every_text
@few
@given(case=cases((1, 5)))
def test_units(text: Text, case: tuple[Robot, State]) -> None:
    """No text adds unlike units, and every result has its own: a slip that numbers alone might hide."""
    robot, s = case
    coordinates = [coordinate_unit(joint) for joint in robot.joints]
    given_to = [
        [Quantity(x, unit) for x, unit in zip(xs, units_of(name, coordinates), strict=True)]
        for name, xs in zip(ARGUMENTS[text.kind], text.arguments(s), strict=True)
    ]
    result = scalars(text(with_units(robot), *given_to, fn=units))
    for x, unit in zip(result, RESULTS[text.kind](coordinates), strict=True):
        assert is_nought(x) or unit_of(x) == unit
    close([getattr(x, "value", x) for x in result], scalars(text(robot, *text.arguments(s))))


def test_a_slip_in_units_is_caught() -> None:
    length, mass = Quantity(2.0, METRE), Quantity(3.0, KG)
    with pytest.raises(TypeError, match="unlike units"):
        length + mass
    with pytest.raises(TypeError, match="unlike units"):
        1.0 - length
    with pytest.raises(TypeError, match="unlike units"):
        units.sin(length)
    assert length + 0.0 == length
    assert units.sqrt(length * length) == length


def test_a_robot_with_a_wrong_unit_is_caught() -> None:
    robot, s = chain("RR"), state(chain("RR"), 0)
    wrong = replace(robot, links=tuple(replace(link, com=measured(link.com, PURE)) for link in robot.links))
    for text in TEXTS:
        with pytest.raises(TypeError, match="unlike units"):
            text(with_units(wrong), *text.arguments(s), fn=units)
