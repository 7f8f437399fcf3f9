"""A robot without its fixed joints, and how far it reaches."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import NamedTuple

from ..algebra import Placement
from .joint import IN_PLACE, Joint
from .model import BASE, Link, Robot
from .skeleton import centroidal, whole


def carriers(robot: Robot) -> list[tuple[int, Placement]]:
    """For each link, the moving link that it is part of (itself, or none), and where it sits in that one's frame."""
    found: list[tuple[int, Placement]] = []
    for i, link in enumerate(robot.links):
        carrier, frame = (BASE, IN_PLACE) if link.parent == BASE else found[link.parent]
        found.append((i, IN_PLACE) if link.joint.kind.nv else (carrier, frame.then(link.joint.placement)))
    return found


def merged(robot: Robot) -> Robot | None:
    """The moving links alone, each with the masses of all that it carries rigidly; none if nothing moves.

    What stands on the ground is left out, and so are the frames of links on fixed joints.
    """
    found = carriers(robot)
    moving = [i for i, link in enumerate(robot.links) if link.joint.kind.nv]
    links = tuple(_alone(robot, found, i, moving) for i in moving)
    last, frame = found[-1]
    tip = frame.then(robot.tip) if moving and last == moving[-1] else IN_PLACE
    return replace(robot, links=links, tip=tip) if links else None


def _alone(robot: Robot, found: list[tuple[int, Placement]], i: int, moving: list[int]) -> Link:
    link = robot.links[i]
    carrier, frame = (BASE, IN_PLACE) if link.parent == BASE else found[link.parent]
    joint = replace(link.joint, placement=frame.then(link.joint.placement))
    alone = replace(link, parent=BASE if carrier == BASE else moving.index(carrier), joint=joint)
    parts = [(robot.links[k], place) for k, (by, place) in enumerate(found) if by == i]
    if len(parts) == 1:
        return alone
    total = whole(parts)
    com, inertia = centroidal(total)
    return replace(alone, mass=total.mass, com=com, inertia=inertia)


class Reach(NamedTuple):
    """No pose has the frame of the link farther than this from that of the joint."""

    at_most: float
    joint: str
    link: str


def reach(robot: Robot) -> Reach | None:
    """Of all links the one that may get farthest from the first joint that carries it, free and planar ones apart."""
    begins: dict[int, tuple[str, float]] = {BASE: ("", 0.0)}
    """For each moving link, the first joint on its way, and how far from it the link may get."""
    found = Reach(0.0, "", "")
    places = carriers(robot)
    for i, (link, (carrier, frame)) in enumerate(zip(robot.links, places, strict=True)):
        if link.joint.kind.nv:
            begins[i] = _begin(link, places, begins)
        joint, far = begins[carrier]
        far += math.hypot(*frame.position)
        if joint and far > found.at_most:
            found = Reach(far, joint, link.name)
    return found if found.link else None


def _begin(link: Link, places: list[tuple[int, Placement]], begins: dict[int, tuple[str, float]]) -> tuple[str, float]:
    if link.joint.type in ("free", "planar"):
        return "", 0.0
    carrier, frame = (BASE, IN_PLACE) if link.parent == BASE else places[link.parent]
    first, far = begins[carrier]
    step = math.hypot(*frame.then(link.joint.placement).position) if first else 0.0
    return first or link.joint.name, far + step + _travel(link.joint)


def _travel(joint: Joint) -> float:
    """How far the joint may slide from nought."""
    slides = [i for i, motion in enumerate(joint.kind.motions) if motion in "PH"]
    if not slides:
        return 0.0
    lower, upper = joint.limits.lower, joint.limits.upper
    if not (lower and upper):
        return math.inf
    most = max(max(abs(lower[i]), abs(upper[i])) for i in slides)
    return most * abs(joint.pitch) if joint.type == "helical" else most
