"""What `linkwise check` finds beside what the reader of a file does: idle joints, singular robots, slips of units."""

from __future__ import annotations

import math

import numpy as np
import pinocchio as pin
import pytest
from tests.pinocchio_models import Coordinates, example_files, model

from linkwise.algebra import Placement, Rigid, Sym, Vec
from linkwise.algebra.vec import IDENTITY
from linkwise.errors import LinkwiseError
from linkwise.robot.felt import at_rest, mass_matrix_and_weight
from linkwise.robot.joint import Drive, Joint, Limits
from linkwise.robot.library import library, load
from linkwise.robot.lint import doubts, inspected
from linkwise.robot.model import Link, Robot
from linkwise.robot.skeleton import skeleton

BALL = (1.0, Vec(0.1, 0.2, 0.3), Sym(0.01, 0.0, 0.0, 0.01, 0.0, 0.01))


def arm(joint: Joint, mass: float = 1.0, com: Vec = BALL[1], inertia: Sym = BALL[2]) -> Robot:
    return Robot(
        "arm", (Link("upper", -1, Joint("shoulder", "revolute"), *BALL), Link("fore", 0, joint, mass, com, inertia))
    )


def told(robot: Robot) -> list[tuple[str, str]]:
    return [(finding.severity, finding.what) for finding in doubts(robot)]


def at(x: float) -> Placement:
    return Placement((Rigid(IDENTITY, Vec(x, 0.0, 0.0)),))


def test_nothing_is_said_of_a_sound_robot():
    assert told(arm(Joint("elbow", "revolute", at(0.3), limits=Limits(-2.0, 2.0)))) == []


@pytest.mark.parametrize("name", library())
def test_nothing_new_is_said_of_the_shipped_robots(name):
    robot = load(name)
    slips = [finding.what for finding in doubts(robot) if finding not in robot.check()]
    weightless = "Link 'link1' has moments of inertia and no mass"
    assert slips == ([weightless] if name == "puma-560-armstrong-1986" else [])


SLIPS = {
    "idle": (
        arm(Joint("elbow", "revolute"), 0.0, Vec(0.0, 0.0, 0.0), Sym(0, 0, 0, 0, 0, 0)),
        "error",
        "Nothing resists joint 'elbow'",
    ),
    "far": (arm(Joint("elbow", "revolute", at(300.0))), "warning", "Link 'fore' is far from its parent"),
    "far_centre": (
        arm(Joint("elbow", "revolute"), com=Vec(0.0, 0.0, 12.0)),
        "warning",
        "The centre of mass of link 'fore' is far from its frame",
    ),
    "large": (
        arm(Joint("elbow", "revolute"), inertia=Sym(1e4, 0, 0, 1e4, 0, 1e4)),
        "warning",
        "The moments of inertia of link 'fore' are large",
    ),
    "dense": (arm(Joint("elbow", "revolute"), mass=1500.0), "warning", "Link 'fore' is denser than any matter"),
    "weightless": (
        arm(Joint("elbow", "revolute"), mass=0.0),
        "warning",
        "Link 'fore' has moments of inertia and no mass",
    ),
    "degrees": (
        arm(Joint("elbow", "revolute", limits=Limits(-90.0, 90.0))),
        "warning",
        "The limits of joint 'elbow' are many turns",
    ),
    "millimetres": (
        arm(Joint("elbow", "prismatic", limits=Limits(0.0, 250.0))),
        "warning",
        "The limits of joint 'elbow' are far",
    ),
    "no_room": (
        arm(Joint("elbow", "prismatic", limits=Limits(0.1, 0.1))),
        "warning",
        "Joint 'elbow' has no room within its limits",
    ),
}


@pytest.mark.parametrize("name", SLIPS)
def test_slips_are_told(name):
    robot, severity, what = SLIPS[name]
    assert told(robot) == [(severity, what)]


