"""All that there is to say of the file of a robot: what its reader found, and what a robot can hardly be.

Which mass properties no body can have is told by check.py. Here is what else keeps a robot from moving by the laws of
mechanics, and what was hardly meant: lengths in millimetres, angles in degrees, bodies denser than any matter.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator

import numpy as np

from .check import findings, inertialess, principal_moments
from .felt import at_rest, mass_matrix_and_weight
from .finding import Finding, Inspection, located, ordered
from .joint import Joint
from .library import file_of, reader_of
from .model import BASE, Link, Robot
from .skeleton import skeleton

FAR = 10.0
"""Metres from a link to its parent, of a slide or of a radius of gyration: in millimetres a hand is that far."""

DENSEST = 1e5
"""kg/m³, some four times the densest metal."""

TURNS = 8 * math.pi
"""Radians of a limit: four turns. In degrees, a little more than 25."""

ENDLESS = 1e4
"""Limits from here on, in any unit, say that there is none."""

MOST = 500
"""Degrees of freedom of a robot whose mass matrix is looked at."""


def inspected(name_or_path: str | os.PathLike[str]) -> Inspection:
    """The robot of a file, as far as it can be understood, with everything that there is to say of it."""
    with file_of(name_or_path) as path:
        read = reader_of(path).inspected(path)
    if read.robot is None:
        return read
    more = located(doubts(read.robot), read.lines)
    return Inspection(read.robot, ordered((*read.findings, *more)), read.lines)


def doubts(robot: Robot) -> Iterator[Finding]:
    """What is impossible or unlikely about a robot of numbers."""
    yield from findings(robot)
    idle = list(_idle(robot))
    yield from idle or _singular(robot)
    for link in robot.links:
        yield from _of_lengths(link)
        yield from _of_matter(link)
        yield from _of_limits(link.joint)


# Motions that nothing resists


def _idle(robot: Robot) -> Iterator[Finding]:
    """The joints that carry neither mass nor moments."""
    carries = [link.mass != 0.0 or any(link.inertia.entries) for link in robot.links]
    for i, link in reversed(list(enumerate(robot.links))):
        if link.parent != BASE and carries[i]:
            carries[link.parent] = True
    for link, loaded in zip(robot.links, carries, strict=True):
        if link.joint.nv and not loaded and not all(link.joint.reflected_inertia):
            yield _finding(
                "error",
                f"joint {link.joint.name!r}",
                "Nothing resists joint {name}",
                "no mass and no moment of inertia in all that it carries",
                "some, or else forces determine no acceleration",
                f"give link {link.name!r} or those on it their masses, or make the joint fixed",
            )


def _singular(robot: Robot) -> Iterator[Finding]:
    """What the mass matrix tells where no symmetry of the robot hides anything."""
    if not 0 < robot.nv <= MOST:
        return
    pose = [1.0 + math.sin(i * i) for i in range(1, robot.nq + 1)]
    bones = skeleton(robot)
    M, _ = mass_matrix_and_weight(bones, at_rest(bones, pose, robot.nv), robot.nv)
    if not np.isfinite(M).all():
        expected, mend = "numbers of a robot's size", "correct the masses, moments and lengths"
        yield Finding("error", "The mass matrix is beyond every float", "masses, moments or lengths", expected, mend)
    found = inertialess(robot, M)
    if found:
        yield found


# Units


def _of_lengths(link: Link) -> Iterator[Finding]:
    for length, what in (
        (math.hypot(*link.joint.placement.position), "Link {name} is far from its parent"),
        (math.hypot(*link.com), "The centre of mass of link {name} is far from its frame"),
    ):
        if length > FAR:
            expected, mend = f"less than {FAR:g} m in most robots", "divide by 1000 if these are millimetres"
            yield _finding("warning", f"link {link.name!r}", what, f"{length:.6g} m", expected, mend, length)


def _of_matter(link: Link) -> Iterator[Finding]:
    """What size and density the mass and the moments speak of."""
    (least, _, most), _ = principal_moments(*link.inertia.entries)
    about = f"link {link.name!r}"
    if link.mass == 0.0 and most > 0.0:
        given, expected = f"0 kg, and {most:.6g} kg m²", "a mass, where there are moments"
        yield _finding("warning", about, "Link {name} has moments of inertia and no mass", given, expected, "add it")
    if link.mass <= 0.0 or least < 0.0 or most == 0.0:
        return
    gyration = math.sqrt(most / link.mass)
    density = _density(link.mass, math.sqrt(2.5) * gyration)
    given = f"{link.mass:.6g} kg with up to {most:.6g} kg m²: "
    if gyration > FAR:
        expected, mend = f"a radius of gyration below {FAR:g} m", "divide by 1e6 if the moments are in kg mm²"
        told = given + f"a radius of gyration of {gyration:.3g} m"
        yield _finding(
            "warning", about, "The moments of inertia of link {name} are large", told, expected, mend, gyration
        )
    if density > DENSEST:
        expected, mend = (
            "matter, of 22,600 kg/m³ at most",
            "correct mass and moments; 1 g is 0.001 kg, 1 g m² 0.001 kg m²",
        )
        told = given + f"at least {density:.3g} kg/m³"
        yield _finding("warning", about, "Link {name} is denser than any matter", told, expected, mend, density)


def _density(mass: float, radius: float) -> float:
    """Of a ball; infinite where no float is as large."""
    return mass / (4 / 3 * math.pi) / radius / radius / radius if radius else math.inf


def _of_limits(joint: Joint) -> Iterator[Finding]:
    for low, high, angle in zip(joint.limits.lower, joint.limits.upper, joint.kind.angles, strict=False):
        about, told = f"joint {joint.name!r}", f"{low:.6g} to {high:.6g}"
        if low == high:
            mend = "correct the limits, or make the joint fixed"
            yield _finding("warning", about, "Joint {name} has no room within its limits", told, "some room", mend)
        far = max((abs(x) for x in (low, high) if abs(x) < ENDLESS), default=0.0)
        if angle and far > TURNS:
            expected, mend = "radians", "multiply by π/180 if these are degrees"
            yield _finding("warning", about, "The limits of joint {name} are many turns", told, expected, mend, far)
        if not angle and far > FAR:
            expected, mend = "metres", "divide by 1000 if these are millimetres"
            yield _finding("warning", about, "The limits of joint {name} are far", told + " m", expected, mend, far)


def _finding(
    severity: str, about: str, what: str, given: str, expected: str, mend: str, value: float | None = None
) -> Finding:
    """A finding about a link or a joint, whose name stands in `what`."""
    told = what.format(name=about.split(" ", 1)[1])
    return Finding(severity, told, given, expected, mend, about=about, value=value)
