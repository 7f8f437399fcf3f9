"""Frames that are laid by an axis."""

from __future__ import annotations

from ..algebra import Z_AXIS, Mat, Vec


def to_z_axis(axis: Vec) -> Mat | None:
    """A rotation whose third column is the axis (None if that is z already): the least turn that does it."""
    x, y, z = axis
    across = x * x + y * y
    if axis == Z_AXIS:
        return None
    if across == 0.0 and z < 0.0:
        return Mat(Vec(1.0, 0.0, 0.0), Vec(0.0, -1.0, 0.0), Vec(0.0, 0.0, -1.0))
    k = 1.0 / (1.0 + z) if z > 0.0 else (1.0 - z) / across  # the same, but 1 + z would cancel
    return Mat(Vec(1.0 - k * x * x, -k * x * y, x), Vec(-k * x * y, 1.0 - k * y * y, y), Vec(-x, -y, z))
