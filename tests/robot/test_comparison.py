"""Whether two robots are the same machine: told however one likes they are, and a difference is found and named."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.pinocchio_models import example_files
from tests.robots import any_chain, any_joint_robots, chain, robots, seeds

from linkwise import Drive, Joint, Limits, Link, LinkwiseError, Mimic, Robot, library, load
from linkwise.algebra import ZERO, Inertia, Mat, Placement, Rigid, Sym, Vec
from linkwise.bench.dense import pose
from linkwise.robot import toml, urdf
from linkwise.robot.denavit_hartenberg import CONVENTIONS, DHTable
from linkwise.robot.joint import NO_DRIVE
from linkwise.robot.merging import merged
from linkwise.robot.model import BASE
from linkwise.robot.quaternions import exponential, to_matrix
from linkwise.robot.skeleton import centroidal

ON_AN_AXIS = ("revolute", "continuous", "prismatic", "helical", "cylindrical", "fixed")


def changed(robot: Robot, i: int, **fields: object) -> Robot:
    """The robot with another link i; fields of its joint begin with joint_."""
    link = robot.links[i]
    joint = {key.removeprefix("joint_"): value for key, value in fields.items() if key.startswith("joint_")}
    own = {key: value for key, value in fields.items() if not key.startswith("joint_")}
    new = replace(link, joint=replace(link.joint, **joint), **own)
    return replace(robot, links=(*robot.links[:i], new, *robot.links[i + 1 :]))


def undriven(robot: Robot) -> Robot:
    links = (replace(link, joint=replace(link.joint, drive=NO_DRIVE)) for link in robot.links)
    return replace(robot, links=tuple(links))


def rigid(turn: np.ndarray, slide: np.ndarray) -> Placement:
    R = to_matrix(exponential(np.asarray(turn, float)))
    return Placement((Rigid(Mat(*(Vec(*row) for row in R.tolist())), Vec(*map(float, slide))),))


def inverse(placement: Placement) -> Placement:
    R, p = pose(placement)
    return Placement((Rigid(Mat(*(Vec(*row) for row in R.T.tolist())), Vec(*(-R.T @ p).tolist())),))


# Other descriptions of the same machine


@pytest.mark.parametrize("convention", CONVENTIONS)
@pytest.mark.parametrize("name", library())
def test_a_table_in_any_convention_is_the_same(name: str, convention: str) -> None:
    robot = load(name)
    assert robot.same_dynamics(Robot.from_dh(**robot.to_dh(convention)))


@given(st.text("RP", min_size=1, max_size=7), seeds, st.sampled_from(tuple(CONVENTIONS)))
def test_the_table_of_a_random_chain_is_the_same(word: str, seed: int, convention: str) -> None:
    robot = chain(word, seed)
    assert robot.same_dynamics(Robot.from_dh(**robot.to_dh(convention)))


@given(any_joint_robots())
def test_what_was_written_in_toml_is_the_same(robot: Robot) -> None:
    assert robot.same_dynamics(toml.read(robot.to_toml()))


@settings(max_examples=15)
@given(robots(tree=True))
def test_what_was_written_in_urdf_is_the_same(robot: Robot) -> None:
    again = replace(urdf.read(robot.to_urdf(leave_out=("gravity", "order"))), gravity=robot.gravity)
    found = robot.same_dynamics(again)
    assert bool(found) == (again.joint_names == robot.joint_names)
    assert found or found.what.startswith("the order of their joints")


def arms() -> Iterator[object]:
    """The chains of the example files, with the tables of what moves in them."""
    for path in example_files():
        with suppress(LinkwiseError):
            robot = undriven(load(path))
            if alone := merged(robot):
                yield pytest.param(robot, alone.to_dh("standard"), id=path.stem)


@pytest.mark.parametrize(("robot", "table"), list(arms()))
def test_the_urdf_of_an_arm_and_its_table_are_the_same(robot: Robot, table: DHTable) -> None:
    assert robot.same_dynamics(Robot.from_dh(**table))


@given(any_joint_robots(), seeds)
def test_frames_may_slide_and_turn_on_their_axes(robot: Robot, seed: int) -> None:
    rng, moved = np.random.default_rng(seed), robot
    for i, link in enumerate(robot.links):
        if link.joint.type in ON_AN_AXIS:
            axis, (turn, slide) = np.array(list(link.joint.axis)), rng.uniform(-1.0, 1.0, 2)
            moved = reframed(moved, i, rigid(turn * axis, slide * axis))
    assert robot.same_dynamics(moved)
    assert moved.same_dynamics(robot)


def reframed(robot: Robot, i: int, step: Placement) -> Robot:
    """The same robot with the frame of link i moved by a step that its joint commutes with."""
    link, back = robot.links[i], inverse(step)
    body = Inertia(link.mass, ZERO, link.inertia).at(link.com)
    com, inertia = centroidal(body.turned(back.rotation).at(back.position))
    robot = changed(robot, i, com=com, inertia=inertia, joint_placement=link.joint.placement.then(step))
    for k, child in enumerate(robot.links):
        if child.parent == i:
            robot = changed(robot, k, joint_placement=back.then(child.joint.placement))
    return robot


@given(robots(tree=True, joints="R"), seeds)
def test_what_a_joint_does_not_feel_may_be_its_parents(robot: Robot, seed: int) -> None:
    """Rods and beads on the axis of a hinge are moved from the link to the one that carries it."""
    rng, moved = np.random.default_rng(seed), robot
    for i, link in enumerate(robot.links):
        if link.joint.nv and link.parent != BASE and link.mass and robot.links[link.parent].mass:
            moved = handed_over(moved, i, *rng.uniform(0.1, 1.0, 3))
    assert robot.same_dynamics(moved)


def handed_over(robot: Robot, i: int, mass: float, place: float, moment: float) -> Robot:
    """The parent gets what link i loses: a bead on the axis, and moments about what is across it."""
    link, parent = robot.links[i], robot.links[robot.links[i].parent]
    u = link.joint.axis
    across = Sym(
        *(moment * x for x in (1 - u.x * u.x, -u.x * u.y, -u.x * u.z, 1 - u.y * u.y, -u.y * u.z, 1 - u.z * u.z))
    )
    bead = Inertia(mass, ZERO, across).at(u * place)
    gained = bead.turned(link.joint.placement.rotation).at(link.joint.placement.position)
    robot = with_body(robot, i, body(link) + Inertia(-bead.mass, -bead.moment, bead.tensor * -1.0))
    return with_body(robot, link.parent, body(parent) + gained)


def body(link: Link) -> Inertia:
    return Inertia(link.mass, ZERO, link.inertia).at(link.com)


def with_body(robot: Robot, i: int, total: Inertia) -> Robot:
    com, inertia = centroidal(total)
    return changed(robot, i, mass=total.mass, com=com, inertia=inertia)


@given(any_joint_robots(), seeds)
def test_the_base_may_stand_anywhere_in_the_same_gravity(robot: Robot, seed: int) -> None:
    where = rigid(*np.random.default_rng(seed).normal(size=(2, 3)))
    links = (
        replace(x, joint=replace(x.joint, placement=where.then(x.joint.placement))) if x.parent == BASE else x
        for x in robot.links
    )
    assert robot.same_dynamics(replace(robot, links=tuple(links), gravity=where.rotation @ robot.gravity))


@given(any_joint_robots(kinds=("revolute", "universal", "cylindrical", "planar")))
def test_a_joint_of_several_motions_is_as_many_joints(robot: Robot) -> None:
    assert robot.same_dynamics(taken_apart(robot))


def taken_apart(robot: Robot) -> Robot:
    links: list[Link] = []
    last: dict[int, int] = {BASE: BASE}
    for i, link in enumerate(robot.links):
        parent = last[link.parent]
        for joint in parts(link.joint):
            links.append(Link(f"{link.name}/{joint.name}", parent, joint))
            parent = len(links) - 1
        links[-1] = replace(links[-1], mass=link.mass, com=link.com, inertia=link.inertia)
        last[i] = parent
    return replace(robot, links=tuple(links), configurations=())


def parts(joint: Joint) -> Iterator[Joint]:
    """A joint a motion, with its share of the drive."""
    if joint.kind.nv < 2:
        yield joint
        return
    for k, (motion, axis) in enumerate(zip(joint.kind.motions, joint.axes, strict=True)):
        drive = Drive(
            0.0, 1.0, *(x[k : k + 1] for x in (joint.drive.armature, joint.drive.damping, joint.drive.friction))
        )
        kind = {"R": "revolute", "P": "prismatic"}[motion]
        yield Joint(f"{joint.name}.{k}", kind, joint.placement if k == 0 else Placement(), axis, drive=drive)


def test_names_limits_and_what_stands_still_do_not_matter() -> None:
    robot = chain("RRP")
    named = replace(
        robot, name="other", links=tuple(replace(x, name=x.name.upper()) for x in robot.links), notes=("…",)
    )
    assert robot.same_dynamics(changed(named, 0, joint_limits=Limits(-1.0, 1.0), joint_name="first"))
    stand = Link("stand", BASE, Joint("j", "fixed"), 100.0)
    assert robot.same_dynamics(replace(robot, links=(*robot.links, stand)))


def test_robots_that_cannot_move_are_the_same() -> None:
    stones = [Robot("stone", (Link("l", BASE, Joint("j", "fixed"), mass),)) for mass in (1.0, 2.0)]
    assert stones[0].same_dynamics(stones[1])


# Differences


def difference(one: Robot, other: Robot, rtol: float = 1e-9) -> str:
    found = one.same_dynamics(other, rtol)
    assert not found
    assert not other.same_dynamics(one, rtol), "it is one whichever comes first"
    return f"{found.about} | {found}"


@given(any_joint_robots(mimics=False, kinds=("revolute", "continuous", "prismatic", "helical")), seeds)
def test_a_moment_about_its_axis_is_told_of_its_link(robot: Robot, seed: int) -> None:
    """Of a link on a slide, its mass, which the joint feels by itself."""
    rng = np.random.default_rng(seed)
    i = int(rng.choice([i for i, link in enumerate(robot.links) if link.joint.nv]))
    link, u = robot.links[i], robot.links[i].joint.axis
    if link.joint.type == "prismatic":
        other = changed(robot, i, mass=link.mass + 0.01)
        assert difference(robot, other).startswith("link ")
        return
    more = Sym(*(0.01 * x for x in (u.x * u.x, u.x * u.y, u.x * u.z, u.y * u.y, u.y * u.z, u.z * u.z)))
    other = changed(robot, i, inertia=link.inertia + more)
    found = robot.same_dynamics(other)
    assert found.about == f"link {link.name!r}"
    assert found.what.startswith(f"base parameter ZZ of link {link.name!r}")
    assert found.values[1] - found.values[0] == pytest.approx(0.01, rel=1e-6)
    assert found.unit == "kg m²"


@given(st.integers(2, 6), seeds, st.data())
def test_any_base_parameter_of_a_chain_is_told_of_its_link(n: int, seed: int, data: st.DataObject) -> None:
    """In frames with z along the axis, where the parameters are those of the literature."""
    robot = chain("R" * n, seed, frame="generic")
    i, name = data.draw(st.integers(1, n - 1)), data.draw(st.sampled_from(tuple(MORE)))
    other = with_body(robot, i, body(robot.links[i]) + MORE[name])
    found = robot.same_dynamics(other)
    assert found.what.startswith(f"base parameter {name} of link 'link{i}'")
    assert found.values[1] - found.values[0] == pytest.approx(0.001, rel=1e-5)


NONE = Sym(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
MORE = {
    "MX": Inertia(0.0, Vec(0.001, 0.0, 0.0), NONE),
    "MY": Inertia(0.0, Vec(0.0, 0.001, 0.0), NONE),
    "XX": Inertia(0.0, ZERO, replace(NONE, xx=0.001)),
    "XY": Inertia(0.0, ZERO, replace(NONE, xy=0.001)),
    "XZ": Inertia(0.0, ZERO, replace(NONE, xz=0.001)),
    "YZ": Inertia(0.0, ZERO, replace(NONE, yz=0.001)),
    "ZZ": Inertia(0.0, ZERO, replace(NONE, zz=0.001)),
}


def test_a_mass_on_the_next_axis_is_told_of_the_link_that_carries_it() -> None:
    robot = load("puma-560-armstrong-1986")
    other = changed(robot, 5, mass=0.1)
    assert robot.links[5].com.x == robot.links[5].com.y == 0.0
    assert difference(robot, other).startswith("link 'link5' | ")


@pytest.mark.parametrize("effect", ["damping", "friction"])
def test_losses_are_told_of_their_joint(effect: str) -> None:
    robot = any_chain("revolute", "cylindrical", driven=True)
    drive = robot.links[1].joint.drive
    other = changed(robot, 1, joint_drive=replace(drive, **{effect: (getattr(drive, effect)[0], 7.0)}))
    assert difference(robot, other).startswith("joint 'link1-joint' | ")
    assert f"the {effect} of 'link1-joint.slide_rate': " in difference(robot, other)


def test_losses_of_joints_that_follow_are_their_leaders() -> None:
    robot = replace(any_chain("revolute", "revolute"), configurations=())
    leads = changed(robot, 1, joint_mimic=Mimic("link0-joint", -2.0), joint_drive=Drive(damping=0.1, friction=0.3))
    moved = changed(changed(leads, 1, joint_drive=NO_DRIVE), 0, joint_drive=Drive(damping=0.4, friction=0.6))
    assert leads.same_dynamics(moved)
    assert "the damping of 'link0-joint'" in difference(
        leads, changed(moved, 0, joint_drive=Drive(0.0, 1.0, (), 0.5, 0.6))
    )


def test_armature_is_the_same_as_a_rotor_and_as_a_moment_where_nothing_turns_the_joint() -> None:
    robot = undriven(replace(any_chain("revolute", "revolute"), configurations=()))
    armed = changed(robot, 1, joint_drive=Drive(armature=0.02))
    assert armed.same_dynamics(changed(robot, 1, joint_drive=Drive(0.005, -2.0)))
    assert "base parameter IA of link 'link1'" in difference(robot, armed)
    u = robot.links[0].joint.axis
    more = Sym(*(0.02 * x for x in (u.x * u.x, u.x * u.y, u.x * u.z, u.y * u.y, u.y * u.z, u.z * u.z)))
    heavy = changed(robot, 0, inertia=robot.links[0].inertia + more)
    assert heavy.same_dynamics(changed(robot, 0, joint_drive=Drive(armature=0.02)))


def test_armature_of_a_ball_is_matter_only_if_it_is_the_same_about_all_axes() -> None:
    robot = replace(any_chain("spherical"), configurations=())
    link = robot.links[0]
    for moments, same in (((0.1, 0.1, 0.1), True), ((0.1, 0.2, 0.3), False)):
        armed = changed(robot, 0, joint_drive=Drive(armature=moments))
        more = Sym(moments[0], 0.0, 0.0, moments[1], 0.0, moments[2])
        assert bool(changed(robot, 0, inertia=link.inertia + more).same_dynamics(armed)) == same


def test_axes_that_lie_otherwise_are_told_in_pairs() -> None:
    robot = chain("RRR", 3, frame="generic")
    place = robot.links[2].joint.placement
    tilted = changed(robot, 2, joint_placement=place.then(rigid(np.array([0.01, 0.0, 0.0]), np.zeros(3))))
    assert "the angle from the axis of 'link1-joint' to that of 'link2-joint': " in difference(robot, tilted)
    shifted = changed(robot, 2, joint_placement=rigid(np.zeros(3), np.array([0.0, 0.01, 0.0])).then(place))
    assert "the step from the axis of 'link1-joint' to that of 'link2-joint': " in difference(robot, shifted)
    beside = changed(
        robot, 1, joint_placement=robot.links[1].joint.placement.then(rigid(np.zeros(3), np.array([0.0, 0.0, 0.1])))
    )
    assert "from the axis of 'link0-joint' to that of 'link2-joint': " in difference(robot, beside)


@pytest.mark.parametrize("name", library())
def test_an_axis_that_points_back_is_another_machine(name: str) -> None:
    """Its q has the other sign."""
    robot = load(name)
    for i in {1, len(robot.links) - 1}:
        found = robot.same_dynamics(changed(robot, i, joint_axis=-robot.links[i].joint.axis))
        assert "from the axis of" in found.what


@given(any_joint_robots(kinds=("revolute", "continuous", "helical"), mimics=False), seeds)
def test_an_offset_of_q_is_another_machine(robot: Robot, seed: int) -> None:
    """But for the first joint, whose offset gravity alone can tell; so none is along its axis here."""
    i = int(np.random.default_rng(seed).choice([i for i, link in enumerate(robot.links) if link.joint.nv]))
    link = robot.links[i]
    assume(link.mass)
    turned = link.joint.placement.then(rigid(0.1 * np.array(list(link.joint.axis)), np.zeros(3)))
    assert not robot.same_dynamics(changed(robot, i, joint_placement=turned))


def test_gravity_is_told() -> None:
    robot = load("planar-3r")
    assert ": 9.81 m/s² and 1.62 m/s²" in difference(robot, replace(robot, gravity=Vec(0.0, -1.62, 0.0)))
    tilted = replace(robot, gravity=Vec(0.0, -9.81 * math.cos(0.1), -9.81 * math.sin(0.1)))
    assert "the angle between gravity and the axis of 'joint1': " in difference(robot, tilted)
    assert robot.same_dynamics(replace(robot, gravity=Vec(0.0, -9.81, 1e-9)))


def test_other_coordinates_are_told() -> None:
    assert "how many velocities they have: 2 and 3" in difference(chain("RR"), chain("RRR"))
    assert "joint 'link1-joint' | " in difference(chain("RR"), chain("RP"))
    assert "what coordinate 'link1-joint' is: a turn and a slide" in difference(chain("RR"), chain("RP"))
    ball = difference(any_chain("spherical"), any_chain("revolute", "revolute", "revolute"))
    assert "what coordinate 'link0-joint.wx' is: of a spherical joint and a turn" in ball


def test_another_order_of_the_joints_is_told() -> None:
    robot = any_chain("revolute", "revolute", "revolute")
    fork = replace(robot, configurations=(), links=(*robot.links[:2], replace(robot.links[2], parent=0)))
    swapped = replace(fork, links=(fork.links[0], fork.links[2], fork.links[1]))
    assert "the order of their joints, of which number 2 is: link1-joint and link2-joint" in difference(fork, swapped)


def test_the_tolerance_is_relative() -> None:
    robot = chain("RRR")
    other = changed(robot, 2, mass=robot.links[2].mass * (1.0 + 1e-6))
    assert difference(robot, other)
    assert robot.same_dynamics(other, rtol=1e-5)


def test_a_comparison_tells_itself() -> None:
    robot = load("planar-3r")
    found = robot.same_dynamics(changed(robot, 2, inertia=Sym(0.0, 0.0, 0.0, 0.1, 0.0, 0.1)))
    assert str(found) == (
        "'planar-3r' and 'planar-3r' differ in base parameter ZZ of link 'link3' "
        "(with what the joints after it do not feel): 0.333333 kg m² and 0.35 kg m²"
    )
    assert str(robot.same_dynamics(robot)) == "'planar-3r' and 'planar-3r' are the same machine"
    with pytest.raises(FrozenInstanceError):
        found.what = ""


def test_a_difference_between_humanoids_is_found() -> None:
    robot = load(next(path for path in example_files() if path.stem == "talos_reduced")).with_free_base()
    assert robot.same_dynamics(robot)
    last = max(i for i, link in enumerate(robot.links) if link.joint.nv and link.mass and link.joint.type != "free")
    other = changed(robot, last, com=robot.links[last].com + Vec(0.001, 0.001, 0.001))
    assert robot.same_dynamics(other).about == f"link {robot.links[last].name!r}"


@pytest.mark.parametrize(
    ("other", "rtol", "message"),
    [
        ("planar-3r", 1e-9, "what the robot is compared with is not a Robot"),
        (chain("R"), 0.0, "rtol is no tolerance"),
        (chain("R"), 1.0, "rtol is no tolerance"),
        (chain("R"), "tight", "rtol is not a finite number"),
        (Robot.generic("R"), 1e-9, "has symbols in the place of numbers"),
        (changed(chain("R"), 0, mass=1e308, com=Vec(1e10, 0.0, 0.0)), 1e-9, "is beyond every float"),
    ],
)
def test_what_cannot_be_compared(other: object, rtol: object, message: str) -> None:
    with pytest.raises(LinkwiseError, match=message):
        chain("R").same_dynamics(other, rtol)
