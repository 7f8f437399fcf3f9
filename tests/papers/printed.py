"""How far off a printed equation is: random chains and states on which it is run beside the corrected one.

The effects that the pages under docs/papers state are these medians.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest
from tests.engines import Pinocchio
from tests.robots import State, chain, state

from linkwise.robot.library import load
from linkwise.robot.model import Robot

TURNING = "RRRRRR"
SLIDING = "RPRRPR"
PUMA = "puma-560-armstrong-1986"
STANFORD = "stanford-saha-2001"
DRAWS = 20
ROUNDING = 1e-10

Answer = Callable[[Robot, State], Any]
about = partial(pytest.approx, rel=0.05)


def drawn(which: str) -> Iterator[tuple[Robot, State]]:
    """Twenty chains of a word of R and P, or one robot of the library, in twenty states, with the forces they need."""
    for seed in range(DRAWS):
        robot = chain(which, seed) if set(which) <= {"R", "P"} else load(which)
        s = state(robot, seed)
        yield robot, replace(s, tau=torques(robot, s).tolist())


def off(ours: Any, right: Any) -> float:
    """The largest difference, beside the largest of the right values."""
    ours, right = np.array(ours, float), np.array(right, float)
    assert ours.shape == right.shape
    return float(np.max(np.abs(ours - right)) / np.max(np.abs(right)))


def errors(answer: Answer, right: Answer, which: str) -> list[float]:
    return [off(answer(robot, s), right(robot, s)) for robot, s in drawn(which)]


def effect(answer: Answer, right: Answer, which: str = SLIDING) -> float:
    """The median error of a printed form."""
    return float(np.median(errors(answer, right, which)))


def is_right(answer: Answer, right: Answer, which: str = SLIDING) -> bool:
    return max(errors(answer, right, which)) < ROUNDING


def torques(robot: Robot, s: State) -> np.ndarray:
    return Pinocchio(robot).inverse_dynamics(s.q, s.v, s.a)


def accelerations(_: Robot, s: State) -> list[float]:
    return s.a


def inertia(robot: Robot, s: State) -> np.ndarray:
    return Pinocchio(robot).mass_matrix(s.q)
