"""Joints: how a link may move on the one that carries it, how far, and what drives and brakes it."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from ..algebra import X_AXIS, Y_AXIS, Z_AXIS, ZERO, Motion, Placement, Scalar, Vec
from ..errors import LinkwiseError
from . import given
from .frames import to_z_axis

IN_PLACE = Placement()
"""The placement of a frame that coincides with another."""


@dataclass(frozen=True, slots=True)
class JointType:
    """A kind of joint: its motions, one after the other, and the names of its coordinates.

    A motion is R, a turn about an axis, P, a slide along one, or H, both at once. Where the position is a quaternion,
    the last three motions are turns about the body's own axes, which start anew from wherever the body is.
    """

    name: str
    motions: str
    positions: tuple[str, ...]
    """What a position is called; those of a quaternion are qw, qx, qy and qz."""
    velocities: tuple[str, ...]

    @property
    def nq(self) -> int:
        return len(self.positions)

    @property
    def nv(self) -> int:
        return len(self.motions)

    @property
    def has_quaternion(self) -> bool:
        return "qw" in self.positions

    @property
    def angles(self) -> tuple[bool, ...]:
        """For each position, whether it is an angle."""
        if self.has_quaternion:
            return (False,) * self.nq
        return tuple(motion in "RH" for motion in self.motions)

    @property
    def turns(self) -> tuple[bool, ...]:
        """For each velocity, whether it is an angular one."""
        return tuple(motion in "RH" for motion in self.motions)


QUATERNION = ("qw", "qx", "qy", "qz")
ABOUT = ("wx", "wy", "wz")
ALONG = ("vx", "vy", "vz")

JOINT_TYPES = {
    kind.name: kind
    for kind in (
        JointType("revolute", "R", ("angle",), ("rate",)),
        JointType("continuous", "R", ("angle",), ("rate",)),
        JointType("prismatic", "P", ("slide",), ("rate",)),
        JointType("helical", "H", ("angle",), ("rate",)),
        JointType("cylindrical", "RP", ("angle", "slide"), ("angle_rate", "slide_rate")),
        JointType("universal", "RR", ("first", "second"), ("first_rate", "second_rate")),
        JointType("planar", "PPR", ("x", "y", "angle"), ("vx", "vy", "rate")),
        JointType("spherical", "RRR", QUATERNION, ABOUT),
        JointType("free", "PPPRRR", ("x", "y", "z", *QUATERNION), (*ALONG, *ABOUT)),
        JointType("fixed", "", (), ()),
    )
}


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of a joint: of its position a number for each of its nq, of velocity and effort for each of its nv.

    Empty where nothing is said. A single number may be given for a joint with one degree of freedom.
    """

    lower: tuple[float, ...] = ()
    upper: tuple[float, ...] = ()
    velocity: tuple[float, ...] = ()
    effort: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        for f in fields(self):
            given.settle(self, **{f.name: _each(getattr(self, f.name), f"the limit {f.name}")})
        for low, high in zip(self.lower, self.upper, strict=False):
            _check_room(low, high, f"from {low} to {high}", "a lower limit that is not above the upper")
        for most in (*self.velocity, *self.effort):
            _check_room(0.0, most, f"{most}", "a limit of velocity or effort that is not negative")


def _each(value: Any, what: str) -> tuple[Scalar, ...]:
    items: tuple[Any, ...] = tuple(value) if isinstance(value, tuple | list) else (value,)  # pyright: ignore
    return tuple(given.bound(item, what) for item in items)


def _check_room(low: Any, high: Any, stated: str, expected: str) -> None:
    if isinstance(low, float) and isinstance(high, float) and low > high:
        raise LinkwiseError(
            "The limits of a joint leave it no room",
            given=stated,
            expected=expected,
            mend="correct them, or leave out what is not known",
        )


NO_LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class Mimic:
    """A joint that another one drives: its position is multiplier times that joint's, plus offset."""

    joint: str
    multiplier: Scalar = 1.0
    offset: Scalar = 0.0

    def __post_init__(self) -> None:
        given.name(self.joint, "The joint that is mimicked")
        given.settle(self, multiplier=given.number(self.multiplier, "the multiplier of a mimic joint"))
        given.settle(self, offset=given.number(self.offset, "the offset of a mimic joint"))


