"""A robot set afloat: its base link carried by a free joint instead of standing."""

from __future__ import annotations

from dataclasses import replace

from ..errors import LinkwiseError
from .joint import IN_PLACE, Joint
from .model import BASE, Configuration, Link, Robot

NEW_BASE = "floating_base"


def afloat(robot: Robot, name: str) -> Robot:
    """The base link on a free joint; a massless base link is made where several or moving links stand on the ground."""
    standing = [i for i, link in enumerate(robot.links) if link.parent == BASE]
    first = robot.links[standing[0]]
    if first.joint.type == "free":
        raise LinkwiseError(
            f"{robot.name!r} is afloat already",
            given=f"the free joint {first.joint.name!r}",
            expected="a robot that stands on the ground",
            mend="take it as it is",
        )
    joint = Joint(name, "free", first.joint.placement if len(standing) == 1 and not first.joint.nv else IN_PLACE)
    if len(standing) == 1 and first.joint.type == "fixed":
        links = tuple(replace(link, joint=joint) if i == standing[0] else link for i, link in enumerate(robot.links))
    else:
        links = (Link(NEW_BASE, BASE, joint), *(replace(link, parent=link.parent + 1) for link in robot.links))
    return replace(robot, links=links, configurations=tuple(_afloat(pose) for pose in robot.configurations))


def _afloat(pose: Configuration) -> Configuration:
    """The same pose with the base where it stood."""
    return replace(pose, q=(0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, *pose.q))
