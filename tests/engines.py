"""The two witnesses from outside, Pinocchio and MuJoCo, each put before the same robot.

Both get the description link by link, fixed links and all, so that they merge, number and align for themselves.
Results are in the order of our q.
"""

from __future__ import annotations

from collections.abc import Sequence

import mujoco
import numpy as np
import pinocchio as pin

from linkwise.algebra import Force
from linkwise.bench import in_mujoco, in_pinocchio
from linkwise.bench.dense import Array, array, dense, pose
from linkwise.robot.model import Robot
from linkwise.robot.skeleton import skeleton

__all__ = ["ENGINES", "MuJoCo", "Pinocchio", "array", "dense", "in_link_axes", "pose"]

Floats = Sequence[float]


class Pinocchio:
    """Pinocchio's answers; a joint's index in its model is found by name."""

    def __init__(self, robot: Robot) -> None:
        self.robot, self.model = robot, in_pinocchio.model(robot)
        self.data = self.model.createData()
        self.at = in_pinocchio.order(robot, self.model)

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

    def __init__(self, robot: Robot) -> None:
        self.robot, self.model = robot, in_mujoco.model(robot)
        self.data = mujoco.MjData(self.model)
        self.at = in_mujoco.order(robot, self.model)

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


def in_link_axes(robot: Robot, wrench: Force) -> Force:
    """A wrench in the skeleton's axes of the last body, told in the axes of the link that moves with the last joint."""
    return wrench.turned(skeleton(robot).bones[-1].own_frame.rotation.T)
