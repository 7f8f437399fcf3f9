"""URDF that is written: our reader and Pinocchio find the same robot in it, or an error names what it cannot hold."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pinocchio as pin
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.pinocchio_models import Coordinates, example_files
from tests.robots import any_chain, any_joint_robots

from linkwise import Drive, Dynamics, Joint, Limits, Link, LinkwiseError, Mimic, Robot, library, load
from linkwise.algebra import Placement, Rigid, Vec
from linkwise.algebra.vec import IDENTITY
from linkwise.bench.dense import pose
from linkwise.robot import urdf
from linkwise.robot.joint import NO_DRIVE, NO_LIMITS
from linkwise.robot.model import BASE, STANDARD_GRAVITY
from linkwise.robot.urdf_writing import MAY_BE_LEFT_OUT

BALL = (1.0, Vec(0.1, 0.2, 0.3), (0.01, 0.01, 0.01))
SOME = ("revolute", "continuous", "prismatic", "planar", "free")


def holdable(robot: Robot) -> Robot:
    """The robot with no more limits and drives than URDF has words for, in the order of its tree."""
    order = list(depth_first(robot))
    links = [robot.links[i] for i in order]
    links = [replace(x, parent=x.parent if x.parent == BASE else order.index(x.parent)) for x in links]
    return replace(robot, links=tuple(replace(x, joint=held(x.joint)) for x in links), configurations=())


def depth_first(robot: Robot, parent: int = BASE):
    for i, link in enumerate(robot.links):
        if link.parent == parent:
            yield i
            yield from depth_first(robot, i)


def held(joint: Joint) -> Joint:
    if joint.kind.nv != 1:
        return replace(joint, limits=NO_LIMITS, drive=NO_DRIVE)
    bounds = ((), ()) if joint.type == "continuous" else (joint.limits.lower, joint.limits.upper)
    limits = replace(joint.limits, lower=bounds[0], upper=bounds[1])
    return replace(joint, limits=limits, drive=replace(joint.drive, armature=()))


holdables = any_joint_robots(kinds=SOME).map(holdable)


def again(robot: Robot) -> Robot:
    inspection = urdf.inspected(robot.to_urdf(leave_out=["gravity"]))
    assert [f.what for f in inspection.findings] == [], "nothing but what is used is written"
    return inspection.sound("the text")


@given(holdables)
def test_what_is_written_is_read_again(robot: Robot) -> None:
    """All but the placements bit by bit; those but for the rounding of roll, pitch and yaw."""
    found = again(robot)
    offset = len([x for x in found.links if x.name == "world"])
    assert (found.name, found.nq, found.nv) == (robot.name, robot.nq, robot.nv)
    assert found.joint_names == robot.joint_names
    for ours, theirs in zip(robot.links, found.links[offset:], strict=False):
        assert (theirs.name, theirs.mass, theirs.com, theirs.inertia) == (ours.name, ours.mass, ours.com, ours.inertia)
        assert theirs.parent == ours.parent + offset
        assert without_place(theirs.joint) == without_place(as_urdf_has_it(ours.joint))
        assert_near(theirs.joint.placement, ours.joint.placement)
    assert_near(found.links[-1].joint.placement, robot.tip)
    assert robot.same_dynamics(replace(found, gravity=robot.gravity))


def as_urdf_has_it(joint: Joint) -> Joint:
    if joint.type == "revolute" and not (joint.limits.lower or joint.limits.upper):
        return replace(joint, type="continuous")
    return joint if joint.kind.nv in (1, 3) else replace(joint, axis=Vec(0.0, 0.0, 1.0))


def without_place(joint: Joint) -> Joint:
    return replace(joint, placement=Placement())


def assert_near(one: Placement, other: Placement) -> None:
    (R, p), (R2, p2) = pose(one), pose(other)
    np.testing.assert_allclose(R, R2, atol=1e-15)
    np.testing.assert_allclose(p, p2, atol=1e-15)


@settings(max_examples=15)
@given(holdables)
def test_pinocchio_finds_the_same_robot_in_it(robot: Robot) -> None:
    robot = replace(robot, links=tuple(map(on_a_level, robot.links)), gravity=STANDARD_GRAVITY)
    assume(robot.nv)
    model = pin.buildModelFromXML(robot.to_urdf())
    coordinates, data = Coordinates(robot, model), model.createData()
    q, (v, a) = robot.random(3), np.random.default_rng(4).normal(size=(2, robot.nv))
    ours = Dynamics(robot, "newton-euler", effects=()).inverse_dynamics(q, v, a)
    theirs = pin.rnea(model, data, coordinates.q(q), coordinates.v(q, v), coordinates.a(q, v, a))
    expected = coordinates.from_theirs_tau(q, theirs)
    np.testing.assert_allclose(ours, expected, atol=1e-11 * (1.0 + abs(expected).max()))
    M = Dynamics(robot, "composite-body", effects=()).mass_matrix(q)
    expected = coordinates.from_theirs_matrix(q, pin.crba(model, data, coordinates.q(q)))
    np.testing.assert_allclose(M, expected, atol=1e-12 * abs(expected).max())


def on_a_level(link: Link) -> Link:
    """Pinocchio has planar joints move in the plane of x and y, whatever their axis."""
    joint = link.joint
    return replace(link, joint=replace(joint, axis=Vec(0.0, 0.0, 1.0))) if joint.type == "planar" else link


@pytest.mark.parametrize("path", example_files()[1::4], ids=lambda path: path.stem)
def test_what_was_read_from_a_file_is_written_and_read_again(path) -> None:
    try:
        robot = load(path)
    except LinkwiseError:
        pytest.skip("is refused, see test_urdf_files.py")
    found = again(robot)
    assert found.link_names == robot.link_names
    assert [without_place(x.joint) for x in found.links] == [
        without_place(as_urdf_has_it(x.joint)) for x in robot.links
    ]
    assert [x.inertia for x in found.links] == [x.inertia for x in robot.links]
    for ours, theirs in zip(robot.links, found.links, strict=True):
        assert_near(theirs.joint.placement, ours.joint.placement)


@pytest.mark.parametrize("name", library())
def test_robots_of_the_library_can_be_written(name) -> None:
    robot = load(name)
    found = urdf.read(robot.to_urdf(leave_out=("gravity", "configurations")))
    assert found.joint_names == robot.joint_names
    assert [link.mass for link in found.links if link.joint.nv] == [link.mass for link in robot.links]


def test_source_and_notes_become_comments() -> None:
    robot = replace(any_chain("revolute"), configurations=(), source="a -- b --", notes=("--->", "\x01"))
    text = robot.to_urdf(leave_out=["gravity"])
    assert "<!-- a - - b - -  -->" in text
    assert urdf.read(text).notes == ()


def test_bounds_that_there_are_not_are_the_largest_number() -> None:
    slide = Joint("slide", "prismatic", limits=Limits(lower=0.0, effort=math.inf))
    text = Robot("r", (Link("l", BASE, slide, *BALL),)).to_urdf()
    largest = "1.7976931348623157e+308"
    assert f'velocity="{largest}" effort="{largest}" lower="0.0" upper="{largest}"' in text
    assert urdf.read(text).links[1].joint.limits == Limits(lower=0.0)
    assert pin.buildModelFromXML(text).lowerPositionLimit == [0.0]


def test_a_robot_that_stands_elsewhere_stands_on_a_link_of_its_own() -> None:
    shifted = Placement((Rigid(IDENTITY, Vec(1.0, 0.0, 0.0)),))
    stand = Link("world", BASE, Joint("root_joint", "fixed", shifted))
    robot = Robot("r", (stand, Link("l", 0, Joint("hinge", "continuous"), *BALL)))
    found = urdf.read(robot.to_urdf())
    assert found.link_names == ("world_", "world", "l")
    assert found.links[1].joint == stand.joint
    assert urdf.read(
        replace(robot, links=(replace(stand, joint=Joint("root_joint", "fixed")), robot.links[1])).to_urdf()
    ) == (replace(robot, links=(replace(stand, joint=Joint("root_joint", "fixed")), robot.links[1])))


def test_a_rotor_is_a_transmission() -> None:
    robot = any_chain("continuous")
    drive = Drive(1e-4, -50.0, damping=0.1, friction=0.2)
    (link,) = robot.links
    driven = replace(robot, links=(replace(link, joint=replace(link.joint, drive=drive)),), configurations=())
    assert again(driven).links[1].joint.drive == drive


def refusal(robot: Robot, leave_out=()) -> str:
    with pytest.raises(LinkwiseError) as refused:
        robot.to_urdf(leave_out)
    return str(refused.value)


@pytest.mark.parametrize("kind", ["helical", "cylindrical", "universal", "spherical"])
def test_joints_that_urdf_has_not_are_named(kind) -> None:
    said = refusal(any_chain("revolute", kind), MAY_BE_LEFT_OUT)
    assert "joint 'link1-joint', which carries link 'link1'" in said
    assert f"given: a {kind} joint" in said


def test_drives_and_limits_of_several_motions_are_refused() -> None:
    assert "limits or a drive of a planar joint" in refusal(any_chain("planar", driven=True), MAY_BE_LEFT_OUT)
    assert "limits or a drive of a free joint" in refusal(any_chain("free", limited=True), MAY_BE_LEFT_OUT)
    assert "bounds of a continuous joint" in refusal(any_chain("continuous", limited=True), MAY_BE_LEFT_OUT)


def test_what_is_lost_is_told_together_and_may_be_left_out() -> None:
    robot = any_chain("revolute", "revolute", "revolute", "revolute", driven=True)
    swapped = replace(
        robot, links=(robot.links[0], *(replace(link, parent=0) for link in robot.links[1:3]), *robot.links[3:])
    )
    swapped = replace(swapped, links=(*swapped.links[:3], replace(swapped.links[3], parent=1)))
    said = refusal(swapped)
    assert "gravity (" in said
    assert "armature of joint 'link0-joint', 'link1-joint', 'link2-joint' and 1 more" in said
    assert "configuration 'home', 'another pose'" in said
    assert "the order of the joints: 'link3-joint' stands apart" in said
    assert "leave_out=('gravity', 'armature', 'configurations', 'order')" in said
    found = urdf.read(swapped.to_urdf(leave_out=MAY_BE_LEFT_OUT))
    assert found.joint_names == ("link0-joint", "link1-joint", "link3-joint", "link2-joint")
    assert "did you mean gravity" in refusal(robot, "gravty")


@pytest.mark.parametrize("name", ["${prefix}arm", "$(find arm)", "bell \a", "lone \ud800"])
def test_names_that_no_urdf_can_have(name) -> None:
    (link,) = any_chain("continuous").links
    assert "cannot stand in URDF" in refusal(Robot(name, (link,)))
    assert "cannot stand in URDF" in refusal(Robot("r", (replace(link, name=name),)))


@given(st.text(st.characters(blacklist_categories=["Cs", "Cc"]) | st.sampled_from("\t\n\r\"'<>&"), min_size=1))
def test_all_other_names_come_back(name: str) -> None:
    assume(name.strip() and "${" not in name and "$(" not in name and "\ufffe" not in name and "\uffff" not in name)
    robot = Robot(
        name,
        (
            Link(name, BASE, Joint(name, "continuous"), *BALL),
            Link("b", 0, Joint("m", "continuous", mimic=Mimic(name)), *BALL),
        ),
    )
    found = urdf.read(robot.to_urdf())
    assert (found.name, found.joint_names) == (name, (name,))
    assert found.links[-1].joint.mimic == Mimic(name)


def test_symbols_cannot_be_written() -> None:
    with pytest.raises(LinkwiseError, match="symbols"):
        Robot.generic("RP").to_urdf(leave_out=MAY_BE_LEFT_OUT)
