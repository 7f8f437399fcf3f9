"""What was wrong in print in Angeles, Ma, Rojas (1988), run beside what is right."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.papers.printed import ROUNDING, SLIDING, TURNING, about, drawn, effect, is_right, off, torques
from tests.robots import State

from linkwise.algebra import ZERO_TENSOR, Mat, Vec
from linkwise.formulations import kane
from linkwise.robot.library import load
from linkwise.robot.model import Robot
from linkwise.robot.skeleton import Body, Skeleton, skeleton

STANFORD, INDUSTRIAL = "stanford-angeles-1988", "industrial-6r-angeles-1988"


def ours(robot: Robot, s: State) -> list[float]:
    return kane.inverse_dynamics(skeleton(robot), s.q, s.v, s.a, math)


@pytest.mark.parametrize(("name", "median"), [(TURNING, 0.41), (SLIDING, 0.18), (INDUSTRIAL, 0.39)])
def test_stage_2_takes_away_what_is_to_be_added(monkeypatch: pytest.MonkeyPatch, name: str, median: float) -> None:
    """p̈_i with −W_{i−1}(a_i − ρ_{i−1})."""

    def printed(link: Body, parent: tuple[Vec, Mat, Vec], ω: Vec, W: Mat, q̇: float, q̈: float) -> Any:
        ρ, W_parent, p̈ = parent
        return mass_centre(link, (ρ, W_parent, p̈ - (W_parent @ (link.p - ρ)) * 2.0), ω, W, q̇, q̈)

    mass_centre = kane.mass_centre
    assert is_right(ours, torques, name)
    monkeypatch.setattr(kane, "mass_centre", printed)
    assert effect(ours, torques, name) == about(median)


@pytest.mark.parametrize(("name", "median"), [(STANFORD, 0.40), (INDUSTRIAL, 0.20)])
def test_stage_1_has_the_other_sign_of_b(monkeypatch: pytest.MonkeyPatch, name: str, median: float) -> None:
    """(a, −b sin α, b cos α), against (8)."""

    def printed(bones: Skeleton, q: Any, fn: Any) -> tuple[Body, ...]:
        return tuple(replace(body, along=-body.along) for body in at(bones, q, fn))

    at = Skeleton.at
    assert is_right(ours, torques, name)
    monkeypatch.setattr(Skeleton, "at", printed)
    assert effect(ours, torques, name) == about(median)


def test_the_force_along_a_slide_is_not_that_of_its_b() -> None:
    """(35), (43), (45): by (8) and (19) b grows along −e, but +e is the printed partial velocity.

    The inertia that belongs to q̈ or to the paper's b̈ is a Hessian, and symmetric; that of the printed forces is not.
    """
    for robot, s in drawn(STANFORD):
        to_b = np.array([1.0 if any(joint.kind.turns) else -1.0 for joint in robot.joints])
        M = np.array(inertia_of(ours, robot, s))
        assert off((M * to_b).T, M * to_b) > 0.01
        assert off((M * np.outer(to_b, to_b)).T, M * np.outer(to_b, to_b)) < ROUNDING


def inertia_of(text: Any, robot: Robot, s: State) -> list[Any]:
    """How the forces grow with each acceleration, a column a joint."""
    rest = np.array(text(robot, replace(s, a=[0.0] * len(s.a))))
    return np.transpose([text(robot, replace(s, a=unit)) - rest for unit in np.eye(len(s.a)).tolist()]).tolist()


def test_the_printed_moment_of_the_first_link_never_acts() -> None:
    """7.2: diag(0, 62, 0) has nothing about the axis of joint 1, the only one that moves the link."""
    robot = load(f"{INDUSTRIAL}-printed")
    first, *others = robot.links
    without = replace(robot, links=(replace(first, inertia=ZERO_TENSOR), *others))
    for _, s in drawn(robot.name):
        assert off(ours(without, s), ours(robot, s)) < ROUNDING
