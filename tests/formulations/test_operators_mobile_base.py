"""Appendix B of the report: a base that moves and joints with three turns, as blocks of the operators.

The text gives each of a joint's motions an axis of its own, with massless bodies between them. Here these are taken
away again: what carries mass is left, with H(N) = I for a free base and H(k) = [I 0] for a spherical joint, both told
in the body's axes. The report's equations then hold for blocks as they do for single axes.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from hypothesis import given
from tests.engines import Pinocchio, array, dense
from tests.formulations.operators_as_matrices import inertia, operators, wrench
from tests.robots import afloat, any_joint_robots, any_state, seeds

from linkwise.algebra import Force, Vec
from linkwise.bench.dense import Array
from linkwise.coordinates import coordinates, told
from linkwise.formulations import QUANTITIES, composite_body
from linkwise.formulations.operator_forward import arm, fd4, forward_dynamics_fd4, joint_reactions
from linkwise.robot.joint import NO_DRIVE, Joint
from linkwise.robot.model import Robot
from linkwise.robot.quaternions import to_matrix
from linkwise.robot.skeleton import Bone, skeleton
from linkwise.setting import AS_IT_IS

KINDS = ("revolute", "prismatic", "helical", "spherical")
N = 5
"""The base's body in the text, the last of its six axes."""

TOLERANCE = 1e-9


def undriven(robot: Robot) -> Robot:
    joints = (replace(link.joint, drive=NO_DRIVE) for link in robot.links)
    return replace(robot, links=tuple(replace(link, joint=j) for link, j in zip(robot.links, joints, strict=True)))


floating = given(any_joint_robots((1, 4), kinds=KINDS, mimics=False).map(undriven).map(afloat), seeds)


@dataclass(frozen=True)
class Blocks:
    """The report's operators for a robot at a position, a block a joint."""

    robot: Robot
    q: list[float]

    @cached_property
    def single(self):
        return operators(self.robot, self.q)

    @cached_property
    def bones(self) -> list[Bone]:
        """Those that carry links: the last of each joint's axes."""
        return [bone for bone in skeleton(self.robot).bones if bone.carries]

    def kept(self, operator: Array) -> Array:
        """The rows and columns of what carries links."""
        at = np.concatenate([np.arange(6 * bone.index, 6 * bone.index + 6) for bone in self.bones])
        return operator[np.ix_(at, at)]

    def diagonal(self, blocks: list[Array]) -> Array:
        rows, columns = np.cumsum([[0, 0], *(block.shape for block in blocks)], axis=0).T
        whole = np.zeros((rows[-1], columns[-1]))
        for block, i, j in zip(blocks, rows, columns, strict=False):
            whole[i : i + len(block), j : j + block.shape[1]] = block
        return whole

    @property
    def joints(self) -> Iterator[tuple[Bone, Joint]]:
        return zip(self.bones, self.robot.joints, strict=True)

    def h(self, bone: Bone, joint: Joint) -> Array:
        """H(k): all of a wrench for a free base (b.2), its moment for a spherical joint, else as in (2.31)."""
        if joint.kind.has_quaternion:
            return np.eye(6)[: joint.nv]
        return self.single.H[[bone.index], 6 * bone.index : 6 * bone.index + 6]

    def p(self, bone: Bone) -> Array:
        return inertia(self.single.gains[bone.index].P)

    @cached_property
    def H(self) -> Array:
        return self.diagonal([self.h(*each) for each in self.joints])

    @cached_property
    def D(self) -> Array:
        """D(k) = H(k) P(k) Hᵀ(k): P(N) for the base."""
        return self.diagonal([self.h(*each) @ self.p(each[0]) @ self.h(*each).T for each in self.joints])

    @cached_property
    def G(self) -> Array:
        """G(k) = P(k) Hᵀ(k) D⁻¹(k): I for the base."""
        P = self.diagonal([self.p(bone) for bone in self.bones])
        return P @ self.H.T @ np.linalg.inv(self.D)

    @cached_property
    def M(self) -> Array:
        return self.kept(self.single.M)

    @cached_property
    def φ(self) -> Array:
        return self.kept(self.single.φ)

    @cached_property
    def I(self) -> Array:  # noqa: E743 - the identity operator of the report
        return np.eye(len(self.φ))

    @cached_property
    def ψ(self) -> Array:
        """(I - E_ψ)⁻¹ with E_ψ = E_φ(I - GH), E_φ = I - φ⁻¹."""
        return np.linalg.inv(self.I - (self.I - np.linalg.inv(self.φ)) @ (self.I - self.G @ self.H))

    @cached_property
    def mass_matrix(self) -> Array:
        """𝓜 of (3.20)."""
        return self.H @ self.φ @ self.M @ self.φ.T @ self.H.T

    @property
    def W(self) -> Array:
        """For each joint what leads from its velocity, as robots tell it, to W(k) in the body's axes."""
        return self.diagonal([self.w(bone, joint) for bone, joint in self.joints])

    def w(self, bone: Bone, joint: Joint) -> Array:
        turn = dense(bone.own_frame.rotation.matrix)
        if joint.type != "free":
            return turn if joint.type == "spherical" else np.eye(1)
        back, none = turn @ to_matrix(self.q[3:7]).T, np.zeros((3, 3))
        return np.block([[none, back], [back, none]])


