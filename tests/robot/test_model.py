"""What a robot is: settled numbers, trees that stand on the base, names, limits, poses."""

from __future__ import annotations

import copy
import pickle

import mpmath
import numpy as np
import pytest
from hypothesis import given
from tests.robots import chain, robots

from linkwise.algebra import IDENTITY, Mat, Motion, Placement, Rigid, Screw, Sym, Turn, Vec
from linkwise.errors import LinkwiseError
from linkwise.robot.joint import JOINT_TYPES, Joint, Limits
from linkwise.robot.library import library, load
from linkwise.robot.model import Configuration, Link, Robot
from linkwise.robot.symbols import Symbol, symbols_of, with_scalars


def link(name="l", parent=-1, **more) -> Link:
    return Link(name, parent, Joint(f"{name}-joint", "revolute"), **more)


def test_numbers_of_every_kind_become_floats():
    made = link(parent=np.int64(-1), mass=2, com=[0, np.float32(1), np.int64(3)], inertia=np.diag([1, 2, 3]))
    assert made == link(mass=2.0, com=Vec(0.0, 1.0, 3.0), inertia=Sym(1.0, 0.0, 0.0, 2.0, 0.0, 3.0))
    numbers = (made.mass, *made.com, *made.inertia.entries)
    assert all(type(x) is float for x in numbers)


def test_minus_nought_is_nought():
    assert str(link(com=(-0.0, 0.0, -0.0)).com.x) == "0.0"


@pytest.mark.parametrize("scalar", [Symbol("m"), mpmath.mpf("0.1"), np.array([1.0, 2.0])])
def test_other_scalars_stay_as_they_are(scalar):
    made = link(mass=scalar, com=Vec(scalar, scalar, scalar), inertia=Sym(*[scalar] * 6))
    assert made.mass is scalar
    assert made.inertia.yz is scalar


@given(robots(tree=True))
def test_robots_are_equal_hashable_and_pickled_whole(robot):
    for again in (pickle.loads(pickle.dumps(robot)), copy.deepcopy(robot), with_scalars(robot, float)):
        assert again == robot
        assert hash(again) == hash(robot)


def test_symbols_are_found_in_their_order():
    robot = Robot.generic("RP", "vertical")
    seen = []
    with_scalars(robot, lambda x: seen.append(x) or x)
    assert symbols_of(robot) == tuple(dict.fromkeys(x for x in seen if isinstance(x, Symbol)))
    assert len(symbols_of(robot)) > 20
    assert symbols_of(load("planar-3r")) == ()


def test_robots_differ_by_any_number():
    one, other = load("stanford-saha-1999"), load("stanford-saha-2001")
    assert one != other
    assert len({one, other, load("stanford-saha-1999")}) == 2


def test_a_subspace_has_a_column_a_velocity():
    along = Vec(0.0, 1.0, 0.0)
    zero = Vec(0.0, 0.0, 0.0)
    assert Joint("j", "revolute", axis=along).subspace == (Motion(along, zero),)
    assert Joint("j", "prismatic", axis=along).subspace == (Motion(zero, along),)
    assert Joint("j", "fixed").subspace == ()
    for name, kind in JOINT_TYPES.items():
        assert len(Joint("j", name).subspace) == kind.nv


def test_a_robot_counts_and_names_its_joints():
    robot = load("stanford-saha-2001")
    assert (robot.nq, robot.nv) == (6, 6)
    assert robot.joint_names == tuple(f"joint{i}" for i in range(1, 7))
    assert robot.link_names == tuple(f"link{i}" for i in range(1, 7))
    assert robot.is_chain


def test_a_robot_prints_itself():
    lines = repr(load("two-link-ascher-1997")).splitlines()
    assert lines == [
        "Robot 'two-link-ascher-1997': 2 links, nq = 2, nv = 2, gravity (0, -9.81, 0)",
        "  #  link   parent  joint   type      mass",
        "  0  link1          joint1  revolute  0.1",
        "  1  link2  link1   joint2  revolute  10",
    ]
    for name in library():
        assert str(load(name)).startswith(repr(load(name)))
        assert load(name).source in str(load(name))
    assert "Symbol" in repr(Robot.generic("R"))


def test_poses_have_names():
    robot = Robot("r", (link(),), configurations={"up": [1]})  # pyright: ignore[reportArgumentType]
    assert robot.configurations == (Configuration("up", (1.0,)),)
    assert robot.configuration("up") == (1.0,)
    assert robot.home == (0.0,)
    assert load("stanford-saha-2001").home[1] == np.pi / 2
    with pytest.raises(LinkwiseError, match=r"Unknown configuration of r(.|\n)*one of up"):
        robot.configuration("down")


