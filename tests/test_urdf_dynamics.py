"""Dynamics and kinematics of every URDF of the example-robot-data wheel as Pinocchio has them from its own reading.

The files are discovered; what is refused is refused rightly by tests/robot/test_urdf_files.py. Forces are divided by
√M_ii and accelerations multiplied by it, so that fingers count as much as hips.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from tests.pinocchio_models import Answers, example_files, model
from tests.test_kinematics import ByText
from tests.texts import in_own_coordinates, named

from linkwise import Dynamics
from linkwise.bench.dense import Array
from linkwise.errors import LinkwiseError
from linkwise.quantities import REFERENCES
from linkwise.robot.library import load
from linkwise.robot.model import Robot
from linkwise.setting import Setting

TOLERANCE = 1e-10
RIGID_BODIES = Setting(effects=())
"""Pinocchio takes no losses from a file; drives are MuJoCo's to witness."""

ANY = (
    "newton-euler.inverse_dynamics",
    "operators.inverse_dynamics",
    "composite-body.mass_matrix",
    "operators.mass_matrix",
)
WITHOUT_MIMICS = ("articulated-body.forward_dynamics", "operators.forward_dynamics")
WITH_MIMICS = ("composite-body.forward_dynamics",)


@dataclass(frozen=True)
class Case:
    """A robot at a state, and what Pinocchio says of its file."""

    robot: Robot
    there: Answers
    q: Array
    v: Array
    a: Array

    @property
    def mimics(self) -> bool:
        return any(link.joint.mimic for link in self.robot.links)

    @property
    def M(self) -> Array:
        return self.there.mass_matrix(self.q)

    @property
    def unit(self) -> Array:
        """Of each joint, the root of its own inertia; one where it has none."""
        own = np.diag(self.M)
        return np.sqrt(np.where(own > 0.0, own, 1.0))

    @property
    def is_singular(self) -> bool:
        """Whether some joint could move without any mass doing so."""
        return np.linalg.cond(self.M / np.outer(self.unit, self.unit)) > 1e14

    @property
    def tau(self) -> Array:
        """Forces that take the robot elsewhere than the accelerations a would."""
        return self.there.inverse_dynamics(self.q, self.v, self.a) + 3.0 * self.unit


@cache
def robot_of(path: Path) -> Robot | None:
    try:
        return load(path)
    except LinkwiseError:
        return None


def stands(robot: Robot) -> bool:
    return all(joint.type != "free" for joint in robot.joints)


def cases(path: Path, *, mimics: bool = False) -> Iterator[Case]:
    """The robot as it stands, and set afloat, each at a state."""
    robot = robot_of(path)
    if robot and robot.nv:
        yield case(robot, Answers(robot, model(path, mimics=mimics)))
    if robot and stands(robot):
        free = robot.with_free_base()
        yield case(free, Answers(free, model(path, afloat=True, mimics=mimics)))


def case(robot: Robot, there: Answers) -> Case:
    """At a position within a few turns: the limits of some propellers are at 10¹⁶ rad, where floats are 2 rad apart."""
    rng = np.random.default_rng(robot.nv)
    return Case(robot, there, np.clip(robot.random(rng), -7.0, 7.0), *rng.normal(size=(2, robot.nv)))


Function = Callable[..., Array]


def near(ours: Array, theirs: Array) -> None:
    assert ours.shape == theirs.shape
    assert np.abs(ours - theirs).max() <= TOLERANCE * np.abs(theirs).max()


def inverse_dynamics_agree(function: Function, at: Case) -> None:
    near(function(at.q, at.v, at.a) / at.unit, at.there.inverse_dynamics(at.q, at.v, at.a) / at.unit)


def mass_matrices_agree(function: Function, at: Case) -> None:
    unit = np.outer(at.unit, at.unit)
    near(function(at.q) / unit, at.M / unit)


def forward_dynamics_agree(function: Function, at: Case) -> None:
    near(function(at.q, at.v, at.tau) * at.unit, at.there.forward_dynamics(at.q, at.v, at.tau) * at.unit)


