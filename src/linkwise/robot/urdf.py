"""Robots as URDF, the XML of ROS, as its specification at http://wiki.ros.org/urdf/XML tells it.

Every number is taken as it is printed. What a file has and dynamics do not use (meshes, simulators' settings,
controllers' limits) is counted, named in the robot's notes, and told line by line by `inspected`.
"""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from ..algebra import IDENTITY, X_AXIS, Z_AXIS, ZERO, ZERO_TENSOR, Mat, Placement, Rigid, Sym, Vec
from ..errors import LinkwiseError
from . import given
from .angles import rotation_of
from .finding import Finding, Findings, Inspection, TooMany
from .joint import IN_PLACE, JOINT_TYPES, NO_DRIVE, NO_LIMITS, Drive, Joint, Limits, Mimic
from .model import Link, Robot
from .skeleton import of_quaternion
from .urdf_transmission import RATIO, REDUCTION, ROTOR, drives
from .urdf_tree import Body, Branch, grown
from .xml import Element, content, parsed, unexpanded

TYPES = {
    "revolute": "revolute",
    "continuous": "continuous",
    "prismatic": "prismatic",
    "fixed": "fixed",
    "floating": "free",
    "planar": "planar",
}
"""What URDF calls a type of joint, and what linkwise does."""

PRINTED = 1e-3
"""How far an axis may be from length one before that is no matter of printed digits: 0.577 is 1/√3 to within it."""

ROUNDING = 4 * 2.0**-52
"""How far the length of an axis may be from one before it is divided by that."""

TURN = 7.0
"""Radians that no angle needs to be above: a turn, and some."""

UNBOUNDED = sys.float_info.max
"""What is written for a bound that there is not, as other readers do not take inf."""

USED: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "robot": (("name", "version"), ("link", "joint", "transmission")),
    "link": (("name",), ("inertial",)),
    "inertial": ((), ("origin", "mass", "inertia")),
    "origin": (("xyz", "rpy", "quat_xyzw"), ()),
    "mass": (("value",), ()),
    "inertia": (("ixx", "ixy", "ixz", "iyy", "iyz", "izz"), ()),
    "joint": (("name", "type"), ("origin", "parent", "child", "axis", "limit", "dynamics", "mimic")),
    "parent": (("link",), ()),
    "child": (("link",), ()),
    "axis": (("xyz",), ()),
    "limit": (("lower", "upper", "velocity", "effort"), ()),
    "dynamics": (("damping", "friction"), ()),
    "mimic": (("joint", "multiplier", "offset"), ()),
    "transmission": (("name",), ("type", "joint", "actuator", REDUCTION)),
    "actuator": (("name",), (ROTOR, RATIO, REDUCTION)),
    ROTOR: (("value",), ()),
    RATIO: (("value",), ()),
}
"""The attributes and the children that are read of each element; all others are not used."""


MEANT = {0: (), 1: ("axis", "limit", "dynamics", "mimic"), 3: ("axis",), 6: ()}
"""What has a meaning for a joint of so many motions."""


def read(path_or_text: str | os.PathLike[str]) -> Robot:
    """The robot of a file, or of a text that has a tag in it."""
    origin = "the text" if _is_text(path_or_text) else str(path_or_text)
    return inspected(path_or_text).sound(origin)


def inspected(path_or_text: str | os.PathLike[str]) -> Inspection:
    """The robot as far as it can be understood, with all errors, warnings and notes about it."""
    if isinstance(path_or_text, str) and _is_text(path_or_text):
        return _inspected(path_or_text.encode("utf-8", "surrogatepass"))
    return _inspected(content(path_or_text))


def _is_text(path_or_text: str | os.PathLike[str]) -> bool:
    return isinstance(path_or_text, str) and "<" in path_or_text


def _inspected(data: bytes) -> Inspection:
    root = parsed(data)
    if isinstance(root, Finding):
        return Inspection(None, (root,))
    if root.tag != "robot":
        return Inspection(None, (_no_urdf(root),))
    findings = Findings()
    try:
        robot, lines = _understood(root, findings)
    except TooMany:
        return Inspection(None, findings.told())
    return Inspection(robot, findings.told(), lines)


def _understood(root: Element, findings: Findings) -> tuple[Robot | None, dict[str, int]]:
    """The robot, if there is a tree of links, and the lines of its links and joints."""
    _note_unused(root, findings)
    bodies = [_body(element, findings) for element in root.all("link")]
    geared = drives(root, findings)
    branches = [_branch(element, geared, findings) for element in root.all("joint")]
    links = grown(root.line, bodies, branches, findings)
    robot = findings.tried(root.line, None, _robot, root, links, findings) if links else None
    lines = {f"link {body.name!r}": body.line for body in bodies}
    lines |= {f"joint {branch.joint.name!r}": branch.line for branch in branches}
    return robot, lines


