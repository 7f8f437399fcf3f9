"""URDF: what is read of it, and how all that can be wrong with it is told, each with its line."""

from __future__ import annotations

import numpy as np
import pinocchio as pin
import pytest

from linkwise.algebra import Sym, Vec
from linkwise.bench.dense import dense
from linkwise.errors import LinkwiseError
from linkwise.robot import urdf
from linkwise.robot.joint import IN_PLACE, NO_DRIVE, NO_LIMITS, Drive, Joint, Limits, Mimic
from linkwise.robot.library import load
from linkwise.robot.model import Link

ARM = """<?xml version="1.0"?>
<robot name="arm">
  <link name="stand"/>
  <joint name="shoulder" type="revolute">
    <parent link="stand"/>
    <child link="upper"/>
    <origin xyz="0 0 0.3" rpy="0 0 1.5707963267948966"/>
    <axis xyz="0 1 0"/>
    <limit lower="-1" upper="2" velocity="3" effort="4"/>
    <dynamics damping="0.1" friction="0.2"/>
  </joint>
  <link name="upper">
    <inertial>
      <origin xyz="0.1 0.2 0.3" rpy="0 0 1.5707963267948966"/>
      <mass value="2"/>
      <inertia ixx="1" ixy="0" ixz="0" iyy="2" iyz="0.5" izz="2.5"/>
    </inertial>
    <visual><geometry><sphere radius="1"/></geometry></visual>
  </link>
  <transmission name="drive">
    <joint name="shoulder"/>
    <actuator name="motor">
      <mechanicalReduction>50</mechanicalReduction>
      <drake:rotor_inertia value="1e-4"/>
    </actuator>
  </transmission>
</robot>
"""


def tree(*joints: str, links: str = "ab", more: str = "") -> str:
    """A robot with these joints, from the second line on, then a link a letter."""
    return "\n".join(['<robot name="r">', *joints, *(f'<link name="{name}"/>' for name in links), more, "</robot>"])


def joint(ends: str = "ab", inside: str = "", kind: str = "continuous", name: str = "") -> str:
    parent, child = ends
    ends_told = f'<parent link="{parent}"/><child link="{child}"/>'
    return f'<joint name="{name or ends}" type="{kind}">{ends_told}{inside}</joint>'


def told(text: str, severity: str = "error") -> str:
    return "\n".join(str(finding) for finding in urdf.inspected(text).findings if finding.severity == severity)


def test_a_link_and_its_joint():
    stand, upper = urdf.read(ARM).links
    assert stand == Link("stand", -1, Joint("root_joint", "fixed"))
    assert upper.parent == 0
    assert upper.joint.placement.position == Vec(0.0, 0.0, 0.3)
    assert upper.joint.placement.rotation.matrix.x == Vec(0.0, -1.0, 0.0)
    assert upper.joint.axis == Vec(0.0, 1.0, 0.0)
    assert upper.joint.limits == Limits(-1.0, 2.0, 3.0, 4.0)
    assert upper.joint.drive == Drive(1e-4, 50.0, damping=0.1, friction=0.2)


def test_moments_of_inertia_are_told_in_the_axes_of_the_link():
    upper = urdf.read(ARM).links[1]
    assert (upper.mass, upper.com, upper.inertia) == (2.0, Vec(0.1, 0.2, 0.3), Sym(2.0, 0.0, -0.5, 1.0, 0.0, 2.5))


@pytest.mark.parametrize("rpy", [(0.3, -0.5, 1.1), (1.5708, 0, 0), (3.14159265359, 1.57079632679, -0.0)])
def test_turns_are_taken_as_they_are_printed(rpy):
    text = tree(joint("ab", f'<origin rpy="{rpy[0]} {rpy[1]} {rpy[2]}"/>'))
    matrix = dense(urdf.read(text).links[1].joint.placement.rotation.matrix)
    np.testing.assert_allclose(matrix, pin.rpy.rpyToMatrix(*map(float, rpy)), atol=1e-15)


