"""The report's operators as dense matrices, built from φ, H and the gains alone: its equations, letter by letter.

On a tree the block of E_φ at (parent of k, k) is φ(k+1,k), φ = (I - E_φ)⁻¹ and φ~ = φ - I = E_φ φ, and likewise ψ.
Links count from the base here, so that causal operators are upper triangular.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from hypothesis import given
from tests.engines import array, dense
from tests.robots import State, cases

from linkwise.algebra import ArticulatedInertia, Force, Vec
from linkwise.formulations.operators import factors, inverse_mass_matrix, mass_matrix, whitening_operator
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


def equal(one: np.ndarray, other: np.ndarray, κ: float = 1.0) -> None:
    size = max(1.0, np.max(np.abs(one)), np.max(np.abs(other)))
    assert np.max(np.abs(one - other)) <= size * max(1e-12, 64 * np.finfo(float).eps * κ)


@given(case=cases(tree=True))
def test_texts_are_what_the_operators_say(case: tuple[Robot, State]) -> None:
    robot, s = case
    o, arm = operators(robot, s.q), skeleton(robot)
    𝓜 = o.H @ o.φ @ o.M @ o.φ.T @ o.H.T
    κ = float(np.linalg.cond(𝓜))
    equal(𝓜, np.array(mass_matrix(arm, s.q, math)))  # (3.20)
    equal(o.K, np.array(factors(arm, s.q, math)[0]), κ)  # (4.11)
    equal(o.W, np.array(whitening_operator(o.links, o.gains)), κ)  # (4.15)
    equal(o.W.T @ np.linalg.inv(o.D) @ o.W, np.array(inverse_mass_matrix(arm, s.q, math)), κ)  # (4.16)


@given(case=cases(tree=True))
def test_identities_that_feel_a_wrong_gain(case: tuple[Robot, State]) -> None:
    robot, s = case
    o = operators(robot, s.q)
    𝓜 = o.H @ o.φ @ o.M @ o.φ.T @ o.H.T
    κ, n, φ_, ψ_ = float(np.linalg.cond(𝓜)), len(𝓜), o.φ - o.I, o.ψ - o.I
    D_inverse = np.linalg.inv(o.D)
    equal(o.H @ o.G, np.eye(n))
    equal((o.I - o.G @ o.H) @ o.P @ o.H.T, np.zeros_like(o.H.T))
    equal(𝓜, o.K @ o.D @ o.K.T)  # (4.11)
    equal(o.W.T @ D_inverse @ o.W @ 𝓜, np.eye(n), κ)  # (4.16)
    equal(o.ψ @ o.M @ o.φ.T, o.P + ψ_ @ o.P + o.P @ φ_.T)  # (a.46)
    equal(o.ψ @ o.M @ o.ψ.T, o.P + ψ_ @ o.P + o.P @ ψ_.T)  # (a.47)
    equal(o.φ @ o.M @ o.φ.T, o.P + φ_ @ o.P + o.P @ φ_.T + φ_ @ o.P @ o.H.T @ D_inverse @ o.H @ o.P @ φ_.T)  # (a.48)
    smoothing = o.W.T @ D_inverse
    rest = (o.I - o.G @ o.H) @ o.ψ @ o.E_φ @ o.G
    equal(smoothing @ o.H @ o.ψ @ o.M @ o.φ.T, smoothing @ o.H @ ψ_ @ o.P + rest.T + o.G.T, κ)  # (a.50)


@given(case=cases(tree=True))
def test_identities_that_hold_for_any_gain(case: tuple[Robot, State]) -> None:
    robot, s = case
    o = operators(robot, s.q)
    κ = float(np.linalg.cond(mass_matrix(skeleton(robot), s.q, math)))
    equal(o.K @ o.W, np.eye(len(o.links)), κ)  # (4.14)
    equal(o.W @ o.H @ o.φ, o.H @ o.ψ, κ)  # (5.4)


@given(case=cases(tree=True))
def test_determinant(case: tuple[Robot, State]) -> None:
    robot, s = case
    _, log = np.linalg.slogdet(mass_matrix(skeleton(robot), s.q, math))
    assert math.isclose(sum(math.log(gain.D) for gain in operators(robot, s.q).gains), log, rel_tol=1e-9, abs_tol=1e-9)
