"""Forward dynamics by the UDUᵀ decomposition of the mass matrix, linear in the number of joints: S. K. Saha,
"Simulation of industrial manipulators based on the UDUᵀ decomposition of inertia matrix" (2001), which carries out
section 5.2 and appendix B of Saha (1999). Equations of 2001. Links, axes and other symbols are those of `denoc`.

Symbols: M̂_i mass matrix of the articulated body i, M̂_ii what of it joint i lets through, ψ̂_i the wrench and m̂_i the
force that accelerate joint i at unit rate, φ joint forces without those that gravity and velocities need.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ..algebra import NO_FORCE, RIGIDLY_AT_REST, ArticulatedInertia, Force, Mat, Motion, Scalar, Sym, Vec
from ..robot.skeleton import Skeleton
from ..sweep import inward_keeping, outward
from .denoc import B, Bᵀ, Coupled, coupled, inverse_dynamics

Links = Sequence[Coupled]


def forward_dynamics(
    robot: Skeleton, q: Sequence[Scalar], θ̇: Sequence[Scalar], τ: Sequence[Scalar], fn: Any, tip: Force = NO_FORCE
) -> list[Scalar]:
    """θ̈ of I θ̈ = φ (1); `tip` is the wrench of the last body on what it touches."""
    bias = inverse_dynamics(robot, q, θ̇, robot.at_rest, fn, tip)
    return accelerations(robot, q, [τ_i - b for τ_i, b in zip(τ, bias, strict=True)], fn)


def accelerations(robot: Skeleton, q: Sequence[Scalar], φ: Sequence[Scalar], fn: Any) -> list[Scalar]:
    """θ̈ of U D Uᵀ θ̈ = φ, in the steps A, B and C of section 2.2."""
    links = coupled(robot, q, fn)
    factors = decomposition(links)
    τ̂ = solve_U(links, factors, φ)
    τ̃ = [τ̂_i / factor.m̂ for τ̂_i, factor in zip(τ̂, factors, strict=True)]
    return solve_Uᵀ(links, factors, τ̃)


class Factor(NamedTuple):
    """What joint k contributes to the factors: m̂_k to D, and to U the α_ik = p_iᵀ B_kiᵀ ψ_k."""

    m̂: Scalar
    ψ: Force


def decomposition(links: Links) -> list[Factor]:
    """From the last joint to the first, with M̂_n = M_n (28)."""
    return inward_keeping(links, articulate, [link.M_i.articulated for link in links])


def articulate(link: Coupled, M̂: ArticulatedInertia) -> tuple[ArticulatedInertia, Factor]:
    """M̂_{i−1} = M_{i−1} + B_{i,i−1}ᵀ M̂_ii B_{i,i−1} (28)."""
    factor, M̂_ii = freed(link, M̂)
    return idle_along(link, M̂_ii.at(-link.c)).turned(link.R), factor


def freed(link: Coupled, M̂: ArticulatedInertia) -> tuple[Factor, ArticulatedInertia]:
    """ψ̂ = M̂ p, m̂ = pᵀ ψ̂ and ψ = ψ̂ / m̂ (26), (27); M̂_ii = M̂_i − ψ̂_i ψ_iᵀ, the joint being free to move (28)."""
    ψ̂ = M̂ @ link.p_i
    m̂ = ψ̂.dot(link.p_i)
    ψ = ψ̂ * (1.0 / m̂)
    return Factor(m̂, ψ), M̂ - product(ψ̂, ψ)


def product(ψ̂: Force, ψ: Force) -> ArticulatedInertia:
    """ψ̂ ψᵀ, which is symmetric."""
    n, f = ψ̂.moment, ψ̂.force
    return ArticulatedInertia(n.outer(ψ.moment).symmetric, n.outer(ψ.force), f.outer(ψ.force).symmetric)


def idle_along(link: Coupled, M̂: ArticulatedInertia) -> ArticulatedInertia:
    """M̂_ii, told about C_{i−1}, with its entries along e from the others: M̂_ii p_i = 0.

    About C_{i−1} the joint's motion p_i is [e; r × e], or [0; e] if it slides. The paper works these entries out.
    """
    Î, Fᵀ, G = M̂.A, M̂.B, M̂.C
    if link.prismatic:
        Fᵀ = Mat(*(Vec(row.x, row.y, 0.0) for row in (Fᵀ.x, Fᵀ.y, Fᵀ.z)))
        return ArticulatedInertia(Î, Fᵀ, Sym(G.xx, G.xy, 0.0, G.yy, 0.0, 0.0))
    lever = link.e.cross(link.r)
    Fᵀ = Mat(Fᵀ.x, Fᵀ.y, G @ lever)
    Îe = Fᵀ @ lever
    return ArticulatedInertia(Sym(Î.xx, Î.xy, Îe.x, Î.yy, Îe.y, Îe.z), Fᵀ, G)


def solve_U(links: Links, factors: Sequence[Factor], φ: Sequence[Scalar]) -> list[Scalar]:
    """Step A, U τ̂ = φ: τ̂_i = φ_i − p_iᵀ η_{i,i+1} (12)."""
    return inward_keeping(links, reduce, [NO_FORCE] * len(links), factors, φ)


def reduce(link: Coupled, η: Force, factor: Factor, φ: Scalar) -> tuple[Force, Scalar]:
    """η_{i−1,i} = B_{i,i−1}ᵀ η_i and η_i = ψ_i τ̂_i + η_{i,i+1} (13)."""
    τ̂ = φ - η.dot(link.p_i)
    return Bᵀ(link, factor.ψ * τ̂ + η), τ̂


def solve_Uᵀ(links: Links, factors: Sequence[Factor], τ̃: Sequence[Scalar]) -> list[Scalar]:
    """Step C, Uᵀ θ̈ = τ̃: θ̈_i = τ̃_i − ψ_iᵀ μ_{i,i−1} (14)."""
    return [θ̈ for θ̈, _ in outward(links, accelerate, (0.0, RIGIDLY_AT_REST), factors, τ̃)]


def accelerate(link: Coupled, before: tuple[Scalar, Motion], factor: Factor, τ̃: Scalar) -> tuple[Scalar, Motion]:
    """μ_{i,i−1} = B_{i,i−1} μ_{i−1} and μ_i = p_i θ̈_i + μ_{i,i−1} (15)."""
    μ = B(link, before[1])
    θ̈ = τ̃ - factor.ψ.dot(μ)
    return θ̈, link.p_i * θ̈ + μ
