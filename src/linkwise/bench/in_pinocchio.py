"""A robot as Pinocchio has it: told link by link, fixed links and all, to be merged and numbered its own way.

Joints of several motions are as many joints there, but for those with a quaternion, whose scalar Pinocchio has last. A
joint that mimics another is one of its own. A free joint's velocity is told in its body's axes.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Any

import numpy as np

from ..algebra import X_AXIS, Y_AXIS, Z_AXIS, Vec
from ..robot.joint import Joint
from ..robot.model import BASE, Link, Robot
from .dense import array, dense, depth_first, pose
from .terms import Terms

pin: Any = import_module("pinocchio")

BASE_VELOCITY = "body"


def model(robot: Robot) -> Any:
    made = pin.Model()
    made.gravity.linear = array(robot.gravity)
    carrier: dict[int, tuple[int, Any]] = {BASE: (0, pin.SE3.Identity())}
    for i in depth_first(robot):
        carrier[i] = _add(made, robot.links[i], *carrier[robot.links[i].parent])
    for link in robot.links:
        made.armature[_rates(made, link.joint)] = link.joint.reflected_inertia
    return made


def _add(made: Any, link: Link, joint: int, frame: Any) -> tuple[int, Any]:
    """The joint that carries the link there, and the link's frame in that joint's."""
    frame = frame * pin.SE3(*pose(link.joint.placement))
    for name, kind in _joints(link.joint):
        joint, frame = made.addJoint(joint, kind, frame, name), pin.SE3.Identity()
    made.appendBodyToJoint(joint, pin.Inertia(link.mass, array(link.com), dense(link.inertia)), frame)
    made.addFrame(pin.Frame(link.name, joint, frame, pin.FrameType.BODY), False)
    return joint, frame


def _joints(joint: Joint) -> Iterator[tuple[str, Any]]:
    """The joints of Pinocchio's that one of ours is, with their names."""
    if joint.kind.has_quaternion:
        yield joint.name, pin.JointModelFreeFlyer() if joint.type == "free" else pin.JointModelSpherical()
        return
    for i, (motion, axis) in enumerate(zip(joint.kind.motions, joint.axes, strict=True)):
        name = joint.name if joint.kind.nv == 1 else f"{joint.name}.{i}"
        yield name, _kind(motion, axis, joint.pitch)


def _kind(motion: str, axis: Vec, pitch: Any) -> Any:
    """For axes along x, y and z Pinocchio has kinds of their own, which take it less time."""
    more = [pitch] if motion == "H" else []
    if axis in ALIGNED:
        return getattr(pin, f"JointModel{motion}{ALIGNED[axis]}")(*more)
    return UNALIGNED[motion](array(axis), *more)


ALIGNED = {X_AXIS: "X", Y_AXIS: "Y", Z_AXIS: "Z"}
UNALIGNED = {
    "R": pin.JointModelRevoluteUnaligned,
    "P": pin.JointModelPrismaticUnaligned,
    "H": pin.JointModelHelicalUnaligned,
}


def _rates(made: Any, joint: Joint) -> list[int]:
    """Where the joint's velocities stand in Pinocchio's vectors."""
    found = (made.joints[made.getJointId(name)] for name, _ in _joints(joint))
    return [there.idx_v + k for there in found for k in range(there.nv)]


def _positions(made: Any, joint: Joint) -> list[int]:
    """Where the joint's positions stand in Pinocchio's vectors, a quaternion's scalar first."""
    found = (made.joints[made.getJointId(name)] for name, _ in _joints(joint))
    places = [there.idx_q + k for there in found for k in range(there.nq)]
    return [*places[:-4], places[-1], *places[-4:-1]] if joint.kind.has_quaternion else places


def terms(robot: Robot, made: Any) -> Terms:
    """How the robot's states are told in Pinocchio."""
    at_q, at_v = (np.array([i for joint in robot.joints for i in at(made, joint)], int) for at in (_positions, _rates))
    return Terms(robot, at_q, at_v, BASE_VELOCITY)
