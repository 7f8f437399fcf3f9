"""What was wrong in print in Saha (1999) and Saha (2001), run beside what is right."""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import accumulate

import numpy as np
import pytest
from tests.engines import array, dense
from tests.papers.printed import (
    ROUNDING,
    SLIDING,
    STANFORD,
    TURNING,
    about,
    accelerations,
    drawn,
    effect,
    is_right,
    off,
    torques,
)
from tests.robots import State

from linkwise.algebra import ZERO, ZERO_TENSOR, Motion, Rotation, Turn, Vec
from linkwise.formulations import denoc, denoc_forward, denoc_matrices
from linkwise.formulations.denoc import Coupled, Rate
from linkwise.formulations.denoc_forward import Factor
from linkwise.robot.library import load
from linkwise.robot.model import Robot
from linkwise.robot.skeleton import Skeleton, skeleton
from linkwise.sweep import inward, inward_keeping

STEP = 1e-30


def our_torques(robot: Robot, s: State) -> list[float]:
    return denoc.inverse_dynamics(skeleton(robot), s.q, s.v, s.a, math)


def our_accelerations(robot: Robot, s: State) -> list[float]:
    return denoc_forward.forward_dynamics(skeleton(robot), s.q, s.v, s.tau, math)


# Saha 1999


def test_the_printed_ν_gives_the_same_torques(monkeypatch: pytest.MonkeyPatch) -> None:
    """5.1: ν_i = p_i θ̇_i + ν_{i−1} is no twist; but of ν the equations take the angular half alone."""

    def printed(link: Coupled, before: Rate, θ̇: float) -> Rate:
        right = rate(link, before, θ̇)
        return Rate(before.ν.turned(link.R.T) + link.p_i * θ̇, right.ċ, right.Ḃν)

    rate = denoc.rate
    monkeypatch.setattr(denoc, "rate", printed)
    assert is_right(our_torques, torques)


@pytest.mark.parametrize(("word", "error"), [(TURNING, 0.0), (SLIDING, 0.020)])
def test_the_slides_own_rate_belongs_to_ċ(monkeypatch: pytest.MonkeyPatch, word: str, error: float) -> None:
    """Ḃ is not given; without −ḃ e in ċ the torques are wrong where a joint slides, and only there."""

    def without(link: Coupled, before: Rate, θ̇: float) -> Rate:
        right = rate(link, before, θ̇)
        if not link.prismatic:
            return right
        ċ, ω = right.ċ + link.e * θ̇, right.ν.angular
        return Rate(right.ν, ċ, Motion(ZERO, ċ.cross(ω)))

    rate = denoc.rate
    assert is_right(our_torques, torques, word)
    monkeypatch.setattr(denoc, "rate", without)
    assert effect(our_torques, torques, word) == about(error, abs=ROUNDING)


def test_28_is_right_as_printed() -> None:
    """H̃ of N_lᵀ M Ṅ_l: B_{i+1,i}ᵀ H̃_{i+1,i} and, with M_i for M̃_i, B_{i+1,i}ᵀ H̃_{i+1,j} both serve."""
    for robot, s in drawn(SLIDING):
        M, B, Ḃ = in_base_axes(skeleton(robot), s)
        H̃ = np.einsum("kiba,kbc,kjcd->ijad", B, M, Ḃ)
        M̃ = np.einsum("kiba,kbc,kicd->iad", B, M, B)
        for i in range(1, len(M) - 1):
            for j in range(i):
                printed = M̃[i] @ Ḃ[i, j] + B[i + 1, i].T @ H̃[i + 1, i]
                alike = M[i] @ Ḃ[i, j] + B[i + 1, i].T @ H̃[i + 1, j]
                assert off(printed, H̃[i, j]) < ROUNDING
                assert off(alike, H̃[i, j]) < ROUNDING


def in_base_axes(bones: Skeleton, s: State) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """M_i, B_ij and, by a step along the imaginary axis, the rate of B_ij."""
    moved, n = [a + 1j * STEP * b for a, b in zip(s.q, s.v, strict=True)], len(s.q)
    R = np.array([[[*row] for row in (R.x, R.y, R.z)] for R in (body.R.matrix for body in bones.at(moved, cmath))])
    X = [np.kron(np.eye(2), axes) for axes in accumulate(R, np.matmul)]
    N_l = np.array(denoc_matrices.N_l(bones, moved, cmath)).reshape(n, 6, n, 6)
    B = np.einsum("iab,ibjc,jdc->ijad", X, N_l, X)
    own = [np.kron(np.diag([1, 0]), dense(b.inertia)) + np.kron(np.diag([0, b.mass]), np.eye(3)) for b in bones.bones]
    return np.einsum("iab,ibc,idc->iad", X, own, X).real, B.real, B.imag / STEP


