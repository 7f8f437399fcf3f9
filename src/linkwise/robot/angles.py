"""Angles and the turns that they make, quarter turns exactly."""

from __future__ import annotations

import math

from ..algebra import Mat, Screw, Turn, Vec

QUARTER = math.pi / 2
_QUARTERS = ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))


def turn(axis: str, angle: float) -> Turn:
    """The turn by an angle; what is a multiple of π/2 but for rounding is one exactly.

    >>> turn("x", math.pi / 2)
    Turn(axis='x', c=0.0, s=1.0)
    """
    quarters = round(angle / QUARTER) if abs(angle) < 9 * QUARTER else 0
    if abs(angle - quarters * QUARTER) <= math.ulp(angle):
        return Turn(axis, *_QUARTERS[quarters % 4])
    return Turn(axis, math.cos(angle), math.sin(angle))


def angle_of(given: Turn) -> float:
    """The angle in (-π, π] of a turn: one that makes exactly this turn again, if there is one."""
    near = math.atan2(given.s + 0.0, given.c + 0.0)  # -0.0 would turn by -π instead of π
    return next((angle for angle in _around(near) if turn(given.axis, angle) == given), near)


def _around(angle: float) -> tuple[float, ...]:
    """The angle and its nearest neighbours among the floats: atan2 of a rounded cosine and sine misses by so much."""
    ulp = math.ulp(angle)
    return (angle, *(angle + k * ulp for k in (1, -1, 2, -2, 3, -3, 4, -4)))


def screw(axis: str, angle: float, slide: float) -> Screw:
    return Screw(turn(axis, angle), slide)


def rotation_of(rpy: Vec) -> Mat:
    """Roll, pitch and yaw: turns about the fixed x, y and z axes, one after the other."""
    roll, pitch, yaw = (turn("z", angle) for angle in rpy)
    (cr, sr), (cp, sp), (cy, sy) = ((t.c, t.s) for t in (roll, pitch, yaw))
    return Mat(
        Vec(cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr),
        Vec(sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr),
        Vec(-sp, cp * sr, cp * cr),
    )


def rpy_of(m: Mat) -> Vec:
    """Roll, pitch and yaw of a rotation, but for rounding; the pitch is a quarter turn at most."""
    yaw = math.atan2(m.y.x + 0.0, m.x.x + 0.0)
    back = turn("z", -yaw)
    across = back @ Vec(m.x.y, m.y.y, 0.0), back @ Vec(m.x.z, m.y.z, 0.0)
    roll = math.atan2(-across[1].y + 0.0, across[0].y + 0.0)
    return Vec(roll, math.atan2(-m.z.x + 0.0, math.hypot(m.x.x, m.y.x)), yaw)
