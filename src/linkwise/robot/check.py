"""Which mass properties no body can have.

A body of non-negative density has a non-negative mass, principal moments that are not negative and, of any two of
them, a sum not below the third: ½ tr(I) 1 − I has no negative eigenvalue. Bodies at the edge of that (a flat one, a
rod) are sound, so that the tests leave room for rounding.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import LinkwiseError
from .model import Link, Robot

ROUNDING = 1e-9
"""Relative to the largest moment: printed decimals are exact to this, and physical failures are far above it."""


class PhysicalWarning(UserWarning):
    """Mass properties that no body can have, with which the equations of motion can be solved all the same."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A mass property that no body can have.

    `severity` is "error" where forward dynamics has no meaning, and "warning" where it has.
    """

    link: str
    quantity: str
    value: float
    severity: str
    message: str

    def __str__(self) -> str:
        return f"link {self.link!r}: {self.quantity} is {self.value:.6g}; {self.message}"


def findings(robot: Robot) -> tuple[Finding, ...]:
    """What is wrong with the robot's links, in their order; nothing is said of symbols."""
    return tuple(finding for link in robot.links for finding in (*_of_mass(link), *_of_moments(link)))


def _of_mass(link: Link) -> Iterator[Finding]:
    if isinstance(link.mass, float) and link.mass < 0.0:
        yield Finding(link.name, "mass", link.mass, "error", "a mass is not negative")


def _of_moments(link: Link) -> Iterator[Finding]:
    entries = link.inertia.entries
    if not all(isinstance(entry, float) for entry in entries):
        return
    least, middle, most = _principal_moments(*entries)
    room = -ROUNDING * max(abs(least), abs(most))
    slack = least + middle - most
    if least < room:
        yield Finding(link.name, "smallest principal moment", least, "error", "a moment of inertia is not negative")
    elif slack < room:
        excess = "sum of the two smaller principal moments less the largest"
        yield Finding(link.name, excess, slack, "warning", "no body has one moment above the sum of the two others")


def _principal_moments(xx: Any, xy: Any, xz: Any, yy: Any, yz: Any, zz: Any) -> tuple[float, float, float]:
    """In ascending order; those of a diagonal tensor as they stand."""
    if xy == xz == yz == 0.0:
        least, middle, most = sorted((xx, yy, zz))
    else:
        least, middle, most = np.linalg.eigvalsh(np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]))
    return float(least), float(middle), float(most)


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


def refuse_if_inertialess(robot: Robot, M: Any) -> None:
    """Raise if the mass matrix of a pose without symmetry is singular: it is so in every pose then.

    A massless link at the end, or a massless wrist of four joints, can be accelerated without any force.
    """
    matrix = np.array(M, dtype=np.float64)
    felt = np.sqrt(np.abs(np.diagonal(matrix)))
    scale = np.where(felt > 0.0, felt, 1.0)
    if not np.isfinite(matrix).all():
        return
    values, vectors = np.linalg.eigh(matrix / scale / scale[:, None])
    least = int(np.argmin(np.abs(values)))
    if abs(values[least]) > len(values) * np.finfo(np.float64).eps:
        return
    joint = repr(robot.velocity_names[int(np.argmax(np.abs(vectors[:, least])))])
    free = f"a motion in which joint {joint} has the largest part" if felt.all() else f"joint {joint}"
    raise LinkwiseError(
        f"Forward dynamics of {robot.name!r} would have no meaning",
        given=f"a mass matrix that is singular in every pose: no mass resists {free}",
        expected="a mass or a moment of inertia for every motion that the joints allow",
        mend="give the links that it moves their masses and moments, or ask for inverse dynamics only",
    )


def warn_if_doubtful(robot: Robot) -> None:
    """One warning that names all links whose moments no body can have, if there are any."""
    doubtful = [str(finding) for finding in findings(robot) if finding.severity == "warning"]
    if doubtful:
        warnings.warn(f"{robot.name!r}: " + "; ".join(doubtful), PhysicalWarning, stacklevel=3)
