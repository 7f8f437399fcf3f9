"""How far results are from the truth, which is a text run on fifty digits: all texts agree there to forty."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..compiled import Request
from ..dynamics import Dynamics
from ..errors import LinkwiseError
from ..formulations import FORMULATIONS
from ..making import in_own_terms
from ..robot.exact import exact
from ..robot.model import Robot
from ..robot.skeleton import skeleton

Array = NDArray[Any]

DIGITS = 50

BY = {"inverse_dynamics": "newton-euler", "mass_matrix": "composite-body", "forward_dynamics": "composite-body"}
"""Formulations that take any robot."""


@dataclass(frozen=True)
class Truth:
    """The true results of a function at some states, and errors as shares of the largest entry of the true result.

    Coordinates are measured in units in which every joint's own inertia is one, so that radians and metres, shoulders
    and wrists can be compared.
    """

    robot: Robot
    function: str
    states: list[Array]

    def error(self, runner: Dynamics) -> float:
        """The largest error of a compiled function at these states."""
        results = np.asarray(getattr(runner, self.function)(*self.states), object)
        with _mpmath().workdps(DIGITS):
            away = (results - self.results) * self._unit
        return float((_largest(away) / _largest(self.results * self._unit)).max())

    @cached_property
    def results(self) -> Array:
        """In numbers of mpmath."""
        mp = _mpmath()
        with mp.workdps(DIGITS):
            robot = exact(self.robot, mp.mpf, mp.sqrt)
            text = in_own_terms(FORMULATIONS[BY[self.function]].functions[self.function], Request(robot, self.function))
            lifted = [[[mp.mpf(float(x)) for x in row] for row in rows] for rows in self.states]
            return np.array([text(skeleton(robot), *state, mp) for state in zip(*lifted, strict=True)])

    @cached_property
    def _unit(self) -> Array:
        """What results are multiplied by: accelerations by the root of the joint's inertia, forces by its inverse."""
        M = Dynamics(self.robot).mass_matrix(self.states[0])
        root = np.sqrt(np.diagonal(M, axis1=-2, axis2=-1))
        if self.function == "mass_matrix":
            return 1.0 / (root[:, :, None] * root[:, None, :])
        return root if self.function == "forward_dynamics" else 1.0 / root


def _largest(values: Array) -> Array:
    """Of each state, by size."""
    return np.abs(values.astype(float)).reshape(len(values), -1).max(axis=1)


def _mpmath() -> Any:
    try:
        return import_module("mpmath").mp
    except ModuleNotFoundError:
        raise LinkwiseError(
            "The truth is worked out by mpmath",
            given="an environment without it",
            expected="mpmath",
            mend="pip install 'linkwise[cli]'",
        ) from None
