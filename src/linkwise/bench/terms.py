"""A robot's states in the terms of another engine, and that engine's results in the robot's own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..robot.manifold import places
from ..robot.model import Robot
from ..robot.quaternions import conjugate, rotated

Array = NDArray[Any]
Places = NDArray[np.intp]


@dataclass(frozen=True)
class Terms:
    """Where an engine has the robot's positions and velocities, and in which axes it tells those of what floats.

    Its velocities are X v, X turning the parts that it tells in the body's axes; so are its forces, and its
    accelerations are X a + Ẋ v. Arrays hold a state in each row.
    """

    robot: Robot
    at_q: Places
    at_v: Places
    base_velocity: str

    def given(self, states: Mapping[str, Array]) -> dict[str, Array]:
        """The states as the engine wants them."""
        q = states["q"]
        theirs = {name: rows if name == "q" else self._turned(rows, q) for name, rows in states.items()}
        if "a" in theirs:
            theirs["a"] = theirs["a"] - self._drift(theirs["v"])
        return {name: _put(rows, self.at_q if name == "q" else self.at_v) for name, rows in theirs.items()}

    def result(self, function: str, theirs: Array, states: Mapping[str, Array]) -> Array:
        """What the engine worked out at these states; of a mass matrix, the upper half is looked at."""
        q = states["q"]
        if function == "mass_matrix":
            whole = np.triu(theirs) + np.triu(theirs, 1).swapaxes(-1, -2)
            half = self._turned(whole[:, self.at_v][:, :, self.at_v], q[:, None], back=True)
            return self._turned(half.swapaxes(-1, -2), q[:, None], back=True)
        ours = theirs[:, self.at_v]
        if function == "forward_dynamics":
            ours = ours + self._drift(self._turned(states["v"], q))
        return self._turned(ours, q, back=True)

    def _drift(self, v: Array) -> Array:
        """-Ẋ v by the engine's own velocities: axes that turn with the body leave ω × v out of a linear velocity."""
        drift = np.zeros_like(v)
        for _, along, about in self._floating():
            if self.base_velocity == "body":
                drift[..., along] = np.cross(v[..., about], v[..., along])
        return drift

    def _turned(self, rows: Array, q: Array, back: bool = False) -> Array:
        """X x, or X⁻¹ x, which is Xᵀ x."""
        rows = rows.copy()
        for at, *parts in self._floating():
            turn = q[..., at] if back else conjugate(q[..., at])
            for part in parts[self.base_velocity == "mujoco" :]:
                rows[..., part] = rotated(turn, rows[..., part])
        return rows

    def _floating(self) -> Iterator[tuple[slice, slice, slice]]:
        """Of every free joint the quaternion, linear and angular velocity."""
        for joint, at, by in places(self.robot):
            if joint.type == "free":
                yield slice(at.stop - 4, at.stop), slice(by.start, by.stop - 3), slice(by.stop - 3, by.stop)


def _put(rows: Array, places: Places) -> Array:
    there = np.empty_like(rows)
    there[:, places] = rows
    return there
