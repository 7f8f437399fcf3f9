"""Every text against Pinocchio and MuJoCo, on random chains and trees.

Joint coordinates are measured in units in which every joint's own inertia M_ii is one, so that radians and metres,
shoulders and wrists can be compared: forces are divided by √M_ii, accelerations multiplied by it. The condition
number κ of the mass matrix in these units is nearly the least that any units could give (van der Sluis).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pytest
from hypothesis import given, settings
from tests.engines import ENGINES, MuJoCo, Pinocchio
from tests.robots import State, cases
from tests.texts import NEWTON_EULER, PUBLIC, TEXTS, Text, texts

from linkwise.algebra import Force, Vec
from linkwise.robot.model import Robot

TOLERANCE = 1e-11
EPS = np.finfo(float).eps


@dataclass(frozen=True)
class Witness:
    """An engine's account of a robot at a state, and the natural sizes of what is compared with it."""

    engine: Pinocchio | MuJoCo
    state: State

    @cached_property
    def M(self) -> np.ndarray:
        return self.engine.mass_matrix(self.state.q)

    @cached_property
    def unit(self) -> np.ndarray:
        return np.sqrt(np.diag(self.M))

    @cached_property
    def scaled_M(self) -> np.ndarray:
        return self.M / np.outer(self.unit, self.unit)

    @cached_property
    def κ(self) -> float:
        return float(np.linalg.cond(self.scaled_M))

    @cached_property
    def gravity(self) -> np.ndarray:
        return self._torques(0.0, 0.0)

    @cached_property
    def bias(self) -> np.ndarray:
        return self._torques(1.0, 0.0)

    @cached_property
    def torques(self) -> np.ndarray:
        return self._torques(1.0, 1.0)

    def _torques(self, moving: float, accelerating: float) -> np.ndarray:
        s = self.state
        return self.engine.inverse_dynamics(s.q, np.multiply(moving, s.v), np.multiply(accelerating, s.a))

    @cached_property
    def force(self) -> float:
        """The size of the terms of the equations of motion, which may cancel in their sum."""
        terms = abs(self.M) @ np.abs(self.state.a) + abs(self.bias - self.gravity) + abs(self.gravity)
        return size(terms / self.unit)

    def force_error(self, ours: np.ndarray, theirs: np.ndarray) -> float:
        return size((ours - theirs) / self.unit) / self.force

    def backward_error(self, a: np.ndarray) -> float:
        """How much the equations of motion would have to change for these accelerations to solve them exactly."""
        τ = np.array(self.state.tau)
        return size((self.M @ a + self.bias - τ) / self.unit) / self.load(a)

    def load(self, a: np.ndarray) -> float:
        return (
            norm(self.scaled_M) * size(a * self.unit) + size(self.bias / self.unit) + size(self.state.tau / self.unit)
        )

    def acceleration_error(self, ours: np.ndarray, theirs: np.ndarray) -> float:
        """Relative to the accelerations, or to the loads that cancel in them, over the norm of the inertia."""
        return norm(self.scaled_M) * size((ours - theirs) * self.unit) / self.load(theirs)

    @property
    def acceleration_tolerance(self) -> float:
        """Two stable solutions of M q̈ = τ - h may differ by a few ε κ: beyond κ = 700, that is more than 1e-11."""
        return max(TOLERANCE, 64 * EPS * self.κ)


def size(x: np.ndarray) -> float:
    return float(np.max(np.abs(x)))


def norm(matrix: np.ndarray) -> float:
    return float(np.linalg.norm(matrix, np.inf))


def check_inverse_dynamics(text: Text, robot: Robot, s: State, there: Witness) -> None:
    assert there.force_error(text.at(robot, s), there.torques) <= TOLERANCE


def check_mass_matrix(text: Text, robot: Robot, s: State, there: Witness) -> None:
    assert size((text.at(robot, s) - there.M) / np.outer(there.unit, there.unit)) <= TOLERANCE


def check_coriolis_matrix(text: Text, robot: Robot, s: State, there: Witness) -> None:
    """Only C q̇ is the same for everybody."""
    assert there.force_error(text.at(robot, s) @ s.v, there.bias - there.gravity) <= TOLERANCE


def check_forward_dynamics(text: Text, robot: Robot, s: State, there: Witness) -> None:
    ours, theirs = text.at(robot, s), there.engine.forward_dynamics(s.q, s.v, s.tau)
    assert there.backward_error(ours) <= TOLERANCE
    assert there.acceleration_error(ours, theirs) <= there.acceleration_tolerance


def check_inverse_mass_matrix(text: Text, robot: Robot, s: State, there: Witness) -> None:
    scaled = text.at(robot, s) * np.outer(there.unit, there.unit)
    assert norm(scaled @ there.scaled_M - np.eye(len(s.q))) <= there.acceleration_tolerance


def check_factors(text: Text, robot: Robot, s: State, there: Witness) -> None:
    """U D Uᵀ = M, with U unit upper triangular."""
    U, D = map(np.array, text(robot, s.q))
    assert np.array_equal(U, np.triu(U))
    assert np.array_equal(np.diag(U), np.ones(len(D)))
    assert size((U * D @ U.T - there.M) / np.outer(there.unit, there.unit)) <= TOLERANCE


def check_bias(text: Text, robot: Robot, s: State, there: Witness) -> None:
    assert there.force_error(text.at(robot, s), there.bias) <= TOLERANCE


def check_gravity_torques(text: Text, robot: Robot, s: State, there: Witness) -> None:
    assert there.force_error(text.at(robot, s), there.gravity) <= TOLERANCE


