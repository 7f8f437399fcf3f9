"""Robots as TOML: what is written is read as it was, and hostile files are refused with a word on what to mend."""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import asdict, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.robots import any_joint_robots, chain, robots

from linkwise.algebra import Placement, Vec
from linkwise.errors import LinkwiseError
from linkwise.robot import toml
from linkwise.robot.angles import screw
from linkwise.robot.joint import Joint, Limits
from linkwise.robot.model import Configuration, Link, Robot
from linkwise.robot.section import Section

ARM = """
name = "arm"
angle_unit = "deg"
gravity = [0, 0, -9.8]
[configurations]
folded = [90, 0.5]
[[link]]
name = "upper"
mass = 2
com = [0, 0, 0.1]
inertia = [1, 0.1, 0.2, 1.1, 0.3, 1.2]
[link.joint]
name = "shoulder"
type = "revolute"
axis = [0, 1, 0]
xyz = [0, 0, 0.3]
rpy = [0, 0, 90]
limits = { lower = -90, upper = [180], velocity = 360, effort = 7 }
[[link]]
name = "fore"
parent = "upper"
[link.joint]
name = "slide"
type = "prismatic"
placement = [{ axis = "x", turn = -90, slide = 0.2 }, { xyz = [0, 1, 0] }]
limits = { lower = 0, upper = 0.5 }
"""


def test_a_file_link_by_link():
    robot = toml.read(ARM)
    upper, fore = robot.links
    assert upper.joint.placement.rotation.matrix.x == Vec(0.0, -1.0, 0.0)
    assert upper.joint.placement.position == Vec(0.0, 0.0, 0.3)
    assert upper.joint.limits == Limits(-math.pi / 2, math.pi, 2 * math.pi, 7.0)
    assert upper.inertia.entries == (1.0, 0.1, 0.2, 1.1, 0.3, 1.2)
    assert fore.parent == 0
    assert fore.joint.placement.factors[0] == screw("x", -math.pi / 2, 0.2)
    assert fore.joint.limits == Limits(lower=0.0, upper=0.5)
    assert robot.configuration("folded") == (math.pi / 2, 0.5)
    assert robot.gravity == Vec(0.0, 0.0, -9.8)


def test_the_example_of_the_documentation_is_a_file():
    text = toml.__doc__ or ""
    lines = [line[4:] for line in text.splitlines() if line.startswith("    ") and "…" not in line]
    robot = toml.read("\n".join(lines))
    assert robot.links[0].joint.placement.rotation.matrix.y == Vec(0.0, 0.0, -1.0)


@given(robots(tree=True))
def test_writing_and_reading_gives_an_equal_robot(robot):
    assert toml.read(toml.write(robot)) == robot


@given(any_joint_robots())
def test_joints_of_every_kind_come_back_bit_by_bit(robot):
    again = toml.read(robot.to_toml())
    assert again == robot
    assert repr(asdict(again)) == repr(asdict(robot)), "0.0 and -0.0 are equal and have other bits"


names = st.text(min_size=1).filter(str.strip)
bounds = st.lists(st.floats(allow_nan=False, min_value=0.0), max_size=1).map(tuple)


@given(names, names, names, st.text(), st.lists(st.text()), bounds, bounds, st.floats(-4, 4))
def test_any_text_and_any_bound_comes_back(robot, link, pose, source, notes, upper, effort, angle):
    joint = Joint("j", "revolute", Placement((screw("z", angle, 0.1),)), limits=Limits((), upper, (), effort))
    made = Robot(
        robot, (Link(link, -1, joint, 1.0),), source=source, notes=tuple(notes),
        configurations=(Configuration(pose, (angle,)),),
    )  # fmt: skip
    assert toml.read(toml.write(made)) == made


def test_a_turn_of_no_angle_is_written_by_cosine_and_sine():
    joint = Joint("j", "revolute", Placement((screw("x", 5.123456789, 0.0),)))
    robot = Robot("r", (Link("l", -1, joint),))
    assert "cos = " in toml.write(robot)
    assert toml.read(toml.write(robot)) == robot


def test_a_robot_of_symbols_cannot_be_written():
    with pytest.raises(LinkwiseError, match="symbols"):
        toml.write(Robot.generic("RP"))


