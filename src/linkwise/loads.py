"""Wrenches that act on a robot's links from outside, and the joint forces that they take."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .algebra import NO_FORCE, Force, Rotation, Scalar, Vec
from .formulations.newton_euler import joint_force, to_parent
from .robot.skeleton import Body, Frame, Skeleton
from .sweep import Bodies, each, inward, outward


class Pose(NamedTuple):
    """Where a frame is in the world: the way from its axes to the world's, and its origin."""

    R: Rotation
    p: Vec


def poses(robot: Skeleton, links: Bodies) -> list[Pose]:
    """Where all bodies are."""
    return outward(links, pose, Pose(robot.base.rotation, robot.base.position))


def pose(link: Body, parent: Pose) -> Pose:
    return Pose(Rotation((parent.R.then(link.R).matrix,)), parent.p + (parent.R @ link.p))


def on_bodies(
    robot: Skeleton, links: Bodies, frames: Sequence[Frame], wrenches: Sequence[Force], reference: str
) -> list[Force]:
    """The wrench on every body about its origin, in its axes; what acts on the ground moves nothing."""
    total = [NO_FORCE] * len(links)
    where = poses(robot, links) if reference != "local" else []
    for frame, wrench in zip(frames, wrenches, strict=True):
        if frame.body < 0:
            continue
        at = frame.placement.position
        if reference == "local":
            told = wrench.turned(frame.placement.rotation).at(at)
        else:
            R, p = where[frame.body]
            told = wrench.at(-p).turned(R.T) if reference == "spatial" else wrench.turned(R.T).at(at)
        total[frame.body] = total[frame.body] + told
    return total


def joint_forces(links: Bodies, loads: Sequence[Force]) -> list[Scalar]:
    """What the loads put on the joints."""
    return each(links, joint_force, inward(links, to_parent, loads))
