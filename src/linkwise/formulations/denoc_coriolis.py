"""The matrix C of convective inertia terms, section 4.2 of Saha (1999). Links, axes and symbols are those of `denoc`;
a tilde marks what belongs to a composite body.

H̃_{i,i−1} and the composite Ṁ_i, which (28) leads inward each by itself, meet in K_i = B_{i+1,i}ᵀ H̃_{i+1,i} + Ṁ̃_i.
With it (29) reads c_ij = p_iᵀ B_jiᵀ (M̃_j Ω_j + K_j) p_j for i ≤ j, and p_iᵀ (M̃_i B_ij Ω_j + M̃_i Ḃ_ij + K_i) p_j
for i > j.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ..algebra import ZERO, Force, Inertia, Mat, Motion, Rotation, Scalar, Vec, skew
from ..robot.skeleton import Skeleton
from ..sweep import each, inward_keeping, outward, toward_base
from .denoc import AT_REST, Bᵀ, Coupled, coupled, rate
from .denoc_matrices import Rows, composite, square


def coriolis_matrix(robot: Skeleton, q: Sequence[Scalar], θ̇: Sequence[Scalar], fn: Any) -> Rows:
    """C (29), element by element; İ − 2C is skew."""
    links = moving(robot, q, θ̇, fn)
    M̃ = composite(links)
    K = inward_keeping(links, convect, [link.Ṁ_i for link in links], M̃)
    rows = square(len(links))
    for link, led in zip(links, each(links, terms, M̃, K), strict=True):
        i = link.index
        rows[i][i] = led.above.dot(link.p_i)
        for below, led_j in toward_base(links, link, lead, led):
            rows[i][below.index] = led_j.left.dot(below.ṗ_i) + led_j.left_rate.dot(below.p_i)
            rows[below.index][i] = led_j.above.dot(below.p_i)
    return rows


@dataclass(frozen=True, slots=True)
class Convection:
    """A matrix from twists to wrenches that feels only the turning, as those of Ṁ, Ḃ and H̃ do: its left two blocks."""

    n: Mat
    f: Mat

    def __add__(self, other: Convection) -> Convection:
        return Convection(self.n + other.n, self.f + other.f)

    def __matmul__(self, t: Motion) -> Force:
        return Force(self.n @ t.angular, self.f @ t.angular)

    def led(self, t: Motion) -> Force:
        """Its transpose times a twist."""
        return Force((self.n.T @ t.angular) + (self.f.T @ t.linear), ZERO)

    def at(self, p: Vec) -> Convection:
        return Convection(self.n + (skew(p) @ self.f), self.f)

    def turned(self, R: Rotation) -> Convection:
        return Convection(R.similar(self.n), R.similar(self.f))


@dataclass(frozen=True, slots=True)
class Moving(Coupled):
    """A link with its angular velocity, and with the rate of c_{i,i−1}."""

    ω: Vec
    ċ: Vec

    @property
    def ṗ_i(self) -> Motion:
        """Ω_i p_i, which (26) says of N_d."""
        return Motion(self.ω.cross(self.p_i.angular), self.ω.cross(self.p_i.linear))

    @property
    def Ṁ_i(self) -> Convection:
        return Convection(skew(self.ω) @ self.inertia, skew(ZERO))

    def Ḃᵀ(self, w: Force) -> Force:
        """Ḃ_{i,i−1}ᵀ w, in the axes of this link."""
        return Force(w.force.cross(self.ċ), ZERO)


def moving(robot: Skeleton, q: Sequence[Scalar], θ̇: Sequence[Scalar], fn: Any) -> list[Moving]:
    links = coupled(robot, q, fn)
    rates = outward(links, rate, AT_REST, θ̇)
    return [Moving(i.bone, i.R, i.along, i.r, r.ν.angular, r.ċ) for i, r in zip(links, rates, strict=True)]


def convect(link: Moving, K: Convection, M̃: Inertia) -> tuple[Convection, Convection]:
    """K_i = B_{i+1,i}ᵀ H̃_{i+1,i} + the composite Ṁ_i, where H̃_{i,i−1} = M̃_i Ḃ_{i,i−1} + B_{i+1,i}ᵀ H̃_{i+1,i} (28)."""
    ċ = skew(link.ċ)
    M̃Ḃ = Convection(skew(M̃.moment) @ ċ, ċ * M̃.mass)
    return Bᵀ(link, M̃Ḃ + K), K


class Terms(NamedTuple):
    """What (29) leads from link i to the links j before it.

    Above the diagonal (M̃_i Ω_i + K_i) p_i; left of it M̃_i p_i for Ω_j p_j, and (M̃_i Ḃ_ij + K_i)ᵀ p_i for p_j.
    """

    above: Force
    left: Force
    left_rate: Force


def terms(link: Moving, M̃: Inertia, K: Convection) -> Terms:
    return Terms((M̃ @ link.ṗ_i) + (K @ link.p_i), M̃ @ link.p_i, K.led(link.p_i))


def lead(link: Moving, led: Terms) -> Terms:
    """By B_{i,i−1}ᵀ; and Ḃ_{k,j} = Ḃ_{k,i} + B_{k,i} Ḃ_{i,j} for twists that only turn."""
    return Terms(Bᵀ(link, led.above), Bᵀ(link, led.left), Bᵀ(link, led.left_rate + link.Ḃᵀ(led.left)))