AGREEMENTS = {
    "inverse_dynamics": inverse_dynamics_agree,
    "mass_matrix": mass_matrices_agree,
    "forward_dynamics": forward_dynamics_agree,
}

every_file = pytest.mark.parametrize("path", example_files(), ids=lambda path: path.stem)


@every_file
def test_the_texts(path: Path) -> None:
    for at in cases(path):
        forward = WITH_MIMICS if at.mimics else WITHOUT_MIMICS
        for name in (*ANY, *(forward if not at.is_singular else ())):
            text = named(name)
            AGREEMENTS[text.function](in_own_coordinates(text, at.robot, RIGID_BODIES), at)


def ends(robot: Robot) -> list[str]:
    """The links that carry no others, and the first one."""
    carrying = {link.parent for link in robot.links}
    return [link.name for i, link in enumerate(robot.links) if i == 0 or i not in carrying]


@every_file
def test_frames_and_jacobians(path: Path) -> None:
    """Those of all links, and of the ends of all limbs, links on fixed joints among them."""
    for at in cases(path):
        ours, links = ByText(at.robot), at.robot.link_names
        near(ours("forward_kinematics", at.q, frames=links), at.there.poses(at.q, links))
        for link in ends(at.robot):
            for reference in REFERENCES:
                J = ours("jacobian", at.q, frames=(link,), reference=reference)
                near(J, at.there.jacobian(at.q, link, reference))


@every_file
def test_joints_that_pinocchio_leads_itself(path: Path) -> None:
    """Its own reduction of mimics, beside ours; where it cannot, or there are none, there is nothing to compare."""
    robot = robot_of(path)
    if robot is None or not any(link.joint.mimic for link in robot.links):
        return
    if not led_by_pinocchio(path):
        return
    for at in cases(path, mimics=True):
        assert at.there.model.nv == at.robot.nv
        for name in ANY:
            text = named(name)
            AGREEMENTS[text.function](in_own_coordinates(text, at.robot, RIGID_BODIES), at)


def led_by_pinocchio(path: Path) -> bool:
    """Whether all leaders come first in its tree."""
    try:
        model(path, mimics=True)
    except ValueError:
        return False
    return True


def compiled_agrees(at: Case) -> None:
    ours = Dynamics(at.robot, effects=())
    for function, agree in AGREEMENTS.items():
        if function != "forward_dynamics" or not at.is_singular:
            agree(getattr(ours, function), at)
    end = ends(at.robot)[-1]
    near(ours.forward_kinematics(at.q), at.there.poses(at.q, at.robot.link_names))
    near(ours.jacobian(at.q, end), at.there.jacobian(at.q, end, "world_aligned"))
    if at.is_singular:
        with pytest.raises(LinkwiseError, match="mass"):
            ours.forward_dynamics(at.q, at.v, at.tau)


def shape(path: Path) -> tuple[object, ...]:
    """Which joints there are, and in which tree."""
    robot = robot_of(path)
    return tuple((link.parent, link.joint.type) for link in robot.links) if robot else ()


AFFORDED = 32
"""Joints, of all robots together that are compiled whenever tests run."""


def few_of_all_kinds() -> list[Path]:
    """One file for every kind of tree, the smallest first, for as many joints as can be afforded."""
    kinds = {shape(path): path for path in example_files() if robot_of(path)}
    smallest = sorted(kinds.values(), key=lambda path: (robot_of(path).nv, path.name))
    joints = np.cumsum([robot_of(path).nv for path in smallest])
    return [path for path, total in zip(smallest, joints, strict=True) if total <= AFFORDED]


@pytest.mark.filterwarnings("ignore::linkwise.PhysicalWarning")
@pytest.mark.parametrize("path", few_of_all_kinds(), ids=lambda path: path.stem)
def test_the_compiled_functions_of_small_robots(path: Path) -> None:
    for at in cases(path):
        compiled_agrees(at)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::linkwise.PhysicalWarning")
@every_file
def test_the_compiled_functions(path: Path) -> None:
    for at in cases(path):
        compiled_agrees(at)
