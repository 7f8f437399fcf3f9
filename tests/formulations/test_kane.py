"""Kane's equations against Newton–Euler, which knows no mass centres, and against Pinocchio; the paper's counts."""

from __future__ import annotations

import math
from typing import Any

import mpmath
import numpy as np
import pytest
import sympy
from hypothesis import given
from tests.engines import Pinocchio
from tests.formulations.counts import operations
from tests.formulations.symbolic import LIFT, LIFT_TORQUES, PLANAR, PLANAR_TORQUES, a, q, same, v
from tests.robots import State, cases, chain, state

from linkwise.algebra import Force, Vec
from linkwise.expr import Count
from linkwise.formulations import kane, newton_euler
from linkwise.robot.model import Robot
from linkwise.robot.skeleton import Skeleton, skeleton
from linkwise.robot.symbols import with_scalars

TIP = Force(Vec(1.0, -2.0, 0.5), Vec(3.0, 1.0, -4.0))


@given(case=cases())
def test_equals_pinocchio(case: tuple[Robot, State]) -> None:
    robot, s = case
    ours = kane.inverse_dynamics(skeleton(robot), s.q, s.v, s.a, math)
    theirs = Pinocchio(robot).inverse_dynamics(s.q, s.v, s.a)
    np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-11 * max(abs(theirs)))


@given(case=cases())
def test_equals_newton_euler_with_a_wrench_at_the_tip(case: tuple[Robot, State]) -> None:
    robot, s = case
    ours, other = (text.inverse_dynamics(skeleton(robot), s.q, s.v, s.a, math, TIP) for text in (kane, newton_euler))
    np.testing.assert_allclose(ours, other, rtol=0, atol=1e-12 * max(map(abs, other)))


@pytest.mark.parametrize("word", ["PRRPR", "RPPRP"])
def test_equals_newton_euler_to_fifty_digits(word: str) -> None:
    """In frames turned by quarters, which are as exact as the digits."""
    robot = chain(word, seed=7, frame="aligned")
    s = state(robot, 7)
    with mpmath.workdps(50):
        exact = skeleton(with_scalars(robot, mpmath.mpf))
        motion = [[mpmath.mpf(x) for x in values] for values in (s.q, s.v, s.a)]
        ours, other = (text.inverse_dynamics(exact, *motion, mpmath.mp) for text in (kane, newton_euler))
        assert max(abs(x - y) for x, y in zip(ours, other, strict=True)) < mpmath.mpf("1e-46")


@pytest.mark.parametrize(("arm", "torques"), [(PLANAR, PLANAR_TORQUES), (LIFT, LIFT_TORQUES)])
def test_in_symbols(arm: Skeleton, torques: list[Any]) -> None:
    assert same(kane.inverse_dynamics(arm, q, v, a, sympy), torques)


@pytest.mark.parametrize(("n", "general", "vertical"), [(6, (512, 416), (510, 414)), (10, (932, 764), (930, 762))])
def test_counts(n: int, general: tuple[int, int], vertical: tuple[int, int]) -> None:
    """105n-118 M 87n-106 A, and 105n-120 M 87n-108 A: never above (58), (59)."""
    assert operations(kane.inverse_dynamics, n, "qva") == Count(*general)
    assert operations(kane.inverse_dynamics, n, "qva", "vertical") == Count(*vertical)
    assert general[0] <= 105 * n - 109
    assert general[1] <= 90 * n - 105
