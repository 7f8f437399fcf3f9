"""The report's operators as dense matrices, built from φ, H and the gains alone.

On a tree the block of E_φ at (parent of k, k) is φ(k+1,k), φ = (I - E_φ)⁻¹ and φ~ = φ - I = E_φ φ, and likewise ψ.
Links count from the base here, so that causal operators are upper triangular.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from tests.engines import array, dense

from linkwise.algebra import ArticulatedInertia, Force, Vec
from linkwise.formulations.spatial_operators import Gain, H, gains, φ
from linkwise.robot.model import Robot
from linkwise.robot.skeleton import Body, skeleton

WRENCHES = [Force(Vec(*row[:3]), Vec(*row[3:])) for row in np.eye(6).tolist()]


@dataclass(frozen=True)
class Operators:
    """Spatial operators of a robot at a position: matrices of 6 by 6 blocks, a row and a column a link."""

    links: tuple[Body, ...]
    gains: list[Gain]

    def memoryless(self, blocks: list[np.ndarray]) -> np.ndarray:
        """A block diagonal matrix."""
        rows, columns = blocks[0].shape
        whole = np.zeros((len(blocks) * rows, len(blocks) * columns))
        for i, block in enumerate(blocks):
            whole[i * rows : (i + 1) * rows, i * columns : (i + 1) * columns] = block
        return whole

    @cached_property
    def I(self) -> np.ndarray:  # noqa: E743 - the identity operator of the report
        return np.eye(6 * len(self.links))

    @cached_property
    def H(self) -> np.ndarray:
        return self.memoryless([np.array([[H(link, f) for f in WRENCHES]]) for link in self.links])

    @cached_property
    def M(self) -> np.ndarray:
        return self.memoryless([inertia(link.spatial_inertia.articulated) for link in self.links])

    @cached_property
    def P(self) -> np.ndarray:
        return self.memoryless([inertia(gain.P) for gain in self.gains])

    @cached_property
    def D(self) -> np.ndarray:
        return np.diag([gain.D for gain in self.gains])

    @cached_property
    def G(self) -> np.ndarray:
        return self.memoryless([wrench(gain.G)[:, None] for gain in self.gains])

    @cached_property
    def E_φ(self) -> np.ndarray:
        E = np.zeros_like(self.I)
        for link in self.links:
            if link.parent >= 0:
                i, k = 6 * link.parent, 6 * link.index
                E[i : i + 6, k : k + 6] = np.transpose([wrench(φ(link, f)) for f in WRENCHES])
        return E

    @cached_property
    def E_ψ(self) -> np.ndarray:
        return self.E_φ @ (self.I - self.G @ self.H)

    @cached_property
    def φ(self) -> np.ndarray:
        return np.linalg.inv(self.I - self.E_φ)

    @cached_property
    def ψ(self) -> np.ndarray:
        return np.linalg.inv(self.I - self.E_ψ)

    @cached_property
    def K(self) -> np.ndarray:
        """I + HΦL, where ΦL = φE_φG = φ~G."""
        return np.eye(len(self.links)) + self.H @ (self.φ - self.I) @ self.G

    @cached_property
    def W(self) -> np.ndarray:
        """I - HΨL, where ΨL = ψE_φG."""
        return np.eye(len(self.links)) - self.H @ self.ψ @ self.E_φ @ self.G


def wrench(f: Force) -> np.ndarray:
    return np.concatenate([array(f.moment), array(f.force)])


def inertia(P: ArticulatedInertia) -> np.ndarray:
    return np.block([[dense(P.A), dense(P.B)], [dense(P.B).T, dense(P.C)]])


def operators(robot: Robot, q: list[float]) -> Operators:
    links = skeleton(robot).at(q, math)
    return Operators(links, gains(links))
