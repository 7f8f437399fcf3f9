"""What was wrong in print in Rodriguez, Kreutz (1988), Part I, run beside what is right."""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.formulations.operators_as_matrices import Operators, operators
from tests.papers.printed import (
    ROUNDING,
    SLIDING,
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

from linkwise.algebra import Force, Motion, Vec
from linkwise.formulations import newton_euler, spatial_operators
from linkwise.formulations import operators as texts
from linkwise.formulations.operator_forward import forward_dynamics_fd4
from linkwise.formulations.spatial_operators import Hᵀ, centripetal
from linkwise.robot.model import Robot
from linkwise.robot.skeleton import Body, skeleton

TIP = Force(Vec(1.0, -2.0, 3.0), Vec(-4.0, 5.0, 6.0))
"""A wrench that the tip exerts, about the tip itself."""


def ours(robot: Robot, s: State) -> list[float]:
    return texts.inverse_dynamics(skeleton(robot), s.q, s.v, s.a, math)


def with_bias(monkeypatch: pytest.MonkeyPatch, printed: Callable[..., Motion]) -> None:
    monkeypatch.setattr(spatial_operators, "bias_acceleration", printed)


# The bias acceleration a(k)


def test_2_19_needs_the_parents_turning(monkeypatch: pytest.MonkeyPatch) -> None:
    """ω(k) for ω(k+1) in the second part, the centripetal one."""

    def printed(link: Body, ω_parent: Vec, ω: Vec, θ̇: float) -> Motion:
        own = ω + link.e * θ̇
        linear = (link.R.T @ centripetal(link.R @ own, link.offset)) + centripetal(own, link.along)
        return Motion(ω.cross(link.e * θ̇), linear)

    assert is_right(ours, torques, TURNING)
    with_bias(monkeypatch, printed)
    assert effect(ours, torques, TURNING) == about(0.093)


def test_2_19_bears_the_links_own_turning_in_its_first_part(monkeypatch: pytest.MonkeyPatch) -> None:
    def alike(link: Body, ω_parent: Vec, ω: Vec, θ̇: float) -> Motion:
        own = ω + link.e * θ̇
        return Motion(own.cross(link.e * θ̇), bias_acceleration(link, ω_parent, ω, θ̇).linear)

    bias_acceleration = spatial_operators.bias_acceleration
    with_bias(monkeypatch, alike)
    assert is_right(ours, torques, TURNING)


@pytest.mark.parametrize(("times", "error"), [(1, 0.020), (0, 0.041)])
def test_2_32_lacks_a_factor_2(monkeypatch: pytest.MonkeyPatch, times: int, error: float) -> None:
    """As printed hθ̇ stands once; in the second form ω(k) does, which is ω(k+1), so that its product is nought."""

    def printed(link: Body, ω_parent: Vec, ω: Vec, θ̇: float) -> Motion:
        right = bias_acceleration(link, ω_parent, ω, θ̇)
        if not link.prismatic:
            return right
        return Motion(right.angular, right.linear - ω.cross(link.e * θ̇) * (2 - times))

    bias_acceleration = spatial_operators.bias_acceleration
    assert is_right(ours, torques)
    assert max(unbalanced_power(robot, s) for robot, s in drawn(SLIDING)) < ROUNDING
    with_bias(monkeypatch, printed)
    assert effect(ours, torques) == about(error)
    assert np.median([unbalanced_power(robot, s) for robot, s in drawn(SLIDING)]) > 0.005


def unbalanced_power(robot: Robot, s: State) -> float:
    """What the joints' power is off the growth of energy, beside that power; Ṁ by a step along the imaginary axis."""
    bones, h, rest = skeleton(robot), 1e-30, [0.0] * len(s.q)
    M = np.array(texts.mass_matrix(bones, [q + 1j * h * v for q, v in zip(s.q, s.v, strict=True)], cmath))
    weight = texts.inverse_dynamics(bones, s.q, rest, rest, math)
    power = np.dot(s.v, ours(robot, s))
    growth = s.v @ M.real @ s.a + s.v @ M.imag @ s.v / (2 * h) + np.dot(s.v, weight)
    return abs(power - growth) / (np.abs(s.v) @ np.abs(ours(robot, s)))


# Gravity and the tip


def test_3_8_lets_gravity_turn_the_base_link(monkeypatch: pytest.MonkeyPatch) -> None:
    """E with φ(N+1,N) in the place of its transpose tells g as if it were a force."""

    def printed(link: Body, α: Motion, θ̈: float, a: Motion) -> Motion:
        if link.parent >= 0:
            return accelerate(link, α, θ̈, a)
        Eg = Force(α.angular, α.linear).at(link.p).turned(link.R.T)
        return Motion(Eg.moment, Eg.force) + Hᵀ(link, θ̈) + a

    accelerate = texts.accelerate
    assert is_right(ours, torques)
    monkeypatch.setattr(texts, "accelerate", printed)
    assert effect(ours, torques) == about(0.10)


def forward(tip: Callable[[Robot], Force]) -> Callable[[Robot, State], list[float]]:
    """FD4 with some wrench at the tip, under the torques that the right one asks for besides."""

    def answer(robot: Robot, s: State) -> list[float]:
        bones = skeleton(robot)
        τ = newton_euler.inverse_dynamics(bones, s.q, s.v, s.a, math, TIP.at(bones.tip))
        return forward_dynamics_fd4(bones, s.q, s.v, τ, math, tip(robot))

    return answer


def test_2_8_is_the_force_of_the_tip_on_its_surroundings() -> None:
    assert is_right(forward(lambda robot: TIP.at(skeleton(robot).tip)), accelerations)
    assert effect(forward(lambda robot: -TIP.at(skeleton(robot).tip)), accelerations) == about(58)


def test_5_16_leads_the_tips_wrench_to_the_last_link() -> None:
    """z(1) = φ(1,0) f(0) + b(1); with ψ(1,0) = I the wrench would act at O(1)."""
    assert effect(forward(lambda robot: TIP), accelerations) == about(2.8)


# Forward dynamics with the operators as matrices


def solved(by: Callable[[Operators, np.ndarray, np.ndarray, np.ndarray], np.ndarray]) -> Any:
    """θ̈ from the operators, T and the bias torques T̂, and a with gravity's share."""

    def answer(robot: Robot, s: State) -> np.ndarray:
        bones = skeleton(robot)
        T̂ = texts.inverse_dynamics(bones, s.q, s.v, [0.0] * len(s.q), math)
        return by(operators(robot, s.q), np.array(s.tau), np.array(T̂), a(robot, s))

    return answer


def a(robot: Robot, s: State) -> np.ndarray:
    """a with gravity in a(N), as in (3.21)."""
    bones = skeleton(robot)
    links = bones.at(s.q, math)
    first, *others = spatial_operators.velocities(links, s.v)[1]
    first = first + spatial_operators.φᵀ(links[0], spatial_operators.g(bones))
    return np.concatenate([[*x.angular, *x.linear] for x in (first, *others)])


def test_the_inverse_of_the_abstract() -> None:
    """(I − HΦL)ᵀ D⁻¹ (I − HΦL), for Ψ."""

    def answer(o: Operators, W: np.ndarray) -> np.ndarray:
        return W.T @ np.linalg.solve(o.D, W)

    for robot, s in drawn(SLIDING):
        o = operators(robot, s.q)
        right = np.linalg.inv(texts.mass_matrix(skeleton(robot), s.q, math))
        assert off(answer(o, o.W), right) < 1e-8
    printed = solved(lambda o, T, T̂, a: answer(o, 2 * np.eye(len(T)) - o.K) @ (T - T̂))
    assert effect(printed, accelerations) == about(1.25)


def test_4_20_filters_what_the_bias_has_been_taken_from() -> None:
    """ε = T − Hẑ, for T′ − Hẑ."""

    def θ̈(o: Operators, ε: np.ndarray) -> np.ndarray:
        return o.W.T @ np.linalg.solve(o.D, ε)

    assert is_right(solved(lambda o, T, T̂, a: θ̈(o, o.W @ (T - T̂))), accelerations)
    assert effect(solved(lambda o, T, T̂, a: θ̈(o, o.W @ (T - T̂) + T̂)), accelerations) == about(23)


def test_the_proof_of_FD3_inverts_what_it_should_transpose() -> None:
    printed = solved(lambda o, T, T̂, a: np.linalg.solve(o.W, np.linalg.solve(o.D, o.W @ (T - T̂))))
    assert effect(printed, accelerations) == about(3.3)


def test_the_proof_of_FD4_has_φ_for_ψ() -> None:
    """θ̈ = (I − HΨL)ᵀ D⁻¹ [(I − HΨL) T − Hψ(b + Bf(0)) − Hψ~Pa] − LᵀΨᵀ(I − GH)ᵀ a − Gᵀ a."""

    def by(o: Operators, T: np.ndarray, T̂: np.ndarray, a: np.ndarray, χ: np.ndarray) -> np.ndarray:
        Hψb = o.W @ (T̂ - o.H @ o.φ @ o.M @ o.φ.T @ a)
        ν = np.linalg.solve(o.D, o.W @ T - Hψb - o.H @ (χ - o.I) @ o.P @ a)
        ΨL = o.ψ @ o.E_φ @ o.G
        return o.W.T @ ν - ΨL.T @ (o.I - o.G @ o.H).T @ a - o.G.T @ a

    assert is_right(solved(lambda o, T, T̂, a: by(o, T, T̂, a, o.ψ)), accelerations)
    assert effect(solved(lambda o, T, T̂, a: by(o, T, T̂, a, o.φ)), accelerations) == about(2.3)


def test_the_proof_of_A7() -> None:
    """ψMφᵀ = P + ψ~P + Pφ~ᵀ (a.46), quoted with Pφᵀ."""
    effects = []
    for robot, s in drawn(SLIDING):
        o = operators(robot, s.q)
        whole, without = o.ψ @ o.M @ o.φ.T, o.ψ @ o.P
        assert off(without + o.P @ (o.φ - o.I).T, whole) < ROUNDING
        effects.append(off(without + o.P @ o.φ.T, whole))
    assert np.median(effects) == about(1.0)


def test_the_proof_of_lemma_A1_transposes_r() -> None:
    """r(k) = Σ ψ(k,j) M(j) φᵀ(k,j) obeys (a.44) for any gain; the printed Σ φ M ψᵀ does for Kalman's alone."""
    rng, effects = np.random.default_rng(1), []
    for robot, s in drawn(SLIDING):
        o = operators(robot, s.q)
        any_gain = replace(o, gains=[replace_gain(gain, rng) for gain in o.gains])
        r, printed = (blocks(x) for x in (any_gain.ψ @ o.M @ o.φ.T, o.φ @ o.M @ any_gain.ψ.T))
        assert off(blocks(any_gain.E_ψ @ r @ o.E_φ.T + o.M), r) < ROUNDING
        effects.append(off(blocks(any_gain.E_ψ @ printed @ o.E_φ.T + o.M), printed))
    assert np.median(effects) == about(0.87)


def replace_gain(gain: Any, rng: np.random.Generator) -> Any:
    return gain._replace(G=Force(Vec(*rng.normal(size=3).tolist()), Vec(*rng.normal(size=3).tolist())))


def blocks(whole: np.ndarray) -> np.ndarray:
    """The block diagonal part."""
    n = len(whole) // 6
    return whole * np.kron(np.eye(n), np.ones((6, 6)))


def test_the_margin_of_5_4() -> None:
    """H(I − ΨLH)φ is Hψ too; the note has lost the second H."""
    for robot, s in drawn(SLIDING):
        o = operators(robot, s.q)
        ΨL = o.ψ @ o.E_φ @ o.G
        assert off(o.H @ (o.I - ΨL @ o.H) @ o.φ, o.H @ o.ψ) < ROUNDING
