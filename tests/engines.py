"""The two witnesses from outside, Pinocchio and MuJoCo, each put before the same robot.

Both get the description link by link, fixed links and all, so that they merge, number and align for themselves.
Results are in the order of our q.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import mujoco
import numpy as np
import pinocchio as pin

from linkwise.algebra import Force, Mat, Placement, Screw, Sym, Vec
from linkwise.robot.model import BASE, Link, Robot, children_of
from linkwise.robot.skeleton import skeleton

Array = np.ndarray[Any, np.dtype[np.float64]]
Floats = Sequence[float]


class Pinocchio:
    """Pinocchio's answers; a joint's index in its model is found by name."""

    def __init__(self, robot: Robot) -> None:
        self.robot, self.model = robot, pin.Model()
        self.model.gravity.linear = array(robot.gravity)
        carrier: dict[int, tuple[int, pin.SE3]] = {BASE: (0, pin.SE3.Identity())}
        for i in depth_first(robot):
            carrier[i] = self._add(robot.links[i], *carrier[robot.links[i].parent])
        self.data = self.model.createData()
        self.at = np.array([self.model.joints[self.model.getJointId(name)].idx_v for name in robot.joint_names])

    def _add(self, link: Link, joint: int, frame: pin.SE3) -> tuple[int, pin.SE3]:
        frame = frame * pin.SE3(*pose(link.joint.placement))
        if link.joint.nv:
            kind = pin.JointModelRevoluteUnaligned if link.joint.kind.turns else pin.JointModelPrismaticUnaligned
            joint = self.model.addJoint(joint, kind(array(link.joint.axis)), frame, link.joint.name)
            frame = pin.SE3.Identity()
        self.model.appendBodyToJoint(joint, pin.Inertia(link.mass, array(link.com), dense(link.inertia)), frame)
        return joint, frame

    def _theirs(self, ours: Floats) -> Array:
        theirs = np.empty(len(self.at))
        theirs[self.at] = ours
        return theirs

    def inverse_dynamics(self, q: Floats, v: Floats, a: Floats) -> Array:
        return pin.rnea(self.model, self.data, *map(self._theirs, (q, v, a)))[self.at].copy()

    def forward_dynamics(self, q: Floats, v: Floats, tau: Floats) -> Array:
        return pin.aba(self.model, self.data, *map(self._theirs, (q, v, tau)))[self.at].copy()

    def mass_matrix(self, q: Floats) -> Array:
        upper = np.triu(pin.crba(self.model, self.data, self._theirs(q)))
        return (upper + np.triu(upper, 1).T)[np.ix_(self.at, self.at)]

    def tip_torques(self, q: Floats, tip: Force) -> Array:
        """Jᵀ of the last moving body, applied to a wrench in that body's skeleton frame."""
        joint = self.model.getJointId(self.robot.joint_names[-1])
        pin.computeJointJacobians(self.model, self.data, self._theirs(q))
        J = pin.getJointJacobian(self.model, self.data, joint, pin.ReferenceFrame.LOCAL).reshape(6, -1)
        f = in_link_axes(self.robot, tip)
        return (J.T @ np.concatenate([array(f.force), array(f.moment)]))[self.at]


