"""Gibbs–Appell against Pinocchio and Newton–Euler; D as the Hessian of Gibbs' function; the paper's counts."""

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
from tests.formulations.symbolic import (
    LIFT,
    LIFT_MASS_MATRIX,
    LIFT_TORQUES,
    PLANAR,
    PLANAR_MASS_MATRIX,
    PLANAR_TORQUES,
    a,
    q,
    same,
    v,
)
from tests.robots import State, cases, chain, state

from linkwise.algebra import Force, Mat, Sym, Vec, axial_product
from linkwise.expr import Count
from linkwise.formulations import gibbs_appell, newton_euler
from linkwise.robot.model import Robot
from linkwise.robot.skeleton import Skeleton, skeleton
from linkwise.robot.symbols import with_scalars

TIP = Force(Vec(1.0, -2.0, 0.5), Vec(3.0, 1.0, -4.0))


def test_the_moment_of_inertia_is_a_skew_product() -> None:
    """(10): A S - (A S)ᵀ, of any A and of a symmetric S."""
    rng = np.random.default_rng(1)
    A, S = Mat(*(Vec(*row) for row in rng.normal(size=(3, 3)))), Sym(*rng.normal(size=6))
    AS = A @ S
    np.testing.assert_allclose([*axial_product(A, S)], [*(AS - AS.T).axial], rtol=0, atol=1e-14)


@given(case=cases())
def test_inverse_dynamics_equals_pinocchio(case: tuple[Robot, State]) -> None:
    robot, s = case
    ours = gibbs_appell.inverse_dynamics(skeleton(robot), s.q, s.v, s.a, math)
    theirs = Pinocchio(robot).inverse_dynamics(s.q, s.v, s.a)
    np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-11 * max(abs(theirs)))


@given(case=cases())
def test_inverse_dynamics_equals_newton_euler_with_a_wrench_at_the_tip(case: tuple[Robot, State]) -> None:
    robot, s = case
    ours, other = (
        text.inverse_dynamics(skeleton(robot), s.q, s.v, s.a, math, TIP) for text in (gibbs_appell, newton_euler)
    )
    np.testing.assert_allclose(ours, other, rtol=0, atol=1e-12 * max(map(abs, other)))


@given(case=cases())
def test_mass_matrix_equals_pinocchio_and_is_symmetric(case: tuple[Robot, State]) -> None:
    robot, s = case
    ours = np.array(gibbs_appell.mass_matrix(skeleton(robot), s.q, math))
    theirs = Pinocchio(robot).mass_matrix(s.q)
    assert np.array_equal(ours, ours.T)
    np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-11 * np.max(np.diag(theirs)))


@given(case=cases())
def test_the_mass_matrix_is_the_hessian_of_gibbs_function(case: tuple[Robot, State]) -> None:
    """(19): τ, the gradient, is affine in q̈, and D is its slope."""
    robot, s = case
    bones, rest = skeleton(robot), [0.0] * len(s.q)
    τ, bias = (np.array(gibbs_appell.inverse_dynamics(bones, s.q, s.v, x, math)) for x in (s.a, rest))
    D = np.array(gibbs_appell.mass_matrix(bones, s.q, math))
    np.testing.assert_allclose(D @ s.a, τ - bias, rtol=0, atol=1e-11 * max(max(abs(τ)), max(abs(bias))))


@given(case=cases())
def test_forward_dynamics_undoes_inverse_dynamics(case: tuple[Robot, State]) -> None:
    robot, s = case
    bones = skeleton(robot)
    q̈ = gibbs_appell.forward_dynamics(bones, s.q, s.v, s.tau, math, TIP)
    D = np.array(gibbs_appell.mass_matrix(bones, s.q, math))
    τ = gibbs_appell.inverse_dynamics(bones, s.q, s.v, q̈, math, TIP)
    np.testing.assert_allclose(τ, s.tau, rtol=0, atol=1e-11 * np.max(abs(D) @ np.abs(q̈)))


@pytest.mark.parametrize("word", ["PRRPR", "RPPRP"])
def test_on_fifty_digits(word: str) -> None:
    """In frames turned by quarters, which are as exact as the digits."""
    robot = chain(word, seed=5, frame="aligned")
    s = state(robot, 5)
    with mpmath.workdps(50):
        exact = skeleton(with_scalars(robot, mpmath.mpf))
        q, v, a = ([mpmath.mpf(x) for x in values] for values in (s.q, s.v, s.a))
        τ = newton_euler.inverse_dynamics(exact, q, v, a, mpmath.mp)
        ours = gibbs_appell.forward_dynamics(exact, q, v, τ, mpmath.mp)
        assert max(abs(x - y) for x, y in zip(ours, a, strict=True)) < mpmath.mpf("1e-44")


@pytest.mark.parametrize(("arm", "torques"), [(PLANAR, PLANAR_TORQUES), (LIFT, LIFT_TORQUES)])
def test_inverse_dynamics_in_symbols(arm: Skeleton, torques: list[Any]) -> None:
    assert same(gibbs_appell.inverse_dynamics(arm, q, v, a, sympy), torques)


@pytest.mark.parametrize(("arm", "D"), [(PLANAR, PLANAR_MASS_MATRIX), (LIFT, LIFT_MASS_MATRIX)])
def test_mass_matrix_in_symbols(arm: Skeleton, D: list[list[Any]]) -> None:
    assert same(gibbs_appell.mass_matrix(arm, q, sympy), D)


@pytest.mark.parametrize(("n", "general", "vertical"), [(6, (468, 402), (466, 398)), (10, (852, 738), (850, 734))])
def test_counts_of_inverse_dynamics(n: int, general: tuple[int, int], vertical: tuple[int, int]) -> None:
    """96n-108 M 84n-102 A, and 96n-110 M 84n-106 A: below the published totals of Table 1."""
    assert operations(gibbs_appell.inverse_dynamics, n, "qva") == Count(*general)
    assert operations(gibbs_appell.inverse_dynamics, n, "qva", "vertical") == Count(*vertical)
    assert general[0] <= 96 * n - 101
    assert general[1] <= 84 * n - 100


@pytest.mark.parametrize(("n", "M", "A"), [(6, 454, 381), (10, 838, 713)])
def test_counts_of_the_bias(n: int, M: int, A: int) -> None:
    assert operations(gibbs_appell.inverse_dynamics, n, "qv0", "vertical") == Count(M, A)
    assert 96 * n - 108 >= M
    assert 83 * n - 105 >= A


@pytest.mark.parametrize(("n", "M", "A"), [(6, 413, 361), (10, 1171, 961)])
def test_counts_of_the_mass_matrix(n: int, M: int, A: int) -> None:
    """11.5n²+5.5n-34 M, 8n²+22n-59 A: below Table 2."""
    assert operations(gibbs_appell.mass_matrix, n, "q") == Count(M, A)
    assert 11.5 * n**2 + 19.5 * n - 49 >= M
    assert 8.5 * n**2 + 31.5 * n - 69 >= A


@pytest.mark.parametrize(("n", "M", "A"), [(6, 965, 813), (10, 2339, 1939)])
def test_counts_of_forward_dynamics(n: int, M: int, A: int) -> None:
    """Below Table 3."""
    assert operations(gibbs_appell.forward_dynamics, n, "qvt", "vertical") == Count(M, A)
    assert n**3 + 78 * n**2 + 695 * n - 942 >= 6 * M
    assert n**3 + 60 * n**2 + 683 * n - 1044 >= 6 * A
