"""What holds for any mechanical system, whoever wrote its equations.

Derivatives in time and in q are taken by a complex step: exact to rounding, without a difference to choose.
"""

from __future__ import annotations

import cmath
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from tests.engines import Pinocchio, array, pose
from tests.robots import State, cases
from tests.test_parity import TOLERANCE, Witness, size
from tests.texts import COMPOSITE_BODY, NEWTON_EULER, Text, texts

from linkwise.algebra import udu
from linkwise.robot.model import BASE, Robot

STEP = 1e-30

chains = given(case=cases((1, 6)))
trees = given(case=cases((1, 6), tree=True))


def shifted(x: Any, rate: Any) -> list[complex]:
    """x, an infinitesimal time later."""
    return [a + 1j * STEP * b for a, b in zip(x, rate, strict=True)]


def inverse_dynamics_beside(t: Text) -> Text:
    """The inverse dynamics of the same formulation, if it has its own."""
    return next((own for own in texts("inverse_dynamics") if own.formulation == t.formulation), NEWTON_EULER)


def accelerating(t: Text, robot: Robot, q: Any, v: Any, a: Any) -> np.ndarray:
    return t.array(robot, q, v, a) - t.array(robot, q, v, np.zeros(len(q)).tolist())


@pytest.mark.parametrize("text", texts("mass_matrix"), ids=str)
@chains
def test_mass_matrix_is_the_torques_slope_in_the_accelerations(text: Text, case: tuple[Robot, State]) -> None:
    """The torques are affine in q̈: their differences are their derivatives."""
    robot, s = case
    there = Witness(Pinocchio(robot), s)
    columns = [accelerating(inverse_dynamics_beside(text), robot, s.q, s.v, e) for e in np.eye(len(s.q)).tolist()]
    error = (text.at(robot, s) - np.transpose(columns)) / there.unit[:, None]
    assert size(error) <= TOLERANCE * (there.force + size(there.unit))


@pytest.mark.parametrize("text", texts("coriolis_matrix"), ids=str)
@pytest.mark.parametrize("mass_matrix", texts("mass_matrix"), ids=str)
@chains
def test_mass_rate_less_twice_coriolis_is_skew(mass_matrix: Text, text: Text, case: tuple[Robot, State]) -> None:
    robot, s = case
    check_skew(mass_matrix, text, robot, s)


@pytest.mark.parametrize("text", [t for t in texts("coriolis_matrix") if t.trees], ids=str)
@trees
def test_mass_rate_less_twice_coriolis_is_skew_on_trees(text: Text, case: tuple[Robot, State]) -> None:
    check_skew(COMPOSITE_BODY, text, *case)


def check_skew(mass_matrix: Text, coriolis_matrix: Text, robot: Robot, s: State) -> None:
    there = Witness(Pinocchio(robot), s)
    unit = np.outer(there.unit, there.unit)
    mass_rate = mass_matrix.array(robot, shifted(s.q, s.v), fn=cmath).imag / STEP
    half = coriolis_matrix.at(robot, s)
    N = mass_rate - 2 * half
    assert size((N + N.T) / unit) <= TOLERANCE * (size(mass_rate / unit) + size(half / unit) + size(s.v))


@trees
def test_gravity_torques_are_the_slope_of_the_height(case: tuple[Robot, State]) -> None:
    robot, s = case
    rest = np.zeros(len(s.q)).tolist()
    slopes = [potential(robot, shifted(s.q, e)).imag / STEP for e in np.eye(len(s.q))]
    for text in texts("inverse_dynamics"):
        if text.trees or robot.is_chain:
            there = Witness(Pinocchio(robot), s)
            assert there.force_error(text.array(robot, s.q, rest, rest), np.array(slopes)) <= TOLERANCE