class MuJoCo:
    """MuJoCo's answers, with all that is not rigid-body dynamics switched off."""

    SPECK = 1e-15
    """MuJoCo refuses moving bodies below 1e-15 kg and kg m²: a massless link gets just this, below every tolerance."""

    def __init__(self, robot: Robot) -> None:
        self.robot, spec = robot, mujoco.MjSpec()
        spec.option.gravity = array(robot.gravity)
        spec.option.disableflags = mujoco.mjtDisableBit.mjDSBL_CONSTRAINT | mujoco.mjtDisableBit.mjDSBL_CONTACT
        bodies = {BASE: spec.worldbody}
        for i, link in enumerate(robot.links):
            bodies[i] = self._add(link, bodies[link.parent])
        self.model = spec.compile()
        self.data = mujoco.MjData(self.model)
        self.at = np.array([self.model.joint(name).dofadr[0] for name in robot.joint_names])

    def _add(self, link: Link, parent: mujoco.MjsBody) -> mujoco.MjsBody:
        R, p = pose(link.joint.placement)
        principal, axes = np.linalg.eigh(dense(link.inertia))
        body = parent.add_body(
            name=link.name,
            pos=p,
            quat=quaternion(R),
            explicitinertial=True,
            mass=link.mass or self.SPECK,
            ipos=array(link.com),
            iquat=quaternion(axes * np.linalg.det(axes)),
            inertia=principal if link.mass else [self.SPECK] * 3,
        )
        if link.joint.nv:
            slides = link.joint.kind.slides
            kind = mujoco.mjtJoint.mjJNT_SLIDE if slides else mujoco.mjtJoint.mjJNT_HINGE
            body.add_joint(name=link.joint.name, type=kind, axis=array(link.joint.axis))
        return body

    def _set(self, **fields: Floats) -> None:
        for name, ours in fields.items():
            getattr(self.data, name)[self.at] = ours

    def inverse_dynamics(self, q: Floats, v: Floats, a: Floats) -> Array:
        self._set(qpos=q, qvel=v, qacc=a)
        mujoco.mj_inverse(self.model, self.data)
        return self.data.qfrc_inverse[self.at]

    def forward_dynamics(self, q: Floats, v: Floats, tau: Floats) -> Array:
        self._set(qpos=q, qvel=v, qfrc_applied=tau)
        mujoco.mj_forward(self.model, self.data)
        return self.data.qacc[self.at]

    def mass_matrix(self, q: Floats) -> Array:
        self._set(qpos=q)
        mujoco.mj_fwdPosition(self.model, self.data)
        M = np.zeros((self.model.nv, self.model.nv))
        mujoco.mj_fullM(self.model, self.data, M)
        return M[np.ix_(self.at, self.at)]

    def tip_torques(self, q: Floats, tip: Force) -> Array:
        """Jᵀ of the last moving body, applied to a wrench in that body's skeleton frame."""
        self._set(qpos=q)
        mujoco.mj_fwdPosition(self.model, self.data)
        last = self.model.joint(self.robot.joint_names[-1]).bodyid[0]
        linear, angular = np.zeros((3, self.model.nv)), np.zeros((3, self.model.nv))
        mujoco.mj_jac(self.model, self.data, linear, angular, self.data.xpos[last], last)
        f, R = in_link_axes(self.robot, tip), self.data.xmat[last].reshape(3, 3)
        return (linear.T @ R @ array(f.force) + angular.T @ R @ array(f.moment))[self.at]


ENGINES = {"pinocchio": Pinocchio, "mujoco": MuJoCo}


def array(v: Vec) -> Array:
    return np.array([v.x, v.y, v.z], float)


def pose(placement: Placement) -> tuple[Array, Array]:
    """The rotation matrix and the position of a placement, by dense matrices."""
    R, p = np.eye(3), np.zeros(3)
    for factor in placement.factors:
        p = p + R @ array(factor.position)
        R = R @ (turn(factor) if isinstance(factor, Screw) else dense(factor.matrix))
    return R, p


def dense(tensor: Mat | Sym) -> Array:
    return np.array([list(row) for row in (tensor.x, tensor.y, tensor.z)], float)


def turn(screw: Screw) -> Array:
    c, s = screw.turn.c, screw.turn.s
    if screw.turn.axis == "z":
        return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    return np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])


def quaternion(R: Array) -> Array:
    wxyz = np.empty(4)
    mujoco.mju_mat2Quat(wxyz, np.ascontiguousarray(R).ravel())
    return wxyz


def in_link_axes(robot: Robot, wrench: Force) -> Force:
    """A wrench in the skeleton's axes of the last body, told in the axes of the link that moves with the last joint."""
    return wrench.turned(skeleton(robot).bones[-1].own_frame.rotation.T)


def depth_first(robot: Robot) -> Iterator[int]:
    """The links in an order that Pinocchio accepts: each followed by all that it carries."""
    children = children_of(tuple(link.parent for link in robot.links))
    waiting = [i for i, link in enumerate(robot.links) if link.parent == BASE][::-1]
    while waiting:
        i = waiting.pop()
        yield i
        waiting.extend(reversed(children[i]))
