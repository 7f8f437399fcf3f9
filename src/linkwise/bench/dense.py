"""A robot's frames and tensors as NumPy arrays, for engines that want them so."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ..algebra import Mat, Placement, Screw, Sym, Vec
from ..robot.model import BASE, Robot, children_of

Array = NDArray[np.float64]


def array(v: Vec) -> Array:
    return np.array([v.x, v.y, v.z], float)


def dense(tensor: Mat | Sym) -> Array:
    return np.array([list(row) for row in (tensor.x, tensor.y, tensor.z)], float)


def pose(placement: Placement) -> tuple[Array, Array]:
    """The rotation matrix and the position of a placement."""
    R, p = np.eye(3), np.zeros(3)
    for factor in placement.factors:
        p = p + R @ array(factor.position)
        R = R @ (turn(factor) if isinstance(factor, Screw) else dense(factor.matrix))
    return R, p


def turn(screw: Screw) -> Array:
    c, s = screw.turn.c, screw.turn.s
    if screw.turn.axis == "z":
        return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    return np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])


def depth_first(robot: Robot) -> Iterator[int]:
    """The links, each followed by all that it carries."""
    children = children_of(tuple(link.parent for link in robot.links))
    waiting = [i for i, link in enumerate(robot.links) if link.parent == BASE][::-1]
    while waiting:
        i = waiting.pop()
        yield i
        waiting.extend(reversed(children[i]))
