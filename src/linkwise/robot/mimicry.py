"""Joints that follow another one: who leads them in the end, and by how much."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from ..algebra import Scalar
from ..errors import LinkwiseError
from . import given
from .joint import Joint

if TYPE_CHECKING:
    from .model import Robot


class Follows(NamedTuple):
    """A position that is multiplier times the leader's, plus offset."""

    leader: str
    multiplier: Scalar = 1.0
    offset: Scalar = 0.0


def leader(robot: Robot, joint: Joint) -> Follows:
    """The joint that a joint follows in the end, through all that are between; a joint of its own follows itself."""
    joints = {link.joint.name: link.joint for link in robot.links}
    found = Follows(joint.name)
    while (mimic := joints[found.leader].mimic) is not None:
        _, multiplier, offset = found
        found = Follows(mimic.joint, multiplier * mimic.multiplier, multiplier * mimic.offset + offset)
    return found


def check_mimics(robot: Robot) -> None:
    """Raise unless every joint that mimics another leads to a joint of one motion that moves by itself."""
    joints = {link.joint.name: link.joint for link in robot.links}
    led: set[str] = set()
    for name in joints:
        check_led(name, joints, led)


def check_led(name: str, joints: Mapping[str, Joint], led: set[str]) -> None:
    """Raise unless the joint leads there; it and all that are between are put with those that do."""
    path = {name: None}
    while name not in led and (mimic := joints[name].mimic) is not None:
        _check_leader(joints, name, mimic.joint)
        if mimic.joint in path:
            names = [*path, mimic.joint]
            raise _circle(names[names.index(mimic.joint) :])
        name = mimic.joint
        path[name] = None
    led.update(path)


def _check_leader(joints: Mapping[str, Joint], name: str, leader: str) -> None:
    if leader not in joints:
        raise LinkwiseError(
            f"Joint {name!r} mimics a joint that there is not",
            given=repr(leader),
            expected="one of " + given.listed(n for n, j in joints.items() if j.kind.nv == 1 and n != name),
            mend="name the joint that drives it",
        )
    if joints[leader].kind.nv != 1:
        raise LinkwiseError(
            f"Joint {name!r} mimics a joint that has not one motion",
            given=f"{leader!r}, a {joints[leader].type} joint",
            expected="a joint of one motion",
            mend="name another joint",
        )


def _circle(names: list[str]) -> LinkwiseError:
    return LinkwiseError(
        f"Joint {names[0]!r} and others mimic each other in a circle",
        given=given.listed(map(repr, names), " mimics "),
        expected="a joint that moves by itself at the end",
        mend="let one of them move by itself",
    )
