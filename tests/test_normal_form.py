"""The normal form: other frames and other inertial parameters, the same joint-space answers."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from tests.robots import Robot, State, cases, chain

import linkwise
from linkwise.algebra import Placement, Rigid, Vec
from linkwise.formulations import articulated_body, composite_body, coriolis, newton_euler
from linkwise.robot.joint import Joint
from linkwise.robot.model import Link
from linkwise.robot.normal_form import khalil_craig, normal_form, regrouped
from linkwise.robot.skeleton import Skeleton, skeleton


def scaled_difference(ours: np.ndarray, theirs: np.ndarray, unit: np.ndarray) -> float:
    return float(np.max(np.abs(ours - theirs) / unit) / max(1.0, np.max(np.abs(theirs) / unit)))


def check_same(one: Skeleton, other: Skeleton, s: State) -> None:
    """Inverse dynamics, mass matrix, Coriolis matrix and both ways of forward dynamics."""
    M = np.array(composite_body.mass_matrix(one, s.q, math))
    unit = np.sqrt(np.diag(M))
    κ = np.linalg.cond(M / np.outer(unit, unit))
    torques = [np.array(newton_euler.inverse_dynamics(x, s.q, s.v, s.a, math)) for x in (one, other)]
    assert scaled_difference(*torques, unit) <= 1e-12
    assert scaled_difference(np.array(composite_body.mass_matrix(other, s.q, math)), M, np.outer(unit, unit)) <= 1e-12
    C = [np.array(coriolis.coriolis_matrix(x, s.q, s.v, math)) for x in (one, other)]
    assert scaled_difference(*C, np.outer(unit, unit)) <= 1e-12
    for text in (composite_body.forward_dynamics, articulated_body.forward_dynamics):
        q̈ = [np.array(text(x, s.q, s.v, s.tau, math)) for x in (one, other)]
        assert scaled_difference(*q̈, 1.0 / unit) <= max(1e-12, 100 * 2.0**-52 * κ)


@given(cases(tree=True))
def test_frames_alone_change_nothing(case: tuple[Robot, State]) -> None:
    bodies = skeleton(case[0])
    check_same(bodies, khalil_craig(bodies), case[1])


@given(cases(tree=True))
def test_regrouping_alone_changes_nothing(case: tuple[Robot, State]) -> None:
    bodies = skeleton(case[0])
    check_same(bodies, regrouped(bodies), case[1])


@given(cases(tree=True))
def test_the_normal_form_changes_nothing(case: tuple[Robot, State]) -> None:
    bodies = skeleton(case[0])
    check_same(bodies, normal_form(bodies), case[1])


@pytest.mark.slow
@settings(settings.get_profile("thorough"))
@given(cases((1, 30), tree=True))
def test_the_normal_form_of_large_robots(case: tuple[Robot, State]) -> None:
    bodies = skeleton(case[0])
    check_same(bodies, normal_form(bodies), case[1])


@given(cases())
def test_frames_of_a_chain_are_khalils_and_craigs(case: tuple[Robot, State]) -> None:
    """A step is a screw about x, unless the axes are nearly parallel; the tip and the base have no slide left."""
    bones = khalil_craig(skeleton(case[0])).bones
    for bone in bones:
        assert [turn.axis for turn in bone.before.factors] in ([], ["x"])
        near_parallel = bone.before.factors and 0.0 < abs(bone.before.factors[0].s) < 1 / 16
        assert near_parallel or (bone.offset.y, bone.offset.z) == (0.0, 0.0)
    assert not bones[0].before.factors
    assert bones[0].offset == Vec(0.0, 0.0, 0.0)
    assert bones[0].slide == 0.0


@given(cases(tree=True))
def test_gravity_has_no_y_component_left(case: tuple[Robot, State]) -> None:
    given, found = case[0].gravity, khalil_craig(skeleton(case[0])).gravity
    assert found.y == 0.0
    assert math.hypot(*found) == pytest.approx(math.hypot(*given), rel=1e-14)


@given(cases(tree=True))
def test_what_a_joint_cannot_feel_is_gone(case: tuple[Robot, State]) -> None:
    for bone in normal_form(skeleton(case[0])).bones:
        J, h = bone.spatial.tensor, bone.spatial.moment
        if bone.prismatic:
            assert J.entries == (0.0,) * 6
        else:
            assert (bone.spatial.mass, h.z, J.yy) == (0.0, 0.0, 0.0)


@given(cases(tree=True))
def test_own_frames_lead_back(case: tuple[Robot, State]) -> None:
    """The description's frames stay known: told through them, centres of mass are where they were."""
    bodies = skeleton(case[0])
    for before, after in zip(bodies.bones, khalil_craig(bodies).bones, strict=True):
        R, p = after.own_frame.rotation, after.own_frame.position
        in_own = before.own_frame.rotation.T @ (before.com - before.own_frame.position)
        there = (R @ in_own) + p
        assert max(map(abs, there - after.com)) <= 1e-13


def test_shipped_robots_have_exact_quarter_turns() -> None:
    for name in linkwise.library():
        for bone in normal_form(skeleton(linkwise.load(name))).bones:
            for turn in bone.before.factors:
                assert {abs(turn.c), abs(turn.s)} == {0.0, 1.0}


def test_frames_given_with_rounding_get_exact_quarter_turns_too() -> None:
    """Roll, pitch and yaw of quarter turns leave cosines of 6e-17, which are nought."""
    c, s = math.cos(math.pi / 2), math.sin(math.pi / 2)
    rows = linkwise.algebra.Mat(Vec(1.0, 0.0, 0.0), Vec(0.0, c, -s), Vec(0.0, s, c))
    sample = chain("RRR", seed=1)
    links = tuple(
        Link(
            link.name,
            i - 1,
            Joint(link.joint.name, "revolute", Placement((Rigid(rows, Vec(0.3, 0.0, 0.0)),))),
            link.mass,
            link.com,
            link.inertia,
        )
        for i, link in enumerate(sample.links)
    )
    bones = normal_form(skeleton(Robot("rounded", links))).bones
    assert all({abs(t.c), abs(t.s)} == {0.0, 1.0} for bone in bones for t in bone.before.factors)


def test_nearly_parallel_axes_do_not_send_the_origins_far_away() -> None:
    """Two axes a micrometre a metre off parallel have their common normal kilometres away."""
    tilt = 1e-6
    rows = linkwise.algebra.Mat(
        Vec(1.0, 0.0, 0.0), Vec(0.0, math.cos(tilt), -math.sin(tilt)), Vec(0.0, math.sin(tilt), math.cos(tilt))
    )
    sample = chain("RRR", seed=5)
    links = tuple(
        Link(
            link.name,
            i - 1,
            Joint(link.joint.name, "revolute", Placement((Rigid(rows, Vec(0.3, 0.1, 0.2)),))),
            link.mass,
            link.com,
            link.inertia,
        )
        for i, link in enumerate(sample.links)
    )
    bodies = skeleton(Robot("tilted", links))
    assert max(abs(x) for bone in khalil_craig(bodies).bones for x in (*bone.offset, bone.slide)) < 2.0
    check_same(bodies, normal_form(bodies), State([0.3, -0.7, 1.1], [1.0, 2.0, -1.0], [0.5, 1.5, 2.5], [1.0, 2.0, 3.0]))
