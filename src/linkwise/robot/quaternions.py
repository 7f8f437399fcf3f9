"""Rotations as unit quaternions (qw, qx, qy, qz), the scalar first, on the last axis of arrays (…, 4).

q and -q are one rotation; of the two, what is made here has the scalar that is not negative. Quaternions need not be of
length one: that of their direction is meant.

>>> from linkwise import quaternions
>>> quaternions.from_xyzw([0.0, 0.0, 0.6, 0.8])
array([0.8, 0. , 0. , 0.6])
>>> quaternions.to_matrix([1.0, 0.0, 0.0, 1.0])
array([[ 0., -1.,  0.],
       [ 1.,  0.,  0.],
       [ 0.,  0.,  1.]])
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import LinkwiseError
from .arrays import Array, numbers

SLACK = 1e-6
"""How far a matrix may be from a rotation: what is left of one in single precision is nearer."""


def from_xyzw(q: Any) -> Array:
    """Quaternions (qw, qx, qy, qz) from (qx, qy, qz, qw), the scalar last, as Pinocchio, ROS and SciPy have them."""
    return numbers(q, "a quaternion", (4,))[..., [3, 0, 1, 2]]


def to_xyzw(q: Any) -> Array:
    """Quaternions with the scalar last from such with the scalar first."""
    return numbers(q, "a quaternion", (4,))[..., [1, 2, 3, 0]]


def to_matrix(q: Any) -> Array:
    """Rotation matrices (…, 3, 3)."""
    q = _directions(q)
    w, x, y, z = np.moveaxis(q, -1, 0)
    n = np.sum(q * q, axis=-1)
    rows = (
        (w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)),
        (2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)),
        (2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z),
    )
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2) / n[..., None, None]


def from_matrix(R: Any) -> Array:
    """The quaternions of rotation matrices (…, 3, 3)."""
    R = _rotations(R)
    (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = np.moveaxis(R, (-2, -1), (0, 1))
    rows = (  # 4 q qᵀ, of which the row with the largest diagonal entry is told best
        (1 + xx + yy + zz, zy - yz, xz - zx, yx - xy),
        (zy - yz, 1 + xx - yy - zz, xy + yx, xz + zx),
        (xz - zx, xy + yx, 1 - xx + yy - zz, yz + zy),
        (yx - xy, xz + zx, yz + zy, 1 - xx - yy + zz),
    )
    products = np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)
    best = np.argmax(np.diagonal(products, axis1=-2, axis2=-1), axis=-1)
    return _upper(unit(np.take_along_axis(products, best[..., None, None], axis=-2)[..., 0, :]))


def to_rpy(q: Any) -> Array:
    """Roll, pitch and yaw (…, 3): turns about the fixed x, y and z axes, one after the other, as in URDF.

    The pitch is within a quarter turn; where it is one, only the sum or the difference of roll and yaw is told by q.
    """
    w, x, y, z = np.moveaxis(_directions(q), -1, 0)
    half_sum, half_difference = np.arctan2(x + z, w - y), np.arctan2(x - z, w + y)
    pitch = np.arctan2(2 * (w * y - x * z), np.hypot(x + z, w - y) * np.hypot(x - z, w + y))
    roll, yaw = half_sum + half_difference, half_sum - half_difference
    return np.stack([_wrapped(roll), pitch, _wrapped(yaw)], axis=-1)


def from_rpy(rpy: Any) -> Array:
    """The quaternions of roll, pitch and yaw (…, 3)."""
    half = 0.5 * numbers(rpy, "roll, pitch and yaw", (3,))
    (cr, cp, cy), (sr, sp, sy) = np.moveaxis(np.cos(half), -1, 0), np.moveaxis(np.sin(half), -1, 0)
    w, x = cr * cp * cy + sr * sp * sy, sr * cp * cy - cr * sp * sy
    y, z = cr * sp * cy + sr * cp * sy, cr * cp * sy - sr * sp * cy
    return _upper(np.stack([w, x, y, z], axis=-1))


def _wrapped(angle: Array) -> Array:
    """The same angle in [-π, π]; within it, as it is."""
    return angle - 2 * np.pi * np.round(angle / (2 * np.pi))


def _upper(q: Array) -> Array:
    return np.where(q[..., :1] < 0.0, -q, q)


def _directions(q: Any) -> Array:
    """Quaternions of about length one: neither nought nor anything else that is no rotation."""
    array = numbers(q, "a quaternion", (4,))
    largest = np.max(np.abs(array), axis=-1, keepdims=True)
    if not (np.isfinite(largest) & (largest > 0.0)).all():
        raise LinkwiseError(
            "A quaternion is no rotation",
            given=f"{array!r:.200}",
            expected="four finite numbers that are not all nought",
            mend="take (1, 0, 0, 0) for no rotation",
        )
    return array / largest


def _rotations(R: Any) -> Array:
    array = numbers(R, "a rotation matrix", (3, 3))
    with np.errstate(invalid="ignore", over="ignore"):
        off = np.abs(np.swapaxes(array, -1, -2) @ array - np.eye(3)).max(initial=0.0)
    if not (off <= SLACK and (np.linalg.det(array) > 0.0).all()):
        raise LinkwiseError(
            "A matrix is no rotation",
            given=f"{array!r:.200}",
            expected=f"perpendicular columns of length 1 to {SLACK}, right-handed",
            mend="give it with all its digits",
        )
    return array


def unit(q: Array) -> Array:
    """The quaternion of the same rotation and of length one; NaN if it is nought."""
    with np.errstate(invalid="ignore"):
        return q / np.linalg.norm(q, axis=-1, keepdims=True)


def conjugate(q: Array) -> Array:
    """The rotation back."""
    return q * np.array([1.0, -1.0, -1.0, -1.0])


def product(p: Array, q: Array) -> Array:
    """The rotation q, then p.

    >>> product(np.array([0.0, 1, 0, 0]), np.array([0.0, 0, 1, 0]))
    array([0., 0., 0., 1.])
    """
    w1, x1, y1, z1 = np.moveaxis(p, -1, 0)
    w2, x2, y2, z2 = np.moveaxis(q, -1, 0)
    return np.stack(
        [
            w1 * w2 - x1 * x2 - y1 * y2 - z1 * z2,
            w1 * x2 + x1 * w2 + y1 * z2 - z1 * y2,
            w1 * y2 - x1 * z2 + y1 * w2 + z1 * x2,
            w1 * z2 + x1 * y2 - y1 * x2 + z1 * w2,
        ],
        axis=-1,
    )


def rotated(q: Array, v: Array) -> Array:
    """A vector turned by a unit quaternion."""
    w, u = q[..., :1], q[..., 1:]
    across = np.cross(u, v)
    return v + 2.0 * (w * across + np.cross(u, across))


def exponential(turn: Array) -> Array:
    """The quaternion of a turn about a vector by its length."""
    half = 0.5 * np.linalg.norm(turn, axis=-1, keepdims=True)
    return np.concatenate([np.cos(half), 0.5 * np.sinc(half / np.pi) * turn], axis=-1)


def logarithm(q: Array) -> Array:
    """The turn of a unit quaternion, by π at most."""
    w, u = q[..., :1], q[..., 1:]
    sine = np.linalg.norm(u, axis=-1, keepdims=True)
    half = np.arctan2(sine, np.abs(w))
    return np.where(w < 0.0, -2.0, 2.0) * u / np.sinc(half / np.pi)
