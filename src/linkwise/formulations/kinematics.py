"""Where frames are and how they move: poses, velocities, accelerations, Jacobians and their rates. Any tree.

Six-vectors of a frame are told in one of three references: "world_aligned", the world's axes about the frame's origin;
"local", the frame's own axes about it; "spatial", the world's axes about the world's origin. Accelerations and rates
of Jacobians are the rates of these very components, so that a = J q̈ + J̇ q̇ in each of them.

A column of a Jacobian is the motion that one joint alone gives the frame. It is worked out as an observer sees it, who
stands in the world or, for "local", in the frame itself, from which the bodies toward the base are seen to move away.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from ..algebra import RIGIDLY_AT_REST, ZERO, Force, Motion, Rotation, Scalar, Vec
from ..robot.model import BASE
from ..robot.skeleton import Body, Frame, Skeleton
from ..sweep import Bodies, outward, toward_base
from .articulated_body import into, velocity, velocity_product
from .newton_euler import unit_motion

Scalars = Sequence[Scalar]
Names = Sequence[str]
Rows = list[list[Scalar]]


class Pose(NamedTuple):
    """Where a frame is in the world: the way from its axes to the world's, and its origin."""

    R: Rotation
    p: Vec


def poses(robot: Skeleton, links: Bodies) -> list[Pose]:
    """Where all bodies are."""
    return outward(links, pose, Pose(robot.base.rotation, robot.base.position))


def pose(link: Body, parent: Pose) -> Pose:
    return Pose(Rotation((parent.R.then(link.R).matrix,)), parent.p + (parent.R @ link.p))


def frame_pose(frame: Frame, bodies: Sequence[Pose]) -> Pose:
    """Where a frame is, given where the bodies are; one that no body carries has its place in the world."""
    R, p = frame.placement.rotation, frame.placement.position
    if frame.body == BASE:
        return Pose(R, p)
    body = bodies[frame.body]
    return Pose(body.R.then(R), body.p + (body.R @ p))


def forward_kinematics(robot: Skeleton, q: Scalars, fn: Any, frames: Names) -> list[Rows]:
    """The homogeneous matrix of every frame: its axes and its origin in the world."""
    bodies = poses(robot, robot.at(q, fn))
    return [homogeneous(frame_pose(robot.frame(name), bodies)) for name in frames]


def homogeneous(pose: Pose) -> Rows:
    rows = zip(pose.R.matrix, pose.p, strict=True)
    return [*([*row, along] for row, along in rows), [0.0, 0.0, 0.0, 1.0]]


def frame_velocities(robot: Skeleton, q: Scalars, q̇: Scalars, fn: Any, frames: Names, reference: str) -> list[Motion]:
    links = robot.at(q, fn)
    v = outward(links, velocity, RIGIDLY_AT_REST, q̇)
    bodies = poses(robot, links)
    return [seen_by(reference, *own_motion(robot.frame(name), v, bodies)) for name in frames]


def frame_accelerations(
    robot: Skeleton, q: Scalars, q̇: Scalars, q̈: Scalars, fn: Any, frames: Names, reference: str
) -> list[Motion]:
    """The rates of what `frame_velocities` gives, without gravity."""
    links = robot.at(q, fn)
    v = outward(links, velocity, RIGIDLY_AT_REST, q̇)
    a = outward(links, spatial_acceleration, RIGIDLY_AT_REST, v, q̇, q̈)
    bodies = poses(robot, links)
    return [frame_acceleration(robot.frame(name), v, a, bodies, reference) for name in frames]


def spatial_acceleration(link: Body, a: Motion, v: Motion, q̇: Scalar, q̈: Scalar) -> Motion:
    """The rate of the components of v in the body's own axes about its own moving origin."""
    return into(link, a) + velocity_product(link, v, q̇) + unit_motion(link) * q̈


def frame_acceleration(
    frame: Frame, v: Sequence[Motion], a: Sequence[Motion], bodies: Sequence[Pose], reference: str
) -> Motion:
    local, where = own_motion(frame, a, bodies)
    if reference == "world_aligned":
        moving, _ = own_motion(frame, v, bodies)
        local = local + Motion(ZERO, moving.angular.cross(moving.linear))
    return seen_by(reference, local, where)


def own_motion(frame: Frame, motions: Sequence[Motion], bodies: Sequence[Pose]) -> tuple[Motion, Pose]:
    """The motion of a frame in its own axes about its own origin, given the bodies', and where it is."""
    where = frame_pose(frame, bodies)
    if frame.body == BASE:
        return RIGIDLY_AT_REST, where
    placed = frame.placement
    return motions[frame.body].shifted(placed.position).turned(placed.rotation.T), where


