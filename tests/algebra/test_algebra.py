"""Vectors, rotations and spatial quantities against dense matrices."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engines import array, dense
from tests.robots import seeds

from linkwise.algebra import (
    ArticulatedInertia,
    Force,
    Inertia,
    Mat,
    Motion,
    Placement,
    Rigid,
    Rotation,
    Screw,
    Sym,
    Turn,
    Vec,
    axial_product,
    cholesky,
    diagonal,
    dyad,
    skew,
    solve_cholesky,
    solve_udu,
    udu,
)
from linkwise.expr import Graph, Program, count

TOLERANCE = 1e-14


class Draw:
    """Random quantities of size one, from one seed."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)

    def vec(self) -> Vec:
        return Vec(*self.rng.normal(size=3).tolist())

    def mat(self) -> Mat:
        return Mat(self.vec(), self.vec(), self.vec())

    def sym(self) -> Sym:
        return Sym(*self.rng.normal(size=6).tolist())

    def turn(self, axis: str) -> Turn:
        angle = self.rng.uniform(-np.pi, np.pi)
        return Turn(axis, math.cos(angle), math.sin(angle))

    def matrix(self) -> Mat:
        return rotation("xzx", self).matrix

    def motion(self) -> Motion:
        return Motion(self.vec(), self.vec())

    def force(self) -> Force:
        return Force(self.vec(), self.vec())

    def inertia(self) -> Inertia:
        return Inertia(float(self.rng.normal()), self.vec(), self.sym())

    def articulated(self) -> ArticulatedInertia:
        return ArticulatedInertia(self.sym(), self.mat(), self.sym())


def rotation(word: str, draw: Draw) -> Rotation:
    """A product of turns about x and z, and of dense matrices (m)."""
    return Rotation(tuple(draw.matrix() if letter == "m" else draw.turn(letter) for letter in word))


draws = st.builds(Draw, seeds)
words = st.text("xzm", max_size=4)


def factor(turn: Turn | Mat) -> np.ndarray:
    """A rotation by Rodrigues' formula."""
    if isinstance(turn, Mat):
        return dense(turn)
    U = cross_matrix(np.array([1.0, 0.0, 0.0] if turn.axis == "x" else [0.0, 0.0, 1.0]))
    return np.eye(3) + turn.s * U + (1 - turn.c) * U @ U


def product(factors: Sequence[Turn | Mat]) -> np.ndarray:
    R = np.eye(3)
    for each in factors:
        R = R @ factor(each)
    return R


def cross_matrix(p: np.ndarray) -> np.ndarray:
    return np.cross(np.eye(3), p)


def six(x: Motion | Force) -> np.ndarray:
    parts = (x.angular, x.linear) if isinstance(x, Motion) else (x.moment, x.force)
    return np.concatenate([array(part) for part in parts])


def matrix(I: Inertia | ArticulatedInertia) -> np.ndarray:
    """The 6 by 6 matrix from motions to forces, turn before slide."""
    if isinstance(I, ArticulatedInertia):
        return np.block([[dense(I.A), dense(I.B)], [dense(I.B).T, dense(I.C)]])
    h = cross_matrix(array(I.moment))
    return np.block([[dense(I.tensor), h], [h.T, I.mass * np.eye(3)]])


def shift(p: Vec) -> np.ndarray:
    """Wrenches at p told about the origin."""
    return np.block([[np.eye(3), cross_matrix(array(p))], [np.zeros((3, 3)), np.eye(3)]])


def turned(R: Rotation) -> np.ndarray:
    return np.kron(np.eye(2), product(R.factors))


def close(ours: Any, theirs: Any) -> None:
    ours, theirs = np.asarray(ours, float), np.asarray(theirs, float)
    assert ours.shape == theirs.shape
    assert np.max(np.abs(ours - theirs), initial=0.0) <= TOLERANCE * max(1.0, np.max(np.abs(theirs), initial=0.0))


@given(draws)
def test_vectors(draw: Draw) -> None:
    a, b = draw.vec(), draw.vec()
    x, y = array(a), array(b)
    close(a.dot(b), x @ y)
    close(array(a.cross(b)), np.cross(x, y))
    close(array(a - b * 2.0 + -a), x - 2 * y - x)
    close(dense(a.outer(b)), np.outer(x, y))
    close(dense(dyad(a, 3.0)), 3 * np.outer(x, x))
    close(array(skew(a) @ b), np.cross(x, y))
    close(array(skew(a).axial), x)


@given(draws)
def test_matrices(draw: Draw) -> None:
    A, B, S, v = draw.mat(), draw.mat(), draw.sym(), draw.vec()
    a, b, s, x = dense(A), dense(B), dense(S), array(v)
    close(dense(A @ B), a @ b)
    close(dense(A @ S), a @ s)
    close(dense(S @ A), s @ a)
    close(array(A @ v), a @ x)
    close(array(S @ v), s @ x)
    close(dense(A.T), a.T)
    close(dense(A - S), a - s)
    close(dense(S + S * 2.0 - diagonal(1.0, 2.0, 3.0)), 3 * s - np.diag([1.0, 2.0, 3.0]))
    close(S.trace, np.trace(s))
    close(dense((A + A.T).symmetric), a + a.T)
    close(array(axial_product(A, S)), array((A @ S - (A @ S).T).axial))


