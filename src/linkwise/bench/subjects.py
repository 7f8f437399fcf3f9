"""The robots that are measured, and their states: chains with random numbers, robots that people have, any other."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib.metadata import PackageNotFoundError, distribution

import numpy as np
from numpy.typing import NDArray

from ..algebra import Sym, Vec
from ..errors import LinkwiseError
from ..robot.joint import Joint
from ..robot.library import load
from ..robot.model import Robot
from ..setting import Setting

Random = np.random.Generator
Array = NDArray[np.float64]

WHEEL = "example-robot-data"
FILES = "cmeel.prefix/share/example-robot-data/robots"


@dataclass(frozen=True, slots=True)
class Example:
    """A robot of the wheel of example robots: its file, whether it is set afloat, and joints that are held fast."""

    file: str
    afloat: bool = False
    held: tuple[str, ...] = ()

    def load(self) -> Robot:
        robot = load(str(distribution(WHEEL).locate_file(f"{FILES}/{self.file}")))
        links = (replace(link, joint=_held(link.joint, self.held)) for link in robot.links)
        robot = replace(robot, links=tuple(links), configurations=())
        return robot.with_free_base() if self.afloat else robot


def _held(joint: Joint, names: tuple[str, ...]) -> Joint:
    return Joint(joint.name, "fixed", joint.placement) if joint.name in names else joint


HUMANOID = "talos"
EXAMPLES: Mapping[str, Example] = {
    "ur5": Example("ur_description/urdf/ur5_robot.urdf"),
    "panda": Example("panda_description/urdf/panda.urdf", held=("panda_finger_joint1", "panda_finger_joint2")),
    "anymal-c": Example("anymal_c_simple_description/urdf/anymal.urdf", afloat=True),
    HUMANOID: Example("talos_data/robots/talos_reduced.urdf", afloat=True),
}

SIX_AXES = ("puma-560-armstrong-1986", "generic-6r")
LONG, LONGEST = "generic-30r", "generic-100r"
SUBJECTS = (*SIX_AXES, "ur5", "panda", "generic-7r", "generic-12r", "anymal-c", HUMANOID, LONG, LONGEST)
QUICK = ("puma-560-armstrong-1986", "generic-7r")


def subject(name: str) -> Robot:
    """The robot of a name: `generic-9r` is a chain of nine joints, others are examples, of the library or of a file.

    >>> subject("generic-2r").joint_names
    ('joint1', 'joint2')
    """
    if name in EXAMPLES:
        return _example(name)
    generic = re.fullmatch(r"generic-([1-9]\d*)r", name)
    return generic_chain(int(generic[1])) if generic else load(name)


def _example(name: str) -> Robot:
    if not there(name):
        raise LinkwiseError(
            f"The file of {name!r} is not there",
            given=f"an environment without {WHEEL}",
            expected=f"the robots of {WHEEL}",
            mend="pip install 'linkwise[bench]'",
        )
    return EXAMPLES[name].load()


def there(name: str) -> bool:
    """Whether a robot can be had here: the examples come in a package of their own."""
    if name not in EXAMPLES:
        return True
    try:
        distribution(WHEEL)
    except PackageNotFoundError:
        return False
    return True


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


def lossless(robot: Robot) -> Robot:
    """The robot as all can have it: of the drives, their inertia is left, and nothing that brakes."""
    return Setting(effects=("rotor_inertia", "armature")).robot(robot)


def beyond_engines(robot: Robot) -> Joint | None:
    """The first joint, if there is any, that is not put before other engines."""
    return next((link.joint for link in robot.links if _is_beyond(link.joint)), None)


def _is_beyond(joint: Joint) -> bool:
    """Mimics and screws, which not all have; armature of what floats, which each has in other axes."""
    return bool(joint.mimic) or joint.type == "helical" or (joint.type == "free" and any(joint.reflected_inertia))
