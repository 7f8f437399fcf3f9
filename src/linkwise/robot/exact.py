"""The robot that a description in floats stands for, in numbers with more digits: its rotations are rotations again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ..algebra import IDENTITY, Mat, Placement, Rigid, Scalar, Screw, Turn
from .joint import Joint
from .model import Robot
from .symbols import with_scalars

STEPS = 5
"""Each doubles the digits of a rotation: from 16 to some hundreds."""


def exact(robot: Robot, number: Callable[[float], Scalar], sqrt: Callable[[Scalar], Scalar]) -> Robot:
    """The robot with number(x) for every float x, turns and axes being of length one in these numbers."""
    lifted = with_scalars(robot, number)
    links = tuple(replace(link, joint=_joint(link.joint, sqrt)) for link in lifted.links)
    return replace(lifted, links=links, tip=_placement(lifted.tip, sqrt))


def _joint(joint: Joint, sqrt: Any) -> Joint:
    axis, second = (u * (1 / sqrt(u.dot(u))) for u in (joint.axis, joint.second_axis))
    return replace(joint, placement=_placement(joint.placement, sqrt), axis=axis, second_axis=second)


def _placement(placement: Placement, sqrt: Any) -> Placement:
    return Placement(tuple(_factor(factor, sqrt) for factor in placement.factors))


def _factor(factor: Screw | Rigid, sqrt: Any) -> Screw | Rigid:
    if isinstance(factor, Rigid):
        return Rigid(nearest_rotation(factor.matrix), factor.position)
    turn = factor.turn
    length = sqrt(turn.c * turn.c + turn.s * turn.s)
    return Screw(Turn(turn.axis, turn.c / length, turn.s / length), factor.slide)


def nearest_rotation(R: Mat) -> Mat:
    """By Newton's iteration R ← R (3 - RᵀR)/2."""
    for _ in range(STEPS):
        R = R @ (IDENTITY * 3 - R.T @ R) * 0.5
    return R
