"""What a robot's functions are asked to take into account, and in which terms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from .errors import LinkwiseError
from .quantities import REFERENCES
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
    f_ext_on: tuple[str, ...] = ()
    f_ext_reference: str = "world_aligned"

    @property
    def unloaded(self) -> Setting:
        """The same for functions that take no wrenches from outside."""
        return replace(self, f_ext_on=(), f_ext_reference=AS_IT_IS.f_ext_reference)

    def core(self, extra: str) -> tuple[int, ...]:
        """The shape of a further input."""
        return {"tip_wrench": (6,), "f_ext": (len(self.f_ext_on), 6), "gravity": (3,)}[extra]

    def robot(self, robot: Robot) -> Robot:
        """The robot with the effects that are taken into account, and no others."""
        if self.effects == EFFECTS:
            return robot
        joints = (replace(link.joint, drive=self._drive(link.joint.drive)) for link in robot.links)
        links = tuple(replace(link, joint=joint) for link, joint in zip(robot.links, joints, strict=True))
        return replace(robot, links=links)

    def _drive(self, drive: Drive) -> Drive:
        return replace(drive, **{name: getattr(NO_DRIVE, name) for name in EFFECTS if name not in self.effects})


AS_IT_IS = Setting()


def setting(
    robot: Robot,
    base_velocity: str,
    effects: Sequence[str],
    friction_width: float,
    f_ext_on: Sequence[str] | None,
    f_ext_reference: str,
) -> Setting:
    """What a user asks for, or the reason why it cannot be."""
    given.one_of(base_velocity, BASE_VELOCITIES, "base_velocity")
    given.one_of(f_ext_reference, REFERENCES, "f_ext_reference")
    known = given.some_of(effects, EFFECTS, "effects")
    width = given.real(friction_width, "friction_width")
    if width < 0.0:
        raise LinkwiseError(
            "friction_width is negative",
            given=repr(friction_width),
            expected="a velocity below which friction is smoothed, or 0 for the sign itself",
            mend="give it as a positive number",
        )
    on = robot.link_names if f_ext_on is None else given.some_of(f_ext_on, robot.frame_names, "f_ext_on")
    return Setting(base_velocity, tuple(name for name in EFFECTS if name in known), width, on, f_ext_reference)