def test_a_quaternion_may_stand_for_a_turn():
    text = tree(joint("ab", '<origin quat_xyzw="0.1 -0.5 0.7 0.5"/>'))
    matrix = dense(urdf.read(text).links[1].joint.placement.rotation.matrix)
    np.testing.assert_allclose(matrix, pin.Quaternion(0.5, 0.1, -0.5, 0.7).matrix(), atol=1e-15)
    assert "rotation of <origin> is not clear" in told(text.replace("quat_xyzw", 'rpy="0 0 0" quat_xyzw'))


TYPES = {"revolute": "revolute", "continuous": "continuous", "prismatic": "prismatic", "fixed": "fixed"}


@pytest.mark.parametrize(("kind", "ours"), [*TYPES.items(), ("floating", "free"), ("planar", "planar")])
def test_the_types_of_joints(kind, ours):
    robot = urdf.read(tree(joint("ab", '<axis xyz="0 1 0"/><limit lower="-1" upper="1"/>', kind)))
    assert robot.links[1].joint.type == ours
    assert robot.links[1].joint.placement == IN_PLACE
    assert (robot.links[1].joint.axis == Vec(0.0, 1.0, 0.0)) == (ours not in ("fixed", "free"))


def test_what_is_left_out_is_what_the_specification_says():
    found = urdf.read(tree(joint("ab", '<mimic joint="bc"/>'), joint("bc"), links="abc")).links[1].joint
    assert found == Joint("ab", "continuous", axis=Vec(1.0, 0.0, 0.0), mimic=Mimic("bc", 1.0, 0.0))
    bounded = tree(joint("ab", '<limit effort="1" velocity="2"/>', "revolute"))
    assert urdf.read(bounded).links[1].joint.limits == Limits(0.0, 0.0, 2.0, 1.0)
    assert (
        told(tree(joint(kind="revolute")), "warning") == "line 2: <joint> 'ab' has no <limit>: a joint without bounds"
    )


def test_a_chain_of_mimics():
    text = tree(
        joint("ab", '<mimic joint="bc" multiplier="2" offset="0.5"/>'),
        joint("bc", '<mimic joint="cd" multiplier="-1"/>'),
        joint("cd"),
        links="abcd",
    )
    robot = urdf.read(text)
    assert robot.joint_names == ("cd",)
    assert robot.links[1].joint.mimic == Mimic("bc", 2.0, 0.5)


def test_joints_come_depth_first_in_the_order_of_the_file():
    robot = urdf.read(tree(joint("be"), joint("ac"), joint("ab"), joint("bd"), joint("cf"), links="fedcba"))
    assert robot.joint_names == ("ac", "cf", "ab", "be", "bd")


def test_the_root_joint_has_a_name_of_its_own():
    robot = urdf.read(tree(joint("ab", name="root_joint")))
    assert [link.joint.name for link in robot.links] == ["root_joint_", "root_joint"]


@pytest.mark.parametrize("printed", ["0.577 0.577 0.577", "-0.57735 0.57735 0.57735"])
def test_an_axis_of_printed_digits_is_made_one_of_length_one(printed):
    text = tree(joint("ab", f'<axis xyz="{printed}"/>'))
    assert told(text, "warning") == ""
    assert abs(abs(urdf.read(text).links[1].joint.axis.x) - 3**-0.5) < 1e-15


def test_an_axis_of_another_length_is_told_and_taken_for_its_direction():
    text = tree(joint("ab", '<axis xyz="0 0 2"/>'))
    assert urdf.read(text).links[1].joint.axis == Vec(0.0, 0.0, 1.0)
    expected = "line 2: The axis of <joint> 'ab' is not of length 1: length 2; its direction is used"
    assert told(text, "warning") == expected


def test_gears_without_a_rotor_and_motors_on_several_joints():
    gears = "<transmission>{}<actuator><mechanicalReduction>{}</mechanicalReduction></actuator></transmission>"
    one = gears.format('<joint name="ab"/>', 9)
    assert urdf.read(tree(joint(), more=one)).links[1].joint.drive == Drive(gear_ratio=9.0)
    two = gears.format('<joint name="ab"/><joint name="bc"/>', 9)
    text = tree(joint(), joint("bc"), links="abc", more=two)
    assert urdf.read(text).links[1].joint.drive == NO_DRIVE
    assert "<transmission> of other than one motor and one joint is not used" in told(text, "note")
    assert "second one for joint 'ab'" in told(
        tree(joint(), more=one + gears.format('<joint name="ab"/>', 8)), "warning"
    )
    assert "cannot be read: 'many'" in told(tree(joint(), more=gears.format('<joint name="ab"/>', "many")))