def test_limits_that_are_meant_to_be_none_are_no_slip():
    for limits in (Limits(-1e16, 1e16), Limits(-math.inf, math.inf), Limits(-4 * math.pi, 4 * math.pi)):
        assert told(arm(Joint("elbow", "revolute", limits=limits))) == []


def test_a_rotor_resists_where_no_link_does():
    nothing = (0.0, Vec(0.0, 0.0, 0.0), Sym(0, 0, 0, 0, 0, 0))
    assert told(arm(Joint("elbow", "revolute", drive=Drive(armature=0.1)), *nothing)) == []


def test_a_mass_on_its_own_axis_makes_the_mass_matrix_singular():
    on_axis = arm(Joint("elbow", "revolute", at(0.3)), 1.0, Vec(0.0, 0.0, 0.2), Sym(0, 0, 0, 0, 0, 0))
    (finding,) = doubts(on_axis)
    assert finding.severity == "error"
    assert "no mass resists joint 'elbow'" in finding.given
    assert finding.about == "joint 'elbow'"


@pytest.mark.parametrize("path", example_files()[::4], ids=lambda path: path.stem)
def test_mass_matrix_and_weight_are_pinocchios(path):
    try:
        robot, theirs = load(path), model(path)
    except (LinkwiseError, ValueError):
        pytest.skip("is refused, see test_urdf_files.py")
    if "free" in (joint.type for joint in robot.joints):
        pytest.skip("rates of a free joint are told in other axes")
    q, coordinates, data = robot.random(7), Coordinates(robot, theirs), theirs.createData()
    bones = skeleton(robot)
    M, weight = mass_matrix_and_weight(bones, at_rest(bones, q.tolist(), robot.nv), robot.nv)
    expected = coordinates.from_theirs_matrix(q, pin.crba(theirs, data, coordinates.q(q)))
    expected_weight = coordinates.from_theirs_tau(q, pin.computeGeneralizedGravity(theirs, data, coordinates.q(q)))
    np.testing.assert_allclose(M, expected, rtol=1e-11, atol=1e-12 * abs(expected).max(initial=1.0))
    np.testing.assert_allclose(weight, expected_weight, rtol=1e-11, atol=1e-12 * abs(expected_weight).max(initial=1.0))


def test_findings_of_a_toml_file_have_their_lines(tmp_path):
    path = tmp_path / "arm.toml"
    body = 'mass = 1.0\ninertia = [0.01, 0.01, 1.0]\n[link.joint]\nname = "{}"\ntype = "revolute"\n'
    path.write_text(
        'name = "arm"\n[[link]]\nname = "a"\n' + body.format("b") + "limits = { lower = 1.0, upper = 1.0 }\n"
    )
    assert [(f.line, f.severity) for f in inspected(path).findings] == [(2, "warning"), (6, "warning")]
    path.write_text('name = "arm"\n[[link]]\nname = "a"\n' + body.format("b").replace("1.0\n", "nan\n"))
    (finding,) = inspected(path).findings
    assert str(finding) == "line 4: link 'a': mass is not a finite number: nan"
    path.write_text('name = "arm"\n[[link]]\nname = "a"\n' + body.format("b") + "limits = { lower = 1, upper = -1 }\n")
    (finding,) = inspected(path).findings
    assert (
        str(finding) == "line 9: link 'a': joint 'b': limits: The limits of a joint leave it no room: from 1.0 to -1.0"
    )
    path.write_text('name = "arm"\n[[link]]\nname = "a"\n' + body.format("b") + 'mimic = { joint = "c" }\n')
    (finding,) = inspected(path).findings
    assert str(finding) == "line 6: Joint 'b' mimics a joint that there is not: 'c'"


@pytest.mark.parametrize("path", example_files(), ids=lambda path: path.stem)
def test_every_finding_about_a_file_has_its_line(path):
    for finding in inspected(path).findings:
        assert finding.line
        assert finding.mend
