"""What a robot's joints feel, in plain NumPy: to check robots and to compare them, where time does not matter."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..algebra import Inertia, Mat, Vec, skew
from .model import BASE
from .skeleton import Body, Skeleton

Array = NDArray[np.float64]


@np.errstate(all="ignore")
def mass_matrix_and_weight(robot: Skeleton, q: Sequence[float], nv: int) -> tuple[Array, Array]:
    """M, and the forces that hold the robot still, for the rates of its joints; those of a quaternion in body axes.

    What is beyond every float is infinite or NaN there.
    """
    bodies = robot.at(q, math)
    to_body = [_from_parent(body) for body in bodies]
    carried = _carried(bodies, to_body)
    falls = _falls(robot, bodies, to_body)
    M, weight = np.zeros((nv, nv)), np.zeros(nv)
    for i, body in enumerate(bodies):
        at, by = body.bone.rate.index, body.bone.rate.multiplier
        momentum = by * (carried[i] @ _motion(body))
        weight[at] -= momentum @ falls[i]
        M[at, at] += by * by * body.rotor
        _couple(M, bodies, to_body, i, momentum)
    return M, weight


def _couple(M: Array, bodies: Sequence[Body], to_body: Sequence[Array], i: int, momentum: Array) -> None:
    """Add what the motion of body i, and of all that it carries, asks of the joints from it to the base."""
    at, j = bodies[i].bone.rate.index, i
    while j != BASE:
        rate = bodies[j].bone.rate
        share = rate.multiplier * (_motion(bodies[j]) @ momentum)
        M[at, rate.index] += share
        if j != i:
            M[rate.index, at] += share
        j, momentum = bodies[j].parent, to_body[j].T @ momentum


def _motion(body: Body) -> Array:
    """For a unit rate, in the body's own axes, turn before slide."""
    return np.array([0.0, 0.0, 0.0 if body.prismatic else 1.0, 0.0, 0.0, body.lead])


def _from_parent(body: Body) -> Array:
    """The 6 by 6 matrix from motions of the parent's frame to those of the body's."""
    back = dense(body.R.matrix).T
    return np.block([[back, np.zeros((3, 3))], [-back @ crossing(body.p), back]])


def _carried(bodies: Sequence[Body], to_body: Sequence[Array]) -> list[Array]:
    """For each body, the inertia of it and of all that it carries, in its own frame."""
    carried = [_matrix(body.spatial_inertia) for body in bodies]
    for i, body in reversed(list(enumerate(bodies))):
        if body.parent != BASE:
            carried[body.parent] = carried[body.parent] + to_body[i].T @ carried[i] @ to_body[i]
    return carried


def _falls(robot: Skeleton, bodies: Sequence[Body], to_body: Sequence[Array]) -> list[Array]:
    """The acceleration of gravity in the axes of every body."""
    falls: list[Array] = []
    for body, X in zip(bodies, to_body, strict=True):
        falls.append(X @ (falls[body.parent] if body.parent != BASE else np.array([0.0, 0.0, 0.0, *robot.gravity])))
    return falls


def _matrix(inertia: Inertia) -> Array:
    """6 by 6, from motions to momenta."""
    h = crossing(inertia.moment)
    return np.block([[dense(inertia.tensor.full), h], [h.T, inertia.mass * np.eye(3)]])


def dense(m: Mat) -> Array:
    return np.array([[*m.x], [*m.y], [*m.z]], dtype=np.float64)


def crossing(v: Vec) -> Array:
    """The matrix of v ×."""
    return dense(skew(v))
