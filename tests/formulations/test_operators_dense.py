"""The report's equations, letter by letter, with its operators as dense matrices."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given
from tests.formulations.operators_as_matrices import operators
from tests.robots import State, cases

from linkwise.formulations.operators import factors, inverse_mass_matrix, mass_matrix, whitening_operator
from linkwise.robot.model import Robot
from linkwise.robot.skeleton import skeleton


def equal(one: np.ndarray, other: np.ndarray, κ: float = 1.0) -> None:
    size = max(1.0, np.max(np.abs(one)), np.max(np.abs(other)))
    assert np.max(np.abs(one - other)) <= size * max(1e-12, 64 * np.finfo(float).eps * κ)


@given(case=cases(tree=True))
def test_texts_are_what_the_operators_say(case: tuple[Robot, State]) -> None:
    robot, s = case
    o, arm = operators(robot, s.q), skeleton(robot)
    𝓜 = o.H @ o.φ @ o.M @ o.φ.T @ o.H.T
    κ = float(np.linalg.cond(𝓜))
    equal(𝓜, np.array(mass_matrix(arm, s.q, math)))  # (3.20)
    equal(o.K, np.array(factors(arm, s.q, math)[0]), κ)  # (4.11)
    equal(o.W, np.array(whitening_operator(o.links, o.gains)), κ)  # (4.15)
    equal(o.W.T @ np.linalg.inv(o.D) @ o.W, np.array(inverse_mass_matrix(arm, s.q, math)), κ)  # (4.16)


@given(case=cases(tree=True))
def test_identities_that_feel_a_wrong_gain(case: tuple[Robot, State]) -> None:
    robot, s = case
    o = operators(robot, s.q)
    𝓜 = o.H @ o.φ @ o.M @ o.φ.T @ o.H.T
    κ, n, φ_, ψ_ = float(np.linalg.cond(𝓜)), len(𝓜), o.φ - o.I, o.ψ - o.I
    D_inverse = np.linalg.inv(o.D)
    equal(o.H @ o.G, np.eye(n))
    equal((o.I - o.G @ o.H) @ o.P @ o.H.T, np.zeros_like(o.H.T))
    equal(𝓜, o.K @ o.D @ o.K.T)  # (4.11)
    equal(o.W.T @ D_inverse @ o.W @ 𝓜, np.eye(n), κ)  # (4.16)
    equal(o.ψ @ o.M @ o.φ.T, o.P + ψ_ @ o.P + o.P @ φ_.T)  # (a.46)
    equal(o.ψ @ o.M @ o.ψ.T, o.P + ψ_ @ o.P + o.P @ ψ_.T)  # (a.47)
    equal(o.φ @ o.M @ o.φ.T, o.P + φ_ @ o.P + o.P @ φ_.T + φ_ @ o.P @ o.H.T @ D_inverse @ o.H @ o.P @ φ_.T)  # (a.48)
    smoothing = o.W.T @ D_inverse
    rest = (o.I - o.G @ o.H) @ o.ψ @ o.E_φ @ o.G
    equal(smoothing @ o.H @ o.ψ @ o.M @ o.φ.T, smoothing @ o.H @ ψ_ @ o.P + rest.T + o.G.T, κ)  # (a.50)


@given(case=cases(tree=True))
def test_identities_that_hold_for_any_gain(case: tuple[Robot, State]) -> None:
    robot, s = case
    o = operators(robot, s.q)
    κ = float(np.linalg.cond(mass_matrix(skeleton(robot), s.q, math)))
    equal(o.K @ o.W, np.eye(len(o.links)), κ)  # (4.14)
    equal(o.W @ o.H @ o.φ, o.H @ o.ψ, κ)  # (5.4)


@given(case=cases(tree=True))
def test_determinant(case: tuple[Robot, State]) -> None:
    robot, s = case
    _, log = np.linalg.slogdet(mass_matrix(skeleton(robot), s.q, math))
    assert math.isclose(sum(math.log(gain.D) for gain in operators(robot, s.q).gains), log, rel_tol=1e-9, abs_tol=1e-9)
