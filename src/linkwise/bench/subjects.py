"""The robots that are measured, and their states: arms and chains of any length with random numbers, or any other."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from ..algebra import Sym, Vec
from ..robot.joint import NO_DRIVE, Joint
from ..robot.library import load
from ..robot.model import Robot

SIX_AXES = ("puma-560-armstrong-1986", "generic-6r")
SUBJECTS = (*SIX_AXES, "generic-7r", "generic-12r", "generic-30r", "generic-100r")
QUICK = ("puma-560-armstrong-1986", "generic-7r")

Random = np.random.Generator
Array = NDArray[np.float64]


def subject(name: str) -> Robot:
    """The robot of a name: `generic-9r` is a chain of nine joints, all others are of the library or of a file.

    >>> subject("generic-2r").joint_names
    ('joint1', 'joint2')
    """
    generic = re.fullmatch(r"generic-([1-9]\d*)r", name)
    return generic_chain(int(generic[1])) if generic else load(name)


def generic_chain(joints: int) -> Robot:
    """Revolute joints with no constant that would save an operation, in metres and kilograms of an arm."""
    rng = np.random.default_rng(joints)
    bodies = [_body(rng) for _ in range(joints)]
    return Robot.from_dh(
        [_row(rng) for _ in range(joints)],
        convention="modified",
        masses=[mass for mass, _, _ in bodies],
        coms=[com for _, com, _ in bodies],
        inertias=[inertia for _, _, inertia in bodies],
        name=f"generic-{joints}r",
        source="random numbers",
    )


def _row(rng: Random) -> tuple[float, ...]:
    (a, b), (alpha, theta) = rng.uniform(-0.4, 0.4, 2), rng.uniform(-np.pi, np.pi, 2)
    return float(a), float(alpha), float(b), float(theta)


def _body(rng: Random) -> tuple[float, Vec, Sym]:
    """Mass, centre and moments of a cloud of mass, so that the moments are some body's."""
    mass = float(rng.uniform(0.5, 5.0))
    axes, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    cloud = mass * axes @ np.diag(rng.uniform(0.04, 0.15, 3) ** 2) @ axes.T
    moments = np.trace(cloud) * np.eye(3) - cloud
    return mass, Vec(*rng.normal(scale=0.1, size=3).tolist()), Sym(*moments[np.triu_indices(3)].tolist())


def width(robot: Robot, argument: str) -> int:
    """The numbers of an argument."""
    return robot.nq if argument == "q" else robot.nv


def random_rows(robot: Robot, argument: str, states: int, rng: Random) -> Array:
    """Positions that the robot can have; velocities, accelerations and forces of any sign."""
    return robot.random(rng, states) if argument == "q" else rng.uniform(-3.0, 3.0, (states, robot.nv))


COMMON = ("revolute", "continuous", "prismatic", "fixed")


def beyond_engines(robot: Robot) -> Joint | None:
    """The first joint, if there is any, of a kind that is not put before other engines."""
    joints = (link.joint for link in robot.links)
    return next((j for j in joints if j.type not in COMMON or j.mimic or j.drive != NO_DRIVE), None)