def seen_by(reference: str, local: Motion, where: Pose) -> Motion:
    """A frame's motion in its own axes, told in this reference."""
    if reference == "local":
        return local
    aligned = local.turned(where.R)
    return aligned.shifted(-where.p) if reference == "spatial" else aligned


class Seen(NamedTuple):
    """A body as an observer sees it: the way from its axes to the observer's, its origin, and how both move."""

    R: Rotation
    p: Vec
    ω: Vec
    ṗ: Vec


def jacobian(robot: Skeleton, q: Scalars, fn: Any, frames: Names, reference: str) -> Rows:
    """J with J q̇ the velocity of a frame: three rows of linear, three of angular velocity."""
    bodies, point = seen_on_the_way(robot, q, robot.at_rest, fn, frames[0], reference)
    return in_rows(robot, ((link, column(link, seen, point)) for link, seen in bodies))


def jacobian_rate(robot: Skeleton, q: Scalars, q̇: Scalars, fn: Any, frames: Names, reference: str) -> Rows:
    """J̇, while the robot moves at q̇."""
    bodies, point = seen_on_the_way(robot, q, q̇, fn, frames[0], reference)
    return in_rows(robot, ((link, column_rate(link, seen, point)) for link, seen in bodies))


def column(link: Body, seen: Seen, point: Seen) -> Motion:
    """The motion about a point by the link's joint alone, at unit rate."""
    return unit_motion(link).turned(seen.R).shifted(point.p - seen.p)


def column_rate(link: Body, seen: Seen, point: Seen) -> Motion:
    s = unit_motion(link).turned(seen.R)
    ṡ = Motion(seen.ω.cross(s.angular), seen.ω.cross(s.linear))
    return ṡ.shifted(point.p - seen.p) + Motion(ZERO, s.angular.cross(point.ṗ - seen.ṗ))


def in_rows(robot: Skeleton, columns: Iterable[tuple[Body, Motion | Force]]) -> Rows:
    """A matrix of six rows from the columns of some joints; the others have no part in it."""
    known = {link.index: column for link, column in columns}
    every = [known.get(bone.index, RIGIDLY_AT_REST).components for bone in robot.bones]
    return [list(row) for row in zip(*every, strict=True)]


def seen_on_the_way(
    robot: Skeleton, q: Scalars, q̇: Scalars, fn: Any, name: str, reference: str
) -> tuple[list[tuple[Body, Seen]], Seen]:
    """The bodies from a frame down to the base as the reference's observer sees them, and the point it tells about."""
    links, frame = robot.at(q, fn), robot.frame(name)
    here = Seen(Rotation(), ZERO, ZERO, ZERO)
    if frame.body == BASE:
        return [], here
    if reference == "local":
        return seen_from_frame(links, frame, q̇), here
    bodies = outward(links, seen_beyond, Seen(robot.base.rotation, robot.base.position, ZERO, ZERO), q̇)
    way = [links[frame.body], *(link for link, _ in toward_base(links, links[frame.body], unchanged, None))]
    point = here if reference == "spatial" else carried(bodies[frame.body], frame.placement.position)
    return [(link, bodies[link.index]) for link in way], point


def seen_from_frame(links: Bodies, frame: Frame, q̇: Scalars) -> list[tuple[Body, Seen]]:
    """From the frame toward the base, by an observer who rides on the frame."""
    link, R = links[frame.body], frame.placement.rotation.T
    first = Seen(R, -(R @ frame.placement.position), ZERO, ZERO)

    def before(link: Body, seen: Seen) -> Seen:
        return seen_before(link, seen, q̇[link.index])

    return [(link, first), *toward_base(links, link, before, first)]


def unchanged(link: Body, value: Any) -> Any:
    return value


def seen_beyond(link: Body, parent: Seen, q̇: Scalar) -> Seen:
    """A body by what is seen of its parent."""
    R = Rotation((parent.R.then(link.R).matrix,))
    joint = unit_motion(link).turned(R) * q̇
    _, p, _, ṗ = carried(parent, link.p)
    return Seen(R, p, parent.ω + joint.angular, ṗ + joint.linear)


def seen_before(link: Body, seen: Seen, q̇: Scalar) -> Seen:
    """A body's parent by what is seen of the body."""
    R = Rotation((seen.R.then(link.R.T).matrix,))
    joint = unit_motion(link).turned(seen.R) * q̇
    lever = R @ link.p
    ω = seen.ω - joint.angular
    return Seen(R, seen.p - lever, ω, seen.ṗ - joint.linear - ω.cross(lever))


def carried(body: Seen, p: Vec) -> Seen:
    """A point that a body carries, given in the body's axes."""
    lever = body.R @ p
    return Seen(body.R, body.p + lever, body.ω, body.ṗ + body.ω.cross(lever))
