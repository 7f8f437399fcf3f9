"""What Saha (2001) says of its simulations, asked of the compiled functions."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from tests.motion import rate, stepped

import linkwise
from linkwise import Dynamics, Robot

AT_REST = np.zeros(6)
T = 10.0


@cache
def dynamics(name: str) -> Dynamics:
    return Dynamics(linkwise.load(name))


def test_the_second_joint_of_the_falling_stanford_arm_never_gets_to_zero() -> None:
    """Printed: a little after 0.5 s. It creeps up to zero while the slide runs away."""
    arm = dynamics("stanford-saha-2001")
    x, h = np.concatenate([arm.robot.home, AT_REST]), 0.002
    for _ in range(1000):
        x = stepped(rate(arm, AT_REST), x, h)
        assert x[1] > 0.0
    assert x[1:3] == pytest.approx([0.0035, 15.831], abs=5e-4)


def path(robot: Robot, t: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The forced motion, scaled so that it ends at 60 degrees and 0.1 m."""
    end = np.where([any(joint.kind.turns) for joint in robot.joints], np.pi / 3, 0.1)
    way, ω = (end - robot.home) / (2 * np.pi), 2 * np.pi / T
    return robot.home + way * (ω * t - np.sin(ω * t)), way * ω * (1 - np.cos(ω * t)), way * ω**2 * np.sin(ω * t)


def test_the_forced_stanford_arm_is_unstable_all_the_way() -> None:
    """A deviation after 2.5 s says how large the integrator's errors are: they grow by 18 powers of ten in 10 s."""
    arm = dynamics("stanford-saha-2001")
    times = np.linspace(0.0, T, 41)
    growth = [fastest_growth(arm, *path(arm.robot, t)) for t in times]
    assert (min(growth), max(growth)) == pytest.approx((3.70, 4.62), abs=5e-3)
    assert np.mean(growth) * T / np.log(10) == pytest.approx(18.2, abs=0.1)


def fastest_growth(arm: Dynamics, q: np.ndarray, v: np.ndarray, a: np.ndarray) -> float:
    """The largest real part of the eigenvalues of the linearised motion, a second."""
    f, x, e = rate(arm, arm.inverse_dynamics(q, v, a)), np.concatenate([q, v]), 1e-6
    columns = [(f(x + e * direction) - f(x - e * direction)) / (2 * e) for direction in np.eye(12)]
    return float(np.linalg.eigvals(np.transpose(columns)).real.max())


def test_the_second_joint_of_the_falling_puma_turns_forward_without_a_3_too() -> None:
    table = linkwise.load("puma-saha-2001").to_dh("saha")
    straight = [(0.0 if i == 2 else a, *rest) for i, (a, *rest) in enumerate(table.rows)]
    without = Robot.from_dh(**{**table, "rows": straight})
    for arm in (dynamics("puma-saha-2001"), Dynamics(without)):
        assert arm.forward_dynamics(AT_REST, AT_REST, AT_REST)[1] == pytest.approx(6.48, abs=0.01)
