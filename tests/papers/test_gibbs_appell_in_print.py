"""What was wrong in print in Mata, Provenzano, Valero, Cuadrado (2002), run beside what is right."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
import pytest
from tests.engines import array, dense
from tests.papers.printed import PUMA, STANFORD, about, effect, inertia, is_right, torques
from tests.robots import State

from linkwise.algebra import ZERO, Force, Mat, Rotation, Vec, skew
from linkwise.formulations import gibbs_appell
from linkwise.formulations.axes import Axis, axes_below
from linkwise.formulations.newton_euler import AT_REST, acceleration_tensor, angular_acceleration, angular_velocity
from linkwise.robot.model import Robot
from linkwise.robot.skeleton import Body, skeleton
from linkwise.sweep import each, outward


def ours(robot: Robot, s: State) -> list[float]:
    return gibbs_appell.inverse_dynamics(skeleton(robot), s.q, s.v, s.a, math)


def our_D(robot: Robot, s: State) -> list[list[float]]:
    return gibbs_appell.mass_matrix(skeleton(robot), s.q, math)


def test_7d_as_a_tensor_wants_its_transpose(monkeypatch: pytest.MonkeyPatch) -> None:
    """∂r̈/∂q̈ = r̃ ∂ω̇/∂q̈ is minus the cross product that it stands for: every lever pulls the other way."""

    def inertia_wrench(link: Body, motion: tuple[Mat, Vec]) -> Force:
        right = own(link, motion)
        return Force(right.moment - link.com.cross(right.force) * 2.0, right.force)

    def to_parent(link: Body, total: Force) -> Force:
        return total.turned(link.R).at(-link.p)

    own = gibbs_appell.inertia_wrench
    assert is_right(ours, torques, PUMA)
    monkeypatch.setattr(gibbs_appell, "inertia_wrench", inertia_wrench)
    monkeypatch.setattr(gibbs_appell, "to_parent", to_parent)
    assert effect(ours, torques, PUMA) == about(2.0)


def test_7e_speaks_of_the_wrong_joint() -> None:
    """(8) with the derivatives by (7e): z_i is added where link i's own joint slides, whichever joint k is moved."""

    def torque(robot: Robot, s: State, *, printed: bool) -> list[float]:
        bones = skeleton(robot)
        links = bones.at(s.q, math)
        wrenches = about_mass_centres(robot, s)
        τ = [0.0] * len(links)
        for link, axes in zip(links, outward(links, axes_below, ()), strict=True):
            f = wrenches[link.index]
            for k, axis in enumerate(axes):
                ω̇ = ZERO if axis.prismatic else axis.e
                z = (link.e if link.prismatic else ZERO) if printed else (axis.e if axis.prismatic else ZERO)
                τ[k] += f.moment.dot(ω̇) + f.force.dot(ω̇.cross(axis.s + link.com) + z)
        return τ

    assert is_right(lambda robot, s: torque(robot, s, printed=False), torques, STANFORD)
    assert effect(lambda robot, s: torque(robot, s, printed=True), torques, STANFORD) == about(0.65)


def about_mass_centres(robot: Robot, s: State) -> list[Force]:
    """t and f of (9), (10)."""
    bones = skeleton(robot)
    links = bones.at(s.q, math)
    ω = outward(links, angular_velocity, ZERO, s.v)
    Ω = each(links, acceleration_tensor, ω, outward(links, angular_acceleration, ZERO, ω, s.v, s.a))
    Ω_s̈ = outward(links, gibbs_appell.origin_acceleration, (AT_REST, -bones.gravity), Ω, ω, s.v, s.a)
    own = each(links, gibbs_appell.inertia_wrench, Ω_s̈)
    return [f.at(-link.com) for link, f in zip(links, own, strict=True)]


def test_gravity_is_signed_along_the_axis() -> None:
    """(9) and step 1: s̈₀ = −g z₀ with g = 9.81 lets the arm hang upwards."""

    def printed(robot: Robot, s: State) -> list[float]:
        return ours(replace(robot, gravity=-robot.gravity), s)

    assert is_right(ours, torques, PUMA)
    assert effect(printed, torques, PUMA) == about(2.0)


def test_the_third_term_of_22() -> None:
    """s̃_{k,i} s̃_{j,i} leaves out the mass centre's own place; s̃_{k,i} r̃_{j,i} is meant."""

    def D(robot: Robot, s: State, *, printed: bool) -> np.ndarray:
        links = skeleton(robot).at(s.q, math)
        found = np.zeros((len(links), len(links)))
        for link, axes in zip(links, outward(links, axes_below, ()), strict=True):
            r̃_ii = dense(skew(link.com))
            s̃ = [dense(skew(axis.s)) for axis in axes]
            for j, of_j in enumerate(axes):
                third = s̃[j] if printed else s̃[j] + r̃_ii
                for k, of_k in enumerate(axes[: j + 1]):
                    tensor = dense(link.inertia) - link.mass * (r̃_ii @ (s̃[j] + r̃_ii) + s̃[k] @ third)
                    found[j, k] += array(of_k.e) @ tensor @ array(of_j.e)
        return np.tril(found) + np.tril(found, -1).T

    assert is_right(lambda robot, s: D(robot, s, printed=False), inertia, PUMA)
    assert effect(lambda robot, s: D(robot, s, printed=True), inertia, PUMA) == about(0.070)


@dataclass(frozen=True, slots=True)
class PrintedAxis(Axis):
    """An axis that step 3 turns by its own joint's rotation, iR_{i−1}, from the second link on."""

    R: Rotation
    next: bool

    def seen_from(self, link: Body) -> Axis:
        right = Axis(self.prismatic, self.e, self.s).seen_from(link)
        return PrintedAxis(self.prismatic, right.e if self.next else self.R.T @ self.e, right.s, self.R, False)


def test_step_3_turns_by_the_joint_at_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    def printed(link: Body, parent: tuple[Axis, ...]) -> tuple[Axis, ...]:
        own = PrintedAxis(link.prismatic, link.e, ZERO, link.R, True)
        return (*(axis.seen_from(link) for axis in parent), own)

    assert is_right(our_D, inertia, PUMA)
    monkeypatch.setattr(gibbs_appell, "axes_below", printed)
    assert effect(our_D, inertia, PUMA) == about(0.032)
