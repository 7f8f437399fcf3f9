"""A robot reduced to what its dynamics need: moving bodies only, each on one axis, which is its own z axis.

The texts of the formulations read nothing else. A frame of the skeleton has its body's axis along z; where it lies
on that axis is free, and `skeleton` (the user's own origins) and the normal form use that freedom differently.

A joint of several motions is as many axes in a row, the bodies between them being massless. One whose position is a
quaternion is *mounted* there: its last three axes are those of the body where it is now, and each stands at nought.
That is exact at every instant; what it means for velocities and accelerations is told in coordinates.py. So a text's
q holds the positions of the robot, and its q̇, q̈ and τ an entry for every body.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ..algebra import (
    X_AXIS,
    Z_AXIS,
    ZERO,
    ZERO_TENSOR,
    Inertia,
    Mat,
    Placement,
    Rigid,
    Rotation,
    Scalar,
    Screw,
    Sym,
    Turn,
    Vec,
)
from .frames import to_z_axis
from .joint import IN_PLACE, Joint
from .mimicry import leader
from .model import BASE, TIP, Link, Robot, children_of


@dataclass(frozen=True, slots=True)
class Place:
    """Which entry of q a position is, multiplied and offset if another joint leads it; none is at nought for good."""

    index: int | None
    multiplier: Scalar = 1.0
    offset: Scalar = 0.0

    def of(self, q: Sequence[Scalar]) -> Scalar:
        if self.index is None:
            return 0.0
        position = q[self.index]
        position = position if self.multiplier == 1.0 else position * self.multiplier
        return position if self.offset == 0.0 else position + self.offset


@dataclass(frozen=True, slots=True)
class Mount:
    """A rotation by the quaternion that begins at an entry of q, then a constant one."""

    index: int
    after: Rotation
    free: bool
    """Whether the joint slides as well, by the three axes before this one."""

    def at(self, q: Sequence[Scalar]) -> Rotation:
        return Rotation((self.turned(q),)).then(self.after)

    def turned(self, q: Sequence[Scalar]) -> Mat:
        """From the axes of the link to those of the joint's placement."""
        w, x, y, z = q[self.index : self.index + 4]
        return of_quaternion(w, x, y, z)


@dataclass(frozen=True, slots=True)
class Bone:
    """A moving body with its joint, at no pose yet: constants only."""

    index: int
    name: str
    parent: int
    children: tuple[int, ...]
    prismatic: bool
    place: Place
    """Which entry of q its position is."""
    rate: Place
    """Which entry of v its rate is, or belongs to."""
    before: Rotation
    """From the parent's axes to the axes of the joint at its zero angle."""
    offset: Vec
    """From the parent's origin to a point of the joint's axis, in the parent's axes."""
    zero: Turn
    """The constant turn about the joint's axis."""
    angle: Scalar
    """The angle of that turn."""
    slide: Scalar
    """The constant slide along the joint's axis."""
    lead: Scalar
    """The slide along the axis for a unit of the position: 1 if prismatic, the pitch if helical, else 0."""
    rotor: Scalar
    """What drive and armature add to the inertia that the joint feels."""
    damping: Scalar
    friction: Scalar
    mount: Mount | None
    """The rotation that stands between `before` and this frame, if a quaternion gives one."""
    carries: bool
    """Whether it is a link of the robot, and not one of the massless bodies between the axes of a joint."""
    mass: Scalar
    com: Vec
    inertia: Sym
    """Second moments about the centre of mass."""
    spatial: Inertia
    """Mass, first and second moments about the origin: those of the body, or regrouped ones that move alike."""
    own_frame: Placement
    """The frame that the robot's description gives this body, in the skeleton's frame of it."""

    def at(self, q: Sequence[Scalar], fn: Any) -> Body:
        """The body where the robot is at q, with sine and cosine from the scalar's own namespace."""
        position = self.place.of(q)
        turn = self.zero if self.prismatic or self.place.index is None else self._turned(position, fn)
        slide = self.slide if self.lead == 0.0 else self.slide + position * self.lead
        turns = Rotation((turn,)) if self.mount is None else self.mount.at(q).then(Rotation((turn,)))
        return Body(self, self.before.then(turns), Vec(0.0, 0.0, slide))

    def _turned(self, q: Scalar, fn: Any) -> Turn:
        c0, s0 = self.zero.c, self.zero.s
        if isinstance(c0, float) and abs(c0) + abs(s0) != 1.0:
            return Turn("z", fn.cos(q + self.angle), fn.sin(q + self.angle))
        c, s = fn.cos(q), fn.sin(q)  # a quarter turn, exact and free of a sum; or a scalar whose angle is not known
        return Turn("z", c0 * c - s0 * s, s0 * c + c0 * s)