def potential(robot: Robot, q: Any) -> complex:
    """-Σ m g·c, by dense kinematics of its own."""
    positions, total = iter(q), 0.0
    frames = {BASE: (np.eye(3), np.zeros(3))}
    for i, link in enumerate(robot.links):
        R, p = composed(frames[link.parent], pose(link.joint.placement))
        if link.joint.nv:
            R, p = composed((R, p), motion(link.joint, next(positions)))
        frames[i] = R, p
        total = total - link.mass * array(robot.gravity) @ (p + R @ array(link.com))
    return total


def composed(outer: Any, inner: Any) -> Any:
    return outer[0] @ inner[0], outer[1] + outer[0] @ inner[1]


def motion(joint: Any, q: complex) -> Any:
    """What the joint does at q: a slide, or a turn by Rodrigues' formula."""
    u = array(joint.axis)
    if not any(joint.kind.turns):
        return np.eye(3), u * q
    U = np.cross(np.eye(3), u)
    return np.eye(3) + cmath.sin(q) * U + (1 - cmath.cos(q)) * (U @ U), np.zeros(3)


@pytest.mark.parametrize("text", texts("inverse_dynamics"), ids=str)
@chains
def test_power_put_in_is_the_rate_of_the_energy(text: Text, case: tuple[Robot, State]) -> None:
    robot, s = case
    v = np.array(shifted(s.v, s.a))
    q = shifted(s.q, s.v)
    M = COMPOSITE_BODY.array(robot, q, fn=cmath)
    rate = (0.5 * v @ M @ v + potential(robot, q)).imag / STEP
    power, there = text.at(robot, s) * s.v, Witness(Pinocchio(robot), s)
    assert abs(rate - sum(power)) <= TOLERANCE * there.force * float(there.unit @ np.abs(s.v))


@pytest.mark.parametrize("text", texts("mass_matrix"), ids=str)
@chains
def test_decomposition_gives_the_mass_matrix_back(text: Text, case: tuple[Robot, State]) -> None:
    robot, s = case
    M = text.at(robot, s)
    U, D = map(np.array, udu(M.tolist()))
    unit = np.sqrt(np.diag(M))
    assert min(D) > 0
    assert size((U * D @ U.T - M) / np.outer(unit, unit)) <= TOLERANCE


@pytest.mark.parametrize("text", texts("forward_dynamics"), ids=str)
@chains
def test_forward_dynamics_undoes_inverse_dynamics(text: Text, case: tuple[Robot, State]) -> None:
    robot, s = case
    tau = inverse_dynamics_beside(text)(robot, s.q, s.v, s.a)
    there = Witness(Pinocchio(robot), State(s.q, s.v, s.a, tau))
    error = there.acceleration_error(text.array(robot, s.q, s.v, tau), np.array(s.a))
    assert error <= there.acceleration_tolerance


@trees
def test_all_forward_dynamics_agree(case: tuple[Robot, State]) -> None:
    """FD1 = FD2 = FD3 = FD4 of the operators, and every other formulation beside them."""
    robot, s = case
    there = Witness(Pinocchio(robot), s)
    able = [t for t in texts("forward_dynamics") if t.trees or robot.is_chain]
    first, *others = (t.at(robot, s) for t in able)
    for other in others:
        assert there.acceleration_error(other, first) <= there.acceleration_tolerance


@trees
def test_nothing_of_a_tree_couples_branches(case: tuple[Robot, State]) -> None:
    """The mass matrix is nought, exactly, between joints of which neither carries the other."""
    robot, s = case
    apart = ~carried(robot)
    for text in texts("mass_matrix"):
        if text.trees:
            assert not np.any(text.at(robot, s)[apart])


def carried(robot: Robot) -> np.ndarray:
    """Whether one of two joints carries the other."""
    paths: dict[int, set[int]] = {BASE: set()}
    joints: list[set[int]] = []
    for i, link in enumerate(robot.links):
        own = {len(joints)} if link.joint.nv else set()
        paths[i] = paths[link.parent] | own
        if own:
            joints.append(paths[i])
    return np.array([[i in path or j in joints[i] for i in range(len(joints))] for j, path in enumerate(joints)])
