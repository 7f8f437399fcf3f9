"""The operator formulation on random trees: against Pinocchio and MuJoCo, by identities, on every kind of scalar."""

from __future__ import annotations

import cmath
import math
from typing import Any

import mpmath
import numpy as np
import pytest
import sympy
from hypothesis import given
from tests.engines import Pinocchio, array
from tests.formulations.counts import entries, operations
from tests.robots import State, cases, chain, state
from tests.under_wrench import TIP, MuJoCoUnderWrench, PinocchioUnderWrench

from linkwise.algebra import Force, Motion, udu
from linkwise.expr import Count
from linkwise.formulations import newton_euler
from linkwise.formulations.operator_forward import (
    arm,
    fd2,
    fd3,
    fd4,
    forward_dynamics_fd1,
    forward_dynamics_fd2,
    forward_dynamics_fd3,
    forward_dynamics_fd4,
    joint_reactions,
    link_accelerations,
    tip_acceleration,
)
from linkwise.formulations.operators import (
    factored_mass_matrix,
    factors,
    inverse_dynamics,
    inverse_mass_matrix,
    mass_matrix,
)
from linkwise.robot.model import Robot
from linkwise.robot.skeleton import skeleton

FORWARD = (forward_dynamics_fd1, forward_dynamics_fd2, forward_dynamics_fd3, forward_dynamics_fd4)
EPS = np.finfo(float).eps


def close(ours: Any, theirs: Any, κ: float = 1.0) -> None:
    """Equal to 1e-12 of the largest, or to what the condition number κ of the mass matrix leaves of the digits."""
    ours, theirs = np.array(ours, float), np.array(theirs, float)
    assert ours.shape == theirs.shape
    assert np.max(np.abs(ours - theirs)) <= max(1.0, np.max(np.abs(theirs))) * max(1e-12, 64 * EPS * κ)


def conditioning(robot: Robot, s: State) -> float:
    return float(np.linalg.cond(mass_matrix(skeleton(robot), s.q, math)))


def six(x: Motion | Force) -> np.ndarray:
    parts = (x.angular, x.linear) if isinstance(x, Motion) else (x.moment, x.force)
    return np.concatenate([array(part) for part in parts])


@given(case=cases(tree=True))
def test_matrices_and_torques(case: tuple[Robot, State]) -> None:
    robot, s = case
    ours, there, κ = skeleton(robot), Pinocchio(robot), conditioning(robot, s)
    M = mass_matrix(ours, s.q, math)
    close(inverse_dynamics(ours, s.q, s.v, s.a, math), there.inverse_dynamics(s.q, s.v, s.a))
    close(M, there.mass_matrix(s.q))
    close(factored_mass_matrix(ours, s.q, math), M)
    close(np.array(inverse_mass_matrix(ours, s.q, math)) @ M, np.eye(len(M)), κ)


@given(case=cases(tree=True))
def test_the_innovations_factors_are_those_of_elimination_from_the_tips(case: tuple[Robot, State]) -> None:
    robot, s = case
    K, D = factors(skeleton(robot), s.q, math)
    U, pivots = udu(mass_matrix(skeleton(robot), s.q, math))
    close(K, U, conditioning(robot, s))
    close(D, pivots, conditioning(robot, s))


@pytest.mark.parametrize("text", FORWARD)
@given(case=cases(tree=True))
def test_joint_accelerations(text: Any, case: tuple[Robot, State]) -> None:
    robot, s = case
    θ̈ = text(skeleton(robot), s.q, s.v, s.tau, math, TIP)
    close(θ̈, PinocchioUnderWrench(robot, s).θ̈, conditioning(robot, s))
    close(inverse_dynamics(skeleton(robot), s.q, s.v, θ̈, math, TIP), s.tau, conditioning(robot, s))


@pytest.mark.parametrize("engine", [PinocchioUnderWrench, MuJoCoUnderWrench])
@given(case=cases(tree=True))
def test_accelerations_of_links_and_tip_and_reactions(engine: Any, case: tuple[Robot, State]) -> None:
    robot, s = case
    there, κ = engine(robot, s), conditioning(robot, s)
    given_ = (skeleton(robot), s.q, s.v, s.tau, math, TIP)
    close([six(α) for α in link_accelerations(*given_)], there.accelerations(), κ)
    close(six(tip_acceleration(*given_)), there.tip_acceleration(), κ)
    close([six(f) for f in joint_reactions(*given_)], there.f, κ)


