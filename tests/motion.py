"""Motions in time, for tests: Runge and Kutta's method of fourth order."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from linkwise import Dynamics

Rate = Callable[[np.ndarray], np.ndarray]


def rate(arm: Dynamics, tau: np.ndarray) -> Rate:
    """How positions and velocities, one after the other, change under these forces."""
    n = arm.robot.nv
    return lambda x: np.concatenate([x[n:], arm.forward_dynamics(x[:n], x[n:], tau)])


def stepped(f: Rate, x: np.ndarray, h: float) -> np.ndarray:
    k1 = f(x)
    k2 = f(x + h / 2 * k1)
    k3 = f(x + h / 2 * k2)
    return x + h / 6 * (k1 + 2 * k2 + 2 * k3 + f(x + h * k3))