def test_a_table_of_the_file_takes_all_that_from_dh_takes():
    robot = toml.read("""
        name = "table"
        angle_unit = "deg"
        [dh]
        convention = "modified"
        joints = "RP"
        rows = [[0, 90, 1, 30], [1, 0, 2, 90]]
        masses = [1, 2]
        coms = [[0, 0, 1], [1, 0, 0]]
        inertias = [[1, 1, 1], [[1, 0, 0], [0, 1, 0], [0, 0, 1]]]
        link_names = ["a", "b"]
        joint_names = ["ja", "jb"]
        limits = [{ upper = 180 }, { upper = 2 }]
        base = [{ axis = "z", turn = 90, slide = 1 }]
        tip = [{ xyz = [0, 0, 1], rpy = [0, 90, 0] }]
    """)
    assert robot == Robot.from_dh(
        [(0, math.pi / 2, 1, math.radians(30)), (1, 0, 2, math.pi / 2)],
        convention="modified", joints="RP", masses=(1, 2), coms=[(0, 0, 1), (1, 0, 0)], inertias=[(1, 1, 1)] * 2,
        name="table", link_names=("a", "b"), joint_names=("ja", "jb"), limits=[Limits((), math.pi), Limits((), 2)],
        base=Placement((screw("z", math.pi / 2, 1.0),)), tip=robot.tip,
    )  # fmt: skip
    assert robot.tip.rotation.matrix.z == Vec(-1.0, 0.0, 0.0)


def changed(old: str, new: str) -> str:
    assert old in ARM
    return ARM.replace(old, new, 1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name = \n", "is no TOML"),
        ("name = 'x'\n", r"not clear which links(.|\n)*neither"),
        (ARM + "[dh]\nrows = []\n", r"not clear which links(.|\n)*both"),
        ("x" * (toml.LARGEST + 1) + "\n", "too long"),
        ("a = " + "[" * 100_000 + "\n", "is no TOML"),
        (changed('name = "arm"', ""), "the file lacks 'name'"),
        (changed('name = "arm"', "name = 3"), "name is of the wrong kind"),
        (changed('"deg"', '"grad"'), "Unknown angle_unit"),
        (changed("mass = 2", "mas = 2"), r"Unknown key in link 'upper'(.|\n)*did you mean mass"),
        (changed("mass = 2", "mass = nan"), "link 'upper': mass is not a finite number"),
        (changed("mass = 2", "mass = inf"), "link 'upper': mass is not a finite number"),
        (changed("mass = 2", "mass = 2001-09-14"), "link 'upper': mass is not a finite number"),
        (changed("com = [0, 0, 0.1]", "com = [0, 0, 07:32:00]"), "com is not a finite number"),
        (changed("mass = 2", "mass = true"), "link 'upper': mass is not a finite number"),
        (changed("mass = 2", "mass = 1" + "0" * 400), "link 'upper': mass is not a finite number"),
        (changed("mass = 2", "mass = 1" + "0" * 5000), "is no TOML"),
        (changed('parent = "upper"', "parent = 0x" + "f" * 5000), "is no TOML"),
        (changed('name = "fore"', "name = 0x" + "f" * 5000), "is no TOML"),
        (changed("mass = 2", 'mass = "2"'), "link 'upper': mass is not a finite number"),
        (changed("com = [0, 0, 0.1]", "com = [0, 0]"), "com has the wrong shape"),
        (changed("com = [0, 0, 0.1]", "com = 0"), "com is of the wrong kind"),
        (changed("inertia = [1, 0.1, 0.2, 1.1, 0.3, 1.2]", "inertia = [1]"), "inertia has the wrong shape"),
        (changed('type = "revolute"', 'type = "revolut"'), r"Unknown type(.|\n)*did you mean revolute"),
        (changed('type = "revolute"', ""), "joint 'shoulder' lacks 'type'"),
        (changed("axis = [0, 1, 0]", "axis = [0, 2, 0]"), "axis of joint 'shoulder' is not of length 1"),
        (changed('parent = "upper"', 'parent = "uper"'), r"Unknown parent(.|\n)*did you mean upper"),
        (changed('parent = "upper"', 'parent = "fore"'), "go in a circle"),
        (changed('parent = "upper"', "parent = 0"), "Unknown parent of link 'fore'"),
        (changed('name = "fore"', 'name = "upper"'), "Two links have one name"),
        (changed('name = "slide"', 'name = "shoulder"'), "Two joints have one name"),
        (changed("lower = 0,", "lower = 1,"), "leave it no room"),
        (changed("lower = 0,", "lower = [0, 0],"), "limit lower of joint 'slide' has the wrong number"),
        (changed("lower = 0,", "lower = nan,"), "lower is not a finite number"),
        (changed('axis = "x"', 'axis = "y"'), "Unknown axis"),
        (changed("xyz = [0, 0, 0.3]", "placement = []"), r"Unknown key in link 'upper': joint(.|\n)*'rpy'"),
        (changed("folded = [90, 0.5]", "folded = [90]"), "folded has the wrong shape"),
        (changed("folded = [90, 0.5]", "folded = 90"), "folded is of the wrong kind"),
        (changed("[[link]]", "[link]"), "is no TOML"),
        ("name = 'x'\nlink = [1]\n", "link, number 1 is of the wrong kind"),
        ("name = 'x'\ndh = 1\n", "dh is of the wrong kind"),
        ("name = 'x'\n[dh]\nrows = [[0, 0, 0, 0]]\n", "dh lacks 'convention'"),
        ("name = 'x'\n[dh]\nrows = [[0, 0, 0]]\nconvention = 'saha'\n", "row 1 has the wrong shape"),
        ("name = 'x'\n[dh]\nrows = []\nconvention = 'saha'\n", "This is no robot"),
    ],
)
def test_a_hostile_file_is_refused(text, message):
    with pytest.raises(LinkwiseError, match=message):
        toml.read(text)