@given(case=cases(tree=True))
def test_every_algorithm_finds_the_same_link_accelerations(case: tuple[Robot, State]) -> None:
    robot, s = case
    moving = arm(skeleton(robot), s.q, s.v, math, TIP)
    α = [six(x) for x in fd4(moving, s.tau).λ]
    for algorithm in (fd2, fd3):
        close([six(x) for x in algorithm(moving, s.tau)[1]], α, conditioning(robot, s))


@given(case=cases(tree=True))
def test_power_balance(case: tuple[Robot, State]) -> None:
    """θ̇ᵀT is the growth of kinetic energy and the work against gravity; Ṁ by a step along the imaginary axis."""
    robot, s = case
    ours, n, h = skeleton(robot), len(s.q), 1e-30
    M = np.array(mass_matrix(ours, [q + 1j * h * v for q, v in zip(s.q, s.v, strict=True)], cmath))
    weight = inverse_dynamics(ours, s.q, [0.0] * n, [0.0] * n, math)
    T = inverse_dynamics(ours, s.q, s.v, s.a, math)
    growth = s.v @ M.real @ s.a + s.v @ M.imag @ s.v / (2 * h)
    close(np.dot(s.v, T), growth + np.dot(s.v, weight))


@given(case=cases(tree=True))
def test_newton_euler_agrees_under_a_tip_wrench(case: tuple[Robot, State]) -> None:
    robot, s = case
    given_ = (skeleton(robot), s.q, s.v, s.a, math, TIP)
    close(inverse_dynamics(*given_), newton_euler.inverse_dynamics(*given_))


TEXTS = {
    inverse_dynamics: 3,
    mass_matrix: 1,
    factored_mass_matrix: 1,
    inverse_mass_matrix: 1,
    **dict.fromkeys(FORWARD, 3),
}
SLIDING = chain("PR")
AT = state(SLIDING, 1)
INPUTS = (AT.q, AT.v, AT.a)


@pytest.mark.parametrize(("text", "inputs"), TEXTS.items())
def test_on_fifty_digits(text: Any, inputs: int) -> None:
    with mpmath.workdps(50):
        exact = text(skeleton(SLIDING), *([mpmath.mpf(x) for x in row] for row in INPUTS[:inputs]), mpmath.mp)
    close(text(skeleton(SLIDING), *INPUTS[:inputs], math), exact)


@pytest.mark.parametrize(("text", "inputs"), TEXTS.items())
def test_on_symbols(text: Any, inputs: int) -> None:
    symbols = [sympy.symbols(f"{name}:2") for name in ("q", "v", "a")[:inputs]]
    formula = text(skeleton(SLIDING), *symbols, sympy)
    value = sympy.lambdify(symbols, formula, "math")(*INPUTS[:inputs])
    close(value, text(skeleton(SLIDING), *INPUTS[:inputs], math))


@pytest.mark.parametrize(("text", "inputs"), TEXTS.items())
def test_on_arrays_as_components(text: Any, inputs: int) -> None:
    rows = np.array(INPUTS[:inputs])
    batch = np.stack([rows, 2 * rows], axis=-1)
    together = text(skeleton(SLIDING), *map(list, batch), np)
    for i in range(2):
        alone = text(skeleton(SLIDING), *batch[..., i].tolist(), math)
        close([np.broadcast_to(x, 2)[i] for x in entries(together)], list(entries(alone)))


COUNTS = {
    inverse_dynamics: ("qva", 574, 417),
    mass_matrix: ("q", 327, 288),
    factored_mass_matrix: ("q", 632, 562),
    inverse_mass_matrix: ("q", 671, 596),
    forward_dynamics_fd1: ("qvt", 1128, 943),
    forward_dynamics_fd2: ("qvt", 1128, 943),
    forward_dynamics_fd3: ("qvt", 1039, 890),
    forward_dynamics_fd4: ("qvt", 971, 857),
}


@pytest.mark.parametrize(("text", "row"), COUNTS.items())
def test_counts(text: Any, row: tuple[str, int, int]) -> None:
    """For the generic robot of six turning joints, the first of them vertical."""
    states, M, A = row
    assert operations(text, 6, states, "vertical") == Count(M, A)
