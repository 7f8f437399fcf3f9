"""The normal form of a robot: the same joint forces and accelerations from fewer operations.

Joint-space answers do not change when a body's frame slides along its joint's axis and turns about it, nor when the
part of a body's inertia that its joint cannot feel is handed to the parent. The first freedom puts the frames where
Khalil and Craig put them (x along the common normal to the next axis); the second empties the inertial parameters
(regrouping to base parameters, after Gautier and Khalil).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..algebra import ZERO, ZERO_TENSOR, Inertia, Mat, Placement, Rigid, Rotation, Screw, Sym, Turn, Vec, diagonal
from .model import BASE
from .skeleton import NO_TURN, Bone, Frame, Skeleton

NOISE = 16 * 2.0**-52
"""Direction cosines this near to 0 or ±1, and lengths this small beside the robot, are rounding of what was meant."""

SLANT = 1.0 / 16.0
"""Axes with a smaller sine between them have their common normal too far off to be of use."""


def normal_form(robot: Skeleton) -> Skeleton:
    """Khalil–Craig frames and regrouped inertial parameters."""
    return regrouped(khalil_craig(robot))


@dataclass(frozen=True, slots=True)
class Normal:
    """How a joint's axis lies in its parent's frame: Z(γ, b) X(α, a), then the constant Z(θ, d) about the axis itself.

    Where the axes are nearly parallel, `far` leads to the joint's own origin instead of the foot of a normal.
    """

    γ: Turn
    α: Turn
    θ: Turn
    b: float = 0.0
    a: float = 0.0
    d: float = 0.0
    far: Vec = ZERO

    @property
    def before(self) -> Rotation:
        return Rotation(tuple(turn for turn in (self.γ, self.α) if (turn.c, turn.s) != (1.0, 0.0)))

    @property
    def offset(self) -> Vec:
        return Vec(self.a * self.γ.c, self.a * self.γ.s, self.b) + self.far

    @property
    def parents_screw(self) -> Screw:
        """The screw that the parent's frame must make for γ and b (or θ, on a common axis) to vanish."""
        coaxial = self.α.s == 0.0 and self.offset.x == 0.0 and self.offset.y == 0.0
        return Screw(Turn("z", self.θ.c, self.θ.s * self.α.c) if coaxial else self.γ, self.b)


def khalil_craig(robot: Skeleton) -> Skeleton:
    """The same bodies in frames whose x axes lie along the common normals of successive joint axes.

    A robot of symbols is described in such frames already; only its tips' origins are left to choose.
    """
    if not robot.bones:
        return robot
    if not all(isinstance(x, float) for x in _geometry(robot.bones)):
        return _with_tips_slid(robot)
    size = max(math.hypot(*bone.offset, bone.slide) for bone in robot.bones)
    frames = _frames(robot.bones, size)
    base = _base_frame(robot, frames)
    bones = tuple(_in_frames(bone, frames, base, size) for bone in robot.bones)
    gravity = base.matrix.T @ robot.gravity
    if _is_known(robot.gravity):
        gravity = _tidy(gravity, math.hypot(*robot.gravity))
    tip = frames[-1].turn.T @ (robot.tip - frames[-1].position)
    seen = tuple(_seen_from(frames, frame) for frame in robot.frames)
    return replace(robot, bones=bones, gravity=gravity, tip=tip, frames=seen, base=Placement((base,)))


def _is_known(gravity: Vec) -> bool:
    return all(isinstance(x, float) for x in gravity)


def _seen_from(frames: Sequence[Screw], frame: Frame) -> Frame:
    """A link's frame told in the new frame of its body."""
    if frame.body == BASE:
        return frame
    return replace(frame, placement=_inverse(frames[frame.body]).then(frame.placement))


def _inverse(frame: Screw) -> Placement:
    return Placement((Screw(frame.turn.T, -frame.slide),))


def _geometry(bones: Sequence[Bone]) -> Iterator[Any]:
    """The numbers or symbols that new frames would be laid by."""
    for bone in bones:
        yield from (*bone.offset, bone.slide, bone.zero.c, *bone.com)