RIGHT = Placement((Rigid(IDENTITY, Vec(0.0, 0.0, 0.0)),))
MIRROR = Placement((Rigid(Mat(IDENTITY.x, IDENTITY.y, -IDENTITY.z), Vec(0.0, 0.0, 0.0)),))
SKEW = Placement((Rigid(Mat(IDENTITY.x, Vec(0.1, 1.0, 0.0), IDENTITY.z), Vec(0.0, 0.0, 0.0)),))
nan, inf = float("nan"), float("inf")


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Robot("r", ()), "A robot without links"),
        (lambda: Robot("", (link(),)), "A robot has no name"),
        (lambda: Robot("r", 3), "the links has the wrong shape"),
        (lambda: Robot("r", ("link",)), "a link is not a Link"),
        (lambda: Robot("r", (link(),), gravity=(0, 0)), "the gravity has the wrong shape"),
        (lambda: Robot("r", (link(),), gravity=(0, 0, nan)), "z of the gravity is not a finite number"),
        (lambda: Robot("r", (link(),), tip=(0, 0, 1)), "the tip is not a Placement"),
        (lambda: Robot("r", (link(),), configurations={"up": [1, 2]}), "configuration 'up' has the wrong shape"),
        (lambda: Robot("r", (link(),), configurations={"up": [nan]}), "a position of configuration 'up' is not"),
        (lambda: Robot("r", (link("a"), link("a"))), "Two links have one name"),
        (lambda: Robot("r", (link("a", 0),)), r"go in a circle(.|\n)*'a' is carried by 'a'"),
        (lambda: Robot("r", (link("a", 1), link("b", 0))), r"circle(.|\n)*'a' is carried by 'b' is carried by 'a'"),
        (lambda: Robot("r", (link("a", 1), link("b"))), "Link 'a' stands before its parent"),
        (lambda: Robot("r", (link("a"), link("b", 7))), "The parent of link 'b' does not exist"),
        (lambda: Robot("r", (link("a", -2),)), "The parent of link 'a' does not exist"),
        (lambda: link("a", "base"), "the parent of link 'a' is not an index"),
        (lambda: Robot("r", (link(),), notes="a note"), "the notes has the wrong shape"),
        (lambda: Robot("r", (link(),), notes=[1]), "a note is not a text"),
        (lambda: Robot("r", (link(),), source=1), "the source is not a text"),
        (lambda: Robot("r", (link(),), configurations=1), "the configurations has the wrong shape"),
        (lambda: Robot("r", (link(),), configurations=[1]), "a configuration is not a Configuration"),
        (lambda: Robot("r", (link(),), configurations={"home": 1}), "its positions has the wrong shape"),
        (lambda: Link("l", -1, "revolute"), "the joint of link 'l' is not a Joint"),
        (lambda: link(parent=True), "the parent of link 'l' is not an index"),
        (lambda: link(None), "A link has no name"),
        (lambda: link(mass=nan), "the mass of link 'l' is not a finite number"),
        (lambda: link(mass=None), "the mass of link 'l' is not a finite number"),
        (lambda: link(com=(0, 0, inf)), "z of the centre of mass of link 'l' is not a finite number"),
        (lambda: link(inertia=(1, 2)), "the inertia of link 'l' has the wrong shape"),
        (lambda: link(inertia=Sym(1, 0, 0, 1, nan, 1)), "the inertia of link 'l' is not a finite number"),
        (lambda: Joint("j", "ball"), r"Unknown type of joint 'j'(.|\n)*revolute, continuous, prismatic"),
        (lambda: Joint("j", ["revolute"]), "Unknown type of joint 'j'"),
        (lambda: Joint(" ", "fixed"), "A joint has no name"),
        (lambda: Joint("j", "revolute", axis=Vec(0, 0, 2)), r"not of length 1(.|\n)*\(0.0, 0.0, 1.0\)"),
        (lambda: Joint("j", "revolute", axis=Vec(0, 0, 0)), "not of length 1"),
        (lambda: Joint("j", "revolute", MIRROR), "The rotation of joint 'j' is none"),
        (lambda: Joint("j", "revolute", SKEW), "The rotation of joint 'j' is none"),
        (lambda: Joint("j", "revolute", Placement((Screw(Turn("x", 1, 1), 0),))), "A turn of joint 'j' is none"),
        (lambda: Joint("j", "revolute", Placement((Screw(Turn("y", 1, 0), 0),))), "A turn of joint 'j' is none"),
        (lambda: Joint("j", "revolute", Placement((Screw(Turn("x", 1, 0), nan),))), "the slide of joint 'j' is not"),
        (lambda: Joint("j", "revolute", limits=(1, 2)), "limits of joint 'j' is not a Limits"),
        (lambda: Joint("j", "fixed", limits=Limits(1, 2)), "limit lower of joint 'j' has the wrong number"),
        (lambda: Joint("j", "revolute", limits=Limits((1, 2), (3, 4))), "limit lower of joint 'j' has the wrong"),
        (lambda: Limits(2, 1), "leave it no room"),
        (lambda: Limits(velocity=-1), r"given: -1.0(.|\n)*is not negative"),
        (lambda: Limits(effort=nan), "the limit effort is not"),
        (lambda: Limits(lower="low"), "the limit lower is not"),
    ],
)
def test_bad_input_is_refused_with_what_was_given_and_how_to_mend_it(make, message):
    with pytest.raises(LinkwiseError, match=message) as caught:
        make()
    assert all(word in str(caught.value) for word in ("given:", "expected:", "to mend it:"))


def test_a_proper_rotation_passes():
    assert Joint("j", "revolute", RIGHT).placement == RIGHT
    assert chain("RRP", 5).nv == 3


def test_a_fault_in_a_shipped_class_is_one_of_ours():
    error = pickle.loads(pickle.dumps(LinkwiseError("w", given=1, expected="e", mend="m")))
    assert str(error) == "w\n  given: 1\n  expected: e\n  to mend it: m"