def test_what_is_not_used_is_counted_and_noted():
    robot = urdf.read(ARM.replace('<dynamics damping="0.1"', '<dynamics damping="0.1" spring="7"'))
    assert robot.notes == (
        "The attribute 'spring' of <dynamics> is not used: once, in line 10",
        "<visual> in <link> is not used: once, in line 18",
    )
    text = tree(
        joint(kind="fixed", inside='<axis xyz="0 0 0"/><limit lower="1"/>'), joint("bc", kind="fixed"), links="abc"
    )
    assert "<axis> of fixed joints is not used: once, in line 2" in urdf.read(text).notes
    assert urdf.read(text).links[1].joint.limits == NO_LIMITS


WRONG = {
    "no_xml": ("<robot>\n<link>\n</robot>", "line 3: This is no XML: mismatched tag"),
    "empty": ("\n<", "line 2: This is no XML"),
    "other_root": ("<mujoco/>", "line 1: This is no URDF: <mujoco>"),
    "document_type": ('<!DOCTYPE r [<!ENTITY a "b">]>\n<robot name="&a;"/>', "A document type is declared"),
    "encoding": ('<?xml version="1.0" encoding="klingon"?><robot/>', "line 1: This is no XML"),
    "encoding_of_many_bytes": ('<?xml version="1.0" encoding="utf-7"?><robot/>', "line 1: This is no XML: multi-byte"),
    "deep": ("<robot>\n" + "<a>" * 100 + "</a>" * 100 + "</robot>", "line 2: Elements are too deep"),
    "same_attribute": ('<robot name="a" name="b"/>', "line 1: This is no XML: duplicate attribute"),
    "no_links": ('<robot name="r"/>', "line 1: This is no robot: 0 links"),
    "no_name": ("<robot><link name='a'/></robot>", "line 1: <robot> lacks 'name'"),
    "nameless_link": (tree(links="", more='<link nmae="a"/>'), "line 2: <link> lacks 'name': nmae=\"a\""),
    "nameless_joint": (
        tree('<joint type="revolute"><axis xyz="0 0 2"/><parent link="a"/><child link="b"/></joint>'),
        "line 2: <joint> lacks 'name': type=\"revolute\"",
    ),
    "two_links": (tree(links="aa"), "line 3: Two links have one name: 'a' stands in line 2 already"),
    "two_joints": (tree(joint("ab"), joint("bc", name="ab"), links="abc"), "line 3: Two joints have one name: 'ab'"),
    "two_parents": (
        tree(joint("ac"), joint("bc"), links="abc"),
        "line 3: Link 'c' is carried by two joints: 'bc', and",
    ),
    "two_roots": (tree(links="ab"), "line 3: There is more than one root: 'a' in line 2, 'b' in line 3"),
    "circle": (
        tree(joint("bc"), joint("cb"), links="abc"),
        "line 5: Links carry each other in a circle: 'b' is carried",
    ),
    "no_root": (tree(joint("ab"), joint("ba")), "Links carry each other in a circle"),
    "own_parent": (tree(joint("bb")), "Links carry each other in a circle: 'b' is carried by 'b'"),
    "parent": (tree(joint("xb")), "line 2: Unknown parent of joint 'xb': 'x'"),
    "child": (tree(joint("ax")), "line 2: Unknown child of joint 'ax': 'x'"),
    "no_parent": (tree('<joint name="j" type="fixed"><child link="b"/></joint>'), "line 2: <joint> 'j' lacks <parent>"),
    "no_type": (
        tree('<joint name="j"><parent link="a"/><child link="b"/></joint>'),
        "line 2: <joint> 'j' lacks 'type'",
    ),
    "type": (tree(joint(kind="revolut")), "line 2: Unknown type of <joint> 'ab': 'revolut'"),
    "twice": (tree(joint(inside="<axis/>\n<axis/>")), "<joint> 'ab' has <axis> more than once: in the lines 2 and 3"),
    "no_axis": (tree(joint(inside='<axis xyz="0 0 0"/>')), "The axis of <joint> 'ab' has no direction: 0 0 0"),
    "no_number": (tree(joint(inside='<axis xyz="0 1_0 0"/>')), "'xyz' of <axis> cannot be read: '0 1_0 0'"),
    "two_numbers": (tree(joint(inside='<origin xyz="0 1"/>')), "'xyz' of <origin> cannot be read: '0 1'"),
    "nan": (tree(joint(inside='<origin xyz="0 1 nan"/>')), "'xyz' of <origin> cannot be read: '0 1 nan'"),
    "infinite": (tree(joint(inside='<origin xyz="0 1 inf"/>')), "'xyz' of <origin> is not a finite number"),
    "huge": (tree(joint(inside='<origin xyz="0 1 1e999"/>')), "'xyz' of <origin> is not a finite number"),
    "digits": (tree(joint(inside=f'<origin xyz="0 1 {"1" * 5000}"/>')), "'xyz' of <origin> cannot be read"),
    "swapped": (
        tree(joint(kind="revolute", inside='\n<limit lower="2" upper="1"/>')),
        "line 3: The limits of a joint leave",
    ),
    "damping": (tree(joint(inside='<dynamics damping="-1"/>')), "line 2: The damping of a joint is negative"),
    "no_leader": (
        tree(joint(inside='<mimic joint="x"/>')),
        "line 2: Joint 'ab' mimics a joint that there is not: 'x'",
    ),
    "fixed_leader": (
        tree(joint(inside='\n<mimic joint="bc"/>'), joint("bc", kind="fixed"), links="abc"),
        "line 3: Joint 'ab' mimics a joint that has not one motion: 'bc', a fixed joint",
    ),
    "circle_of_mimics": (
        tree(joint(inside='<mimic joint="bc"/>'), joint("bc", '<mimic joint="ab"/>'), links="abc"),
        "line 2: Joint 'ab' and others mimic each other in a circle: 'ab' mimics 'bc' mimics 'ab'",
    ),
    "xacro_number": (tree(joint(inside='<axis xyz="${x} 0 0"/>')), "'xyz' of <axis> is for xacro: '${x} 0 0'"),
    "xacro_name": (tree(joint(name="$(arg prefix)j")), "line 2: 'name' of <joint> '$(arg prefix)j' is for xacro"),
    "xacro_element": (tree(links="a", more="<xacro:include filename='x'/>"), "line 3: <xacro:include> is for xacro"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_told_with_its_line(name):
    text, expected = WRONG[name]
    assert expected in told(text)
    with pytest.raises(LinkwiseError, match=r"^the text, line \d+: .*\n  given: .*\n  expected: .*\n  to mend it: \w"):
        urdf.read(text)


def test_reading_goes_on_after_an_error():
    text = tree(joint(inside='<axis xyz="0 0 0"/>'), joint("bc", '<mimic joint="x"/>'), joint("cx"), links="abc")
    found = urdf.inspected(text)
    assert [finding.line for finding in found.findings] == [2, 3, 4]
    assert found.robot
    assert found.robot.joint_names == ("ab", "bc")
    with pytest.raises(LinkwiseError, match="`linkwise check` tells 2 more"):
        urdf.read(text)


def test_too_much_of_anything_is_refused():
    links = "".join(f'<link name="{i}"/>' for i in range(5001))
    assert "This is no robot: 5001 links" in told(f'<robot name="r">{links}</robot>')
    assert "too many elements" in told(f"<robot>{'<a/>' * 200_001}</robot>")
    with pytest.raises(LinkwiseError, match="too long for a robot"):
        urdf.read(f"<robot>{' ' * 20_000_001}</robot>")


def test_a_suffix_tells_what_a_file_is(tmp_path):
    for suffix in (".urdf", ".xml"):
        path = tmp_path / f"arm{suffix}"
        path.write_text(ARM)
        assert load(path) == urdf.read(ARM)
    (tmp_path / "utf16.urdf").write_bytes(ARM.replace("?>", ' encoding="utf-16"?>').encode("utf-16"))
    assert load(tmp_path / "utf16.urdf") == urdf.read(ARM)
    with pytest.raises(LinkwiseError, match=r"none\.urdf cannot be read"):
        load(tmp_path / "none.urdf")