def _no_urdf(root: Element) -> Finding:
    kinds = {"mujoco": "MJCF, which `linkwise.load` reads from files ending in .xml", "sdf": "SDF"}
    mend = f"this is {kinds[root.tag]}" if root.tag in kinds else "check that this is the file you meant"
    return Finding("error", "This is no URDF", f"<{root.tag:.50}>", "<robot> around everything", mend, line=root.line)


def _robot(root: Element, links: tuple[Link, ...], findings: Findings) -> Robot:
    name = findings.tried(root.line, "robot", root.word, "name")
    notes = tuple(f"{finding.what}: {finding.given}" for finding in findings.told() if finding.severity == "note")
    return Robot(name, links, notes=notes)


def _note_unused(element: Element, findings: Findings) -> None:
    """Count what is not read in an element that is, and in those in it that are."""
    attributes, children = USED[element.tag]
    for key in element.attributes:
        if key not in attributes and not key.startswith("xmlns"):
            findings.unused(f"The attribute {key!r} of <{element.tag}>", element.line)
    for child in element.children:
        if child.tag.startswith("xacro:"):
            findings.add(Finding.of(unexpanded(str(child), f"<{child.tag}>"), child.line))
        elif child.tag not in children:
            findings.unused(f"<{child.tag}>" + (f" in <{element.tag}>" if element.tag != "robot" else ""), child.line)
        elif child.tag in USED:
            _note_unused(child, findings)


# Links


def _body(element: Element, findings: Findings) -> Body:
    line = element.line
    name = findings.tried(line, f"link in line {line}", element.word, "name")
    inertial = findings.tried(line, None, element.one, "inertial")
    if inertial is None:
        return Body(name, line)
    mass, com, inertia = findings.tried(inertial.line, (0.0, ZERO, ZERO_TENSOR), _inertial, inertial, findings)
    return Body(name, line, mass, com, inertia)


def _inertial(element: Element, findings: Findings) -> tuple[float, Vec, Sym]:
    """Mass, centre and the moments about it in the link's axes, wherever the file's axes of inertia are."""
    frame = _placement(element, findings)
    moments = element.needed("inertia")
    inertia = Sym(*(moments.number(key) for key in USED["inertia"][0]))
    return element.needed("mass").number("value"), frame.position, frame.rotation.similar(inertia)


def _placement(element: Element, findings: Findings) -> Placement:
    origin = element.one("origin")
    if origin is None:
        return IN_PLACE
    position, rotation = Vec(*origin.numbers("xyz", 3, (0.0, 0.0, 0.0))), _rotation(origin, findings)
    return IN_PLACE if position == ZERO and rotation == IDENTITY else Placement((Rigid(rotation, position),))


def _rotation(origin: Element, findings: Findings) -> Mat:
    if "quat_xyzw" not in origin.attributes:
        rpy = origin.numbers("rpy", 3, (0.0, 0.0, 0.0))
        if max(map(abs, rpy)) > TURN:
            findings.add(_in_degrees(origin, max(map(abs, rpy))))
        return rotation_of(Vec(*rpy))
    x, y, z, w = origin.numbers("quat_xyzw", 4)
    if "rpy" in origin.attributes or abs(math.hypot(x, y, z, w) - 1.0) > PRINTED:
        raise LinkwiseError(
            "The rotation of <origin> is not clear",
            given=" ".join(f'{key}="{value:.80}"' for key, value in origin.attributes.items()),
            expected="rpy, or else a quaternion of length 1",
            mend="leave out one of them, or divide the quaternion by its length",
        )
    return of_quaternion(w, x, y, z)


def _in_degrees(origin: Element, angle: float) -> Finding:
    told = origin.attributes["rpy"]
    mend = "multiply by π/180 if these are degrees"
    return Finding("warning", "An angle is more than a turn", told, "radians", mend, value=angle, line=origin.line)


# Joints


def _branch(element: Element, geared: Mapping[str, Drive], findings: Findings) -> Branch:
    line = element.line
    name = findings.tried(line, f"joint in line {line}", element.word, "name")
    parent, child = (findings.tried(line, "", _end, element, tag) for tag in ("parent", "child"))
    stump = Joint(name, "fixed")
    joint = findings.tried(line, stump, _joint, element, name, geared.get(name, NO_DRIVE), findings)
    mimic = next(element.all("mimic"), element)
    return Branch(joint, parent, child, line, mimic.line)


