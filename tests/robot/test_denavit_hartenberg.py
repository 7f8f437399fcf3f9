"""Tables to robots and back, in every convention, for chains whose frames were chosen anyhow."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.engines import array, dense
from tests.robots import Plan, State, build, cases, chain, state

from linkwise.algebra import Placement, Rigid, Vec
from linkwise.errors import LinkwiseError
from linkwise.formulations import newton_euler
from linkwise.robot.angles import angle_of, turn
from linkwise.robot.denavit_hartenberg import CONVENTIONS, DHTable
from linkwise.robot.joint import Joint, Limits
from linkwise.robot.library import library, load
from linkwise.robot.model import Link, Robot
from linkwise.robot.skeleton import skeleton
from linkwise.robot.symbols import Symbol
from linkwise.robot.toml import rotation_of

conventions = pytest.mark.parametrize("convention", CONVENTIONS)


def torques(robot: Robot, at: State) -> np.ndarray:
    return np.array(newton_euler.inverse_dynamics(skeleton(robot), at.q, at.v, at.a, math))


def tip_pose(robot: Robot, q) -> np.ndarray:
    """Axes and origin of the tip's frame in the base."""
    frame = skeleton(robot).bones[-1].own_frame.then(robot.tip)
    axes, origin = dense(frame.rotation.matrix), array(frame.position)
    for body in reversed(skeleton(robot).at(q, math)):
        R = dense(body.R.matrix)
        axes, origin = R @ axes, array(body.p) + R @ origin
    return np.column_stack([axes, origin])


def without_fixed_links(case: tuple[Robot, State]) -> tuple[Robot, State]:
    """The chain with its fixed links taken out, each parent carrying what they carried."""
    robot, at = case
    moving = [link for link in robot.links if link.joint.nv]
    return replace(robot, links=tuple(replace(link, parent=i - 1) for i, link in enumerate(moving))), at


chains = cases(sizes=(1, 6)).map(without_fixed_links)


@conventions
@given(case=chains)
def test_any_chain_is_a_table_with_the_same_dynamics_and_the_same_tip(convention, case):
    robot, at = case
    again = Robot.from_dh(**robot.to_dh(convention))
    wanted = torques(robot, at)
    assert torques(again, at) == pytest.approx(wanted, rel=0, abs=1e-12 * max(1.0, np.abs(wanted).max()))
    assert tip_pose(again, at.q) == pytest.approx(tip_pose(robot, at.q), rel=0, abs=1e-12)
    for field in ("name", "gravity", "link_names", "joint_names"):
        assert getattr(again, field) == getattr(robot, field)
    assert [link.mass for link in again.links] == [link.mass for link in robot.links]
    assert [joint.type for joint in again.joints] == [joint.type for joint in robot.joints]


@conventions
@pytest.mark.parametrize("frame", ["aligned", "dh"])
@pytest.mark.parametrize("axis", ["z", "coordinate"])
@pytest.mark.parametrize("seed", range(8))
def test_parallel_intersecting_and_coincident_axes(convention, frame, axis, seed):
    robot = build([Plan(letter, frame=frame, axis=axis) for letter in "RPRRPR"], seed)
    at = state(robot, seed)
    wanted = torques(robot, at)
    again = Robot.from_dh(**robot.to_dh(convention))
    assert torques(again, at) == pytest.approx(wanted, rel=0, abs=1e-12 * max(1.0, np.abs(wanted).max()))
    assert tip_pose(again, at.q) == pytest.approx(tip_pose(robot, at.q), rel=0, abs=1e-12)


@conventions
@pytest.mark.parametrize("name", library())
def test_a_shipped_robot_survives_every_convention(convention, name):
    robot = load(name)
    table = robot.to_dh(convention)
    again = Robot.from_dh(**table)
    at = state(robot, 3)
    assert torques(again, at) == pytest.approx(
        torques(robot, at), rel=1e-13, abs=1e-13 * np.abs(torques(robot, at)).max()
    )
    for field in ("name", "gravity", "source", "notes", "configurations", "link_names", "joint_names"):
        assert getattr(again, field) == getattr(robot, field)