@dataclass(frozen=True, slots=True)
class Drive:
    """What a joint's motor and bearings add: inertia that the joint feels, and forces against its motion.

    A rotor of this inertia turns `gear_ratio` times as fast as the joint. Armature is inertia as it is felt at the
    joint, damping the force at unit velocity, friction that of Coulomb: a number for each of the joint's velocities, or
    none.
    """

    rotor_inertia: Scalar = 0.0
    gear_ratio: Scalar = 1.0
    armature: tuple[Scalar, ...] = ()
    damping: tuple[Scalar, ...] = ()
    friction: tuple[Scalar, ...] = ()

    def __post_init__(self) -> None:
        given.settle(self, rotor_inertia=given.number(self.rotor_inertia, "a rotor's inertia"))
        given.settle(self, gear_ratio=given.number(self.gear_ratio, "a gear ratio"))
        for name in ("armature", "damping", "friction"):
            items = _each(getattr(self, name), name)
            given.settle(self, **{name: tuple(given.number(x, f"the {name} of a joint") for x in items)})
        for name in ("rotor_inertia", "armature", "damping", "friction"):
            _check_not_negative(name, getattr(self, name))


def _check_not_negative(name: str, value: Any) -> None:
    for x in value if isinstance(value, tuple) else (value,):  # pyright: ignore[reportUnknownVariableType]
        if isinstance(x, float) and x < 0.0:
            raise LinkwiseError(
                f"The {name.replace('_', ' ')} of a joint is negative",
                given=repr(x),
                expected="a number that is not negative",
                mend="correct it at its source, or leave it out",
            )


NO_DRIVE = Drive()


@dataclass(frozen=True, slots=True)
class Joint:
    """The joint that carries a link: where it sits in the parent link's frame, and how it moves.

    The link's frame is the joint's frame after the motion: `placement`, then what the type allows. A planar joint's
    axis is the normal of its plane; a universal joint turns about `axis`, then about `second_axis`; a helical one
    slides `pitch` metres for every radian.
    """

    name: str
    type: str
    placement: Placement = IN_PLACE
    axis: Vec = Z_AXIS
    limits: Limits = NO_LIMITS
    second_axis: Vec = X_AXIS
    pitch: Scalar = 0.0
    mimic: Mimic | None = None
    drive: Drive = NO_DRIVE

    def __post_init__(self) -> None:
        given.name(self.name, "A joint")
        given.one_of(self.type, tuple(JOINT_TYPES), f"type of joint {self.name!r}")
        given.settle(self, placement=given.placement(self.placement, f"joint {self.name!r}"))
        given.settle(self, axis=given.unit(self.axis, f"the axis of joint {self.name!r}"))
        given.settle(self, second_axis=given.unit(self.second_axis, f"the second axis of joint {self.name!r}"))
        given.settle(self, pitch=given.number(self.pitch, f"the pitch of joint {self.name!r}"))
        given.instance(self.limits, Limits, f"limits of joint {self.name!r}")
        given.instance(self.drive, Drive, f"the drive of joint {self.name!r}")
        _check_pitch(self)
        _check_axes(self)
        _check_mimic(self)
        _check_counts(self)

    @property
    def kind(self) -> JointType:
        return JOINT_TYPES[self.type]

    @property
    def nq(self) -> int:
        """How many positions the joint has of its own: none if it mimics another."""
        return 0 if self.mimic else self.kind.nq

    @property
    def nv(self) -> int:
        """How many velocities the joint has of its own: none if it mimics another."""
        return 0 if self.mimic else self.kind.nv

    @property
    def axes(self) -> tuple[Vec, ...]:
        """The axis of every motion, in the joint's frame before it moves."""
        match self.type:
            case "universal":
                return (self.axis, self.second_axis)
            case "planar":
                plane = to_z_axis(self.axis)
                across = (plane.T.x, plane.T.y) if plane else (X_AXIS, Y_AXIS)
                return (*across, self.axis)
            case "spherical":
                return (X_AXIS, Y_AXIS, Z_AXIS)
            case "free":
                return (X_AXIS, Y_AXIS, Z_AXIS) * 2
            case _:
                return (self.axis,) * self.kind.nv

    @property
    def subspace(self) -> tuple[Motion, ...]:
        """The motions that the joint allows, a column for each, in the link's axes where the joint is at nought."""
        motions = zip(self.kind.motions, self.axes, strict=True)
        return tuple(_column(motion, axis, self.pitch) for motion, axis in motions)

    @property
    def reflected_inertia(self) -> tuple[Scalar, ...]:
        """What drive and armature add to the mass matrix for each motion."""
        rotor = self.drive.gear_ratio * self.drive.gear_ratio * self.drive.rotor_inertia
        return tuple(x + rotor for x in self.drive.armature or (0.0,) * self.kind.nv)