@dataclass(frozen=True, slots=True)
class Body:
    """A body at a pose, as a step of a pass sees it: its own constants and its placement in its parent."""

    bone: Bone
    R: Rotation
    """From this body's axes to its parent's."""
    along: Vec
    """The slide along the joint's axis, in this body's axes."""

    e = Z_AXIS

    @property
    def index(self) -> int:
        return self.bone.index

    @property
    def name(self) -> str:
        return self.bone.name

    @property
    def parent(self) -> int:
        return self.bone.parent

    @property
    def children(self) -> tuple[int, ...]:
        return self.bone.children

    @property
    def prismatic(self) -> bool:
        return self.bone.prismatic

    @property
    def lead(self) -> Scalar:
        """The slide along the axis for a unit of the position: 1 if prismatic, the pitch if helical, else 0."""
        return self.bone.lead

    @property
    def slides(self) -> bool:
        """Whether it slides along its axis, be it that it turns as well."""
        return self.bone.lead != 0.0

    @property
    def rotor(self) -> Scalar:
        return self.bone.rotor

    @property
    def offset(self) -> Vec:
        return self.bone.offset

    @property
    def p(self) -> Vec:
        """From the parent's origin to this one's, in the parent's axes."""
        return self.bone.offset + (self.bone.before @ self.along)

    @property
    def mass(self) -> Scalar:
        return self.bone.mass

    @property
    def com(self) -> Vec:
        return self.bone.com

    @property
    def inertia(self) -> Sym:
        return self.bone.inertia

    @property
    def spatial_inertia(self) -> Inertia:
        """Mass, first and second moments about the origin, in the body's axes (perhaps regrouped)."""
        return self.bone.spatial


@dataclass(frozen=True, slots=True)
class Frame:
    """The frame of a link: which body carries it (none: the ground), and where it sits in that body's frame."""

    name: str
    body: int
    placement: Placement


@dataclass(frozen=True, slots=True)
class Skeleton:
    """The moving bodies of a robot, parents first, and its gravity in the base's axes."""

    name: str
    bones: tuple[Bone, ...]
    gravity: Vec
    tip: Vec
    """The tip, in the last body's axes from its origin."""
    frames: tuple[Frame, ...] = ()
    """Those of all links; one that stands on the ground has its place in the world."""
    base: Placement = IN_PLACE
    """The frame that the first bodies are told in, in the world."""

    @property
    def is_chain(self) -> bool:
        return all(bone.parent == i - 1 for i, bone in enumerate(self.bones))

    @property
    def at_rest(self) -> list[Scalar]:
        """The rates of all axes, nought each."""
        return [0.0] * len(self.bones)

    @property
    def mounts(self) -> Iterator[tuple[int, Mount]]:
        """The first of the three turns of every joint with a quaternion."""
        return ((bone.index, bone.mount) for bone in self.bones if bone.mount)

    @property
    def mimics(self) -> bool:
        """Whether the bodies have more axes than the robot has velocities."""
        return len({bone.rate.index for bone in self.bones}) < len(self.bones)

    def frame(self, name: str) -> Frame:
        """The frame of a link, or the tip's."""
        return next(frame for frame in self.frames if frame.name == name)

    def at(self, q: Sequence[Scalar], fn: Any) -> tuple[Body, ...]:
        """The bodies at joint positions q."""
        return tuple(bone.at(q, fn) for bone in self.bones)


