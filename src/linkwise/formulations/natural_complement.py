"""The natural orthogonal complement: J. Angeles, O. Ma, "Dynamic simulation of n-axis serial robotic manipulators
using a natural orthogonal complement", Int. J. Robotics Res. 7, no. 5 (1988).

The twists of all the links are t = T q̇, where the 6n by n matrix T spans the motions that the joints allow; the
extended mass matrix diag(I_i, m_i 1), about the mass centres, becomes TᵀMT. The columns of T are the partial
velocities of Kane's equations, (31) to (36) of `kane`, which also give the bias here. In link frames.

Symbols: e_k axis of joint k, s_ik vector from O_k to the mass centre C_i, ρ_i = link.com.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..algebra import NO_FORCE, ZERO, Force, Motion, Scalar, Sym, Vec, cholesky, solve_cholesky
from ..robot.skeleton import Body, Skeleton
from ..sweep import each, outward
from .axes import Axis, axes_below
from .kane import inverse_dynamics

Twists = Sequence[Motion]
Momenta = Sequence[Force]


def mass_matrix(robot: Skeleton, q: Sequence[Scalar], fn: Any) -> list[list[Scalar]]:
    """TᵀMT, from the block rows T_i of T: the sum of T_iᵀ M_i T_i over the links."""
    links = robot.at(q, fn)
    T = each(links, twists, outward(links, axes_below, ()))
    MT = each(links, momenta, T)
    M: list[list[Scalar]] = [[0.0] * len(links) for _ in links]
    for i in range(len(links)):
        for k in range(i + 1):
            M[i][k] = M[k][i] = column_product(T[i:], MT[i:], i, k)
    return M


def forward_dynamics(
    robot: Skeleton, q: Sequence[Scalar], q̇: Sequence[Scalar], τ: Sequence[Scalar], fn: Any, tip: Force = NO_FORCE
) -> list[Scalar]:
    """q̈, by Cholesky's decomposition of the mass matrix; the bias is τ at q̈ = 0 by Kane's equations."""
    bias = inverse_dynamics(robot, q, q̇, robot.at_rest, fn, tip)
    return solve_cholesky(cholesky(mass_matrix(robot, q, fn), fn), [t - b for t, b in zip(τ, bias, strict=True)])


def twists(link: Body, axes: Sequence[Axis]) -> Twists:
    """T_i: the link's twist about its mass centre for a unit rate of every joint below, (32) to (35)."""
    return [Motion(ZERO, k.e) if k.prismatic else Motion(k.e, k.e.cross(k.s + link.com)) for k in axes]


def momenta(link: Body, T: Twists) -> Momenta:
    """M_i T_i: angular momentum about the mass centre, and momentum."""
    return [Force(product(link.inertia, t.angular), t.linear * link.mass) for t in T]


def product(I: Sym, e: Vec) -> Vec:
    """I e in six products instead of nine: I_xy (e_x + e_y) serves two rows, whose diagonals are less by I_xy.

    A factor I = N Nᵀ would spare three products too, and sums, but a body without extent or mass has none.
    """
    xy, xz, yz = I.xy * (e.x + e.y), I.xz * (e.x + e.z), I.yz * (e.y + e.z)
    return Vec(
        (I.xx - I.xy - I.xz) * e.x + xy + xz,
        (I.yy - I.xy - I.yz) * e.y + xy + yz,
        (I.zz - I.xz - I.yz) * e.z + xz + yz,
    )


def column_product(T: Sequence[Twists], MT: Sequence[Momenta], i: int, k: int) -> Scalar:
    """Column i of T times column k of MT, over the links that joint i carries."""
    return sum((p[k].dot(t[i]) for t, p in zip(T, MT, strict=True)), 0.0)
