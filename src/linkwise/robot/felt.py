"""What a robot's joints feel, in plain NumPy: to check robots and to compare them, where time does not matter."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..algebra import Inertia, Mat, Vec, skew
from .model import BASE
from .skeleton import Body, Skeleton

Array = NDArray[np.float64]


class Still(NamedTuple):
    """A body where the robot is at rest."""

    body: Body
    R: Array
    """From its axes to the base's."""
    p: Array
    """Its origin in the base's frame."""
    J: Array
    """From the rates of the robot's joints to its motion, 6 by nv, in its own axes, turn before slide."""

    @property
    def axis(self) -> Array:
        """The axis of its joint, in the base's axes."""
        return self.R[:, 2]

    @property
    def inertia(self) -> Array:
        return matrix(self.body.spatial_inertia)

    def fall(self, gravity: Vec) -> Array:
        """The acceleration of gravity in its own axes."""
        return np.concatenate([np.zeros(3), self.R.T @ list(gravity)])


@np.errstate(all="ignore")
def at_rest(robot: Skeleton, q: Sequence[float], nv: int) -> list[Still]:
    """All bodies of the robot at q; the rates of a quaternion are those about the body's own axes."""
    found: list[Still] = []
    ground = np.eye(3), np.zeros(3), np.zeros((6, nv))
    for body in robot.at(q, math):
        R, p, J = found[body.parent][1:] if body.parent != BASE else ground
        J = _from_parent(body) @ J
        J[:, body.bone.rate.index] += body.bone.rate.multiplier * _motion(body)
        found.append(Still(body, R @ dense(body.R.matrix), p + R @ list(body.p), J))
    return found


@np.errstate(all="ignore")
def mass_matrix_and_weight(robot: Skeleton, bodies: Sequence[Still], nv: int) -> tuple[Array, Array]:
    """M, and the forces that hold the robot still, for the rates of its joints.

    What is beyond every float is infinite or NaN there.
    """
    M, weight = np.zeros((nv, nv)), np.zeros(nv)
    for still in bodies:
        momenta = still.J.T @ still.inertia
        M += momenta @ still.J
        weight -= momenta @ still.fall(robot.gravity)
        rate = still.body.bone.rate
        M[rate.index, rate.index] += rate.multiplier**2 * still.body.rotor
    return M, weight


def _motion(body: Body) -> Array:
    """For a unit rate, in the body's own axes, turn before slide."""
    return np.array([0.0, 0.0, 0.0 if body.prismatic else 1.0, 0.0, 0.0, body.lead])


def _from_parent(body: Body) -> Array:
    """The 6 by 6 matrix from motions of the parent's frame to those of the body's."""
    back = dense(body.R.matrix).T
    return np.block([[back, np.zeros((3, 3))], [-back @ crossing(body.p), back]])


def matrix(inertia: Inertia) -> Array:
    """6 by 6, from motions to momenta."""
    h = crossing(inertia.moment)
    return np.block([[dense(inertia.tensor.full), h], [h.T, inertia.mass * np.eye(3)]])


def dense(m: Mat) -> Array:
    return np.array([[*m.x], [*m.y], [*m.z]], dtype=np.float64)


def crossing(v: Vec) -> Array:
    """The matrix of v ×."""
    return dense(skew(v))