NO_TURN = Turn("z", 1.0, 0.0)


def skeleton(robot: Robot) -> Skeleton:
    """The robot's moving bodies with the origins that its description gives them; fixed links are merged."""
    places, rates = coordinates(robot)
    carrier: list[tuple[int, Placement]] = []
    """For each link: the body that it belongs to, and its frame in that body's."""
    bodies: list[_Body] = []
    for link in robot.links:
        body, frame = (BASE, Placement()) if link.parent == BASE else carrier[link.parent]
        reached = frame.then(link.joint.placement)
        for axis in _axes(link.joint, places[link.joint.name], rates[link.joint.name]):
            bodies.append(_Body(link, axis, body, reached))
            body, reached = len(bodies) - 1, Placement((Rigid(axis.aligned.T, ZERO),) if axis.aligned else ())
        if body != BASE:
            bodies[body].carried.append((link, reached))
        carrier.append((body, reached))
    children = children_of(tuple(b.parent for b in bodies))
    bones = tuple(_bone(i, b, children[i]) for i, b in enumerate(bodies))
    tip = carrier[-1][1].then(robot.tip) if carrier else IN_PLACE
    at_tip = [(carrier[-1][0], tip)] if TIP in robot.frame_names[len(carrier) :] else []
    named = zip(robot.frame_names, [*carrier, *at_tip], strict=True)
    frames = tuple(Frame(name, *where) for name, where in named)
    return Skeleton(robot.name, bones, robot.gravity, tip.position, frames)


Places = dict[str, tuple[Place, ...]]


def coordinates(robot: Robot) -> tuple[Places, Places]:
    """For every joint, where in q its positions are, and where in v its rates."""
    joints = [link.joint for link in robot.links]
    places, rates = _in_turn(joints, "nq"), _in_turn(joints, "nv")
    for link in robot.links:
        if link.joint.mimic:
            name, multiplier, offset = leader(robot, link.joint)
            places[link.joint.name] = (Place(places[name][0].index, multiplier, offset),)
            rates[link.joint.name] = (Place(rates[name][0].index, multiplier),)
    return places, rates


def _in_turn(joints: Sequence[Joint], count: str) -> Places:
    """The joints' coordinates one after the other."""
    numbers = iter(range(sum(getattr(joint, count) for joint in joints)))
    return {joint.name: tuple(Place(next(numbers)) for _ in range(getattr(joint, count))) for joint in joints}


@dataclass(frozen=True, slots=True)
class _Axis:
    """One of the motions of a joint."""

    aligned: Mat | None
    """A rotation whose third column is the axis, unless that is z already."""
    place: Place
    rate: Place
    lead: Scalar
    turns: bool
    rotor: Scalar
    damping: Scalar
    friction: Scalar
    quaternion: int | None
    """Where in q the quaternion begins that the axis is mounted by."""
    free: bool


def _axes(joint: Joint, places: Sequence[Place], rates: Sequence[Place]) -> Iterator[_Axis]:
    """The motions of a joint in their order; where it has a quaternion, the first of its turns is mounted by that."""
    none = (0.0,) * joint.kind.nv
    damping, friction = joint.drive.damping or none, joint.drive.friction or none
    drives = zip(joint.reflected_inertia, damping, friction, strict=True)
    at = iter(places)
    for motion, axis, rate, drive in zip(joint.kind.motions, joint.axes, rates, drives, strict=True):
        by_quaternion = joint.kind.has_quaternion and motion == "R"
        mounted = places[-4].index if by_quaternion and axis == X_AXIS else None
        lead = {"R": 0.0, "P": 1.0, "H": joint.pitch}[motion]
        place = Place(None) if by_quaternion else next(at)
        yield _Axis(to_z_axis(axis), place, rate, lead, motion != "P", *drive, mounted, joint.type == "free")


