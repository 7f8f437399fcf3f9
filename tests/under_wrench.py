"""Engines' accounts of a robot that moves under joint torques and a wrench of its tip on what it touches."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np
import pinocchio as pin
from tests.engines import MuJoCo, Pinocchio, array, dense, in_link_axes
from tests.robots import State

from linkwise.algebra import Force, Vec
from linkwise.robot.model import Robot
from linkwise.robot.skeleton import skeleton

TIP = Force(Vec(1.0, -2.0, 3.0), Vec(-4.0, 5.0, 6.0))
"""The wrench, about the last body's origin in its axes."""


class PinocchioUnderWrench(Pinocchio):
    """Pinocchio's account, in the axes of our skeleton."""

    def __init__(self, robot: Robot, s: State) -> None:
        super().__init__(robot)
        self.axes = [dense(bone.own_frame.rotation.matrix) for bone in skeleton(robot).bones]
        self.joints = [self.model.getJointId(name) for name in robot.joint_names]
        point = pin.SE3(np.eye(3), self.axes[-1].T @ array(skeleton(robot).tip))
        self.tip = self.model.addFrame(pin.Frame("tip", self.joints[-1], 0, point, pin.FrameType.OP_FRAME))
        self.data = self.model.createData()
        self._solve(*self._theirs(s.q, s.v, s.tau), in_link_axes(robot, TIP))

    def _solve(self, q: np.ndarray, v: np.ndarray, τ: np.ndarray, tip: Force) -> None:
        outside = pin.StdVec_Force([pin.Force.Zero()] * self.model.njoints)
        outside[self.joints[-1]] = pin.Force(-array(tip.force), -array(tip.moment))
        a = pin.aba(self.model, self.data, q, v, τ, outside).copy()
        self.θ̈ = a[self.at_v]
        pin.rnea(self.model, self.data, q, v, a, outside)
        self.f = [self._here(i, self.data.f[j]) for i, j in enumerate(self.joints)]
        pin.forwardKinematics(self.model, self.data, q, v, a)
        pin.updateFramePlacements(self.model, self.data)

    def _here(self, i: int, x: Any) -> np.ndarray:
        """Pinocchio's six numbers in the axes of our skeleton, turn or moment first."""
        return np.concatenate([self.axes[i] @ x.angular, self.axes[i] @ x.linear])

    def accelerations(self) -> list[np.ndarray]:
        local = [pin.getClassicalAcceleration(self.model, self.data, j, pin.LOCAL) for j in self.joints]
        return [self._here(i, α) for i, α in enumerate(local)]

    def tip_acceleration(self) -> np.ndarray:
        return self._here(-1, pin.getFrameClassicalAcceleration(self.model, self.data, self.tip, pin.LOCAL))


class MuJoCoUnderWrench(MuJoCo):
    """MuJoCo's account of the same; it works in the world's axes, and lets the world accelerate upward."""

    def __init__(self, robot: Robot, s: State) -> None:
        super().__init__(robot)
        self.skeleton = skeleton(robot)
        self.bodies = [self.model.joint(name).bodyid[0] for name in robot.joint_names]
        self._set(s.q, qvel=s.v, qfrc_applied=s.tau)
        mujoco.mj_kinematics(self.model, self.data)
        last = self.bodies[-1]
        f, R = in_link_axes(robot, TIP), self._axes(last)
        force, moment = -R @ array(f.force), -R @ array(f.moment)
        arm = self.data.xpos[last] - self.data.xipos[last]
        self.data.xfrc_applied[last] = [*force, *(moment + np.cross(arm, force))]
        mujoco.mj_forward(self.model, self.data)
        mujoco.mj_rnePostConstraint(self.model, self.data)
        self.f = [self._reaction(i, body) for i, body in enumerate(self.bodies)]

    def _axes(self, body: int) -> np.ndarray:
        return self.data.xmat[body].reshape(3, 3)

    def _here(self, i: int, turning: np.ndarray, shifting: np.ndarray) -> np.ndarray:
        """Two vectors of the body's own axes in those of our skeleton."""
        own = dense(self.skeleton.bones[i].own_frame.rotation.matrix)
        return np.concatenate([own @ turning, own @ shifting])

    def _reaction(self, i: int, body: int) -> np.ndarray:
        """What MuJoCo tells about the centre of mass of the whole tree, told about the body's origin."""
        moment, force = self.data.cfrc_int[body][:3], self.data.cfrc_int[body][3:]
        arm = self.data.subtree_com[self.model.body_rootid[body]] - self.data.xpos[body]
        R = self._axes(body)
        return self._here(i, R.T @ (moment + np.cross(arm, force)), R.T @ force)

    def _acceleration(self, i: int, body: int) -> tuple[np.ndarray, np.ndarray]:
        """Of the body's origin, in its own axes."""
        local = np.zeros(6)
        mujoco.mj_objectAcceleration(self.model, self.data, mujoco.mjtObj.mjOBJ_XBODY, body, local, 1)
        return local[:3], local[3:] + self._axes(body).T @ self.model.opt.gravity

    def accelerations(self) -> list[np.ndarray]:
        return [self._here(i, *self._acceleration(i, body)) for i, body in enumerate(self.bodies)]

    def tip_acceleration(self) -> np.ndarray:
        """From that of the last body's origin, by the rigid body's formula with MuJoCo's angular velocity."""
        ω̇, a = np.split(self.accelerations()[-1], 2)
        local = np.zeros(6)
        mujoco.mj_objectVelocity(self.model, self.data, mujoco.mjtObj.mjOBJ_XBODY, self.bodies[-1], local, 1)
        ω, p = self._here(-1, local[:3], local[3:])[:3], array(self.skeleton.tip)
        return np.concatenate([ω̇, a + np.cross(ω̇, p) + np.cross(ω, np.cross(ω, p))])