@conventions
def test_rows_come_back_as_they_were_given(convention):
    """Irregular and quarter angles, negative lengths, offsets of both kinds of joints: not a digit is lost."""
    rows = (
        (0.0, 0.0, 0.3, 0.4),
        (-0.2, math.pi / 2, 0.0, -math.pi / 2),
        (0.0, -math.pi / 2, 0.1, math.pi),
        (0.43, 0.0, 0.0, 0.0),
        (0.1, -0.7, 0.25, 1.1),
    )
    table = DHTable(
        rows, convention, joints="RRPRP", masses=(1, 2, 3, 4, 5), coms=[(0.1, -0.2, 0.3)] * 5,
        inertias=[(1.0, 0.1, 0.2, 1.1, 0.3, 1.2)] * 5, limits=[Limits(-1, 1, 2, 3)] * 5,
    )  # fmt: skip
    again = Robot.from_dh(**table).to_dh(convention)
    assert again.rows == rows
    assert again.joints == table.joints
    assert again.masses == table.masses
    assert again.limits == table.limits
    assert not again.base.factors
    assert not again.tip.factors
    for one, other in zip(table.coms, again.coms, strict=True):
        assert tuple(other) == pytest.approx(tuple(one), abs=1e-15)
    for one, other in zip(table.inertias, again.inertias, strict=True):
        assert other.entries == pytest.approx(one.entries, abs=1e-15)


def test_the_conventions_tell_one_robot_in_four_ways():
    """A two-link arm out of plane, written down by hand in each convention."""
    bodies = {"masses": (2.0, 1.0), "inertias": [(0.1, 0.2, 0.3), (0.4, 0.5, 0.6)]}
    near = {"coms": [(0.1, 0.2, 0.3), (0.3, 0.0, 0.0)]}
    modified = Robot.from_dh([(0, 0, 0.5, 0), (0.4, math.pi / 2, 0.1, 0.2)], convention="modified", **near, **bodies)
    angeles = Robot.from_dh([(0, 0, -0.5, 0), (0.4, math.pi / 2, -0.1, 0.2)], convention="angeles-ma", **near, **bodies)
    # The far frame of link 1 is 0.4 m along x and turned by 90° about it: its y is the near z, its z the near -y.
    far_inertias = [(0.1, 0.3, 0.2), (0.4, 0.5, 0.6)]
    far_rows = [(0.4, math.pi / 2, 0.5, 0), (0, 0, 0.1, 0.2)]
    far = {"masses": (2.0, 1.0), "inertias": far_inertias}
    standard = Robot.from_dh(far_rows, convention="standard", coms=[(-0.3, 0.3, -0.2), (0.3, 0, 0)], **far)
    saha = Robot.from_dh(far_rows, convention="saha", coms=[(0.3, -0.3, 0.2), (-0.3, 0, 0)], **far)
    at = State([0.3, -1.2], [0.5, 0.7], [-0.2, 0.4], [])
    for other in (angeles, standard, saha):
        assert torques(other, at) == pytest.approx(torques(modified, at), rel=1e-14)
        for one, two in zip(modified.links, other.links, strict=True):
            assert tuple(two.com) == pytest.approx(tuple(one.com), abs=1e-16)
            assert two.inertia.entries == pytest.approx(one.inertia.entries, abs=1e-16)


def test_the_base_keeps_what_no_row_can_tell():
    tilted = Placement((Rigid(rotation_of(Vec(0.3, -0.4, 0.5)), Vec(1.0, 2.0, 3.0)),))
    robot = Robot("tilted", (Link("rod", -1, Joint("hinge", "revolute", tilted), 1.0, Vec(0.5, 0.0, 0.1)),))
    at = state(robot, 1)
    for convention in CONVENTIONS:
        table = robot.to_dh(convention)
        assert table.base.factors
        assert torques(Robot.from_dh(**table), at) == pytest.approx(torques(robot, at), rel=1e-13)


@given(st.floats(-12.0, 12.0), st.sampled_from("xz"))
def test_an_angle_of_a_turn_makes_the_turn_again(angle, axis):
    made = turn(axis, angle)
    again = turn(axis, angle_of(made))
    assert math.hypot(again.c - made.c, again.s - made.s) <= (0.0 if abs(angle) <= math.pi else 5e-16)


@pytest.mark.parametrize("quarters", range(-8, 9))
def test_quarter_turns_are_exact(quarters):
    for angle in (quarters * math.pi / 2, math.radians(90 * quarters)):
        made = turn("x", angle)
        assert (made.c, made.s) == ((1, 0), (0, 1), (-1, 0), (0, -1))[quarters % 4]


