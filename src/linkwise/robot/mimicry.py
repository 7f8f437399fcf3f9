"""Joints that follow another one: who leads them in the end, and by how much."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ..algebra import Scalar
from ..errors import LinkwiseError
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
    for joint in joints.values():
        path = [joint.name]
        while (mimic := joints[path[-1]].mimic) is not None:
            _check_leader(joints, path[-1], mimic.joint)
            if mimic.joint in path:
                raise _circle([*path[path.index(mimic.joint) :], mimic.joint])
            path.append(mimic.joint)


def _check_leader(joints: dict[str, Joint], name: str, leader: str) -> None:
    if leader not in joints:
        raise LinkwiseError(
            f"Joint {name!r} mimics a joint that there is not",
            given=repr(leader),
            expected="one of " + ", ".join(n for n, j in joints.items() if j.kind.nv == 1 and n != name),
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
        "Joints mimic each other in a circle",
        given=" mimics ".join(map(repr, names)),
        expected="a joint that moves by itself at the end",
        mend="let one of them move by itself",
    )
