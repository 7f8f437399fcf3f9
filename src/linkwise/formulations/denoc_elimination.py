"""The reverse Gaussian elimination (RGE) of the mass matrix I, and what it leads to: I = U D Uᵀ and I⁻¹, element by
element. Appendix B of Saha (1999) and of Saha (2001); equations of 1999. The explicit inverse is that of S. K. Saha,
"Analytical expression for the inverted inertia matrix of serial robots", Int. J. Robotics Research 18 (1999).

Links, axes and symbols are those of `denoc` and `denoc_forward`; E_k is the elementary upper triangular matrix
(EUTM) that annihilates column k above the diagonal, L_k what is left when columns n to k are done.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ..algebra import Scalar
from ..robot.skeleton import Skeleton
from ..sweep import inward, toward_base
from .denoc import Bᵀ, Coupled, coupled
from .denoc_forward import Factor, decomposition, freed, solve_U
from .denoc_matrices import Rows, elements, square

Links = Sequence[Coupled]


def udu_factors(robot: Skeleton, q: Sequence[Scalar], fn: Any) -> tuple[Rows, list[Scalar]]:
    """U and the diagonal of D with U D Uᵀ = I (55): α_ik = p_iᵀ ψ_ik above the ones of U, and the m̂_k."""
    links = coupled(robot, q, fn)
    factors = decomposition(links)
    U = identity(len(links))
    for link, factor in zip(links, factors, strict=True):
        for i, α in column(links, link, factor):
            U[i][link.index] = α
    return U, [factor.m̂ for factor in factors]


def column(links: Links, link: Coupled, factor: Factor) -> list[tuple[int, Scalar]]:
    """The α_ik of link k with their i: p_iᵀ ψ_ik, where ψ_ik = B_kiᵀ ψ_k (46), (48)."""
    return [(below.index, ψ_ik.dot(below.p_i)) for below, ψ_ik in toward_base(links, link, Bᵀ, factor.ψ)]


class Step(NamedTuple):
    """A step of the elimination: L_k = E_k L_{k+1} (45)."""

    E: Rows
    L: Rows


def reverse_gaussian_elimination(robot: Skeleton, q: Sequence[Scalar], fn: Any) -> list[Step]:
    """The steps for k = n … 2, from L_{n+1} = I to the lower triangular L_2 (40) to (50)."""
    links = coupled(robot, q, fn)
    M = [link.M_i.articulated for link in links]
    M̂ = inward(links, Bᵀ, M)
    L = elements(links, M̂)
    steps: list[Step] = []
    for k in reversed(range(1, len(links))):
        factor, M̂_kk = freed(links[k], M̂[k])
        M̂ = inward(links[: k + 1], Bᵀ, [*M[:k], M̂_kk])
        E = identity(len(links))
        for i, α in column(links, links[k], factor):
            E[i][k] = -α
        L = annihilated(L, elements(links[:k], M̂[:k]))
        steps.append(Step(E, L))
    return steps


def annihilated(L: Rows, left: Rows) -> Rows:
    """L_k: the i_ij^(k) = p_iᵀ M̂_ik B_ij p_j in its first k − 1 rows, noughts beside them, the rest as it was (46)."""
    n, done = len(L), len(left)
    return [[*row, *([0.0] * (n - done))] for row in left] + L[done:]


def inverse_mass_matrix(robot: Skeleton, q: Sequence[Scalar], fn: Any) -> Rows:
    """I⁻¹ = U⁻ᵀ D⁻¹ U⁻¹, whose element i, j is the sum over k ≤ i, j of u_ki u_kj / m̂_k."""
    links = coupled(robot, q, fn)
    factors = decomposition(links)
    u = [inverse_column(links, factors, j) for j in range(len(links))]
    inverse = square(len(links))
    for i, u_i in enumerate(u):
        scaled = [u_ki / factor.m̂ for u_ki, factor in zip(u_i, factors, strict=False)]
        for j in range(i, len(links)):
            inverse[i][j] = inverse[j][i] = sum((a * b for a, b in zip(scaled, u[j], strict=False)), 0.0)
    return inverse


def inverse_column(links: Links, factors: Sequence[Factor], j: int) -> list[Scalar]:
    """Column j of U⁻¹ down to its one: step A for a force at joint j alone.

    So that u_ij = −p_iᵀ B_{i+1,i}ᵀ (1 − ψ_{i+1} p_{i+1}ᵀ) B_{i+2,i+1}ᵀ … B_{j,j−1}ᵀ ψ_j.
    """
    return solve_U(links[: j + 1], factors[: j + 1], [0.0] * j + [1.0])


def identity(n: int) -> Rows:
    return [[1.0 if i == j else 0.0 for j in range(n)] for i in range(n)]