def test_an_angle_next_to_a_quarter_turn_is_none():
    assert turn("x", math.pi / 2 + 1e-15).c != 0.0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"convention": "craig"}, "Unknown convention"),
        ({"rows": [(0, 0, 0)]}, r"row 1 \(a, alpha, b, theta\) has the wrong shape"),
        ({"rows": [(0, 0, float("nan"), 0)]}, "b of row 1 is not a finite number"),
        ({"rows": [(0, "x", 0, 0)]}, "alpha of row 1 is not a finite number"),
        ({"rows": 3}, "rows has the wrong shape"),
        ({"rows": []}, "A robot without links"),
        ({"joints": "RR"}, "The joints do not fit the rows"),
        ({"joints": "H"}, "The joints do not fit the rows"),
        ({"masses": (1, 2)}, "masses has the wrong shape"),
        ({"masses": 1}, "masses has the wrong shape"),
        ({"rows": [(0, Symbol("alpha"), 0, 0)]}, "alpha of row 1 is not a finite number"),
        ({"base": (0, 0, 1)}, "the base is not a Placement"),
        ({"tip": None}, "the tip is not a Placement"),
        ({"notes": "one"}, "the notes has the wrong shape"),
        ({"masses": "1"}, "masses has the wrong shape"),
        ({"coms": [(0, 0)]}, "com 1 has the wrong shape"),
        ({"inertias": [(1, 2, 3, 4)]}, "inertia 1 has the wrong shape"),
        ({"inertias": [[[1, 2, 0], [0, 1, 0], [0, 0, 1]]]}, "inertia 1 is not symmetric"),
        ({"link_names": ("a", "b")}, "link_names has the wrong shape"),
        ({"limits": [3]}, "limits of joint 'joint1' is not a Limits"),
    ],
)
def test_a_bad_table_is_refused(change, message):
    good = {"rows": [(0.1, 0.2, 0.3, 0.4)], "convention": "modified"}
    Robot.from_dh(**good)
    with pytest.raises(LinkwiseError, match=message):
        Robot.from_dh(**{**good, **change})


def test_the_convention_must_be_named():
    with pytest.raises(TypeError, match="convention"):
        Robot.from_dh([(0, 0, 0, 0)])


def test_a_tree_has_no_table():
    links = (*chain("RR").links, replace(chain("R").links[0], name="branch", parent=0, joint=Joint("b", "revolute")))
    with pytest.raises(LinkwiseError, match=r"Link 'branch' has no row(.|\n)*branches off from link 'link0'"):
        Robot("tree", links).to_dh("modified")


def test_a_fixed_link_has_no_table():
    links = (*chain("R").links, Link("tool", 0, Joint("flange", "fixed")))
    with pytest.raises(LinkwiseError, match=r"Link 'tool' has no row(.|\n)*its joint is fixed"):
        Robot("with a tool", links).to_dh("saha")


def test_axes_that_are_hardly_not_parallel_have_no_useful_table():
    off = Placement((Rigid(rotation_of(Vec(1e-6, 0.0, 0.0)), Vec(0.0, 0.5, 0.0)),))
    on = Placement((Rigid(rotation_of(Vec(1e-6, 0.0, 0.0)), Vec(0.5, 0.0, 0.0)),))
    first = Link("first", -1, Joint("first", "revolute"), 1.0)
    robot = Robot("nearly", (first, Link("second", 0, Joint("second", "revolute", on), 1.0)))
    assert robot.to_dh("modified").rows[1][0] == pytest.approx(0.5)
    robot = Robot("nearly", (first, Link("second", 0, Joint("second", "revolute", off), 1.0)))
    with pytest.raises(LinkwiseError, match="Link 'second' has no Denavit–Hartenberg row that keeps its digits"):
        robot.to_dh("modified")


@conventions
@given(exponent=st.floats(-17.0, -1.0), flipped=st.booleans(), seed=st.integers(0, 99))
def test_nearly_parallel_axes_keep_their_digits_or_are_refused(convention, exponent, flipped, seed):
    """Parallel or against each other, but for an angle of which a common normal may be far away, or the same axis."""
    off = rotation_of(Vec(math.pi * flipped + 10.0**exponent, 0.0, 0.3))
    first, second, last = build([Plan("R", frame="aligned")] * 3, seed).links
    slanted = replace(second.joint, placement=Placement((Rigid(off, Vec(0.0, 0.5, 0.2)),)))
    robot = Robot("slanted", (first, replace(second, joint=slanted), last))
    told = table_or_reason(robot, convention)
    if isinstance(told, str):
        assert "'link1'" in told
        assert 1e-14 < 10.0**exponent < 1e-2
    else:
        again, q = Robot.from_dh(**told), [0.3, -0.4, 0.5]
        assert tip_pose(again, q) == pytest.approx(tip_pose(robot, q), rel=0, abs=1e-12)


def table_or_reason(robot: Robot, convention: str) -> DHTable | str:
    try:
        return robot.to_dh(convention)
    except LinkwiseError as refused:
        return str(refused)


def test_a_robot_of_symbols_has_no_table():
    with pytest.raises(LinkwiseError, match="symbols"):
        Robot.generic("RR").to_dh("modified")


def test_a_table_prints_itself():
    text = repr(load("stanford-saha-2001").to_dh("saha"))
    assert "convention 'saha'" in text
    assert "  4  R      0  90           0.6  0            1     (0, -0.1, 0)" in text.splitlines()