@given(draws, words)
def test_rotations(draw: Draw, word: str) -> None:
    R, v = rotation(word, draw), draw.vec()
    dense_R = product(R.factors)
    close(array(R @ v), dense_R @ array(v))
    close(array(R.T @ v), dense_R.T @ array(v))
    close(dense(R.matrix), dense_R)
    close(dense(R.then(R).matrix), dense_R @ dense_R)


@given(draws, words)
def test_similarity(draw: Draw, word: str) -> None:
    """R S Rᵀ for symmetric tensors and for any."""
    R, S, A = rotation(word, draw), draw.sym(), draw.mat()
    dense_R = product(R.factors)
    close(dense(R.similar(S)), dense_R @ dense(S) @ dense_R.T)
    close(dense(R.similar(A)), dense_R @ dense(A) @ dense_R.T)
    assert isinstance(R.similar(S), Sym)


@given(draws, st.text("xzm", min_size=1, max_size=4))
def test_placements(draw: Draw, word: str) -> None:
    def one(letter: str) -> Screw | Rigid:
        return Rigid(draw.matrix(), draw.vec()) if letter == "m" else Screw(draw.turn(letter), float(draw.rng.normal()))

    placement = Placement(tuple(map(one, word)))
    H = np.eye(4)
    for each in placement.factors:
        step = np.eye(4)
        step[:3, :3], step[:3, 3] = product(each.rotation.factors), array(each.position)
        H = H @ step
    close(product(placement.rotation.factors), H[:3, :3])
    close(array(placement.position), H[:3, 3])
    close(array(placement.then(placement).position), (H @ H)[:3, 3])


@given(draws, words)
def test_motions_and_forces(draw: Draw, word: str) -> None:
    R, p, V, F = rotation(word, draw), draw.vec(), draw.motion(), draw.force()
    close(F.dot(V), six(F) @ six(V))
    close(six(F.at(p)), shift(p) @ six(F))
    close(six(V.shifted(p)), shift(p).T @ six(V))
    close(six(F.turned(R)), turned(R) @ six(F))
    close(six(V.turned(R)), turned(R) @ six(V))
    close(six(V * 2.0 - V + -V), np.zeros(6))
    close(six(F * 2.0 - F + -F), np.zeros(6))


@pytest.mark.parametrize("kind", ["inertia", "articulated"])
@given(draws, words)
def test_inertias(kind: str, draw: Draw, word: str) -> None:
    """As 6 by 6 matrices; nothing is asked of them but symmetry."""
    I, other = getattr(draw, kind)(), getattr(draw, kind)()
    R, p, V = rotation(word, draw), draw.vec(), draw.motion()
    close(six(I @ V), matrix(I) @ six(V))
    close(matrix(I.at(p)), shift(p) @ matrix(I) @ shift(p).T)
    close(matrix(I.turned(R)), turned(R) @ matrix(I) @ turned(R).T)
    close(matrix(I + other), matrix(I) + matrix(other))


@given(draws)
def test_an_inertia_is_an_articulated_one_too(draw: Draw) -> None:
    inertia, other = draw.inertia(), draw.articulated()
    close(matrix(inertia.articulated), matrix(inertia))
    close(matrix(inertia.articulated - other), matrix(inertia) - matrix(other))


@given(seeds, st.integers(1, 8))
def test_decompositions(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(n, n))
    M, x = A @ A.T + n * np.eye(n), rng.normal(size=n)
    U, D = map(np.array, udu(M.tolist()))
    close(U * D @ U.T, M)
    assert np.array_equal(U, np.triu(U))
    close(solve_udu(U.tolist(), D.tolist(), (M @ x).tolist()), x)
    rows = cholesky(M.tolist(), math)
    L = np.array([row + [0.0] * (n - len(row)) for row in rows])
    close(L, np.linalg.cholesky(M))
    close(solve_cholesky(rows, (M @ x).tolist()), x)


def test_elimination_from_the_tips_keeps_a_trees_noughts() -> None:
    """Two branches on one trunk: their rows stay apart in U."""
    U, _ = udu([[9.0, 2.0, 3.0], [2.0, 4.0, 0.0], [3.0, 0.0, 5.0]])
    assert U[1][2] == 0.0


@settings(max_examples=30)
@given(st.lists(st.integers(-1, 9), min_size=1, max_size=10))
def test_a_tree_costs_only_what_its_branches_do(parents: list[int]) -> None:
    """With d bodies below one, its elimination takes d quotients and d (d + 1) / 2 products, its solution 2 d + 1."""
    below: list[set[int]] = []
    for i, given_parent in enumerate(parents):
        parent = min(given_parent, i - 1)
        below.append(below[parent] | {parent} if parent >= 0 else set())
    g, n = Graph(), len(parents)
    M = [[g.input(f"{max(i, j)},{min(i, j)}") if min(i, j) in below[max(i, j)] | {max(i, j)} else 0.0
          for j in range(n)] for i in range(n)]  # fmt: skip
    x = solve_udu(*udu(M), [g.input(f"{i}") for i in range(n)])
    cost = count(Program((), tuple(map(g.lift, x)))).M
    assert cost == sum(d + d * (d + 1) // 2 + 2 * d + 1 for d in map(len, below))
