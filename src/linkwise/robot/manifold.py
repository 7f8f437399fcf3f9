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

from ..errors import LinkwiseError
from . import given
from .arrays import Array, batch, numbers, shape
from .joint import Joint
from .quaternions import conjugate, exponential, logarithm, product, rotated, unit

if TYPE_CHECKING:
    from .model import Robot

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
    lengths, generator = shape(size, "size"), _generator(rng)
    lower, upper = limits(robot)
    reach = np.array([np.pi if angle else 1.0 for joint in robot.joints for angle in joint.kind.angles])
    low = np.where(np.isfinite(lower), lower, np.where(np.isfinite(upper), upper - 2 * reach, -reach))
    high = np.where(np.isfinite(upper), upper, np.where(np.isfinite(lower), lower + 2 * reach, reach))
    share = generator.random((*lengths, robot.nq))
    q = np.clip((1.0 - share) * low + share * high, low, high)  # the difference may be beyond every float
    for joint, at, _ in places(robot):
        if joint.kind.has_quaternion:
            q[..., at.stop - 4 : at.stop] = unit(generator.normal(size=(*lengths, 4)))
    return q


def _generator(rng: Any) -> np.random.Generator:
    try:
        return np.random.default_rng(rng)
    except (TypeError, ValueError) as error:
        raise LinkwiseError(
            "rng gives no random numbers",
            given=repr(rng),
            expected="a generator of NumPy, or a seed: an integer that is not negative",
            mend="leave it out for other numbers at every call",
        ) from error


def places(robot: Robot) -> Iterator[tuple[Joint, slice, slice]]:
    """Every joint, and where its positions and velocities stand."""
    at_q = at_v = 0
    for joint in robot.joints:
        yield joint, slice(at_q, at_q + joint.nq), slice(at_v, at_v + joint.nv)
        at_q, at_v = at_q + joint.nq, at_v + joint.nv


def integrate(robot: Robot, q: Any, v: Any, dt: Any, base_velocity: str) -> Array:
    given.one_of(base_velocity, BASE_VELOCITIES, "base_velocity")
    q, v, dt = _positions(robot, q, "q"), _velocities(robot, v, "v"), numbers(dt, "dt")
    there = np.empty((*batch(q=q.shape[:-1], v=v.shape[:-1], dt=dt.shape), robot.nq))
    step = v * dt[..., None]
    for joint, at, by in places(robot):
        there[..., at] = _moved(joint, q[..., at], step[..., by], base_velocity)
    return there


def difference(robot: Robot, q1: Any, q0: Any, base_velocity: str) -> Array:
    given.one_of(base_velocity, BASE_VELOCITIES, "base_velocity")
    q1, q0 = _positions(robot, q1, "q1"), _positions(robot, q0, "q0")
    v = np.empty((*batch(q1=q1.shape[:-1], q0=q0.shape[:-1]), robot.nv))
    for joint, at, by in places(robot):
        v[..., by] = _way(joint, q1[..., at], q0[..., at], base_velocity)
    return v


def _positions(robot: Robot, q: Any, name: str) -> Array:
    return numbers(q, name, (robot.nq,), ", ".join(robot.position_names))


def _velocities(robot: Robot, v: Any, name: str) -> Array:
    return numbers(v, name, (robot.nv,), ", ".join(robot.velocity_names))


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