def check_accelerations(text: Text, robot: Robot, s: State, there: Witness) -> None:
    """M⁻¹τ: accelerations without gravity and from rest."""
    a = text.at(robot, s)
    load = norm(there.scaled_M) * size(a * there.unit) + size(s.tau / there.unit)
    assert size((there.M @ a - s.tau) / there.unit) <= TOLERANCE * load


CHECKS = {
    "inverse_dynamics": check_inverse_dynamics,
    "mass_matrix": check_mass_matrix,
    "coriolis_matrix": check_coriolis_matrix,
    "forward_dynamics": check_forward_dynamics,
    "inverse_mass_matrix": check_inverse_mass_matrix,
    "factors": check_factors,
    "bias": check_bias,
    "gravity_torques": check_gravity_torques,
    "accelerations": check_accelerations,
}


def check(text: Text, robot: Robot, s: State) -> None:
    for engine in ENGINES.values():
        CHECKS[text.kind](text, robot, s, Witness(engine(robot), s))


KNOWN = texts(*CHECKS)
ON_TREES = [text for text in KNOWN if text.trees]


@pytest.mark.parametrize("text", KNOWN, ids=str)
@given(case=cases())
def test_chains(text: Text, case: tuple[Robot, State]) -> None:
    check(text, *case)


@pytest.mark.parametrize("text", ON_TREES, ids=str)
@given(case=cases(tree=True))
def test_trees(text: Text, case: tuple[Robot, State]) -> None:
    check(text, *case)


@pytest.mark.parametrize("text", KNOWN, ids=str)
@settings(max_examples=4)
@given(case=cases((24, 30)))
def test_thirty_joints(text: Text, case: tuple[Robot, State]) -> None:
    """A few, since the sweep over all lengths is slow."""
    check(text, *case)


@pytest.mark.slow
@pytest.mark.parametrize("text", KNOWN, ids=str)
@settings(settings.get_profile("thorough"))
@given(case=cases((1, 30)))
def test_long_chains(text: Text, case: tuple[Robot, State]) -> None:
    check(text, *case)


@pytest.mark.slow
@pytest.mark.parametrize("text", ON_TREES, ids=str)
@settings(settings.get_profile("thorough"))
@given(case=cases((1, 30), tree=True))
def test_big_trees(text: Text, case: tuple[Robot, State]) -> None:
    check(text, *case)


@pytest.mark.parametrize("text", PUBLIC, ids=str)
@settings(max_examples=8)
@given(case=cases((2, 4)))
def test_public_functions_on_chains(text: Text, case: tuple[Robot, State]) -> None:
    check(text, *case)


@pytest.mark.parametrize("text", [text for text in PUBLIC if text.trees], ids=str)
@settings(max_examples=8)
@given(case=cases((3, 5), tree=True))
def test_public_functions_on_trees(text: Text, case: tuple[Robot, State]) -> None:
    check(text, *case)


@pytest.mark.slow
@pytest.mark.parametrize("text", [text for text in PUBLIC if text.trees], ids=str)
@settings(settings.get_profile("thorough"), max_examples=60)
@given(case=cases((1, 12), tree=True))
def test_public_functions_on_big_trees(text: Text, case: tuple[Robot, State]) -> None:
    check(text, *case)


TIP = Force(Vec(1.0, -2.0, 3.0), Vec(-4.0, 5.0, 6.0))


@pytest.mark.parametrize("text", [t for t in texts("inverse_dynamics") if t.takes_tip], ids=str)
@given(case=cases())
def test_a_tip_wrench_adds_its_joint_torques(text: Text, case: tuple[Robot, State]) -> None:
    robot, s = case
    without, loaded = text.at(robot, s), text.at(robot, s, tip=TIP)
    for engine in ENGINES.values():
        there = Witness(engine(robot), s)
        added = there.engine.tip_torques(s.q, TIP)
        assert size((loaded - without - added) / there.unit) <= TOLERANCE * (there.force + size(added / there.unit))


@pytest.mark.parametrize("text", [t for t in texts("forward_dynamics") if t.takes_tip], ids=str)
@given(case=cases())
def test_torques_that_balance_a_tip_wrench_leave_the_motion_alone(text: Text, case: tuple[Robot, State]) -> None:
    robot, s = case
    there = Witness(Pinocchio(robot), s)
    added = there.engine.tip_torques(s.q, TIP)
    free = text.at(robot, s)
    held = text.array(robot, s.q, s.v, (s.tau + added).tolist(), tip=TIP)
    more_load = size(added / there.unit) / there.load(free)
    assert there.acceleration_error(held, free) <= there.acceleration_tolerance * (1 + more_load)


@given(case=cases(tree=True))
def test_the_engines_agree_with_each_other(case: tuple[Robot, State]) -> None:
    """A witness that fails here cannot be believed elsewhere."""
    robot, s = case
    one, other = (Witness(engine(robot), s) for engine in ENGINES.values())
    assert one.force_error(other.torques, one.torques) <= TOLERANCE
    assert size(one.scaled_M - other.M / np.outer(one.unit, one.unit)) <= TOLERANCE


def test_the_registry_is_wholly_covered() -> None:
    """What has no check here is of one formulation alone, and tested beside its paper's other equations."""
    assert NEWTON_EULER in KNOWN
    alone = {"N_l", "N_d", "reverse_gaussian_elimination", "link_accelerations", "tip_acceleration", "joint_reactions"}
    assert {t.function for t in TEXTS if t not in KNOWN} <= alone
