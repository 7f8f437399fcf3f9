"""The Coriolis matrix of Christoffel's symbols: C(q, q̇) with C q̇ the velocity forces and Ṁ - 2C skew. Any tree.

For particles, C_ij = Σ m ∂r/∂q_i · d/dt ∂r/∂q_j. Summed over a rigid body, with the columns s of its Jacobian as
spatial vectors at the origin (which change by v × s alone), this is s_iᵀ (I ṡ_j + B s_j), where
B = [[A, 0], [-p×, 0]], A = -ω× E - h× v×, p = m v + ω × h, E = Σ m r rᵀ and h = Σ m r. Like inertias, A and p of
all beyond a joint add up to those of a composite body (compare Echeandia and Wensing, 2021).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ..algebra import RIGIDLY_AT_REST, ZERO, Force, Inertia, Mat, Motion, Scalar, Vec, skew
from ..robot.skeleton import Body, Skeleton
from ..sweep import each, inward, outward, toward_base
from .articulated_body import velocity, velocity_product
from .composite_body import inertia_to_parent
from .newton_euler import euler_tensor, joint_force, to_parent, unit_motion


class Composite(NamedTuple):
    """What a body and all beyond it add to C: the inertia, A and p."""

    I: Inertia
    A: Mat
    p: Vec

    def __add__(self, other: Composite) -> Composite:  # type: ignore[override]
        return Composite(self.I + other.I, self.A + other.A, self.p + other.p)


class Columns(NamedTuple):
    """Three wrenches of a joint, led to the base together: I ṡ + B s, I s and Bᵀ s."""

    of_column: Force
    of_ṡ: Force
    of_s: Force


def coriolis_matrix(robot: Skeleton, q: Sequence[Scalar], q̇: Sequence[Scalar], fn: Any) -> list[list[Scalar]]:
    """C, column by column above the diagonal and row by row below it."""
    links = robot.at(q, fn)
    v = outward(links, velocity, RIGIDLY_AT_REST, q̇)
    ṡ = [velocity_product(link, v_i, 1.0) for link, v_i in zip(links, v, strict=True)]
    composites = inward(links, composite_to_parent, each(links, of_body, v))
    columns = each(links, of_joint, composites, ṡ)
    C: list[list[Scalar]] = [[0.0] * len(links) for _ in links]
    for link, F in zip(links, columns, strict=True):
        j = link.index
        C[j][j] = joint_force(link, F.of_column)
        for ancestor, F_there in toward_base(links, link, columns_to_parent, F):
            i = ancestor.index
            C[i][j] = joint_force(ancestor, F_there.of_column)
            C[j][i] = F_there.of_ṡ.dot(ṡ[i]) + joint_force(ancestor, F_there.of_s)
    return C


def of_body(link: Body, v: Motion) -> Composite:
    I = link.spatial_inertia
    E, h = euler_tensor(I.tensor), I.moment
    A = -((skew(v.angular) @ E) + (skew(h) @ skew(v.linear)))
    return Composite(I, A, v.linear * I.mass + v.angular.cross(h))


def composite_to_parent(link: Body, total: Composite) -> Composite:
    A, p = shifted(total.A, total.p, link.along)
    A, p = shifted(link.R.similar(A), link.R @ p, link.offset)
    return Composite(inertia_to_parent(link, total.I), A, p)


def shifted(A: Mat, p: Vec, r: Vec) -> tuple[Mat, Vec]:
    """A and p told about another origin, their own being at r."""
    return A - (skew(r) @ skew(p)), p


def of_joint(link: Body, total: Composite, ṡ: Motion) -> Columns:
    s = unit_motion(link)
    Bs = Force(total.A @ s.angular, -total.p.cross(s.angular))
    Bᵀs = Force((total.A.T @ s.angular) + total.p.cross(s.linear), ZERO)
    return Columns((total.I @ ṡ) + Bs, total.I @ s, Bᵀs)


def columns_to_parent(link: Body, F: Columns) -> Columns:
    return Columns(*(to_parent(link, f) for f in F))
