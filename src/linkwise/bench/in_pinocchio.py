"""A robot as Pinocchio has it: told link by link, fixed links and all, to be merged and numbered its own way."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..robot.model import BASE, Link, Robot
from .dense import array, dense, depth_first, pose

pin: Any = import_module("pinocchio")


def model(robot: Robot) -> Any:
    made = pin.Model()
    made.gravity.linear = array(robot.gravity)
    carrier: dict[int, tuple[int, Any]] = {BASE: (0, pin.SE3.Identity())}
    for i in depth_first(robot):
        carrier[i] = _add(made, robot.links[i], *carrier[robot.links[i].parent])
    return made


def _add(made: Any, link: Link, joint: int, frame: Any) -> tuple[int, Any]:
    """The joint that carries the link there, and the link's frame in that joint's."""
    frame = frame * pin.SE3(*pose(link.joint.placement))
    if link.joint.nv:
        kind = pin.JointModelRevoluteUnaligned if any(link.joint.kind.turns) else pin.JointModelPrismaticUnaligned
        joint = made.addJoint(joint, kind(array(link.joint.axis)), frame, link.joint.name)
        frame = pin.SE3.Identity()
    made.appendBodyToJoint(joint, pin.Inertia(link.mass, array(link.com), dense(link.inertia)), frame)
    return joint, frame


def order(robot: Robot, made: Any) -> NDArray[np.intp]:
    """Where each of the robot's joints stands in Pinocchio's vectors."""
    return np.array([made.joints[made.getJointId(name)].idx_v for name in robot.joint_names])
