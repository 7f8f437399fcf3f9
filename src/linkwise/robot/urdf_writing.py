"""Robots written as URDF: all that it can hold, and an error that names what it cannot.

Joints of other kinds are refused. What is no part of the mechanism (gravity, named poses), what URDF has no word for
(armature), and an order of the joints that URDF does not tell, may be left out by name; the source and the notes become
comments, the tip a link of its own. A bound that there is not is written as the largest float, as other readers want
one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from xml.etree import ElementTree as xml

from ..algebra import ZERO, ZERO_TENSOR, Placement, Scalar, Vec
from ..errors import LinkwiseError
from . import given
from .angles import rpy_of
from .joint import IN_PLACE, NO_DRIVE, NO_LIMITS, Joint
from .listing import numeral, shown
from .model import BASE, STANDARD_GRAVITY, Link, Robot
from .urdf import MEANT, TYPES, UNBOUNDED
from .urdf_transmission import RATIO, ROTOR, SIMPLE
from .urdf_tree import ROOT_JOINT, new_name

WORDS = {ours: theirs for theirs, ours in TYPES.items()}
"""What linkwise calls a type of joint, and what URDF does."""

GROUND = "world"
"""The name of the link that others stand on, where there is not one link that does so by itself."""

TIP = "tip"

MAY_BE_LEFT_OUT = ("gravity", "armature", "configurations", "order")

NO_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that no XML may have."""


def write(robot: Robot, leave_out: Sequence[str] = ()) -> str:
    """The text of a file from which `linkwise.load` makes the same robot, its turns to rounding."""
    for link in robot.links:
        _refuse_what_has_no_word(link)
    _refuse_losses(robot, leave_out)
    root = xml.Element("robot", name=_name(robot.name, "the robot"))
    for words in filter(None, (robot.source, *robot.notes)):
        root.append(xml.Comment(f" {_harmless(words)} "))
    ground = _ground(robot)
    if ground:
        xml.SubElement(root, "link", name=ground)
    for link in robot.links:
        _add_link(root, link)
        if link.parent != BASE or ground:
            _add_joint(root, link, robot.links[link.parent].name if link.parent != BASE else ground)
    _add_tip(root, robot)
    _add_transmissions(root, robot)
    xml.indent(root)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{xml.tostring(root, encoding="unicode")}\n'


def _ground(robot: Robot) -> str:
    """A link to stand on; none where one link stands by itself, as the reader has it."""
    standing = [link.joint for link in robot.links if link.parent == BASE]
    own = new_name(ROOT_JOINT, [link.joint.name for link in robot.links if link.parent != BASE])
    alone = len(standing) == 1 and standing[0] == Joint(own, "fixed", axis=standing[0].axis)
    return "" if alone else new_name(GROUND, robot.link_names)


def _add_link(root: xml.Element, link: Link) -> None:
    element = xml.SubElement(root, "link", name=_name(link.name, f"link {link.name!r}"))
    if (link.mass, link.com, link.inertia) == (0.0, ZERO, ZERO_TENSOR):
        return
    inertial = xml.SubElement(element, "inertial")
    if link.com != ZERO:
        xml.SubElement(inertial, "origin", xyz=_numbers(link.com))
    xml.SubElement(inertial, "mass", value=numeral(link.mass))
    entries = zip(("ixx", "ixy", "ixz", "iyy", "iyz", "izz"), map(numeral, link.inertia.entries), strict=True)
    xml.SubElement(inertial, "inertia", dict(entries))


def _add_joint(root: xml.Element, link: Link, parent: str) -> None:
    joint = link.joint
    name = _name(joint.name, f"joint {joint.name!r}")
    element = xml.SubElement(root, "joint", name=name, type=_word(joint))
    xml.SubElement(element, "parent", link=parent)
    xml.SubElement(element, "child", link=link.name)
    _add_origin(element, joint.placement)
    if "axis" in MEANT[joint.kind.nv]:
        xml.SubElement(element, "axis", xyz=_numbers(joint.axis))
    if joint.kind.nv == 1:
        _add_limit(element, joint)
        _add_losses(element, joint)
        _add_mimic(element, joint)


def _word(joint: Joint) -> str:
    """What URDF calls the joint: one that turns without bounds is continuous."""
    bounded = joint.limits.lower or joint.limits.upper
    return "continuous" if joint.type == "revolute" and not bounded else WORDS[joint.type]


def _add_origin(element: xml.Element, placement: Placement) -> None:
    position, rpy = placement.position, rpy_of(placement.rotation.matrix)
    if (position, rpy) != (ZERO, ZERO):
        xml.SubElement(element, "origin", xyz=_numbers(position), rpy=_numbers(rpy))


def _add_limit(element: xml.Element, joint: Joint) -> None:
    limits = joint.limits
    if _word(joint) == "continuous" and limits == NO_LIMITS:
        return
    bounds = {"velocity": limits.velocity, "effort": limits.effort}
    told = {key: numeral(min(*bound, UNBOUNDED)) if bound else numeral(UNBOUNDED) for key, bound in bounds.items()}
    if _word(joint) != "continuous":
        told["lower"] = numeral(max(*(limits.lower or (-UNBOUNDED,)), -UNBOUNDED))
        told["upper"] = numeral(min(*(limits.upper or (UNBOUNDED,)), UNBOUNDED))
    xml.SubElement(element, "limit", told)


def _add_losses(element: xml.Element, joint: Joint) -> None:
    losses = {"damping": joint.drive.damping, "friction": joint.drive.friction}
    told = {key: numeral(values[0]) for key, values in losses.items() if values}
    if told:
        xml.SubElement(element, "dynamics", told)


