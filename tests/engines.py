"""The two witnesses from outside, Pinocchio and MuJoCo, each put before the same robot.

Both get the description link by link, fixed links and all, so that they merge, number and align for themselves.
Results are in the order of our q.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import mujoco
import numpy as np
import pinocchio as pin

from linkwise.algebra import Force
from linkwise.bench import in_mujoco, in_pinocchio
from linkwise.bench.dense import Array, array, dense, pose
from linkwise.robot.joint import Joint
from linkwise.robot.model import Robot
from linkwise.robot.skeleton import skeleton

__all__ = ["ENGINES", "MuJoCo", "Pinocchio", "array", "dense", "in_link_axes", "pose"]

Floats = Sequence[float]


class Pinocchio:
    """Pinocchio's answers; joints are found in its model by name."""

    base_velocity = in_pinocchio.BASE_VELOCITY
    effects = ("rotor_inertia", "armature")

    def __init__(self, robot: Robot) -> None:
        self.robot, self.model = robot, in_pinocchio.model(led(robot))
        self.data = self.model.createData()
        self.leads = Leads(robot)
        terms = in_pinocchio.terms(led(robot), self.model)
        self.at_q, self.at_v = terms.at_q, terms.at_v

    def _theirs(self, q: Floats, *rates: Floats) -> Iterator[Array]:
        for at, ours in ((self.at_q, self.leads.q(q)), *((self.at_v, self.leads.S @ x) for x in rates)):
            theirs = np.empty(len(at))
            theirs[at] = ours
            yield theirs

    def inverse_dynamics(self, q: Floats, v: Floats, a: Floats) -> Array:
        return self.leads.S.T @ pin.rnea(self.model, self.data, *self._theirs(q, v, a))[self.at_v]

    def forward_dynamics(self, q: Floats, v: Floats, tau: Floats) -> Array:
        if self.leads.mimics:
            left = np.asarray(tau) - self.inverse_dynamics(q, v, np.zeros(len(v)))
            return np.linalg.solve(self.mass_matrix(q), left)
        return pin.aba(self.model, self.data, *self._theirs(q, v, tau))[self.at_v].copy()

    def mass_matrix(self, q: Floats) -> Array:
        upper = np.triu(pin.crba(self.model, self.data, *self._theirs(q)))
        M = (upper + np.triu(upper, 1).T)[np.ix_(self.at_v, self.at_v)]
        return self.leads.S.T @ M @ self.leads.S

    def tip_torques(self, q: Floats, tip: Force) -> Array:
        """Jᵀ of the last moving body, applied to a wrench in that body's skeleton frame."""
        joint = self.model.getJointId(self.robot.joint_names[-1])
        pin.computeJointJacobians(self.model, self.data, *self._theirs(q))
        J = pin.getJointJacobian(self.model, self.data, joint, pin.ReferenceFrame.LOCAL).reshape(6, -1)
        f = in_link_axes(self.robot, tip)
        return (J.T @ np.concatenate([array(f.force), array(f.moment)]))[self.at_v]


class MuJoCo:
    """MuJoCo's answers, with all that is not rigid-body dynamics switched off."""

    base_velocity = in_mujoco.BASE_VELOCITY
    effects = ("rotor_inertia", "armature", "damping")

    def __init__(self, robot: Robot) -> None:
        self.robot, self.model = robot, in_mujoco.model(led(robot), merged=False)
        self.data = mujoco.MjData(self.model)
        self.leads = Leads(robot)
        terms = in_mujoco.terms(led(robot), self.model)
        self.at_q, self.at_v = terms.at_q, terms.at_v

    def _set(self, q: Floats, **rates: Floats) -> None:
        self.data.qpos[self.at_q] = self.leads.q(q)
        for name, ours in rates.items():
            getattr(self.data, name)[self.at_v] = self.leads.S @ ours

    def inverse_dynamics(self, q: Floats, v: Floats, a: Floats) -> Array:
        self._set(q, qvel=v, qacc=a)
        mujoco.mj_inverse(self.model, self.data)
        return self.leads.S.T @ self.data.qfrc_inverse[self.at_v]

    def forward_dynamics(self, q: Floats, v: Floats, tau: Floats) -> Array:
        if self.leads.mimics:
            left = np.asarray(tau) - self.inverse_dynamics(q, v, np.zeros(len(v)))
            return np.linalg.solve(self.mass_matrix(q), left)
        self._set(q, qvel=v, qfrc_applied=tau)
        mujoco.mj_forward(self.model, self.data)
        return self.data.qacc[self.at_v]

    def mass_matrix(self, q: Floats) -> Array:
        self._set(q)
        mujoco.mj_fwdPosition(self.model, self.data)
        M = np.zeros((self.model.nv, self.model.nv))
        mujoco.mj_fullM(self.model, self.data, M)
        return self.leads.S.T @ M[np.ix_(self.at_v, self.at_v)] @ self.leads.S

    def tip_torques(self, q: Floats, tip: Force) -> Array:
        """Jᵀ of the last moving body, applied to a wrench in that body's skeleton frame."""
        self._set(q)
        mujoco.mj_fwdPosition(self.model, self.data)
        last = self.model.joint(self.robot.joint_names[-1]).bodyid[0]
        linear, angular = np.zeros((3, self.model.nv)), np.zeros((3, self.model.nv))
        mujoco.mj_jac(self.model, self.data, linear, angular, self.data.xpos[last], last)
        f, R = in_link_axes(self.robot, tip), self.data.xmat[last].reshape(3, 3)
        return (linear.T @ R @ array(f.force) + angular.T @ R @ array(f.moment))[self.at_v]


def led(robot: Robot) -> Robot:
    """The robot without mimics: every joint moves by itself."""
    links = (replace(link, joint=replace(link.joint, mimic=None)) for link in robot.links)
    return replace(robot, links=tuple(links), configurations=())


class Leads:
    """How the positions and rates of all joints follow from the robot's own."""

    def __init__(self, robot: Robot) -> None:
        whole, own = led(robot), {name: i for i, name in enumerate(robot.position_names)}
        self.mimics = whole.nv != robot.nv
        self.S = np.zeros((whole.nv, robot.nv))
        self.Q, self.offsets = np.zeros((whole.nq, robot.nq)), np.zeros(whole.nq)
        joints = {link.joint.name: link.joint for link in robot.links}
        rates = {name: i for i, name in enumerate(robot.velocity_names)}
        for i, name in enumerate(whole.velocity_names):
            leader, multiplier, _ = _followed(joints, name)
            self.S[i, rates[leader]] = multiplier
        for i, name in enumerate(whole.position_names):
            leader, self.Q[i, own[_followed(joints, name)[0]]], self.offsets[i] = _followed(joints, name)

    def q(self, q: Floats) -> Array:
        return self.Q @ q + self.offsets


def _followed(joints: dict[str, Joint], name: str) -> tuple[str, float, float]:
    """Whom a coordinate follows, by how much and from where; a coordinate of its own follows itself."""
    joint = joints.get(name)
    if joint is None or joint.mimic is None:
        return name, 1.0, 0.0
    leader, multiplier, offset = _followed(joints, joint.mimic.joint)
    factor = joint.mimic.multiplier
    return leader, factor * multiplier, factor * offset + joint.mimic.offset


ENGINES = {"pinocchio": Pinocchio, "mujoco": MuJoCo}


def in_link_axes(robot: Robot, wrench: Force) -> Force:
    """A wrench in the skeleton's axes of the last body, told in the axes of the link that moves with the last joint."""
    return wrench.turned(skeleton(robot).bones[-1].own_frame.rotation.T)