def _frames(bones: Sequence[Bone], size: float) -> list[Screw]:
    """Every bone's new frame in its old one, from the tips, so that a child on a parallel axis chooses first."""
    frames = [Screw(NO_TURN, 0.0)] * len(bones)
    beyond = _bodies_beyond(bones)
    for bone in reversed(bones):
        child = bones[max(bone.children, key=lambda c: beyond[c])] if bone.children else None
        if bone.mount or (child and child.mount):
            continue  # what a quaternion turns stays where it is
        if child:
            normal = _normal(child.before.matrix, child.offset, _constant_screw(child, frames[child.index]), size)
            frames[bone.index] = normal.parents_screw
        else:
            frames[bone.index] = _tip_frame(bone, size)
    return frames


def _bodies_beyond(bones: Sequence[Bone]) -> list[int]:
    """How many bodies each bone carries, itself among them: x is laid towards the child that carries most."""
    beyond = [1] * len(bones)
    for bone in reversed(bones):
        if bone.parent != BASE:
            beyond[bone.parent] += beyond[bone.index]
    return beyond


def _tip_frame(bone: Bone, size: float) -> Screw:
    """A tip's origin goes where no slide along its axis is left, its x axis towards its centre of mass."""
    d = _normal(bone.before.matrix, bone.offset, Screw(bone.zero, bone.slide), size).d
    across = math.hypot(bone.com.x, bone.com.y)
    if bone.prismatic or across == 0.0:
        return Screw(NO_TURN, -d)
    return Screw(_tidy_turn(Turn("z", bone.com.x / across, bone.com.y / across)), -d)


def _base_frame(robot: Skeleton, frames: Sequence[Screw]) -> Rigid:
    """The base's new frame: the largest limb's first frame at its zero, turned until gravity has no y component."""
    beyond = _bodies_beyond(robot.bones)
    root = max((bone for bone in robot.bones if bone.parent == BASE), key=lambda bone: beyond[bone.index])
    last = _constant_screw(root, frames[root.index])
    R = root.before.then(last.rotation)
    if _is_known(robot.gravity):
        x, y, z = R.T @ robot.gravity
        level = math.hypot(x, y)
        if level > NOISE * abs(z):
            R = R.then(Rotation((_tidy_turn(Turn("z", x / level, y / level)),)))
    return Rigid(R.matrix, root.offset + (R @ last.position))


def _in_frames(bone: Bone, frames: Sequence[Screw], base: Rigid, size: float) -> Bone:
    """The bone told in the new frames of its parent and of itself."""
    own = frames[bone.index]
    parent = base if bone.parent == BASE else frames[bone.parent]
    back = parent.rotation.T
    R = Mat(*(back @ column for column in (bone.before.matrix.T.x, bone.before.matrix.T.y, bone.before.matrix.T.z))).T
    offset = back @ (bone.offset - parent.position)
    if bone.mount:
        return replace(bone, before=Rotation((_tidy_matrix(R),)), offset=_tidy(offset, size))
    normal = _normal(R, offset, _constant_screw(bone, own), size)
    return replace(
        _retold(bone, own),
        before=normal.before,
        offset=normal.offset,
        zero=normal.θ,
        angle=math.atan2(normal.θ.s, normal.θ.c),
        slide=normal.d,
    )


def _retold(bone: Bone, frame: Screw) -> Bone:
    """The bone's mass properties and its description's frame, told in a new frame."""
    back, down = Rotation((frame.turn.T,)), -frame.position
    return replace(
        bone,
        com=back @ (bone.com + down),
        inertia=back.similar(bone.inertia),
        spatial=bone.spatial.at(down).turned(back),
        own_frame=_inverse(frame).then(bone.own_frame),
    )


def _constant_screw(bone: Bone, frame: Screw) -> Screw:
    """What is constant about the joint's own axis, as far as the bone's new frame."""
    return Screw(_product(bone.zero, frame.turn), bone.slide + frame.slide)