def _column(motion: str, axis: Vec, pitch: Scalar) -> Motion:
    if motion == "P":
        return Motion(ZERO, axis)
    return Motion(axis, axis * pitch if motion == "H" else ZERO)


def _check_pitch(joint: Joint) -> None:
    if joint.type != "helical" and isinstance(joint.pitch, float) and joint.pitch != 0.0:
        raise LinkwiseError(
            f"Joint {joint.name!r} has a pitch and does not need one",
            given=f"pitch {joint.pitch} on a {joint.type} joint",
            expected="a pitch on helical joints only",
            mend='leave the pitch out, or make the type "helical"',
        )


def _check_axes(joint: Joint) -> None:
    """A universal joint whose axes are parallel turns about one axis only."""
    across = joint.axis.cross(joint.second_axis)
    if joint.type == "universal" and all(isinstance(x, float) and abs(x) < given.UNIT for x in across):
        raise LinkwiseError(
            f"The two axes of joint {joint.name!r} are parallel",
            given=f"axis {tuple(joint.axis)}, second axis {tuple(joint.second_axis)}",
            expected="two axes at an angle",
            mend="name another second axis, or make the joint revolute",
        )


def _check_mimic(joint: Joint) -> None:
    if joint.mimic is None:
        return
    given.instance(joint.mimic, Mimic, f"the mimic of joint {joint.name!r}")
    if joint.kind.nv != 1:
        raise LinkwiseError(
            f"Joint {joint.name!r} cannot mimic another",
            given=f"a {joint.type} joint, which has {joint.kind.nv} motions",
            expected="a joint of one motion",
            mend="leave out mimic",
        )
    if joint.mimic.joint == joint.name:
        raise LinkwiseError(
            f"Joint {joint.name!r} mimics itself",
            given=f"mimic of {joint.mimic.joint!r}",
            expected="the name of another joint",
            mend="name the joint that drives it",
        )


def _check_counts(joint: Joint) -> None:
    counts = {"lower": joint.kind.nq, "upper": joint.kind.nq, "velocity": joint.kind.nv, "effort": joint.kind.nv}
    for name, count in counts.items():
        _check_count(joint, "limit", name, getattr(joint.limits, name), count)
    for name in ("armature", "damping", "friction"):
        _check_count(joint, "drive's", name, getattr(joint.drive, name), joint.kind.nv)
    if joint.kind.nv != 1 and isinstance(joint.drive.rotor_inertia, float) and joint.drive.rotor_inertia:
        raise LinkwiseError(
            f"Joint {joint.name!r} has one rotor for {joint.kind.nv} motions",
            given=f"rotor inertia {joint.drive.rotor_inertia} on a {joint.type} joint",
            expected="a rotor on joints of one motion only",
            mend="give what each motion feels as armature",
        )


def _check_count(joint: Joint, whose: str, name: str, entries: tuple[Scalar, ...], count: int) -> None:
    if entries and len(entries) != count:
        raise LinkwiseError(
            f"The {whose} {name} of joint {joint.name!r} has the wrong number of entries",
            given=entries,
            expected=f"{count} for a {joint.type} joint, or none",
            mend="give one entry for each coordinate",
        )
