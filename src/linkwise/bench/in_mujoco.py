"""A robot as MuJoCo has it, with all that is not rigid-body dynamics switched off.

Joints of several motions are as many joints there, but for those with a quaternion. A joint that mimics another is one
of its own. A free joint's velocity is linear in the world's axes, angular in the body's.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Any

import numpy as np

from ..robot.joint import Joint
from ..robot.model import BASE, Link, Robot
from .dense import Array, array, dense, pose
from .terms import Terms

mujoco: Any = import_module("mujoco")

BASE_VELOCITY = "mujoco"

SPECK = 1e-15
"""MuJoCo refuses moving bodies below 1e-15 kg and kg m²: a massless link gets just this, below every tolerance."""


def nearest_model(robot: Robot) -> tuple[Any, bool]:
    """The model, and whether it is the robot's: one with other numbers where MuJoCo refuses these."""
    try:
        return model(robot), True
    except ValueError:
        return model(robot, lenient=True), False


def model(robot: Robot, *, lenient: bool = False, merged: bool = True) -> Any:
    """The model, links on fixed joints merged or each with its name.

    MuJoCo refuses moments of inertia that no body can have, unless it may change them.
    """
    spec = mujoco.MjSpec()
    spec.compiler.fusestatic = merged
    if lenient:
        spec.compiler.balanceinertia, spec.compiler.boundinertia = True, SPECK
    spec.option.gravity = array(robot.gravity)
    spec.option.disableflags = mujoco.mjtDisableBit.mjDSBL_CONSTRAINT | mujoco.mjtDisableBit.mjDSBL_CONTACT
    bodies = {BASE: spec.worldbody}
    for i, link in enumerate(robot.links):
        bodies[i] = _add(link, bodies[link.parent], "" if merged else link.name)
    made = spec.compile()
    for link in robot.links:
        rates = _rates(made, link.joint)
        made.dof_armature[rates] = link.joint.reflected_inertia
        made.dof_damping[rates] = link.joint.drive.damping or 0.0
    mujoco.mj_setConst(made, mujoco.MjData(made))
    return made


def _add(link: Link, parent: Any, name: str) -> Any:
    R, p = pose(link.joint.placement)
    principal, axes = np.linalg.eigh(dense(link.inertia))
    body = parent.add_body(
        name=name,
        pos=p,
        quat=_quaternion(R),
        explicitinertial=True,
        mass=link.mass or SPECK,
        ipos=array(link.com),
        iquat=_quaternion(axes * np.linalg.det(axes)),
        inertia=principal if link.mass else [SPECK] * 3,
    )
    for name, kind, axis in _joints(link.joint):
        body.add_joint(name=name, type=kind, axis=axis)
    return body


def _joints(joint: Joint) -> Iterator[tuple[str, Any, Array]]:
    """The joints of MuJoCo's that one of ours is: name, type and axis."""
    types = mujoco.mjtJoint
    if joint.kind.has_quaternion:
        yield joint.name, types.mjJNT_FREE if joint.type == "free" else types.mjJNT_BALL, array(joint.axis)
        return
    for i, (motion, axis) in enumerate(zip(joint.kind.motions, joint.axes, strict=True)):
        name = joint.name if joint.kind.nv == 1 else f"{joint.name}.{i}"
        yield name, {"R": types.mjJNT_HINGE, "P": types.mjJNT_SLIDE}[motion], array(axis)


def _quaternion(R: Array) -> Array:
    wxyz = np.empty(4)
    mujoco.mju_mat2Quat(wxyz, np.ascontiguousarray(R).ravel())
    return wxyz


def _rates(made: Any, joint: Joint) -> list[int]:
    """Where the joint's velocities stand in MuJoCo's vectors."""
    begins = [made.joint(name).dofadr[0] for name, _, _ in _joints(joint)]
    return list(range(begins[0], begins[0] + joint.kind.nv)) if begins else []


def _positions(made: Any, joint: Joint) -> list[int]:
    begins = [made.joint(name).qposadr[0] for name, _, _ in _joints(joint)]
    return list(range(begins[0], begins[0] + joint.kind.nq)) if begins else []


def terms(robot: Robot, made: Any) -> Terms:
    """How the robot's states are told in MuJoCo."""
    at_q, at_v = (np.array([i for joint in robot.joints for i in at(made, joint)], int) for at in (_positions, _rates))
    return Terms(robot, at_q, at_v, BASE_VELOCITY)