def _end(element: Element, tag: str) -> str:
    return element.needed(tag).word("link")


def _joint(element: Element, name: str, drive: Drive, findings: Findings) -> Joint:
    told = given.one_of(element.word("type"), tuple(TYPES), f"type of {element}")
    kind = JOINT_TYPES[TYPES[told]]
    meant = MEANT[kind.nv]
    for child in element.children:
        if child.tag in MEANT[1] and child.tag not in meant:
            findings.unused(f"<{child.tag}> of {told} joints", child.line)
    tried = partial(findings.tried, element.line)
    return Joint(
        name=name,
        type=kind.name,
        placement=tried(IN_PLACE, _placement, element, findings),
        axis=tried(Z_AXIS, _axis, element, findings) if "axis" in meant else Z_AXIS,
        limits=tried(NO_LIMITS, _limits, element, told, findings) if "limit" in meant else NO_LIMITS,
        mimic=tried(None, _mimic, element) if "mimic" in meant else None,
        drive=tried(NO_DRIVE, _drive, element, drive) if "dynamics" in meant else NO_DRIVE,
    )


def _axis(element: Element, findings: Findings) -> Vec:
    axis = element.one("axis")
    if axis is None:
        return X_AXIS
    told = axis.numbers("xyz", 3, tuple(X_AXIS))
    length = math.hypot(*told)
    if not 0.0 < length < math.inf:
        raise LinkwiseError(
            f"The axis of {element} has no direction",
            given=axis.attributes["xyz"],
            expected="a vector of length 1",
            mend='name a direction, such as xyz="0 0 1"',
        )
    unit = Vec(*told) if abs(length - 1.0) <= ROUNDING else Vec(*(x / length for x in told))
    if abs(length - 1.0) > PRINTED:
        findings.add(_wrong_length(element, axis, length, unit))
    return unit


def _wrong_length(element: Element, axis: Element, length: float, unit: Vec) -> Finding:
    return Finding(
        "warning",
        f"The axis of {element} is not of length 1",
        f"length {length:.6g}; its direction is used",
        "length 1",
        "write " + " ".join(map(repr, unit)),
        about=_about(element),
        value=length,
        line=axis.line,
    )


def _limits(element: Element, told: str, findings: Findings) -> Limits:
    """The bounds of a joint of one motion; those of its position are nought where they are left out, as specified."""
    limit = element.one("limit")
    if limit is None:
        if told != "continuous":
            findings.add(replace(_unbounded(element), line=element.line))
        return NO_LIMITS
    velocity, effort = _bound(limit, "velocity"), _bound(limit, "effort")
    if told == "continuous":
        if limit.bound("lower") or limit.bound("upper"):
            findings.unused("lower and upper of continuous joints", limit.line)
        return findings.tried(limit.line, NO_LIMITS, Limits, (), (), velocity, effort)
    lower, upper = _bound(limit, "lower", (0.0,), side=-1.0), _bound(limit, "upper", (0.0,))
    return findings.tried(limit.line, NO_LIMITS, Limits, lower, upper, velocity, effort)


def _bound(limit: Element, key: str, left_out: tuple[float, ...] = (), side: float = 1.0) -> tuple[float, ...]:
    """A bound that says something: the largest number there is says nothing."""
    told = limit.bound(key) or left_out
    return () if told and side * told[0] >= UNBOUNDED else told


def _unbounded(element: Element) -> Finding:
    mend = 'write <limit lower="…" upper="…" effort="…" velocity="…"/>, or make the joint continuous'
    what, told = f"{element} has no <limit>", "a joint without bounds"
    return Finding("warning", what, told, "bounds", mend, about=_about(element))


def _about(joint: Element) -> str:
    """It may have no name, which is an error of its own."""
    return f"joint {joint.attributes.get('name')!r}"


def _mimic(element: Element) -> Mimic | None:
    mimic = element.one("mimic")
    return mimic and Mimic(mimic.word("joint"), mimic.number("multiplier", 1.0), mimic.number("offset", 0.0))


def _drive(element: Element, drive: Drive) -> Drive:
    dynamics = element.one("dynamics")
    if dynamics is None:
        return drive
    damping, friction = dynamics.number("damping", 0.0), dynamics.number("friction", 0.0)
    return replace(drive, damping=(damping,) if damping else (), friction=(friction,) if friction else ())