def close(ours: Array, theirs: Array, κ: float = 1.0) -> None:
    size = max(1.0, np.abs(ours).max(), np.abs(theirs).max())
    assert np.abs(ours - theirs).max() <= size * max(1e-11, 64 * np.finfo(float).eps * κ)


def text(function: str, own: object, robot: Robot) -> object:
    return told(own, QUANTITIES[function], AS_IT_IS, skeleton(robot), robot.nv)


@floating
def test_the_mass_matrix_is_of_the_printed_form(robot: Robot, seed: int) -> None:
    """𝓜 = HφMφᵀHᵀ with H(N) = I and H(k) = [I 0], for velocities W [3.20, b.1, b.2]."""
    q = any_state(robot, seed).q
    blocks = Blocks(robot, q)
    ours = text("mass_matrix", composite_body.mass_matrix, robot)(skeleton(robot), q, math)
    close(np.array(ours), blocks.W.T @ blocks.mass_matrix @ blocks.W)


@floating
def test_the_factors_are_of_the_printed_form(robot: Robot, seed: int) -> None:
    """(4.11) and (4.16), "the only change is in the dimensions": D(N) = P(N), G(N) = I."""
    blocks = Blocks(robot, any_state(robot, seed).q)
    κ, D = float(np.linalg.cond(blocks.mass_matrix)), blocks.D
    close(D[:6, :6], blocks.p(blocks.bones[0]))
    close(blocks.G[:6, :6], np.eye(6), κ)
    unit, E_φ = np.eye(len(D)), blocks.I - np.linalg.inv(blocks.φ)
    K = unit + blocks.H @ (blocks.φ - blocks.I) @ blocks.G
    close(K @ D @ K.T, blocks.mass_matrix)
    W = unit - blocks.H @ blocks.ψ @ E_φ @ blocks.G
    close(W.T @ np.linalg.inv(D) @ W @ blocks.mass_matrix, unit, κ)


@dataclass(frozen=True)
class Base:
    """A floating robot in motion under random forces, and what the filter knows of its base, all in the base's axes."""

    robot: Robot
    seed: int
    pushed: bool

    @cached_property
    def state(self):
        s = any_state(self.robot, self.seed)
        return s if self.pushed else replace(s, tau=[0.0] * 6 + s.tau[6:])

    @cached_property
    def back(self) -> Array:
        """From [linear; angular] in the world's axes to [angular; linear] in those of the text."""
        return Blocks(self.robot, self.state.q).W[:6, :6]

    @cached_property
    def filtered(self) -> tuple[Array, Array]:
        """P(N) and z(N)."""
        bones, s = skeleton(self.robot), self.state
        axes = coordinates(bones, s.q, self.robot.nv, "world_aligned")
        moving = arm(bones, s.q, axes.rates(s.v), math, Force(Vec(0.0, 0.0, 0.0), Vec(0.0, 0.0, 0.0)))
        return inertia(moving.gains[N].P), wrench(fd4(moving, axes.rates(s.tau)).z[N])

    @property
    def g(self) -> Array:
        return self.back @ [*(-array(self.robot.gravity)), 0.0, 0.0, 0.0]

    @property
    def α(self) -> Array:
        """P⁻¹(N) [T(N) - z(N)]: what the filter ends with, where H(N) = I."""
        P, z = self.filtered
        return np.linalg.solve(P, self.back @ self.state.tau[:6] - z)

    @property
    def acceleration(self) -> Array:
        s = self.state
        own = text("forward_dynamics", forward_dynamics_fd4, self.robot)
        return np.array(own(skeleton(self.robot), s.q, s.v, s.tau, math))


