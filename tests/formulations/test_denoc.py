"""The decoupled natural orthogonal complement: its matrices as such, and the counts."""

from __future__ import annotations

import cmath
import math
from typing import Any

import mpmath
import numpy as np
import pytest
import sympy
from hypothesis import given
from tests.engines import Pinocchio, array, dense
from tests.formulations.counts import operations
from tests.formulations.symbolic import (
    LIFT,
    LIFT_MASS_MATRIX,
    LIFT_TORQUES,
    PLANAR,
    PLANAR_BIAS,
    PLANAR_MASS_MATRIX,
    PLANAR_TORQUES,
    a,
    q,
    same,
    v,
)
from tests.robot.reference import inverse_dynamics_files, state_files, table
from tests.robots import State, cases, chain, state

from linkwise.expr import Count
from linkwise.formulations import denoc, denoc_coriolis, denoc_forward, denoc_matrices, newton_euler
from linkwise.robot.library import load
from linkwise.robot.model import Robot
from linkwise.robot.skeleton import Skeleton, skeleton
from linkwise.robot.symbols import with_scalars
from linkwise.sweep import outward

STEP = 1e-30


def close(ours: Any, theirs: Any, of: float = 0.0) -> None:
    """Equal to 1e-11 of the largest, or of a size that is given."""
    ours, theirs = np.array(ours), np.array(theirs)
    assert ours.shape == theirs.shape
    assert np.max(np.abs(ours - theirs)) <= 1e-11 * max(of, np.max(np.abs(theirs)))


def N(bones: Skeleton, q: Any, fn: Any = math) -> np.ndarray:
    return np.array(denoc_matrices.N_l(bones, q, fn)) @ np.array(denoc_matrices.N_d(bones, q, fn))


def twists(motions: Any) -> np.ndarray:
    return np.concatenate([np.concatenate([array(t.angular), array(t.linear)]) for t in motions])


def blocks(*parts: np.ndarray) -> np.ndarray:
    """A block diagonal matrix."""
    n = sum(len(p) for p in parts)
    M, at = np.zeros((n, n)), 0
    for p in parts:
        M[at : at + len(p), at : at + len(p)] = p
        at += len(p)
    return M


def masses(bones: Skeleton) -> np.ndarray:
    """M of (4)."""
    return blocks(*(part for bone in bones.bones for part in (dense(bone.inertia), bone.mass * np.eye(3))))


@given(case=cases())
def test_the_complement_takes_rates_to_twists(case: tuple[Robot, State]) -> None:
    """t = N_l N_d θ̇ (16), and the recursion gives the same twists."""
    robot, s = case
    bones = skeleton(robot)
    rates = outward(denoc.coupled(bones, s.q, math), denoc.rate, denoc.AT_REST, s.v)
    close(N(bones, s.q) @ s.v, twists(r.ν for r in rates))


@given(case=cases((3, 5)))
def test_twist_propagation_matrices_multiply(case: tuple[Robot, State]) -> None:
    """B_ij B_jk = B_ik (14), of which N_l is made; and N_l is unit lower triangular."""
    robot, s = case
    N_l = np.array(denoc_matrices.N_l(skeleton(robot), s.q, math))
    n = len(s.q)
    B = N_l.reshape(n, 6, n, 6).transpose(0, 2, 1, 3)
    for i in range(n):
        assert np.array_equal(B[i, i], np.eye(6))
        assert not B[i, i + 1 :].any()
        for j in range(i + 1):
            for k in range(j + 1):
                close(B[i, j] @ B[j, k], B[i, k])


@given(case=cases())
def test_mass_matrix_is_that_of_the_links_seen_through_the_complement(case: tuple[Robot, State]) -> None:
    """I = Nᵀ M N, after (20)."""
    robot, s = case
    bones = skeleton(robot)
    n = N(bones, s.q)
    close(denoc_matrices.mass_matrix(bones, s.q, math), n.T @ masses(bones) @ n)


@given(case=cases())
def test_convective_terms_are_those_of_the_complement(case: tuple[Robot, State]) -> None:
    """C = Nᵀ (M Ṅ + Ṁ N), after (20), by which (29) must go; Ṅ is a complex step, and the turning of the axes."""
    robot, s = case
    bones = skeleton(robot)
    n = N(bones, s.q)
    spin = [np.cross(np.eye(3), ω) for ω in (n @ s.v).reshape(-1, 6)[:, :3]]
    moved = [a + 1j * STEP * b for a, b in zip(s.q, s.v, strict=True)]
    ṅ = N(bones, moved, cmath).imag / STEP + blocks(*np.repeat(spin, 2, axis=0)) @ n
    parts = zip(spin, bones.bones, strict=True)
    Ṁ = blocks(*(part for Ω, bone in parts for part in (Ω @ dense(bone.inertia), np.zeros((3, 3)))))
    ours = denoc_coriolis.coriolis_matrix(bones, s.q, s.v, math)
    close(ours, n.T @ (masses(bones) @ ṅ + Ṁ @ n), of=float(np.max(np.abs(n.T @ masses(bones) @ n))))


