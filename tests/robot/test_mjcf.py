"""MJCF: what is read is what MuJoCo has, body by body; what a robot would lack is told; hostile files are refused."""

from __future__ import annotations

import math
import sys
from contextlib import suppress

import mujoco
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.mujoco_models import placements, text_of, texts
from tests.robots import any_joint_robots, seeds

from linkwise.bench.dense import array, dense
from linkwise.errors import LinkwiseError
from linkwise.robot import mjcf
from linkwise.robot.joint import Drive, Limits, Mimic
from linkwise.robot.mujoco_model import robot_of

WRITTEN = ("revolute", "continuous", "prismatic", "cylindrical", "universal", "planar", "spherical")


def compiled(text: str) -> mujoco.MjModel:
    return mujoco.MjModel.from_xml_string(text)


def close(one: object, other: object) -> bool:
    return bool(np.abs(np.asarray(one) - np.asarray(other)).max(initial=0.0) < 1e-12)


@given(texts(), seeds)
def test_links_are_where_the_bodies_are_and_weigh_the_same(text, seed):
    model, robot = compiled(text), mjcf.read(text)
    assert (robot.nq, robot.nv) == (model.nq, model.nv)
    data = mujoco.MjData(model)
    for q in (model.qpos0.copy(), robot.random(seed)):
        data.qpos[:] = q
        mujoco.mj_kinematics(model, data)
        ours = placements(robot, q.tolist(), math)
        for i in range(1, model.nbody):
            R, p = ours[model.body(i).name or f"body{i}"]
            assert close(R, data.xmat[i].reshape(3, 3))
            assert close(p, data.xpos[i])


@given(texts())
def test_a_link_has_the_inertia_of_its_body_and_a_joint_its_losses(text):
    model, robot = compiled(text), mjcf.read(text)
    links = {link.name: link for link in robot.links}
    for i in range(1, model.nbody):
        link = links.pop(model.body(i).name or f"body{i}")
        R = np.empty(9)
        mujoco.mju_quat2Mat(R, model.body_iquat[i])
        R = R.reshape(3, 3)
        assert link.mass == model.body_mass[i]
        assert close(array(link.com), model.body_ipos[i])
        assert close(dense(link.inertia), R @ np.diag(model.body_inertia[i]) @ R.T)
    assert all(link.mass == 0.0 for link in links.values())
    for i, joint in enumerate(robot.joints):
        assert joint.name == (model.joint(i).name or f"joint{i}")
    for field, of in (("armature", "dof_armature"), ("damping", "dof_damping"), ("friction", "dof_frictionloss")):
        felt = [x for j in robot.joints for x in (getattr(j.drive, field) or (0.0,) * j.nv)]
        assert felt == getattr(model, of).tolist()


@given(any_joint_robots(kinds=WRITTEN))
def test_a_robot_written_as_mjcf_comes_back(robot):
    """As many links where a joint has several motions; mimics move by themselves."""
    again = mjcf.read(text_of(robot))
    assert again.nv == sum(link.joint.kind.nv for link in robot.links)
    kept = {link.name: link for link in again.links}
    for link in robot.links:
        assert kept[link.name].mass == pytest.approx(link.mass, abs=1e-14)
        assert close(dense(kept[link.name].inertia), dense(link.inertia))


ARM = """
<mujoco model="arm">
  <compiler angle="degree"/>
  <option gravity="0 0 -9.8"/>
  <worldbody>
    <body name="upper" pos="0 0 0.3" euler="0 0 90">
      <joint name="shoulder" axis="0 2 0" range="-90 180" actuatorfrcrange="-7 7" armature="0.1"/>
      <inertial pos="0 0 0.1" mass="2" fullinertia="1 1.1 1.2 0.1 0.2 0.3"/>
      <body name="fore">
        <joint name="slide" type="slide" ref="0.25" frictionloss="3"/>
        <joint name="twist" axis="0 0 1" pos="0.1 0 0" ref="30" damping="2"/>
        <geom size="0.1"/>
        <body name="hand"><geom size="0.1"/></body>
      </body>
    </body>
  </worldbody>
  <equality><joint joint1="twist" joint2="shoulder" polycoef="0.5 2 0 0 0"/></equality>
  <keyframe><key name="up" qpos="0.5 0.1 0"/><key qpos="1 0.2 0"/></keyframe>
</mujoco>
"""


