"""A robot as MuJoCo has it, with all that is not rigid-body dynamics switched off."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..robot.model import BASE, Link, Robot
from .dense import Array, array, dense, pose

mujoco: Any = import_module("mujoco")

SPECK = 1e-15
"""MuJoCo refuses moving bodies below 1e-15 kg and kg m²: a massless link gets just this, below every tolerance."""


def model(robot: Robot, *, lenient: bool = False) -> Any:
    """The model; MuJoCo refuses moments of inertia that no body can have, unless it may change them."""
    spec = mujoco.MjSpec()
    if lenient:
        spec.compiler.balanceinertia, spec.compiler.boundinertia = True, SPECK
    spec.option.gravity = array(robot.gravity)
    spec.option.disableflags = mujoco.mjtDisableBit.mjDSBL_CONSTRAINT | mujoco.mjtDisableBit.mjDSBL_CONTACT
    bodies = {BASE: spec.worldbody}
    for i, link in enumerate(robot.links):
        bodies[i] = _add(link, bodies[link.parent])
    return spec.compile()


def _add(link: Link, parent: Any) -> Any:
    R, p = pose(link.joint.placement)
    principal, axes = np.linalg.eigh(dense(link.inertia))
    body = parent.add_body(
        name=link.name,
        pos=p,
        quat=_quaternion(R),
        explicitinertial=True,
        mass=link.mass or SPECK,
        ipos=array(link.com),
        iquat=_quaternion(axes * np.linalg.det(axes)),
        inertia=principal if link.mass else [SPECK] * 3,
    )
    if link.joint.nv:
        kind = mujoco.mjtJoint.mjJNT_HINGE if any(link.joint.kind.turns) else mujoco.mjtJoint.mjJNT_SLIDE
        body.add_joint(name=link.joint.name, type=kind, axis=array(link.joint.axis))
    return body


def _quaternion(R: Array) -> Array:
    wxyz = np.empty(4)
    mujoco.mju_mat2Quat(wxyz, np.ascontiguousarray(R).ravel())
    return wxyz


def order(robot: Robot, made: Any) -> NDArray[np.intp]:
    """Where each of the robot's joints stands in MuJoCo's vectors."""
    return np.array([made.joint(name).dofadr[0] for name in robot.joint_names])
