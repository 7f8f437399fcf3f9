"""What a robot's functions are asked to take into account, and in which terms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from .errors import LinkwiseError
from .robot import given
from .robot.joint import NO_DRIVE, Drive
from .robot.manifold import BASE_VELOCITIES
from .robot.model import Robot

EFFECTS = ("rotor_inertia", "armature", "damping", "friction")
"""What joints' drives add to the motion of the links."""


@dataclass(frozen=True, slots=True)
class Setting:
    """The terms of a robot's functions, checked."""

    base_velocity: str = "world_aligned"
    effects: tuple[str, ...] = EFFECTS
    friction_width: float = 0.0
    """The velocity below which Coulomb friction is smoothed; nought for the sign itself."""

    def drive(self, drive: Drive) -> Drive:
        """What is taken into account of a drive."""
        return replace(drive, **{name: getattr(NO_DRIVE, name) for name in EFFECTS if name not in self.effects})

    def robot(self, robot: Robot) -> Robot:
        """The robot with the effects that are taken into account, and no others."""
        if self.effects == EFFECTS:
            return robot
        joints = (replace(link.joint, drive=self.drive(link.joint.drive)) for link in robot.links)
        links = tuple(replace(link, joint=joint) for link, joint in zip(robot.links, joints, strict=True))
        return replace(robot, links=links)


AS_IT_IS = Setting()


def setting(base_velocity: str, effects: Sequence[str], friction_width: float) -> Setting:
    """What a user asks for, or the reason why it cannot be."""
    given.one_of(base_velocity, BASE_VELOCITIES, "base_velocity")
    if isinstance(effects, str) or not set(effects) <= set(EFFECTS):
        raise LinkwiseError(
            "These are no effects of drives",
            given=repr(effects),
            expected="a sequence of some of " + ", ".join(map(repr, EFFECTS)),
            mend='write for example effects=("rotor_inertia", "armature"), or effects=() for none',
        )
    width = given.real(friction_width, "friction_width")
    if width < 0.0:
        raise LinkwiseError(
            "friction_width is negative",
            given=repr(friction_width),
            expected="a velocity below which friction is smoothed, or 0 for the sign itself",
            mend="give it as a positive number",
        )
    return Setting(base_velocity, tuple(name for name in EFFECTS if name in effects), width)