def changed(old: str, new: str) -> str:
    assert old in ARM
    return ARM.replace(old, new, 1)


def test_a_file_body_by_body():
    robot = mjcf.read(ARM)
    assert robot.name == "arm"
    assert robot.gravity.z == -9.8
    assert robot.link_names == ("upper", "fore/slide", "fore/twist", "fore", "hand")
    upper, slide, twist, fore, hand = robot.links
    assert upper.joint.limits == Limits(-math.pi / 2, math.pi, (), 7.0)
    assert upper.joint.drive == Drive(armature=(0.1,))
    assert upper.joint.placement.rotation.matrix.x.y == -1.0
    assert tuple(upper.joint.axis) == (0.0, 1.0, 0.0)
    assert slide.joint.drive == Drive(friction=(3.0,))
    assert slide.joint.placement.position.z == -0.25
    assert twist.joint.mimic == Mimic("shoulder", 2.0, math.radians(30) + 0.5)
    assert (fore.joint.type, fore.joint.placement.position.x) == ("fixed", -0.1)
    assert hand.joint.type == "fixed"
    assert (slide.mass, twist.mass) == (0.0, 0.0)
    assert {c.name: c.q for c in robot.configurations} == {"up": (0.5, 0.1), "key1": (1.0, 0.2), "home": (0.0, 0.25)}
    assert robot.notes == ("What a geom looks like and collides with is not used: 2 times, first in line 12",)


def test_a_free_joint_has_its_pose_in_the_world():
    robot = mjcf.read(
        "<mujoco><worldbody><body pos='1 2 3' quat='0 1 0 0'><freejoint/><geom size='1'/></body></worldbody></mujoco>"
    )
    assert robot.home == (1.0, 2.0, 3.0, 0.0, 1.0, 0.0, 0.0)
    assert robot.position_names[0] == "joint0.x"
    assert robot.link_names == ("body1",)


def test_names_that_are_taken_are_not_taken_twice():
    robot = mjcf.read("""<mujoco><worldbody>
        <body name="body2"><joint name="joint1"/><geom size="1"/></body>
        <body><joint/><joint axis="1 0 0"/><geom size="1"/><body name="body2/joint2"><geom size="1"/></body></body>
    </worldbody></mujoco>""")
    assert robot.joint_names == ("joint1", "joint1'", "joint2")
    assert robot.link_names == ("body2", "body2'/joint1'", "body2'", "body2/joint2")


def test_actuators_add_their_inertia_and_damping_by_the_gear():
    if not hasattr(compiled(ARM), "actuator_armature"):
        pytest.skip("MuJoCo before 4 has no inertia of actuators")
    motor = '<actuator><motor joint="shoulder" gear="10" armature="0.02" damping="0.01"/></actuator></mujoco>'
    model = compiled(changed("</mujoco>", motor))
    data, M = mujoco.MjData(model), np.zeros((3, 3))
    mujoco.mj_forward(model, data)
    mujoco.mj_fullM(model, data, M)
    robot = robot_of(model)
    assert robot.joints[0].drive == Drive(armature=(0.1 + 2.0,), damping=(1.0,))
    assert M[0, 0] > 2.1


def test_what_is_switched_off_is_off():
    flags = '<option gravity="0 0 -9.8"><flag gravity="disable" frictionloss="disable" equality="disable"/></option>'
    robot = mjcf.read(changed('<option gravity="0 0 -9.8"/>', flags))
    assert tuple(robot.gravity) == (0.0, 0.0, 0.0)
    assert all(joint.drive.friction == () for joint in robot.joints)
    assert robot.joint_names == ("shoulder", "slide", "twist")


COUPLING = '<equality><joint joint1="twist" joint2="shoulder" polycoef="0.5 2 0 0 0"/>'
CORD = '<tendon><fixed name="cord" damping="1"><joint joint="slide" coef="1"/></fixed></tendon>'
SKY = "<asset><texture type='2d' builtin='flat' width='99999' height='99999'/></asset>"
NUMBERS = "<custom><numeric name='n' size='999999999'/></custom>"