@floating
def test_a_base_without_force_falls_as_its_articulated_inertia_lets_it(robot: Robot, seed: int) -> None:
    """T(N) = 0 leaves P(N) α(N) = -z(N), whatever carries it; in inertial axes α(N) is Ẇ(N), with gravity [b.6]."""
    for pushed in (False, True):
        base = Base(robot, seed, pushed)
        κ = float(np.linalg.cond(Blocks(robot, base.state.q).mass_matrix))
        close(base.α - base.g, base.back @ base.acceleration[:6], κ)


@floating
def test_in_the_axes_of_the_body_the_base_has_a_bias(robot: Robot, seed: int) -> None:
    """Ẇ(N) = P⁻¹(N) [T(N) - z(N)] - g - a(N) with a(N) = [0; ω × v], where W is told in axes that turn; Pinocchio's is.

    The report has nought for it (b.7), which is right in inertial axes.
    """
    base = Base(robot, seed, pushed=True)
    s = base.state
    R = to_matrix(s.q[3:7])
    to_body = np.kron(np.eye(2), R.T)
    v, tau = ([*(to_body @ x[:6]), *x[6:]] for x in (s.v, s.tau))
    theirs = Pinocchio(robot).forward_dynamics(s.q, v, tau)[:6]
    α = to_body @ np.linalg.solve(base.back, base.α - base.g)
    a = np.concatenate([np.cross(v[3:6], v[:3]), np.zeros(3)])
    close(α - a, theirs, float(np.linalg.cond(Blocks(robot, s.q).mass_matrix)))


@floating
def test_the_force_of_the_bases_joint_is_the_wrench_on_it(robot: Robot, seed: int) -> None:
    """T(N) = H(N) f(N) = f(N) [b.8]."""
    base = Base(robot, seed, pushed=True)
    s = base.state
    own = text("joint_reactions", joint_reactions, robot)
    f = own(skeleton(robot), s.q, s.v, s.tau, math)[N]
    close(wrench(f), base.back @ s.tau[:6], float(np.linalg.cond(Blocks(robot, s.q).mass_matrix)))


@given(any_joint_robots((1, 1), kinds=("prismatic",)).map(undriven).map(afloat), seeds)
def test_the_rate_of_the_quaternion(robot: Robot, seed: int) -> None:
    """q̇ = Λω and ω = πq̇ [b.3]: with Λ of 4 × 3 and π = 4Λᵀ, πΛ = I and Λπ = I - qqᵀ; neither has an inverse."""
    s, h = any_state(robot, seed), 1e-4
    η, e = s.q[3], np.array(s.q[4:7])
    Λ = 0.5 * np.vstack([-e, η * np.eye(3) - np.cross(np.eye(3), e)])
    ahead, behind = (robot.integrate(s.q, s.v, step)[3:7] for step in (h, -h))
    assert np.allclose((ahead - behind) / (2.0 * h), Λ @ s.v[3:6], rtol=0, atol=1e-6)
    assert np.allclose(4.0 * Λ.T @ Λ, np.eye(3), rtol=0, atol=1e-14)
    assert np.allclose(Λ @ (4.0 * Λ.T), np.eye(4) - np.outer(s.q[3:7], s.q[3:7]), rtol=0, atol=1e-14)