def _add_mimic(element: xml.Element, joint: Joint) -> None:
    if joint.mimic:
        multiplier, offset = numeral(joint.mimic.multiplier), numeral(joint.mimic.offset)
        xml.SubElement(element, "mimic", joint=joint.mimic.joint, multiplier=multiplier, offset=offset)


def _add_tip(root: xml.Element, robot: Robot) -> None:
    if robot.tip == IN_PLACE:
        return
    joints = [link.joint.name for link in robot.links]
    tip = Joint(new_name(f"{TIP}_joint", joints), "fixed", robot.tip)
    link = Link(new_name(TIP, (*robot.link_names, GROUND)), BASE, tip)
    _add_link(root, link)
    _add_joint(root, link, robot.links[-1].name)


def _add_transmissions(root: xml.Element, robot: Robot) -> None:
    """What the reader takes for a motor: ROS's words, and Drake's for what these do not tell."""
    for joint in (link.joint for link in robot.links):
        if (joint.drive.rotor_inertia, joint.drive.gear_ratio) == (NO_DRIVE.rotor_inertia, NO_DRIVE.gear_ratio):
            continue
        root.set("xmlns:drake", "http://drake.mit.edu")
        transmission = xml.SubElement(root, "transmission", name=f"{joint.name}_transmission")
        xml.SubElement(transmission, "type").text = SIMPLE
        xml.SubElement(transmission, "joint", name=joint.name)
        actuator = xml.SubElement(transmission, "actuator", name=f"{joint.name}_motor")
        xml.SubElement(actuator, ROTOR, value=numeral(joint.drive.rotor_inertia))
        xml.SubElement(actuator, RATIO, value=numeral(joint.drive.gear_ratio))


def _numbers(items: Vec | Iterable[Scalar]) -> str:
    return " ".join(map(numeral, items))


# What URDF cannot hold


def _name(name: str, what: str) -> str:
    wrong = NO_XML.search(name)
    if wrong or "${" in name or "$(" in name:
        raise LinkwiseError(
            f"The name of {what} cannot stand in URDF",
            given=repr(name),
            expected="characters that XML may have, and neither ${ nor $(, which are xacro's",
            mend="rename it",
        )
    return name


def _harmless(words: str) -> str:
    """Words that may stand in a comment."""
    return re.sub("-(?=-|$)", "- ", NO_XML.sub("?", words))


def _refuse_what_has_no_word(link: Link) -> None:
    joint = link.joint
    if joint.type not in WORDS:
        raise _no_word(link, f"a {joint.type} joint", "joints of the types " + ", ".join(WORDS), PARTS[joint.type])
    if joint.kind.nv != 1 and (joint.limits, joint.drive) != (NO_LIMITS, NO_DRIVE):
        raise _no_word(link, f"limits or a drive of a {joint.type} joint", "them on joints of one motion", WITHOUT)
    if joint.type == "continuous" and (joint.limits.lower or joint.limits.upper):
        raise _no_word(link, "bounds of a continuous joint", "them on revolute joints", "make it revolute")


WITHOUT = "give a robot without them"

PARTS = {
    "helical": "keep the robot in TOML: a nut and its screw are no joints of URDF",
    "cylindrical": "describe it as a revolute and a prismatic joint, with a massless link between them",
    "universal": "describe it as two revolute joints, with a massless link between them",
    "spherical": "keep the robot in TOML, or take three revolute joints with massless links between them",
}
"""What may stand for a type of joint that URDF has not."""


def _no_word(link: Link, told: str, expected: str, mend: str) -> LinkwiseError:
    what = f"URDF has no word for joint {link.joint.name!r}, which carries link {link.name!r}"
    return LinkwiseError(what, given=told, expected=expected, mend=mend)


def _refuse_losses(robot: Robot, leave_out: Sequence[str]) -> None:
    allowed = [leave_out] if isinstance(leave_out, str) else leave_out
    for word in allowed:
        given.one_of(word, MAY_BE_LEFT_OUT, "part of a robot to leave out")
    lost = {word: told for word, told in _losses(robot) if word not in allowed}
    if lost:
        raise LinkwiseError(
            f"URDF cannot hold all of {robot.name!r}",
            given="; ".join(lost.values()),
            expected="gravity (0, 0, -9.81), no armature, no named poses, joints in the order of the tree",
            mend=f"leave it out knowingly: leave_out={(*allowed, *lost)!r}, on the command line "
            + " ".join(f"--leave-out {word}" for word in (*allowed, *lost)),
        )


def _losses(robot: Robot) -> Iterator[tuple[str, str]]:
    """What is lost, by the word that allows it."""
    if robot.gravity != STANDARD_GRAVITY:
        yield "gravity", f"gravity {shown(tuple(robot.gravity))} m/s²"
    armed = [link.joint.name for link in robot.links if any(link.joint.drive.armature)]
    if armed:
        yield "armature", "armature of " + _listed("joint", armed)
    if robot.configurations:
        yield "configurations", _listed("configuration", [c.name for c in robot.configurations])
    astray = _astray(robot)
    if astray:
        yield "order", f"the order of the joints: {astray!r} stands apart from its branch"


def _listed(what: str, names: Sequence[str]) -> str:
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return f"{what} " + ", ".join(map(repr, names[:3])) + more


def _astray(robot: Robot) -> str:
    """The first joint that a reader who goes down branch after branch comes by at another place; none if there is none.

    The parent of a link must be the one before it, or one that carries that.
    """
    path = [BASE]
    for i, link in enumerate(robot.links):
        while path and path[-1] != link.parent:
            path.pop()
        if not path:
            return link.joint.name
        path.append(i)
    return ""