def before(tag: str, more: str) -> str:
    return changed(tag, more + tag)


def coupled(more: str) -> str:
    return changed(COUPLING, COUPLING + more)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (changed("0.5 2 0 0 0", "0.5 2 1 0 0"), r"A constraint(.|\n)*joint ''"),
        (changed(' joint2="shoulder"', ""), "A constraint between"),
        (coupled('<joint name="twice" joint1="twist" joint2="slide"/>'), r"line 17: A constraint(.|\n)*'twice'"),
        (coupled('<weld name="closed" body1="hand"/>'), r"line 17: A constraint(.|\n)*weld 'closed'"),
        (coupled('<joint joint1="shoulder" joint2="twist"/>'), "mimic each other in a circle"),
        (changed('joint name="sh', 'joint nam="sh'), r"line 7: MuJoCo refuses(.|\n)*unrecognized attribute: 'nam'"),
        (changed('mass="2"', 'mass="-2"'), "MuJoCo refuses it"),
        (changed('mass="2"', 'mass="nan"'), "line 8: <inertial> has an entry that is no number"),
        (changed('pos="0 0 0.3"', 'pos="inf 0 0"'), "is not a finite number"),
        (changed("<geom", '<geom mesh="m"'), "MuJoCo refuses"),
        (before("<worldbody>", "<include file='missing.xml'/>"), r"line 5: MuJoCo(.|\n)*where it looks for them"),
        (before("<worldbody>", "<include file='/dev/null'/>"), "line 5: <include> names what is no file"),
        (before("<worldbody>", "<worldbody><replicate count='9999'><body/></replicate></worldbody>"), "too many"),
        (before("<worldbody>", SKY), "line 5: <texture> is too large"),
        (before("<worldbody>", NUMBERS), "line 5: <numeric> 'n' is too large"),
        (before("<mujoco", "<!DOCTYPE a>"), "line 2: A document type is declared"),
        ("<mujoco>" + "<body>" * 5000, "too deep"),
        ("<mujoco/>", "A robot without links"),
        ("<mujoco><worldbody></mujoco>", "line 1: This is no XML"),
        ("<robot name='r'/>", "This is no MJCF"),
    ],
)
def test_what_cannot_be_read_is_refused(text, message):
    with pytest.raises(LinkwiseError, match=message):
        mjcf.read(text)
    assert mjcf.inspected(text).robot is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (changed('name="slide"', 'name="slide" stiffness="4"'), "line 10: Joint 'slide' has a spring: stiffness 4"),
        (
            changed('name="slide"', 'name="slide" damping="4 1"'),
            "line 10: Joint 'slide' has damping that is not linear",
        ),
        (changed('body name="hand"', 'body name="hand" gravcomp="1"'), "line 13: Link 'hand' has its weight carried"),
        (changed('gravity="0 0 -9.8"', 'gravity="0 0 -9.8" viscosity="0.1"'), "The robot moves in a fluid"),
        (before("<keyframe>", CORD), "line 18: Tendon 'cord' has forces"),
    ],
)
def test_forces_that_the_robot_lacks_are_warned_of(text, message):
    with pytest.warns(mjcf.MJCFWarning, match=message):
        robot = mjcf.read(text)
    lacking, *_ = mjcf.inspected(text).findings
    assert lacking.severity == "warning"
    assert f"{lacking.what}: {lacking.given}" in robot.notes


def test_warnings_of_mujoco_are_heard_and_not_written_to_a_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    twice = "<mujoco><worldbody><body><joint/><joint/><geom size='1'/></body></worldbody></mujoco>"
    with pytest.warns(mjcf.MJCFWarning, match="MuJoCo warns of it: Inertia matrix is too close to singular"):
        mjcf.read(twice)
    assert mujoco.get_mju_user_warning() is None
    assert not list(tmp_path.iterdir())


