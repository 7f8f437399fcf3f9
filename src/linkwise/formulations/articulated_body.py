"""Articulated bodies: R. Featherstone, "The calculation of robot dynamics using articulated-body inertias",
Int. J. Robotics Research 2 (1983).

The inertia that a body shows where its joint holds it, all beyond it free to move, is led from the tips to the
base; joint accelerations then follow outward. Linear in the number of joints. Any tree.

Symbols: v velocity and a acceleration of the body (a without its weight), c the velocity products of the joint,
I the articulated inertia and p its bias force; U = I s, D = sᵀ I s, u = τ - sᵀ p for the joint's unit motion s. What a
rotor adds to the joint's inertia is added to D.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from ..algebra import NO_FORCE, RIGIDLY_AT_REST, ZERO, ZERO_TENSOR, ArticulatedInertia, Force, Motion, Scalar, Vec, dyad
from ..robot.skeleton import Body, Skeleton
from ..sweep import each, inward_keeping, outward
from .newton_euler import joint_force, to_parent, unit_motion, with_rotor


class Articulated(NamedTuple):
    """Articulated inertia and bias force, which travel together."""

    I: ArticulatedInertia
    p: Force

    def __add__(self, other: Articulated) -> Articulated:  # type: ignore[override]
        return Articulated(self.I + other.I, self.p + other.p)


class Gain(NamedTuple):
    """What a joint keeps for the way out: q̈ = (u - Uᵀ a) / D."""

    U: Force
    D: Scalar
    u: Scalar


def forward_dynamics(
    robot: Skeleton,
    q: Sequence[Scalar],
    q̇: Sequence[Scalar],
    τ: Sequence[Scalar],
    fn: Any,
    tip: Force = NO_FORCE,
) -> list[Scalar]:
    """q̈ of the motion under τ; `tip` is the wrench of the last body on what it touches."""
    links = robot.at(q, fn)
    v = outward(links, velocity, RIGIDLY_AT_REST, q̇)
    c = each(links, velocity_product, v, q̇)
    own = each(links, own_inertia, v)
    own[-1] = own[-1] + Articulated(NOTHING, tip)
    gains = inward_keeping(links, articulate, own, c, τ)
    at_base = (Motion(ZERO, -robot.gravity), None)
    return [q̈ for _, q̈ in outward(links, acceleration, at_base, gains, c)]


def accelerations(robot: Skeleton, q: Sequence[Scalar], φ: Sequence[Scalar], fn: Any) -> list[Scalar]:
    """q̈ with M q̈ = φ: the motion from rest and without weight."""
    return forward_dynamics(replace(robot, gravity=ZERO), q, robot.at_rest, φ, fn)


NOTHING = ArticulatedInertia(ZERO_TENSOR, ZERO.outer(ZERO), ZERO_TENSOR)


def velocity(link: Body, v: Motion, q̇: Scalar) -> Motion:
    return into(link, v) + unit_motion(link) * q̇


def velocity_product(link: Body, v: Motion, q̇: Scalar) -> Motion:
    """v × s q̇, as spatial accelerations need it."""
    s = link.e * q̇
    if link.prismatic:
        return Motion(ZERO, v.angular.cross(s))
    turned = v.angular.cross(s)
    return Motion(turned, v.linear.cross(s) + turned * link.lead if link.slides else v.linear.cross(s))


def own_inertia(link: Body, v: Motion) -> Articulated:
    """The body's own inertia and its bias force v ×* I v."""
    I = link.spatial_inertia
    h = I @ v
    moment = v.angular.cross(h.moment) + v.linear.cross(h.force)
    return Articulated(I.articulated, Force(moment, v.angular.cross(h.force)))


def articulate(link: Body, total: Articulated, c: Motion, τ: Scalar) -> tuple[Articulated, Gain]:
    """What the joint lets through to the parent: Iᵃ = I - U D⁻¹ Uᵀ and pᵃ = p + Iᵃ c + U D⁻¹ u."""
    I, p = total
    U = I @ unit_motion(link)
    D = with_rotor(link, joint_force(link, U), 1.0)
    u = τ - joint_force(link, p)
    Iᵃ = I - rank_one(U, 1.0 / D)
    pᵃ = p + (Iᵃ @ c) + U * (u / D)
    carried = Iᵃ.at(link.along).turned(link.R).at(link.offset)
    return Articulated(carried, to_parent(link, pᵃ)), Gain(U, D, u)


def acceleration(link: Body, parent: tuple[Motion, Any], gain: Gain, c: Motion) -> tuple[Motion, Scalar]:
    a = into(link, parent[0]) + c
    q̈ = (gain.u - gain.U.dot(a)) / gain.D
    return a + unit_motion(link) * q̈, q̈


def into(link: Body, v: Motion) -> Motion:
    """The parent's motion, told of this link's origin in its axes."""
    return v.shifted(link.offset).turned(link.R.T).shifted(link.along)


def rank_one(U: Force, scale: Scalar) -> ArticulatedInertia:
    """U scale Uᵀ as an inertia."""
    scaled: Vec = U.moment * scale
    return ArticulatedInertia(dyad(U.moment, scale), scaled.outer(U.force), dyad(U.force, scale))
