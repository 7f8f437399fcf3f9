"""Wrenches that act on a robot's links from outside, and the joint forces that they take."""

from __future__ import annotations

from collections.abc import Sequence

from .algebra import NO_FORCE, Force, Scalar
from .formulations.kinematics import poses
from .formulations.newton_euler import joint_force, to_parent
from .robot.skeleton import Frame, Skeleton
from .sweep import Bodies, each, inward


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