def test_an_error_names_the_file(tmp_path):
    path = tmp_path / "broken.toml"
    path.write_text(changed("mass = 2", "mass = nan"), encoding="utf-8")
    with pytest.raises(LinkwiseError, match=r"broken\.toml, line 9: link 'upper': mass"):
        toml.read(path)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (ARM + "x = \n", 27),
        (ARM + "x = [", 27),
        (ARM + "a" + ".a" * 100 + " = 1\n", 27),
        (changed("0.3]", "0.3"), 17),
        (changed("angle_unit", "angel_unit"), 3),
        (changed('name = "arm"', ""), 1),
        (changed("folded = [90, 0.5]", "folded = [90]"), 6),
        (changed("mass = 2", "mas = 2"), 9),
        (changed('name = "fore"', "name = 4"), 20),
        (changed("axis = [0, 1, 0]", "axis = [0, 2, 0]"), 12),
        (changed("rpy = [0, 0, 90]", "rpy = [0, 0]"), 17),
        (changed("lower = 0,", "lower = 1,"), 26),
        (changed('name = "fore"', 'name = "upper"'), 19),
        (changed('name = "slide"', 'name = "shoulder"'), 22),
        ("name = 'x'\n[dh]\nrows = [[0, 0, 0]]\nconvention = 'saha'\n", 2),
        ("name = 'x'\n[dh]\nrows = [[0, 0, 0, 0]]\nconvention = 'saha'\nmasses = [1, 2]\n", 5),
        ("name = 'x'\nlink = [{ name = 'y' }]\n", 2),
    ],
)
def test_an_error_tells_the_line(text, line):
    assert [finding.line for finding in toml.inspected(text).findings] == [line]


def test_files_that_are_no_text_are_refused(tmp_path):
    binary, folder, huge = tmp_path / "binary.toml", tmp_path / "folder.toml", tmp_path / "huge.toml"
    binary.write_bytes(bytes(range(256)))
    folder.mkdir()
    huge.write_text("#" * (toml.LARGEST + 1), encoding="utf-8")
    for path in (folder, tmp_path / "missing.toml"):
        with pytest.raises(LinkwiseError, match="cannot be read"):
            toml.read(path)
    with pytest.raises(LinkwiseError, match=r"binary\.toml, line \d+: This is no TOML"):
        toml.read(binary)
    with pytest.raises(LinkwiseError, match=r"huge\.toml: This is too long"):
        toml.read(huge)
    with pytest.raises(LinkwiseError, match="cannot be read"):
        toml.read("nul\0byte")


@given(st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(("xyz", "axis", "name")), inner),
    max_leaves=6,
), st.sampled_from(("mass", "com", "inertia", "parent", "joint", "name")))  # fmt: skip
def test_nothing_but_our_error_comes_of_a_wrong_value(value, key):
    link = {"name": "l", "joint": {"name": "j", "type": "fixed"}, key: value}
    with suppress(LinkwiseError):
        toml._robot(Section({"name": "r", "link": [link]}, "the file"))


def test_a_thousand_links_fit():
    robot = chain("R" * 300)
    text = toml.write(robot)
    assert len(text) / 300 * 1000 < toml.LARGEST / 4
    assert replace(toml.read(text), name="again").links == robot.links