def test_springs_that_are_switched_off_are_no_springs():
    text = changed('name="slide"', 'name="slide" stiffness="4"')
    flag = "spring" if hasattr(mujoco.mjtDisableBit, "mjDSBL_SPRING") else "passive"
    mjcf.read(text.replace('<option gravity="0 0 -9.8"/>', f'<option><flag {flag}="disable"/></option>'))


def test_what_has_no_bearing_is_counted_where_it_stands():
    sensors = '<sensor><jointpos joint="slide"/><jointpos joint="twist"/></sensor>'
    contact = '<contact><exclude body1="upper" body2="hand"/></contact>'
    told = {
        finding.what: (finding.given, finding.line)
        for finding in mjcf.inspected(coupled("</equality>" + sensors + contact + "<equality>")).findings
    }
    assert told["What is said of sensors is not used"] == ("2 times, first in line 17", 17)
    assert told["What is said of contacts is not used"] == ("once, first in line 17", 17)


def test_what_has_no_name_goes_by_its_number_and_has_a_line_all_the_same():
    body = '<body>\n<joint stiffness="1"/><geom size="1"/></body>'
    text = f"<mujoco><worldbody>{body}\n<body>\n<freejoint name='f'/><geom size='1'/>{body}</body></worldbody></mujoco>"
    told = [(f.about, f.line) for f in mjcf.inspected(text).findings if "spring" in f.what]
    assert told == [("joint 'joint0'", 2), ("joint 'joint2'", 5)]
    copies = text.replace("<worldbody>", "<worldbody><replicate count='2'>" + body + "</replicate>")
    assert [f.line for f in mjcf.inspected(copies).findings if "spring" in f.what] == [None] * 4


def test_settings_of_the_simulator_are_noted():
    text = changed('gravity="0 0 -9.8"', 'gravity="0 0 -9.8" timestep="0.1" integrator="RK4"')
    told = [(f.given, f.line) for f in mjcf.inspected(text).findings if "solves and integrates" in f.what]
    assert told == [("2 times, first in line 4", 4)]


def test_limits_beyond_ours_are_noted():
    text = """<mujoco><worldbody><body><joint name="ball" type="ball" range="0 90"/><geom size="1"/>
        <body><joint name="hinge" actuatorfrcrange="-7 8"/><geom size="1"/></body></body></worldbody></mujoco>"""
    told = [(f.about, f.line) for f in mjcf.inspected(text).findings if "A limit" in f.what]
    assert told == [("joint 'ball'", 1), ("joint 'hinge'", 2)]


def test_other_files_are_read_from_where_the_file_is(tmp_path, monkeypatch):
    inner = ARM[ARM.index("<worldbody>") : ARM.index("<equality>")]
    (tmp_path / "inner.xml").write_text(f"<mujoco>{inner}</mujoco>", encoding="utf-8")
    path = tmp_path / "outer.xml"
    path.write_text(ARM.replace(inner, "<include file='inner.xml'/>"), encoding="utf-8")
    monkeypatch.chdir(tmp_path.parent)
    robot = mjcf.read(path)
    assert robot.links == mjcf.read(ARM).links
    assert robot.notes == ("What a geom looks like and collides with is not used: 2 times",)
    path.write_text("<mujoco><include file='outer.xml'/></mujoco>", encoding="utf-8")
    with pytest.raises(LinkwiseError, match=r"outer\.xml(.|\n)*MuJoCo refuses"):
        mjcf.read(path)


def test_without_mujoco_it_is_told_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "mujoco", None)
    monkeypatch.delitem(sys.modules, "linkwise.robot.mujoco_model")
    monkeypatch.delattr("linkwise.robot.mujoco_model")
    with pytest.raises(LinkwiseError, match=r"pip install 'linkwise\[mjcf\]'"):
        mjcf.read(ARM)


pieces = st.sampled_from(("", "<", ">", '"', "-", "0", "1e400", "9" * 30, "&a;", "é", "<body>"))


@given(st.integers(0, len(ARM)), st.integers(0, 12), pieces)
def test_nothing_but_our_error_comes_of_a_damaged_file(at, cut, piece):
    with suppress(LinkwiseError, mjcf.MJCFWarning):
        mjcf.read(ARM[:at] + piece + ARM[at + cut :])
