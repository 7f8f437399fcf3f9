"""URDF files as Pinocchio reads them, and states of our robots told in its coordinates.

Pinocchio has its children in alphabetical order, a continuous joint's angle as cosine and sine, quaternions with the
scalar last, and the velocity of a free or planar joint in the body's own axes; ours is told in those of the world.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.metadata import distribution
from pathlib import Path

import numpy as np
import pinocchio as pin

from linkwise.bench.dense import Array
from linkwise.robot.joint import Joint
from linkwise.robot.mimicry import leader
from linkwise.robot.model import Robot


def example_files() -> list[Path]:
    """Every URDF of the example-robot-data wheel."""
    wheel = distribution("example-robot-data")
    return sorted(Path(str(wheel.locate_file(file))) for file in wheel.files or () if file.suffix == ".urdf")


def model(path: Path, *, afloat: bool = False, mimics: bool = False) -> pin.Model:
    """Pinocchio's model of a file, on a free joint if afloat.

    Joints that mimic others have positions of their own, unless Pinocchio is to lead them itself, which it can where
    the leader comes first in its tree.
    """
    base = (pin.JointModelFreeFlyer(),) if afloat else ()
    return pin.buildModelFromUrdf(str(path), *base, mimic=mimics)


@dataclass(frozen=True)
class _Place:
    joint: Joint
    q: slice
    v: slice
    theirs_q: slice
    theirs_v: slice
    multiplier: float
    offset: float


class Coordinates:
    """Between a robot's q, v, a and τ and those of its model in Pinocchio, paired by the names of joints.

    With v_theirs = X v, the principle of virtual work has τ = Xᵀ τ_theirs and M = Xᵀ M_theirs X, through mimics too.
    """

    def __init__(self, robot: Robot, model: pin.Model) -> None:
        self.model, self.nv = model, robot.nv
        self.places = list(_places(robot, model))

    def q(self, ours: Array) -> Array:
        theirs = pin.neutral(self.model)
        for place in self.places:
            theirs[place.theirs_q] = _position(place, np.asarray(ours)[place.q])
        return theirs

    def to_theirs(self, q: Array) -> Array:
        """The matrix X."""
        X = np.zeros((self.model.nv, self.nv))
        for place in self.places:
            X[place.theirs_v, place.v] = place.multiplier * _turned_back(place.joint, np.asarray(q)[place.q])
        return X

    def v(self, q: Array, v: Array) -> Array:
        return self.to_theirs(q) @ v

    def a(self, q: Array, v: Array, a: Array) -> Array:
        """X a + Ẋ v, where the axes that a velocity is told in turn with the body."""
        theirs, rate = self.to_theirs(q) @ a, self.v(q, v)
        for place in self.places:
            if place.joint.type in ("free", "planar"):
                slide, turn = np.split(rate[place.theirs_v], [-3 if place.joint.type == "free" else -1])
                about = turn if len(turn) == 3 else np.array([0.0, 0.0, turn[0]])
                across = np.cross(about, np.append(slide, [0.0] * (3 - len(slide))))
                theirs[place.theirs_v][: len(slide)] -= across[: len(slide)]
        return theirs

    def from_theirs_tau(self, q: Array, theirs: Array) -> Array:
        return self.to_theirs(q).T @ theirs

    def from_theirs_a(self, q: Array, v: Array, theirs: Array) -> Array:
        """Where no joint mimics another."""
        return np.linalg.solve(self.to_theirs(q), theirs - self.a(q, v, np.zeros(self.nv)))

    def from_theirs_matrix(self, q: Array, theirs: Array) -> Array:
        """Of a mass matrix, of which Pinocchio fills the upper half."""
        upper, X = np.triu(theirs), self.to_theirs(q)
        return X.T @ (upper + np.triu(upper, 1).T) @ X


def _places(robot: Robot, model: pin.Model) -> Iterator[_Place]:
    at_q, at_v = {}, {}
    nq = nv = 0
    for joint in robot.joints:
        at_q[joint.name], at_v[joint.name] = slice(nq, nq + joint.nq), slice(nv, nv + joint.nv)
        nq, nv = nq + joint.nq, nv + joint.nv
    for joint in (link.joint for link in robot.links if link.joint.kind.nv):
        name, multiplier, offset = leader(robot, joint)
        there = model.joints[model.getJointId(joint.name)]
        if not there.nv:  # it mimics another one there too
            continue
        theirs_q = slice(there.idx_q, there.idx_q + there.nq)
        theirs_v = slice(there.idx_v, there.idx_v + there.nv)
        yield _Place(joint, at_q[name], at_v[name], theirs_q, theirs_v, multiplier, offset)


def _position(place: _Place, q: Array) -> Array:
    if place.joint.type == "free":
        return np.concatenate([q[:3], q[4:], q[3:4]])
    if place.joint.type == "planar":
        return np.array([q[0], q[1], np.cos(q[2]), np.sin(q[2])])
    angle = place.multiplier * q + place.offset
    wound = place.theirs_q.stop - place.theirs_q.start == 2
    return np.concatenate([np.cos(angle), np.sin(angle)]) if wound else angle


def _turned_back(joint: Joint, q: Array) -> Array:
    """What leads from a joint's velocity in the axes of the world to that in the body's."""
    if joint.type == "free":
        w, x, y, z = q[3:]
        return np.kron(np.eye(2), pin.Quaternion(w, x, y, z).normalized().matrix().T)
    if joint.type == "planar":
        c, s = np.cos(q[2]), np.sin(q[2])
        return np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])
    return np.eye(joint.kind.nv)


IN_PINOCCHIO = {
    "world_aligned": pin.ReferenceFrame.LOCAL_WORLD_ALIGNED,
    "local": pin.ReferenceFrame.LOCAL,
    "spatial": pin.ReferenceFrame.WORLD,
}


class Answers:
    """Pinocchio's answers from its own reading of a file, in the coordinates of ours; no drives."""

    def __init__(self, robot: Robot, model: pin.Model) -> None:
        self.model, self.data, self.at = model, model.createData(), Coordinates(robot, model)
        self.mimics = model.nv != robot.nv or any(kind.shortname() == "JointModelMimic" for kind in model.joints)

    def inverse_dynamics(self, q: Array, v: Array, a: Array) -> Array:
        theirs = pin.rnea(self.model, self.data, self.at.q(q), self.at.v(q, v), self.at.a(q, v, a))
        return self.at.from_theirs_tau(q, theirs)

    def mass_matrix(self, q: Array) -> Array:
        return self.at.from_theirs_matrix(q, pin.crba(self.model, self.data, self.at.q(q)))

    def forward_dynamics(self, q: Array, v: Array, tau: Array) -> Array:
        """By its articulated bodies; where joints mimic others, which these cannot, from its mass matrix and bias."""
        if self.mimics:
            return np.linalg.solve(self.mass_matrix(q), tau - self.inverse_dynamics(q, v, np.zeros(len(v))))
        to_theirs = self.at.to_theirs(q)
        theirs = pin.aba(self.model, self.data, self.at.q(q), to_theirs @ v, np.linalg.solve(to_theirs.T, tau))
        return self.at.from_theirs_a(q, v, theirs)

    def poses(self, q: Array, links: Iterable[str]) -> Array:
        pin.framesForwardKinematics(self.model, self.data, self.at.q(q))
        return np.array([self.data.oMf[self._frame(link)].homogeneous for link in links])

    def jacobian(self, q: Array, link: str, reference: str) -> Array:
        pin.computeJointJacobians(self.model, self.data, self.at.q(q))
        pin.updateFramePlacements(self.model, self.data)
        J = pin.getFrameJacobian(self.model, self.data, self._frame(link), IN_PINOCCHIO[reference])
        return J.reshape(6, -1) @ self.at.to_theirs(q)

    def _frame(self, link: str) -> int:
        return self.model.getFrameId(link, pin.FrameType.BODY)
