"""The operator formulation on random trees: against Pinocchio and MuJoCo, by identities, on every kind of scalar."""

from __future__ import annotations

import cmath
import math
from typing import Any

import mpmath
import mujoco
import numpy as np
import pinocchio as pin
import pytest
import sympy
from hypothesis import given
from tests.engines import MuJoCo, Pinocchio, array, dense, in_link_axes
from tests.formulations.counts import entries, operations
from tests.robots import State, cases, chain, state

from linkwise.algebra import Force, Motion, Vec, udu
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
TIP = Force(Vec(1.0, -2.0, 3.0), Vec(-4.0, 5.0, 6.0))
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


class PinocchioUnderWrench(Pinocchio):
    """Pinocchio's account of the motion under joint torques and a wrench of the tip on what it touches."""

    def __init__(self, robot: Robot, s: State) -> None:
        super().__init__(robot)
        self.axes = [dense(bone.own_frame.rotation.matrix) for bone in skeleton(robot).bones]
        self.joints = [self.model.getJointId(name) for name in robot.joint_names]
        point = pin.SE3(np.eye(3), self.axes[-1].T @ array(skeleton(robot).tip))
        self.tip = self.model.addFrame(pin.Frame("tip", self.joints[-1], 0, point, pin.FrameType.OP_FRAME))
        self.data = self.model.createData()
        self._solve(*self._theirs(s.q, s.v, s.tau), in_link_axes(robot, TIP))

    def _solve(self, q: np.ndarray, v: np.ndarray, τ: np.ndarray, tip: Force) -> None:
        outside = pin.StdVec_Force([pin.Force.Zero()] * self.model.njoints)
        outside[self.joints[-1]] = pin.Force(-array(tip.force), -array(tip.moment))
        a = pin.aba(self.model, self.data, q, v, τ, outside).copy()
        self.θ̈ = a[self.at_v]
        pin.rnea(self.model, self.data, q, v, a, outside)
        self.f = [self._here(i, self.data.f[j]) for i, j in enumerate(self.joints)]
        pin.forwardKinematics(self.model, self.data, q, v, a)
        pin.updateFramePlacements(self.model, self.data)

    def _here(self, i: int, x: Any) -> np.ndarray:
        """Pinocchio's six numbers in the axes of our skeleton, turn or moment first."""
        return np.concatenate([self.axes[i] @ x.angular, self.axes[i] @ x.linear])

    def accelerations(self) -> list[np.ndarray]:
        local = [pin.getClassicalAcceleration(self.model, self.data, j, pin.LOCAL) for j in self.joints]
        return [self._here(i, α) for i, α in enumerate(local)]

    def tip_acceleration(self) -> np.ndarray:
        return self._here(-1, pin.getFrameClassicalAcceleration(self.model, self.data, self.tip, pin.LOCAL))


class MuJoCoUnderWrench(MuJoCo):
    """MuJoCo's account of the same; it works in the world's axes, and lets the world accelerate upward."""

    def __init__(self, robot: Robot, s: State) -> None:
        super().__init__(robot)
        self.skeleton = skeleton(robot)
        self.bodies = [self.model.joint(name).bodyid[0] for name in robot.joint_names]
        self._set(s.q, qvel=s.v, qfrc_applied=s.tau)
        mujoco.mj_kinematics(self.model, self.data)
        last = self.bodies[-1]
        f, R = in_link_axes(robot, TIP), self._axes(last)
        force, moment = -R @ array(f.force), -R @ array(f.moment)
        arm = self.data.xpos[last] - self.data.xipos[last]
        self.data.xfrc_applied[last] = [*force, *(moment + np.cross(arm, force))]
        mujoco.mj_forward(self.model, self.data)
        mujoco.mj_rnePostConstraint(self.model, self.data)
        self.f = [self._reaction(i, body) for i, body in enumerate(self.bodies)]

    def _axes(self, body: int) -> np.ndarray:
        return self.data.xmat[body].reshape(3, 3)

    def _here(self, i: int, turning: np.ndarray, shifting: np.ndarray) -> np.ndarray:
        """Two vectors of the body's own axes in those of our skeleton."""
        own = dense(self.skeleton.bones[i].own_frame.rotation.matrix)
        return np.concatenate([own @ turning, own @ shifting])

    def _reaction(self, i: int, body: int) -> np.ndarray:
        """What MuJoCo tells about the centre of mass of the whole tree, told about the body's origin."""
        moment, force = self.data.cfrc_int[body][:3], self.data.cfrc_int[body][3:]
        arm = self.data.subtree_com[self.model.body_rootid[body]] - self.data.xpos[body]
        R = self._axes(body)
        return self._here(i, R.T @ (moment + np.cross(arm, force)), R.T @ force)

    def _acceleration(self, i: int, body: int) -> tuple[np.ndarray, np.ndarray]:
        """Of the body's origin, in its own axes."""
        local = np.zeros(6)
        mujoco.mj_objectAcceleration(self.model, self.data, mujoco.mjtObj.mjOBJ_XBODY, body, local, 1)
        return local[:3], local[3:] + self._axes(body).T @ self.model.opt.gravity

    def accelerations(self) -> list[np.ndarray]:
        return [self._here(i, *self._acceleration(i, body)) for i, body in enumerate(self.bodies)]

    def tip_acceleration(self) -> np.ndarray:
        """From that of the last body's origin, by the rigid body's formula with MuJoCo's angular velocity."""
        ω̇, a = np.split(self.accelerations()[-1], 2)
        local = np.zeros(6)
        mujoco.mj_objectVelocity(self.model, self.data, mujoco.mjtObj.mjOBJ_XBODY, self.bodies[-1], local, 1)
        ω, p = self._here(-1, local[:3], local[3:])[:3], array(self.skeleton.tip)
        return np.concatenate([ω̇, a + np.cross(ω̇, p) + np.cross(ω, np.cross(ω, p))])


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