class _Body:
    """A moving body being put together: its axis and the links that it carries rigidly."""

    def __init__(self, link: Link, axis: _Axis, parent: int, reached: Placement) -> None:
        self.link, self.axis, self.parent, self.reached = link, axis, parent, reached
        self.carried: list[tuple[Link, Placement]] = []


def _bone(index: int, body: _Body, children: tuple[int, ...]) -> Bone:
    before, last = _split(body)
    total = whole(body.carried)
    com, inertia = (body.carried[0][0].com, body.carried[0][0].inertia) if body.carried else (ZERO, ZERO_TENSOR)
    if len(body.carried) > 1 or body.axis.aligned:
        com, inertia = centroidal(total)
    return Bone(
        index=index,
        name=body.link.name,
        parent=body.parent,
        children=children,
        prismatic=not body.axis.turns,
        place=body.axis.place,
        rate=body.axis.rate,
        before=before.rotation,
        offset=before.position,
        zero=last.turn,
        angle=math.atan2(last.turn.s, last.turn.c) if isinstance(last.turn.c, float) else 0.0,
        slide=last.slide,
        lead=body.axis.lead,
        rotor=body.axis.rotor,
        damping=body.axis.damping,
        friction=body.axis.friction,
        mount=_mount(body.axis),
        carries=bool(body.carried),
        mass=total.mass,
        com=com,
        inertia=inertia,
        spatial=total,
        own_frame=body.carried[0][1] if body.carried else IN_PLACE,
    )


def _mount(axis: _Axis) -> Mount | None:
    if axis.quaternion is None:
        return None
    return Mount(axis.quaternion, Rotation((axis.aligned,) if axis.aligned else ()), axis.free)


def of_quaternion(w: Scalar, x: Scalar, y: Scalar, z: Scalar) -> Mat:
    """The rotation matrix of a quaternion of any length but nought, which divides."""
    k = 2.0 / (w * w + x * x + y * y + z * z)
    kx, ky, kz = k * x, k * y, k * z
    xx, yy, zz, xy, xz, yz = kx * x, ky * y, kz * z, kx * y, kx * z, ky * z
    wx, wy, wz = kx * w, ky * w, kz * w
    return Mat(
        Vec(1.0 - (yy + zz), xy - wz, xz + wy),
        Vec(xy + wz, 1.0 - (xx + zz), yz - wx),
        Vec(xz - wy, yz + wx, 1.0 - (xx + yy)),
    )


def _split(body: _Body) -> tuple[Placement, Screw]:
    """What leads to the joint's axis, and the constant screw about it (if the description has it apart)."""
    factors = body.reached.factors
    if body.axis.quaternion is not None:
        return Placement(factors), Screw(NO_TURN, 0.0)
    if body.axis.aligned:
        return Placement((*factors, Rigid(body.axis.aligned, ZERO))), Screw(NO_TURN, 0.0)
    if factors and isinstance(factors[-1], Screw) and factors[-1].turn.axis == "z":
        return Placement(factors[:-1]), factors[-1]
    return Placement(factors), Screw(NO_TURN, 0.0)


def whole(carried: Sequence[tuple[Link, Placement]]) -> Inertia:
    """The inertia, about the body's origin, of all the links that a body carries rigidly."""
    total = Inertia(0.0, ZERO, ZERO_TENSOR)
    for link, frame in carried:
        about_com = Inertia(link.mass, ZERO, link.inertia).at(link.com)
        total = total + about_com.turned(frame.rotation).at(frame.position)
    return total


def centroidal(total: Inertia) -> tuple[Vec, Sym]:
    """Centre of mass and the second moments about it; a massless body's centre is put at its origin."""
    if total.mass == 0.0:
        return ZERO, total.tensor
    com = total.moment * (1.0 / total.mass)
    return com, total.tensor - Inertia(total.mass, ZERO, ZERO_TENSOR).at(com).tensor
