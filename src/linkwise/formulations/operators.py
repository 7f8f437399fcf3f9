"""Spatial operators: G. Rodriguez, K. Kreutz, "Recursive mass matrix factorization and inversion", Part I, Jet
Propulsion Laboratory (1988). Dynamics, the mass matrix, its innovations factors and its inverse; any tree.

The sweeps are φx (`inward` with φ) and φᵀx (`outward`); symbols and operators are in spatial_operators.py.

A free base and spherical joints are those of its Appendix B, T = 𝓜Ẇ + C + Jᵀf(0) [b.1, b.9], Ẇ = 𝓜⁻¹[T - C - Jᵀf(0)]
[b.10]. Its H(N) = I [b.2], or [I 0] for three turns, comes as rows, one for each axis, with massless bodies between;
that D(N) = P(N), G(N) = I and T(N) = f(N) [b.8] follows. What leads from its W to q̇, Ω of [b.3-b.5], and the bias of
axes that turn, which [b.7] lacks, is in coordinates.py for every formulation alike.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..algebra import NO_FORCE, Force, Motion, Scalar
from ..robot.skeleton import Body, Skeleton
from ..sweep import Bodies, each, inward, outward, toward_base
from .composite_body import inertia_to_parent
from .newton_euler import with_rotor
from .spatial_operators import Gain, H, Hᵀ, bias_force, g, gains, velocities, φ, φᵀ

Rows = list[list[Scalar]]


def inverse_dynamics(
    robot: Skeleton,
    q: Sequence[Scalar],
    q̇: Sequence[Scalar],
    q̈: Sequence[Scalar],
    fn: Any,
    tip: Force = NO_FORCE,
) -> list[Scalar]:
    """T = Hφ[M(φᵀHᵀθ̈ + φᵀa) + b + Bf(0)] [3.18], the recursive spatial dynamics (2.24-2.30); `tip` is Bf(0)."""
    links = robot.at(q, fn)
    V, a = velocities(links, q̇)
    α = outward(links, accelerate, g(robot), q̈, a)
    own = each(links, inertial_and_bias_force, α, bias_forces(links, V, tip))
    return each(links, with_rotor, each(links, H, inward(links, φ, own)), q̈)


def accelerate(link: Body, α: Motion, θ̈: Scalar, a: Motion) -> Motion:
    """α(k) = φᵀ(k+1,k) α(k+1) + Hᵀ(k) θ̈(k) + a(k) [2.26]."""
    return φᵀ(link, α) + Hᵀ(link, θ̈) + a


def bias_forces(links: Bodies, V: Sequence[Motion], tip: Force) -> list[Force]:
    """b + Bf(0): the wrench of the tip on what it touches is one more bias of the last link."""
    b = each(links, bias_force, V)
    return [*b[:-1], b[-1] + tip]


def inertial_and_bias_force(link: Body, α: Motion, b: Force) -> Force:
    """M(k)α(k) + b(k), of (2.29)."""
    return (link.spatial_inertia @ α) + b


def mass_matrix(robot: Skeleton, q: Sequence[Scalar], fn: Any) -> Rows:
    """HφMφᵀHᵀ [3.20] by Corollary A.1: 𝓜(i,j) = H(i) φ(i,j) r(j) Hᵀ(j), r composite bodies [a.44]."""
    links = robot.at(q, fn)
    r = inward(links, inertia_to_parent, [link.spatial_inertia for link in links])
    𝓜: Rows = [[0.0] * len(links) for _ in links]
    for link in links:
        rHᵀ, j = r[link.index] @ Hᵀ(link, 1.0), link.index
        𝓜[j][j] = with_rotor(link, H(link, rHᵀ), 1.0)
        for ancestor, f in toward_base(links, link, φ, rHᵀ):
            𝓜[ancestor.index][j] = 𝓜[j][ancestor.index] = H(ancestor, f)
    return 𝓜


def factors(robot: Skeleton, q: Sequence[Scalar], fn: Any) -> tuple[Rows, list[Scalar]]:
    """I + HΦL, unit triangular, and the diagonal of D [4.11].

    Its entry (i,j) is H(i) φ(i,j) G(j): what joint i feels of the innovation at joint j beyond it [4.13].
    """
    links = robot.at(q, fn)
    kept = gains(links)
    K = unit_matrix(len(links))
    for link in links:
        for ancestor, ẑ in toward_base(links, link, φ, kept[link.index].G):
            K[ancestor.index][link.index] = H(ancestor, ẑ)
    return K, [gain.D for gain in kept]


def factored_mass_matrix(robot: Skeleton, q: Sequence[Scalar], fn: Any) -> Rows:
    """(I + HΦL) D (I + HΦL)ᵀ [4.11]."""
    K, D = factors(robot, q, fn)
    n = len(D)
    KD = [[entry * d for entry, d in zip(row, D, strict=True)] for row in K]
    return symmetric(n, lambda i, j: sum((KD[i][k] * K[j][k] for k in range(j, n)), 0.0))


def inverse_mass_matrix(robot: Skeleton, q: Sequence[Scalar], fn: Any) -> Rows:
    """(I - HΨL)ᵀ D⁻¹ (I - HΨL) [4.16]."""
    links = robot.at(q, fn)
    kept = gains(links)
    ε = whitening_operator(links, kept)
    ν = [[entry / gain.D for entry in row] for row, gain in zip(ε, kept, strict=True)]
    return symmetric(len(links), lambda i, j: sum((ε[k][i] * ν[k][j] for k in range(i + 1)), 0.0))


def whitening_operator(links: Bodies, kept: Sequence[Gain]) -> Rows:
    """I - HΨL: in column j, the innovations ε that a torque at joint j alone causes [4.15]."""

    def filtered(link: Body, state: tuple[Force, Scalar]) -> tuple[Force, Scalar]:
        """ẑ(k+1) = φ(ẑ + Gε) with ε = T - Hẑ, and no T at the joints that follow."""
        ẑ, T = state
        return φ(link, ẑ + kept[link.index].G * (T - H(link, ẑ))), 0.0

    ε = unit_matrix(len(links))
    for link in links:
        for ancestor, (ẑ, T) in toward_base(links, link, filtered, (NO_FORCE, 1.0)):
            ε[ancestor.index][link.index] = T - H(ancestor, ẑ)
    return ε


def unit_matrix(n: int) -> Rows:
    return [[1.0 if i == j else 0.0 for j in range(n)] for i in range(n)]


def symmetric(n: int, entry: Callable[[int, int], Scalar]) -> Rows:
    """The symmetric matrix with these entries, of which those with i ≤ j are worked out."""
    upper = {(i, j): entry(i, j) for i in range(n) for j in range(i, n)}
    return [[upper[min(i, j), max(i, j)] for j in range(n)] for i in range(n)]
