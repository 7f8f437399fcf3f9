"""The spatial operators of G. Rodriguez and K. Kreutz, "Recursive mass matrix factorization and inversion: an operator
approach to open- and closed-chain multibody dynamics", Part I, Jet Propulsion Laboratory (1988).

The report numbers links from the tip to the base: its k + 1 is the parent of k, its causal sweep is our `inward`, its
anticausal one our `outward`. On a tree φ = (I - E_φ)⁻¹, where E_φ takes every link's wrench to its parent, so that
the report's recursions gather over children and otherwise read as printed; its L(k) and ψ(k+1,k) are written out,
L = φG and ψ = φ(I - GH), since φ alone knows how to reach the parent.

Here is what acts link by link: the transition φ and the projection H, the biases a and b, and the filter's gain. All
in the link's own axes about its own origin O(k).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..algebra import RIGIDLY_AT_REST, ZERO, ArticulatedInertia, Force, Motion, Scalar, Vec
from ..robot.skeleton import Body, Skeleton
from ..sweep import Bodies, inward_keeping, outward
from .newton_euler import joint_force, unit_motion, with_rotor


def φ(link: Body, f: Force) -> Force:
    """φ(k+1,k) f(k): the wrench on the link, told about its parent's origin [2.16]."""
    return f.at(link.along).turned(link.R).at(link.offset)


def φᵀ(link: Body, V: Motion) -> Motion:
    """φᵀ(k+1,k) V(k+1): the parent's motion, told of the link's origin."""
    return V.shifted(link.offset).turned(link.R.T).shifted(link.along)


def H(link: Body, f: Force) -> Scalar:
    """H(k) f(k): the part of a wrench that the joint's motor feels [2.16, 2.31]."""
    return joint_force(link, f)


def Hᵀ(link: Body, rate: Scalar) -> Motion:
    """Hᵀ(k) θ̇(k): the motion of the joint."""
    return unit_motion(link) * rate


def g(robot: Skeleton) -> Motion:
    """α(N+1) of (2.1): the base's upward acceleration, which stands for gravity."""
    return Motion(ZERO, -robot.gravity)


def velocities(links: Bodies, θ̇: Sequence[Scalar]) -> tuple[list[Motion], list[Motion]]:
    """The spatial velocities V(k) of (2.25), and with them the bias accelerations a(k), which need V(k+1)."""
    V_a = outward(links, velocity_and_bias, (RIGIDLY_AT_REST, RIGIDLY_AT_REST), θ̇)
    return [V for V, _ in V_a], [a for _, a in V_a]


def velocity_and_bias(link: Body, parent: tuple[Motion, Motion], θ̇: Scalar) -> tuple[Motion, Motion]:
    V_parent, _ = parent
    carried = φᵀ(link, V_parent)
    return carried + Hᵀ(link, θ̇), bias_acceleration(link, V_parent.angular, carried.angular, θ̇)


def bias_acceleration(link: Body, ω_parent: Vec, ω: Vec, θ̇: Scalar) -> Motion:
    """a(k) of (2.19) and, corrected, (2.32); ω(k+1) is given in the parent's axes and in the link's.

    A sliding joint adds hθ̇ twice: once for ℓ(k+1,k) growing, once for its direction turning.
    """
    linear = (link.R.T @ centripetal(ω_parent, link.offset)) + centripetal(ω, link.along)
    if link.slides:
        linear = linear + ω.cross(link.e * (link.lead * (θ̇ + θ̇)))
    return Motion(ZERO if link.prismatic else ω.cross(link.e * θ̇), linear)


def bias_force(link: Body, V: Motion) -> Force:
    """b(k) of (2.23), about the origin O(k)."""
    ω, M = V.angular, link.spatial_inertia
    return Force(ω.cross(M.tensor @ ω), centripetal(ω, M.moment))


def centripetal(ω: Vec, p: Vec) -> Vec:
    """ω × (ω × p)."""
    return ω.cross(ω.cross(p))


class Gain(NamedTuple):
    """What the Riccati equation keeps of a joint: P, D = HPHᵀ, G = PHᵀD⁻¹ and (I - GH)P."""

    P: ArticulatedInertia
    D: Scalar
    G: Force
    rest: ArticulatedInertia


def gains(links: Bodies) -> list[Gain]:
    """P, D and G of every joint [4.4-4.6]: P(k) = ψ(k,k-1) P(k-1) φᵀ(k,k-1) + M(k), summed over children."""
    return inward_keeping(links, riccati, [link.spatial_inertia.articulated for link in links])


def riccati(link: Body, P: ArticulatedInertia) -> tuple[ArticulatedInertia, Gain]:
    """What the joint lets through to the parent, φ(I - GH)Pφᵀ, and its gain."""
    PHᵀ = P @ Hᵀ(link, 1.0)
    D = with_rotor(link, H(link, PHᵀ), 1.0)
    G = kalman_gain(link, PHᵀ, D)
    rest = P - felt(link, PHᵀ, G)
    return rest.at(link.along).turned(link.R).at(link.offset), Gain(P, D, G, rest)


def kalman_gain(link: Body, PHᵀ: Force, D: Scalar) -> Force:
    """G = PHᵀD⁻¹, of which HG = 1 is known, unless a rotor is a part of D."""
    (a, b, c), (d, e, f) = PHᵀ.moment, PHᵀ.force
    own = 1.0 if link.rotor == 0.0 else H(link, PHᵀ) / D
    if link.prismatic:
        return Force(Vec(a / D, b / D, c / D), Vec(d / D, e / D, own))
    return Force(Vec(a / D, b / D, c / D if link.slides else own), Vec(d / D, e / D, f / D))


def felt(link: Body, PHᵀ: Force, G: Force) -> ArticulatedInertia:
    """GHP = PHᵀGᵀ, each entry by the factor that makes the joint's own row and column those of P exactly."""
    B = PHᵀ.moment.outer(G.force) if link.prismatic else G.moment.outer(PHᵀ.force)
    return ArticulatedInertia(PHᵀ.moment.outer(G.moment).symmetric, B, PHᵀ.force.outer(G.force).symmetric)
