"""A robot reduced to what its dynamics need: moving bodies only, each on a joint whose axis is its own z axis.

The texts of the formulations read nothing else. A frame of the skeleton has its body's joint along z; where it lies
on that axis is free, and `skeleton` (the user's own origins) and the normal form use that freedom differently.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..algebra import (
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
from .model import BASE, Link, Robot, children_of


@dataclass(frozen=True, slots=True)
class Bone:
    """A moving body with its joint, at no pose yet: constants only."""

    index: int
    name: str
    parent: int
    children: tuple[int, ...]
    prismatic: bool
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
    mass: Scalar
    com: Vec
    inertia: Sym
    """Second moments about the centre of mass."""
    spatial: Inertia
    """Mass, first and second moments about the origin: those of the body, or regrouped ones that move alike."""
    own_frame: Placement
    """The frame that the robot's description gives this body, in the skeleton's frame of it."""

    def at(self, q: Scalar, fn: Any) -> Body:
        """The body at joint position q, with sine and cosine from the scalar's own namespace."""
        turn = self.zero if self.prismatic else self._turned(q, fn)
        slide = self.slide + q if self.prismatic else self.slide
        return Body(self, self.before.then(Rotation((turn,))), Vec(0.0, 0.0, slide))

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
class Skeleton:
    """The moving bodies of a robot, parents first, and its gravity in the base's axes."""

    name: str
    bones: tuple[Bone, ...]
    gravity: Vec
    tip: Vec
    """The tip, in the last body's axes from its origin."""

    @property
    def is_chain(self) -> bool:
        return all(bone.parent == i - 1 for i, bone in enumerate(self.bones))

    def at(self, q: Sequence[Scalar], fn: Any) -> tuple[Body, ...]:
        """The bodies at joint positions q."""
        return tuple(bone.at(position, fn) for bone, position in zip(self.bones, q, strict=True))


NO_TURN = Turn("z", 1.0, 0.0)


def skeleton(robot: Robot) -> Skeleton:
    """The robot's moving bodies with the origins that its description gives them; fixed links are merged."""
    carrier: list[tuple[int, Placement]] = []
    """For each link: the body that it belongs to, and its frame in that body's."""
    bodies: list[_Body] = []
    for link in robot.links:
        body, frame = (BASE, Placement()) if link.parent == BASE else carrier[link.parent]
        reached = frame.then(link.joint.placement)
        if link.joint.nv:
            aligned = to_z_axis(link.joint.axis)
            bodies.append(_Body(link, body, reached, aligned))
            body, reached = len(bodies) - 1, Placement((Rigid(aligned.T, ZERO),) if aligned else ())
        if body != BASE:
            bodies[body].carried.append((link, reached))
        carrier.append((body, reached))
    children = children_of(tuple(b.parent for b in bodies))
    bones = tuple(_bone(i, b, children[i]) for i, b in enumerate(bodies))
    tip = carrier[-1][1].then(robot.tip).position if carrier else ZERO
    return Skeleton(robot.name, bones, robot.gravity, tip)


class _Body:
    """A moving body being put together: its joint and the links that it carries rigidly."""

    def __init__(self, link: Link, parent: int, reached: Placement, aligned: Mat | None) -> None:
        self.link, self.parent, self.reached, self.aligned = link, parent, reached, aligned
        self.carried: list[tuple[Link, Placement]] = []


def to_z_axis(axis: Vec) -> Mat | None:
    """A rotation whose third column is the axis (None if that is z already): the least turn that does it."""
    x, y, z = axis
    across = x * x + y * y
    if axis == Z_AXIS:
        return None
    if across == 0.0 and z < 0.0:
        return Mat(Vec(1.0, 0.0, 0.0), Vec(0.0, -1.0, 0.0), Vec(0.0, 0.0, -1.0))
    k = 1.0 / (1.0 + z) if z > 0.0 else (1.0 - z) / across  # the same, but 1 + z would cancel
    return Mat(Vec(1.0 - k * x * x, -k * x * y, x), Vec(-k * x * y, 1.0 - k * y * y, y), Vec(-x, -y, z))


def _bone(index: int, body: _Body, children: tuple[int, ...]) -> Bone:
    before, last = _split(body)
    total = whole(body.carried)
    com, inertia = body.carried[0][0].com, body.carried[0][0].inertia
    if len(body.carried) > 1 or body.aligned:
        com, inertia = centroidal(total)
    return Bone(
        index=index,
        name=body.link.name,
        parent=body.parent,
        children=children,
        prismatic=body.link.joint.kind.slides,
        before=before.rotation,
        offset=before.position,
        zero=last.turn,
        angle=math.atan2(last.turn.s, last.turn.c) if isinstance(last.turn.c, float) else 0.0,
        slide=last.slide,
        mass=total.mass,
        com=com,
        inertia=inertia,
        spatial=total,
        own_frame=body.carried[0][1],
    )


def _split(body: _Body) -> tuple[Placement, Screw]:
    """What leads to the joint's axis, and the constant screw about it (if the description has it apart)."""
    factors = body.reached.factors
    if body.aligned:
        return Placement((*factors, Rigid(body.aligned, ZERO))), Screw(NO_TURN, 0.0)
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