def _normal(R: Mat, o: Vec, beyond: Screw, size: float) -> Normal:
    """The common normal of a frame's z axis and the joint's axis at (R, o), beyond which a constant screw follows."""
    u = _tidy(R @ Vec(0.0, 0.0, 1.0), 1.0)
    sine = math.hypot(u.x, u.y)
    γ = _tidy_turn(Turn("z", -u.y / sine, u.x / sine)) if sine else _towards(_tidy(o, size))
    α = _tidy_turn(Turn("x", u.z, sine))
    x = α.T @ (γ.T @ R.T.x)
    θ = _tidy_turn(_product(Turn("z", x.x, x.y), beyond.turn))
    across = γ.T @ o
    if sine == 0.0:
        b, a, d = across.z + α.c * beyond.slide, across.x, 0.0
    elif sine < SLANT:
        return Normal(γ, α, θ, d=beyond.slide, far=_tidy(o, size))
    else:
        foot = -across.y / sine
        b, a, d = across.z - foot * α.c, across.x, foot + beyond.slide
    return Normal(γ, α, θ, *_tidy(Vec(b, a, d), size))


def _towards(o: Vec) -> Turn:
    """The turn that points x at a parallel axis; none if that is the same axis."""
    a = math.hypot(o.x, o.y)
    return _tidy_turn(Turn("z", o.x / a, o.y / a)) if a else NO_TURN


def _product(first: Turn, then: Turn) -> Turn:
    return Turn("z", first.c * then.c - first.s * then.s, first.s * then.c + first.c * then.s)


def _tidy(v: Vec, size: float) -> Vec:
    return Vec(*(0.0 if abs(x) <= NOISE * size else x for x in v))


def _tidy_turn(turn: Turn) -> Turn:
    """Quarter turns without the rounding that keeps them from being exact."""
    if abs(turn.c) <= NOISE:
        return Turn(turn.axis, 0.0, math.copysign(1.0, turn.s))
    return Turn(turn.axis, math.copysign(1.0, turn.c), 0.0) if abs(turn.s) <= NOISE else turn


def _tidy_matrix(R: Mat) -> Mat:
    return Mat(*(Vec(*(float(round(x)) if abs(x - round(x)) <= NOISE else x for x in row)) for row in (R.x, R.y, R.z)))


def _with_tips_slid(robot: Skeleton) -> Skeleton:
    """A robot of symbols with its revolute tips' origins where no slide is left."""
    slid = [Screw(NO_TURN, 0.0 if bone.children or bone.prismatic else -bone.slide) for bone in robot.bones]
    bones = tuple(
        bone if bone.children or bone.prismatic else replace(_retold(bone, frame), slide=0.0)
        for bone, frame in zip(robot.bones, slid, strict=True)
    )
    return replace(robot, bones=bones, frames=tuple(_seen_from(slid, frame) for frame in robot.frames))


def regrouped(robot: Skeleton) -> Skeleton:
    """The same joint forces from fewer inertial parameters: what a joint cannot feel of its body goes to the parent."""
    spatial = [bone.spatial for bone in robot.bones]
    for bone in reversed(robot.bones):
        i = bone.index
        if bone.mount or bone.place.index is None or (bone.lead != 0.0 and not bone.prismatic):
            continue  # a turn by a quaternion, or a screw, feels all
        spatial[i], unfelt = (_on_slide if bone.prismatic else _on_axis)(spatial[i])
        if bone.parent != BASE:
            turned = unfelt.at(Vec(0.0, 0.0, bone.slide)).turned(bone.before.then(Rotation((bone.zero,))))
            spatial[bone.parent] = spatial[bone.parent] + turned.at(bone.offset)
    return replace(robot, bones=tuple(replace(b, spatial=s) for b, s in zip(robot.bones, spatial, strict=True)))


def _on_axis(I: Inertia) -> tuple[Inertia, Inertia]:
    """What a revolute joint feels, and what it does not: masses on its axis, which lie still in the parent.

    They take the mass, the first moment along z, and yy of the second moments, equally from xx.
    """
    J, h = I.tensor, I.moment
    unfelt = Inertia(I.mass, Vec(0.0, 0.0, h.z), diagonal(J.yy, J.yy, 0.0))
    return Inertia(0.0, Vec(h.x, h.y, 0.0), Sym(J.xx - J.yy, J.xy, J.xz, 0.0, J.yz, J.zz)), unfelt


def _on_slide(I: Inertia) -> tuple[Inertia, Inertia]:
    """What a prismatic joint feels, and what it does not: the tensor, which turns with the parent."""
    return Inertia(I.mass, I.moment, ZERO_TENSOR), Inertia(0.0, ZERO, I.tensor)
