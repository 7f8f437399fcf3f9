"""The natural orthogonal complement: its columns are the twists that the joints allow; the paper's counts."""

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
    PLANAR,
    PLANAR_MASS_MATRIX,
    PLANAR_TORQUES,
    a,
    q,
    same,
    v,
)
from tests.robots import State, cases, chain, state

from linkwise.algebra import ZERO, Force, Sym, Vec
from linkwise.expr import Count
from linkwise.formulations import kane, natural_complement, newton_euler
from linkwise.formulations.axes import axes_below
from linkwise.robot.model import Robot
from linkwise.robot.skeleton import Skeleton, skeleton
from linkwise.robot.symbols import with_scalars
from linkwise.sweep import each, outward

TIP = Force(Vec(1.0, -2.0, 0.5), Vec(3.0, 1.0, -4.0))


@given(case=cases())
def test_mass_matrix_equals_pinocchio_and_is_symmetric(case: tuple[Robot, State]) -> None:
    robot, s = case
    ours = np.array(natural_complement.mass_matrix(skeleton(robot), s.q, math))
    theirs = Pinocchio(robot).mass_matrix(s.q)
    assert np.array_equal(ours, ours.T)
    np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-11 * np.max(np.diag(theirs)))


@given(case=cases())
def test_kanes_equations_are_the_wrenches_of_inertia_seen_through_the_complement(case: tuple[Robot, State]) -> None:
    """(37) as it stands: the partial velocities are right, link by link and joint by joint."""
    robot, s = case
    bones = skeleton(robot)
    links = bones.at(s.q, math)
    T = each(links, natural_complement.twists, outward(links, axes_below, ()))
    f = wrenches_about_mass_centres(bones, s)
    τ = [sum(f[i].dot(T[i][k]) for i in range(k, len(links))) for k in range(len(links))]
    expected = Pinocchio(robot).inverse_dynamics(s.q, s.v, s.a)
    np.testing.assert_allclose(τ, expected, rtol=0, atol=1e-11 * max(abs(expected)))


def wrenches_about_mass_centres(bones: Skeleton, s: State) -> list[Force]:
    links = bones.at(s.q, math)
    ω = outward(links, newton_euler.angular_velocity, ZERO, s.v)
    ω̇ = outward(links, newton_euler.angular_acceleration, ZERO, ω, s.v, s.a)
    W = each(links, newton_euler.acceleration_tensor, ω, ω̇)
    reached = outward(links, kane.mass_centre, (ZERO, newton_euler.AT_REST, -bones.gravity), ω, W, s.v, s.a)
    about_origins = each(links, kane.inertia_wrench, ω, ω̇, [p̈ for _, _, p̈ in reached])
    return [f.at(-link.com) for link, f in zip(links, about_origins, strict=True)]


@given(case=cases())
def test_forward_dynamics_undoes_inverse_dynamics(case: tuple[Robot, State]) -> None:
    robot, s = case
    bones = skeleton(robot)
    q̈ = natural_complement.forward_dynamics(bones, s.q, s.v, s.tau, math, TIP)
    M = np.array(natural_complement.mass_matrix(bones, s.q, math))
    τ = kane.inverse_dynamics(bones, s.q, s.v, q̈, math, TIP)
    np.testing.assert_allclose(τ, s.tau, rtol=0, atol=1e-11 * np.max(abs(M) @ np.abs(q̈)))


def test_on_fifty_digits() -> None:
    robot = chain("RPRPR", seed=3, frame="aligned")
    s = state(robot, 3)
    with mpmath.workdps(50):
        exact = skeleton(with_scalars(robot, mpmath.mpf))
        q, v, a = ([mpmath.mpf(x) for x in values] for values in (s.q, s.v, s.a))
        τ = newton_euler.inverse_dynamics(exact, q, v, a, mpmath.mp)
        ours = natural_complement.forward_dynamics(exact, q, v, τ, mpmath.mp)
        assert max(abs(x - y) for x, y in zip(ours, a, strict=True)) < mpmath.mpf("1e-44")


@pytest.mark.parametrize(("arm", "M"), [(PLANAR, PLANAR_MASS_MATRIX), (LIFT, LIFT_MASS_MATRIX)])
def test_in_symbols(arm: Skeleton, M: list[list[Any]]) -> None:
    assert same(natural_complement.mass_matrix(arm, q, sympy), M)


def test_forward_dynamics_in_symbols() -> None:
    q̈ = sympy.Matrix(natural_complement.forward_dynamics(PLANAR, q, v, PLANAR_TORQUES, sympy))
    at = {x: sympy.Rational(i + 3, 7) for i, x in enumerate(sorted(q̈.free_symbols, key=str))}
    assert max(abs((q̈ - sympy.Matrix(a)).subs(at).evalf(30))) < 1e-13


@pytest.mark.parametrize("n", [*range(2, 11), 20])
def test_counts(n: int) -> None:
    """Below the published cost of the matrix for every n: it grows as n³ + 17n² and n³ + 14n²."""
    found = operations(natural_complement.mass_matrix, n, "q")
    assert 2 * found.M == 2 * n**3 + 33 * n**2 - 69 * n + 42
    assert 2 * found.A == 2 * n**3 + 27 * n**2 - 51 * n + 22
    assert found.M <= n**3 + 17 * n**2 - 21 * n + 8
    assert found.A <= n**3 + 14 * n**2 - 16 * n + 5


def test_count_of_forward_dynamics() -> None:
    """1353 M 1165 A is what 2002 quotes."""
    assert operations(natural_complement.forward_dynamics, 6, "qvt", "vertical") == Count(1218, 1026)


def test_products_of_a_tensor_in_sums() -> None:
    rng = np.random.default_rng(1)
    I, e = Sym(*rng.normal(size=6)), Vec(*rng.normal(size=3))
    np.testing.assert_allclose([*natural_complement.product(I, e)], [*(I @ e)], rtol=0, atol=1e-14)
