"""Which mass properties no body can have.

A body of non-negative density has a non-negative mass, principal moments that are not negative and, of any two of
them, a sum not below the third: ½ tr(I) 1 − I has no negative eigenvalue. Bodies at the edge of that (a flat one, a
rod) are sound, so that the tests leave room for rounding.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..errors import LinkwiseError, warn
from .finding import Finding
from .listing import shown
from .model import BASE, Link, Robot, movers
from .skeleton import skeleton

__all__ = [
    "Finding",
    "PhysicalWarning",
    "findings",
    "inertialess",
    "refuse_if_impossible",
    "refuse_if_inertialess",
    "warn_if_doubtful",
]

ROUNDING = 1e-9
"""Relative to the largest moment: printed decimals are exact to this, and physical failures are far above it."""


class PhysicalWarning(UserWarning):
    """Mass properties that no body can have, with which the equations of motion can be solved all the same."""


def findings(robot: Robot) -> tuple[Finding, ...]:
    """What is wrong with the robot's links, in their order; nothing is said of symbols.

    What is impossible is an error if it is so of all that moves as one, too, and a warning where that makes up for it.
    """
    found = tuple(finding for link in robot.links for finding in (*_of_mass(link), *_of_moments(link)))
    if all(finding.severity == "warning" for finding in found):
        return found
    impossible = _impossible_bodies(robot)
    return tuple(replace(f, severity="error" if f.about in impossible else "warning") for f in found)


def _impossible_bodies(robot: Robot) -> set[str]:
    """The links of which the body that they move with, with all that it carries rigidly, has an error of its own."""
    whole = skeleton(robot)
    wrong: set[int] = set()
    for bone in whole.bones:
        body = Link(bone.name, BASE, robot.links[0].joint, bone.mass, bone.com, bone.inertia)
        if any(f.severity == "error" for f in (*_of_mass(body), *_of_moments(body))):
            wrong.add(bone.index)
    return {f"link {frame.name!r}" for frame in whole.frames if frame.body in wrong}


def _of_mass(link: Link) -> Iterator[Finding]:
    if isinstance(link.mass, float) and link.mass < 0.0:
        yield Finding(
            "error",
            f"The mass of link {link.name!r} is negative",
            f"{link.mass:.6g} kg",
            "a mass that is not negative",
            "correct it at its source",
            about=f"link {link.name!r}",
            value=link.mass,
        )


def _of_moments(link: Link) -> Iterator[Finding]:
    entries = link.inertia.entries
    if not all(isinstance(entry, float) for entry in entries):
        return
    (least, middle, most), axes = principal_moments(*entries)
    room = -ROUNDING * max(abs(least), abs(most)) - _negligible(link.mass)
    slack = least + middle - most
    if least < room:
        yield Finding(
            "error",
            f"The smallest principal moment of link {link.name!r} is negative",
            f"{least:.6g} kg m², about {shown(axes[0])}",
            "moments of inertia that are not negative",
            "correct the inertia at its source",
            about=f"link {link.name!r}",
            value=least,
        )
    elif slack < room:
        yield Finding(
            "warning",
            f"The largest principal moment of link {link.name!r} is above the sum of the two others",
            f"by {-slack:.6g} kg m², about {shown(axes[2])}: {shown((least, middle, most))}",
            "what a body can have: no moment above the sum of the two others",
            "correct the inertia at its source; it must be about the centre of mass",
            about=f"link {link.name!r}",
            value=slack,
        )


def _negligible(mass: Any) -> float:
    """What a mass has of moments when it is a micrometre away."""
    return 1e-12 * abs(mass) if isinstance(mass, float) else 0.0


Axis = tuple[float, float, float]


def principal_moments(
    xx: Any, xy: Any, xz: Any, yy: Any, yz: Any, zz: Any
) -> tuple[tuple[float, float, float], Sequence[Axis]]:
    """In ascending order, with their axes; those of a diagonal tensor as they stand."""
    if xy == xz == yz == 0.0:
        diagonal = sorted(zip((xx, yy, zz), ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)), strict=True))
        (least, first), (middle, second), (most, third) = diagonal
        return (least, middle, most), (first, second, third)
    values, vectors = np.linalg.eigh(np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]))
    least, middle, most = values.tolist()
    return (least, middle, most), [_pointed(column) for column in vectors.T.tolist()]


def _pointed(axis: Sequence[float]) -> Axis:
    """The axis with its largest component positive, without the rounding of components that are nought."""
    sign = math.copysign(1.0, max(axis, key=abs))
    x, y, z = (0.0 if abs(component) < ROUNDING else sign * component for component in axis)
    return x, y, z


def refuse_if_impossible(robot: Robot) -> None:
    """Raise if a mass or a moment is negative: the mass matrix need not be definite then, nor regular."""
    errors = [finding for finding in findings(robot) if finding.severity == "error"]
    if errors:
        raise LinkwiseError(
            f"Forward dynamics of {robot.name!r} would have no meaning",
            given="; ".join(map(str, errors)),
            expected="masses and principal moments that are not negative",
            mend="correct these numbers at their source, or ask for inverse dynamics only",
        )


def refuse_if_massless(robot: Robot) -> None:
    """Raise if nothing that moves has a mass, so that there is no centre of it."""
    if any(bone.mass != 0.0 for bone in skeleton(robot).bones):
        return
    raise LinkwiseError(
        f"What moves of {robot.name!r} has no mass",
        given="masses of 0 kg on all moving links",
        expected="a mass on at least one of them",
        mend="give the links their masses",
    )


def refuse_if_inertialess(robot: Robot, M: Any) -> None:
    """Raise if the mass matrix of a pose without symmetry is singular: it is so in every pose then."""
    found = inertialess(robot, M)
    if found:
        raise LinkwiseError(found.what, given=found.given, expected=found.expected, mend=found.mend)


@np.errstate(all="ignore")
def inertialess(robot: Robot, M: Any) -> Finding | None:
    """The motion that a mass matrix has no inertia for, if there is one; none is found beyond every float.

    A massless link at the end, or a massless wrist of four joints, can be accelerated without any force.
    """
    matrix = np.array(M, dtype=np.float64)
    felt = np.sqrt(np.abs(np.diagonal(matrix)))
    scale = np.where(felt > 0.0, felt, 1.0)
    scaled = matrix / scale / scale[:, None]
    if not np.isfinite(scaled).all():
        return None
    values, vectors = np.linalg.eigh(scaled)
    least = int(np.argmin(np.abs(values)))
    if abs(values[least]) > len(values) * np.finfo(np.float64).eps:
        return None
    most = int(np.argmax(np.abs(vectors[:, least])))
    joint = repr(robot.velocity_names[most])
    free = f"a motion in which joint {joint} has the largest part" if felt.all() else f"joint {joint}"
    return Finding(
        "error",
        f"Forward dynamics of {robot.name!r} would have no meaning",
        f"a mass matrix that is singular in every pose: no mass resists {free}",
        "a mass or a moment of inertia for every motion that the joints allow",
        "give the links that it moves their masses and moments, or ask for inverse dynamics only",
        about=f"joint {movers(robot)[most].name!r}",
    )


def warn_if_doubtful(robot: Robot) -> None:
    """One warning that names all links whose moments no body can have, if there are any."""
    doubtful = [str(finding) for finding in findings(robot) if finding.severity == "warning"]
    if doubtful:
        warn(f"{robot.name!r}: " + "; ".join(doubtful), PhysicalWarning)
