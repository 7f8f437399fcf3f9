"""The reverse Gaussian elimination, the factors that it leads to, and the explicit inverse, on random chains."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import sympy
from hypothesis import given
from tests.engines import Pinocchio
from tests.formulations.symbolic import LIFT, LIFT_MASS_MATRIX, PLANAR, PLANAR_MASS_MATRIX, q, same
from tests.robots import State, cases, chain, state
from tests.scalars import exact

from linkwise.algebra import udu
from linkwise.formulations import denoc_matrices
from linkwise.formulations.denoc_elimination import inverse_mass_matrix, reverse_gaussian_elimination, udu_factors
from linkwise.robot.model import Robot
from linkwise.robot.skeleton import skeleton


def inertia(robot: Robot, s: State) -> tuple[np.ndarray, np.ndarray]:
    """The mass matrix by Pinocchio, and the natural sizes of its entries."""
    M = Pinocchio(robot).mass_matrix(s.q)
    unit = np.sqrt(np.diag(M))
    return M, np.outer(unit, unit)


@given(case=cases((2, 7)))
def test_every_step_annihilates_a_column(case: tuple[Robot, State]) -> None:
    """L_k = E_k L_{k+1} (45), from L_{n+1} = I (40) to a lower triangular L_2 (51); E_k is as in (44)."""
    robot, s = case
    L, sizes = inertia(robot, s)
    n = len(s.q)
    steps = reverse_gaussian_elimination(skeleton(robot), s.q, math)
    for k, (E, L_k) in zip(reversed(range(1, n)), steps, strict=True):
        E, L_k = np.array(E), np.array(L_k)
        assert np.array_equal(np.delete(E, k, axis=1), np.delete(np.eye(n), k, axis=1))
        assert np.array_equal(E[k:, k], np.eye(n)[k:, k])
        assert not L_k[:k, k:].any()
        assert np.array_equal(L_k[:k, :k], L_k[:k, :k].T)
        assert np.max(np.abs(E @ L - L_k) / sizes) <= 1e-11 * (1 + np.max(np.abs(E) @ np.abs(L) / sizes))
        L = L_k
    assert np.array_equal(L, np.tril(L))


@given(case=cases())
def test_factors_are_what_the_elimination_leaves(case: tuple[Robot, State]) -> None:
    """U⁻¹ = E = E_2 … E_n (51), (53), L_2 = D Uᵀ (54), I = U D Uᵀ (55); no other factors of that kind exist."""
    robot, s = case
    bones = skeleton(robot)
    M, sizes = inertia(robot, s)
    U, D = map(np.array, udu_factors(bones, s.q, math))
    E, L = np.eye(len(D)), np.array(denoc_matrices.mass_matrix(bones, s.q, math))
    for E_k, L_k in reverse_gaussian_elimination(bones, s.q, math):
        E, L = np.array(E_k) @ E, np.array(L_k)
    assert np.max(np.abs(E @ U - np.eye(len(D)))) <= 1e-11 * np.max(np.abs(E) @ np.abs(U))
    assert np.max(np.abs(L - np.diag(D) @ U.T) / sizes) <= 1e-11
    assert np.max(np.abs(U * D @ U.T - M) / sizes) <= 1e-11
    assert np.min(D) > 0


@given(case=cases())
def test_inverse_of_the_mass_matrix(case: tuple[Robot, State]) -> None:
    """I⁻¹ is symmetric, U⁻ᵀ D⁻¹ U⁻¹ of the numerical factors, and I⁻¹ I = 1 as far as the condition of I allows."""
    robot, s = case
    M, sizes = inertia(robot, s)
    ours = np.array(inverse_mass_matrix(skeleton(robot), s.q, math))
    assert np.array_equal(ours, ours.T)
    scaled, inverse = M / sizes, ours * sizes
    loss = np.max(np.abs(inverse) @ np.abs(scaled))
    assert np.max(np.abs(inverse @ scaled - np.eye(len(M)))) <= 1e-11 + 1e-13 * loss
    U, D = map(np.array, udu(scaled.tolist()))
    theirs = np.linalg.solve(U.T, np.linalg.inv(U) / D[:, None])
    assert np.max(np.abs(inverse - theirs)) <= (1e-11 + 1e-13 * loss) * np.max(np.abs(theirs))


def test_on_fifty_digits() -> None:
    robot = chain("RPRPR", seed=3)
    with mpmath.workdps(50):
        bones = skeleton(exact(robot))
        q = [mpmath.mpf(x) for x in state(robot, 3).q]
        M, inverse = (np.array(text(bones, q, mpmath.mp)) for text in (denoc_matrices.mass_matrix, inverse_mass_matrix))
        assert np.max(np.abs(M @ inverse - np.eye(5))) < mpmath.mpf("1e-44")
        _, L_2 = reverse_gaussian_elimination(bones, q, mpmath.mp)[-1]
        U, D = udu_factors(bones, q, mpmath.mp)
        assert np.max(np.abs(np.array(L_2) - np.array(D)[:, None] * np.transpose(U))) < mpmath.mpf("1e-44")


def test_in_symbols() -> None:
    for arm, M in ((PLANAR, PLANAR_MASS_MATRIX), (LIFT, LIFT_MASS_MATRIX)):
        U, D = udu_factors(arm, q, sympy)
        ((_, L_2),) = reverse_gaussian_elimination(arm, q, sympy)
        U = sympy.Matrix(U)
        assert same(U * sympy.diag(*D) * U.T, M)
        assert same(L_2, sympy.diag(*D) * U.T)
        assert same(sympy.Matrix(inverse_mass_matrix(arm, q, sympy)) * sympy.Matrix(M), sympy.eye(2))