@given(case=cases())
def test_torques_from_the_matrices(case: tuple[Robot, State]) -> None:
    """I θ̈ + C θ̇ = τ (20), gravity apart."""
    robot, s = case
    bones, rest = skeleton(robot), [0.0] * len(s.q)
    M = np.array(denoc_matrices.mass_matrix(bones, s.q, math))
    C = np.array(denoc_coriolis.coriolis_matrix(bones, s.q, s.v, math))
    gravity = np.array(denoc.inverse_dynamics(bones, s.q, rest, rest, math))
    close(
        M @ s.a + C @ s.v + gravity, denoc.inverse_dynamics(bones, s.q, s.v, s.a, math), of=float(np.max(abs(gravity)))
    )


@pytest.mark.parametrize(("name", "file"), inverse_dynamics_files)
def test_reference_torques(name: str, file: str) -> None:
    """A batch of states at once: arrays as components."""
    robot, given = skeleton(load(name)), table(file)
    τ = denoc.inverse_dynamics(robot, *(list(given[x].T) for x in ("q", "qd", "qdd")), np)
    close(np.transpose(τ), given["tau"])


@pytest.mark.parametrize(("name", "file"), state_files)
def test_reference_states(name: str, file: str) -> None:
    robot, given = skeleton(load(name)), table(file)
    q, v, a, τ = (given[x].tolist() for x in ("q", "qd", "qdd", "tau"))
    upper = np.triu_indices(len(q[0]))
    for i in range(len(q)):
        close(denoc.inverse_dynamics(robot, q[i], v[i], a[i], math), τ[i])
        close(np.array(denoc_matrices.mass_matrix(robot, q[i], math))[upper], given["M"][i])
        close(denoc_forward.forward_dynamics(robot, q[i], v[i], τ[i], math), a[i])


@given(case=cases())
def test_inverse_dynamics_equals_newton_euler_and_pinocchio(case: tuple[Robot, State]) -> None:
    robot, s = case
    ours = denoc.inverse_dynamics(skeleton(robot), s.q, s.v, s.a, math)
    close(ours, newton_euler.inverse_dynamics(skeleton(robot), s.q, s.v, s.a, math))
    close(ours, Pinocchio(robot).inverse_dynamics(s.q, s.v, s.a))


def test_on_fifty_digits() -> None:
    robot = chain("RPRPR", seed=3, frame="aligned")
    s = state(robot, 3)
    with mpmath.workdps(50):
        exact = skeleton(with_scalars(robot, mpmath.mpf))
        q, v, a = ([mpmath.mpf(x) for x in values] for values in (s.q, s.v, s.a))
        τ = newton_euler.inverse_dynamics(exact, q, v, a, mpmath.mp)
        ours = denoc_forward.forward_dynamics(exact, q, v, τ, mpmath.mp)
        assert max(abs(x - y) for x, y in zip(ours, a, strict=True)) < mpmath.mpf("1e-44")


@pytest.mark.parametrize(
    ("arm", "M", "τ"), [(PLANAR, PLANAR_MASS_MATRIX, PLANAR_TORQUES), (LIFT, LIFT_MASS_MATRIX, LIFT_TORQUES)]
)
def test_in_symbols(arm: Skeleton, M: list[list[Any]], τ: list[Any]) -> None:
    assert same(denoc_matrices.mass_matrix(arm, q, sympy), M)
    assert same(denoc.inverse_dynamics(arm, q, v, a, sympy), τ)


def test_convective_terms_in_symbols() -> None:
    C = sympy.Matrix(denoc_coriolis.coriolis_matrix(PLANAR, q, v, sympy))
    assert same(C * sympy.Matrix(v), PLANAR_BIAS)


@pytest.mark.parametrize("n", [6, 10])
def test_counts_of_inverse_dynamics(n: int) -> None:
    """Published: 120n − 44 and 97n − 55."""
    assert operations(denoc.inverse_dynamics, n, "qva", "vertical") == Count(107 * n - 112, 83 * n - 93)


@pytest.mark.parametrize("first_axis", ["general", "vertical"])
@pytest.mark.parametrize("n", [6, 10])
def test_counts_of_accelerations(n: int, first_axis: str) -> None:
    """Published, without φ: 191n − 284 and 187n − 325 in 2001, 201n − 335 and 193n − 361 in 1999."""
    assert operations(denoc_forward.accelerations, n, "qf", first_axis) == Count(187 * n - 278, 169 * n - 271)
