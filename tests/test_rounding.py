"""The texts on fifty digits: there they agree to forty, and tell how far a text on floats is from the truth."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from mpmath import mp
from tests.engines import Pinocchio, dense
from tests.robots import State, cases
from tests.scalars import exact
from tests.test_parity import EPS, Witness, size
from tests.texts import Text, texts

from linkwise.algebra import Vec
from linkwise.robot.frames import to_z_axis
from linkwise.robot.model import Robot

few = settings(max_examples=8)
chains = given(case=cases((1, 6)))
trees = given(case=cases((1, 6), tree=True))


@pytest.fixture(autouse=True, scope="module")
def fifty_digits() -> Iterator[None]:
    with mp.workdps(50):
        yield


def truth(text: Text, robot: Robot, s: State) -> np.ndarray:
    """What the text says of the exact robot at that state, as an array of mpmath numbers."""
    return text.array(exact(robot), *text.arguments(s, mp.mpf), fn=mp)


def rounding_error(text: Text, robot: Robot, s: State) -> np.ndarray:
    """Of the text on floats."""
    return (text.at(robot, s) - truth(text, robot, s)).astype(float)


@pytest.mark.parametrize(
    "kind", ["inverse_dynamics", "mass_matrix", "inverse_mass_matrix", "forward_dynamics", "accelerations"]
)
@few
@trees
def test_formulations_agree_to_forty_digits(kind: str, case: tuple[Robot, State]) -> None:
    robot, s = case
    first, *others = [truth(t, robot, s) for t in texts(kind) if t.trees or robot.is_chain]
    for other in others:
        assert np.max(abs(other - first)) <= mp.mpf(10) ** -40 * np.max(abs(first))


@pytest.mark.parametrize("text", texts("inverse_dynamics"), ids=str)
@few
@chains
def test_rounding_of_torques(text: Text, case: tuple[Robot, State]) -> None:
    robot, s = case
    there = Witness(Pinocchio(robot), s)
    assert size(rounding_error(text, robot, s) / there.unit) <= 32 * EPS * there.force


@pytest.mark.parametrize("text", texts("mass_matrix"), ids=str)
@few
@chains
def test_rounding_of_the_mass_matrix(text: Text, case: tuple[Robot, State]) -> None:
    """In units in which its diagonal is one."""
    robot, s = case
    unit = Witness(Pinocchio(robot), s).unit
    assert size(rounding_error(text, robot, s) / np.outer(unit, unit)) <= 32 * EPS


@pytest.mark.parametrize("text", texts("inverse_mass_matrix"), ids=str)
@few
@chains
def test_rounding_of_the_inverse_mass_matrix(text: Text, case: tuple[Robot, State]) -> None:
    robot, s = case
    there = Witness(Pinocchio(robot), s)
    unit = np.outer(there.unit, there.unit)
    assert size(rounding_error(text, robot, s) * unit) <= 16 * EPS * there.κ * size(text.at(robot, s) * unit)


@pytest.mark.parametrize("text", texts("coriolis_matrix"), ids=str)
@few
@chains
def test_rounding_of_the_coriolis_matrix(text: Text, case: tuple[Robot, State]) -> None:
    """It is linear in the velocities, which are its size beside a mass matrix of diagonal one."""
    robot, s = case
    unit = Witness(Pinocchio(robot), s).unit
    C, error = (x / np.outer(unit, unit) for x in (text.at(robot, s), rounding_error(text, robot, s)))
    assert size(error) <= 32 * EPS * max(size(C), size(np.array(s.v)))


@pytest.mark.parametrize("text", texts("forward_dynamics"), ids=str)
@few
@chains
def test_rounding_of_accelerations(text: Text, case: tuple[Robot, State]) -> None:
    robot, s = case
    there = Witness(Pinocchio(robot), s)
    a = text.at(robot, s)
    assert there.acceleration_error(a, a - rounding_error(text, robot, s)) <= 16 * EPS * there.κ


@pytest.mark.parametrize("tilt", [0.4, 1e-3, 1e-8, 1e-12, 1e-200])
def test_an_axis_nearly_against_z_is_aligned_to_rounding(tilt: float) -> None:
    R = dense(to_z_axis(Vec(math.sin(tilt), 0.0, -math.cos(tilt))))
    assert size(R @ R.T - np.eye(3)) <= 2 * EPS
    assert size(R[:, 2] - [math.sin(tilt), 0.0, -math.cos(tilt)]) <= EPS