def test_50_for_k_equal_to_i_is_no_articulated_body() -> None:
    """Appendix B: with k = i it is what the joint lets through, M̂_ii p_i = 0, and there would be no m̂_i."""
    for robot, s in drawn(SLIDING):
        links = denoc.coupled(skeleton(robot), s.q, math)
        own = [link.M_i.articulated for link in links]
        M̂ = inward(links, lambda link, M: denoc_forward.articulate(link, M)[0], own)
        for link, M̂_i in zip(links, M̂, strict=True):
            factor, M̂_ii = denoc_forward.freed(link, M̂_i)
            assert factor.m̂ > 0
            assert abs((M̂_ii @ link.p_i).dot(link.p_i)) < ROUNDING * factor.m̂


# Saha 2001


def test_step_A_is_of_φ_and_not_of_τ() -> None:
    """(12), A.10: with τ in its place the velocities and the weights are forgotten."""

    def printed(robot: Robot, s: State) -> list[float]:
        return denoc_forward.accelerations(skeleton(robot), s.q, s.tau, math)

    assert is_right(our_accelerations, accelerations, STANFORD)
    assert effect(printed, accelerations, STANFORD) == about(5.5)


def with_links(make: Callable[[Robot, Sequence[Coupled]], list[Coupled]]) -> Callable[[Robot, State], list[float]]:
    """Forward dynamics whose three steps see other links; φ is the right one."""

    def answer(robot: Robot, s: State) -> list[float]:
        bones = skeleton(robot)
        bias = denoc.inverse_dynamics(bones, s.q, s.v, [0.0] * len(s.q), math)
        φ = [τ - b for τ, b in zip(s.tau, bias, strict=True)]
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(denoc_forward, "coupled", lambda *given: make(robot, denoc.coupled(*given)))
            return denoc_forward.accelerations(bones, s.q, φ, math)

    return answer


def test_A1_mixes_the_axes_of_two_frames() -> None:
    """[d_i]_{i+1} = [a_i]_{i+1} − Q_i [r_i]_{i+1}, taken for the [d_i]_i that e_i × d_i and c_{i,i−1} need."""
    assert is_right(with_links(partial(with_d, printed=False)), accelerations, STANFORD)
    assert effect(with_links(partial(with_d, printed=True)), accelerations, STANFORD) == about(1.03)


def with_d(robot: Robot, links: Sequence[Coupled], *, printed: bool) -> list[Coupled]:
    """The links with d_i by A.1 from the paper's own parameters.

    Our axes of link i are those of the paper's frame i turned by θ_i; our origin is its own moved along b_i.
    """
    table, moved = robot.to_dh("saha"), []
    for link, (a, α, *_), r in zip(links, table.rows, table.coms, strict=True):
        by_θ = dense(Rotation(link.R.factors[-1:]).matrix)
        b, Q = array(link.along), by_θ @ dense(Rotation((Turn("x", math.cos(α), math.sin(α)),)).matrix)
        a_i = by_θ @ [a, 0.0, 0.0] + b
        d = (Q.T @ a_i if printed else a_i) - Q @ array(r)
        moved.append(replace(link, bone=replace(link.bone, com=Vec(*(by_θ.T @ d - b).tolist()))))
    return moved


def test_A3b_forgets_the_links_own_moments(monkeypatch: pytest.MonkeyPatch) -> None:
    def printed(links: Sequence[Coupled]) -> list[Factor]:
        *own, last = [link.M_i.articulated for link in links]
        return inward_keeping(links, denoc_forward.articulate, [*(replace(M, A=ZERO_TENSOR) for M in own), last])

    monkeypatch.setattr(denoc_forward, "decomposition", printed)
    assert effect(our_accelerations, accelerations, STANFORD) == about(0.98)


def test_A4_to_A10_are_for_joints_that_turn() -> None:
    """What they say of p = [e; e × d], said of the arm's slide."""

    def links(_: Robot, found: Sequence[Coupled]) -> list[Coupled]:
        return [replace(link, bone=replace(link.bone, prismatic=False)) for link in found]

    assert effect(with_links(links), accelerations, STANFORD) == about(245)


def test_C3_begins_with_the_wrong_half(monkeypatch: pytest.MonkeyPatch) -> None:
    """μ_{i,i−1(b)} = μ_{i−1(t)} + c × μ_{i−1(t)}, with (t) for (b)."""

    def printed(link: Coupled, before: tuple[float, Motion], factor: Factor, τ̃: float) -> tuple[float, Motion]:
        θ̈, μ = before
        return accelerate(link, (θ̈, Motion(μ.angular, μ.angular)), factor, τ̃)

    accelerate = denoc_forward.accelerate
    monkeypatch.setattr(denoc_forward, "accelerate", printed)
    assert effect(our_accelerations, accelerations, STANFORD) == about(0.21)


def test_the_printed_moments_of_the_PUMA_make_no_mass_matrix() -> None:
    """Table II(ii)."""
    printed = load("puma-saha-2001-printed")
    for robot, s in drawn("puma-saha-2001"):
        least, least_printed = (
            np.min(np.linalg.eigvalsh(denoc_matrices.mass_matrix(skeleton(r), s.q, math))) for r in (robot, printed)
        )
        assert least_printed < 0 < least
