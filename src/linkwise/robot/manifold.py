"""Positions of joints as points of a manifold: from one to another by velocities, through quaternions too.

A free joint's velocity is [linear; angular] of its body's origin: both in the axes that its position is told in
("world_aligned"), both in the body's axes ("body"), or the linear part in the former, the angular one in the latter
("mujoco"). A spherical joint's velocity is always told in the body's axes. Whatever is constant in its axes is
integrated exactly.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..errors import LinkwiseError
from . import given
from .joint import Joint
from .quaternions import conjugate, exponential, logarithm, product, rotated, unit

if TYPE_CHECKING:
    from .model import Robot

Array = NDArray[np.float64]

BASE_VELOCITIES = ("world_aligned", "body", "mujoco")


def neutral(robot: Robot) -> Array:
    """Nought, or the nearest that the limits allow."""
    q = np.array([float(name == "qw") for joint in robot.joints for name in joint.kind.positions])
    lower, upper = limits(robot)
    return np.clip(q, lower, upper)


def limits(robot: Robot) -> tuple[Array, Array]:
    """The least and the largest of every position, infinite where nothing is said and for quaternions."""
    lower, upper = (
        np.array([x for joint in robot.joints for x in _bounds(joint, side, open_end)])
        for side, open_end in (("lower", -np.inf), ("upper", np.inf))
    )
    return lower, upper


def _bounds(joint: Joint, side: str, open_end: float) -> tuple[float, ...]:
    told = getattr(joint.limits, side)
    if not told or joint.type == "continuous":
        return (open_end,) * joint.nq
    return tuple(open_end if name.startswith("q") else x for x, name in zip(told, joint.kind.positions, strict=True))


def random(robot: Robot, rng: np.random.Generator | int | None, size: int | tuple[int, ...]) -> Array:
    """Uniform within the limits; rotations uniform over all."""
    numbers = np.random.default_rng(rng)
    shape = (size,) if isinstance(size, int) else tuple(size)
    lower, upper = limits(robot)
    reach = np.array([np.pi if angle else 1.0 for joint in robot.joints for angle in joint.kind.angles])
    low = np.where(np.isfinite(lower), lower, np.where(np.isfinite(upper), upper - 2 * reach, -reach))
    high = np.where(np.isfinite(upper), upper, np.where(np.isfinite(lower), lower + 2 * reach, reach))
    q = numbers.uniform(low, high, (*shape, robot.nq))
    for joint, at, _ in _places(robot):
        if joint.kind.has_quaternion:
            normal = numbers.normal(size=(*shape, 4))
            q[..., at.stop - 4 : at.stop] = normal / np.linalg.norm(normal, axis=-1, keepdims=True)
    return q


def _places(robot: Robot) -> Iterator[tuple[Joint, slice, slice]]:
    """Every joint, and where its positions and velocities stand."""
    at_q = at_v = 0
    for joint in robot.joints:
        yield joint, slice(at_q, at_q + joint.nq), slice(at_v, at_v + joint.nv)
        at_q, at_v = at_q + joint.nq, at_v + joint.nv


def integrate(robot: Robot, q: Any, v: Any, dt: Any, base_velocity: str) -> Array:
    given.one_of(base_velocity, BASE_VELOCITIES, "base_velocity")
    q, v = _vector(robot, "q", q, robot.nq), _vector(robot, "v", v, robot.nv)
    step = v * np.asarray(dt, np.float64)[..., None]
    there = np.empty((*np.broadcast_shapes(q.shape[:-1], step.shape[:-1]), robot.nq))
    for joint, at, by in _places(robot):
        there[..., at] = _moved(joint, q[..., at], step[..., by], base_velocity)
    return there


def difference(robot: Robot, q1: Any, q0: Any, base_velocity: str) -> Array:
    given.one_of(base_velocity, BASE_VELOCITIES, "base_velocity")
    q1, q0 = np.broadcast_arrays(_vector(robot, "q1", q1, robot.nq), _vector(robot, "q0", q0, robot.nq))
    v = np.empty((*q1.shape[:-1], robot.nv))
    for joint, at, by in _places(robot):
        v[..., by] = _way(joint, q1[..., at], q0[..., at], base_velocity)
    return v


def _vector(robot: Robot, name: str, value: Any, length: int) -> Array:
    try:
        array = np.asarray(value, np.float64)
    except (TypeError, ValueError) as error:
        array = None
        reason = str(error)
    else:
        reason = f"shape {array.shape}"
    if array is None or array.ndim == 0 or array.shape[-1] != length:
        names = robot.position_names if name.startswith("q") else robot.velocity_names
        raise LinkwiseError(
            f"{name} has the wrong shape for {robot.name!r}",
            given=reason,
            expected=f"numbers (…, {length}): {', '.join(names)}",
            mend=f"put the joints on the last axis of {name}",
        )
    return array


def _moved(joint: Joint, q: Array, step: Array, base_velocity: str) -> Array:
    if joint.type == "spherical":
        return unit(product(q, exponential(step)))
    if joint.type == "free":
        return _moved_freely(q, step, base_velocity)
    return q + step


def _moved_freely(q: Array, step: Array, base_velocity: str) -> Array:
    position, rotation = q[..., :3], unit(q[..., 3:])
    along, about = step[..., :3], step[..., 3:]
    if base_velocity == "body":
        along = rotated(rotation, (screwing(about) @ along[..., None])[..., 0])
    turn = exponential(about)
    turned = product(turn, rotation) if base_velocity == "world_aligned" else product(rotation, turn)
    return np.concatenate([position + along, unit(turned)], axis=-1)


def _way(joint: Joint, q1: Array, q0: Array, base_velocity: str) -> Array:
    if joint.type == "spherical":
        return logarithm(product(conjugate(unit(q0)), unit(q1)))
    if joint.type == "free":
        return _way_freely(q1, q0, base_velocity)
    return q1 - q0


def _way_freely(q1: Array, q0: Array, base_velocity: str) -> Array:
    along, one, other = q1[..., :3] - q0[..., :3], unit(q1[..., 3:]), unit(q0[..., 3:])
    if base_velocity == "world_aligned":
        return np.concatenate([along, logarithm(product(one, conjugate(other)))], axis=-1)
    about = logarithm(product(conjugate(other), one))
    if base_velocity == "mujoco":
        return np.concatenate([along, about], axis=-1)
    start = np.linalg.solve(screwing(about), rotated(conjugate(other), along)[..., None])[..., 0]
    return np.concatenate([start, about], axis=-1, dtype=np.float64)


def screwing(turn: Array) -> Array:
    """V with V s the way that a point goes while it moves along s and its axes turn: the integral of exp(turn t)."""
    angle = np.linalg.norm(turn, axis=-1)[..., None, None]
    x, y, z = np.moveaxis(turn, -1, 0)
    o = np.zeros_like(x)
    K = np.stack([np.stack(row, -1) for row in ((o, -z, y), (z, o, -x), (-y, x, o))], -2)
    half = np.sinc(angle / (2.0 * np.pi))
    return np.eye(3) + 0.5 * half * half * K + _third(angle) * (K @ K)


def _third(angle: Array) -> Array:
    """(θ - sin θ)/θ³, by its series where it cancels."""
    small = angle < 0.5
    θ = np.where(small, 1.0, angle)
    s = np.where(small, angle, 0.0) ** 2
    series = 1 / 6 - s / 120 + s**2 / 5040 - s**3 / 362880 + s**4 / 39916800 - s**5 / 6227020800
    return np.where(small, series, (θ - np.sin(θ)) / θ**3)
