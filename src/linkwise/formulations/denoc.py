"""The decoupled natural orthogonal complement (DeNOC): S. K. Saha, "Dynamics of serial multibody systems using the
decoupled natural orthogonal complement matrices", J. Appl. Mech. 66 (1999): the links and inverse dynamics.
Its matrices: `denoc_matrices` and `denoc_coriolis`; its forward dynamics: `denoc_forward` and `denoc_elimination`.

Twists t = [ω; v] and wrenches w = [n; f] are those at the mass centres C_i. All that belongs to link i is in its own
axes, and B_{i,i−1}, which takes a twist from C_{i−1} to C_i, also turns it into them. Serial chains.

Symbols: θ̇ joint rates (ḃ of a sliding joint), e joint axis, d from O_i to C_i, r_{i−1} from C_{i−1} to O_i, Ω =
diag(ω×, ω×), M_i = diag(I_i, m_i 1), Ṁ_i = diag(ω_i × I_i, 0).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ..algebra import NO_FORCE, RIGIDLY_AT_REST, ZERO, Force, Inertia, Motion, Scalar, Vec
from ..robot.skeleton import Body, Skeleton
from ..sweep import each, inward, outward


@dataclass(frozen=True, slots=True)
class Coupled(Body):
    """A link together with what couples it to the one before it (fig. 3)."""

    r: Vec
    """r_{i−1}, from the mass centre of the link before to this one's origin."""

    @property
    def c(self) -> Vec:
        """c_{i,i−1}, from this link's mass centre to that of the link before."""
        return -(self.com + self.r)

    @property
    def p_i(self) -> Motion:
        """What a unit joint rate adds to the twist (13), (15)."""
        return Motion(ZERO, self.e) if self.prismatic else Motion(self.e, self.e.cross(self.com))

    @property
    def M_i(self) -> Inertia:
        return Inertia(self.mass, ZERO, self.inertia)


def coupled(robot: Skeleton, q: Sequence[Scalar], fn: Any) -> list[Coupled]:
    d_before = [ZERO, *(bone.com for bone in robot.bones[:-1])]
    return each(robot.at(q, fn), couple, d_before)


def couple(link: Body, d_before: Vec) -> Coupled:
    r = (link.R.T @ (link.offset - d_before)) + link.along
    return Coupled(link.bone, link.R, link.along, r)


def B(link: Coupled, t: Motion) -> Motion:
    """B_{i,i−1} t: the twist of the link before, as this one would have it if the joint were locked (13)."""
    return t.turned(link.R.T).shifted(-link.c)


def Bᵀ(link: Coupled, w: Any) -> Any:
    """B_{i,i−1}ᵀ w of a wrench, B_{i,i−1}ᵀ M B_{i,i−1} of a matrix that takes twists to wrenches."""
    return w.at(-link.c).turned(link.R)


def inverse_dynamics(
    robot: Skeleton, q: Sequence[Scalar], θ̇: Sequence[Scalar], θ̈: Sequence[Scalar], fn: Any, tip: Force = NO_FORCE
) -> list[Scalar]:
    """τ of I θ̈ + C θ̇ = τ, section 5.1, gravity as in (32); `tip` is the wrench of the last body on what it touches."""
    links = coupled(robot, q, fn)
    rates = outward(links, rate, AT_REST, θ̇)
    ξ = outward(links, twist_rate, Motion(ZERO, -robot.gravity), rates, θ̇, θ̈)
    own = each(links, inertia_wrench, rates, ξ)
    own[-1] = own[-1] + tip.at(-links[-1].com)
    γ = inward(links, Bᵀ, own)
    return each(links, joint_force, γ)


class Rate(NamedTuple):
    """The twist ν_i, and how B_{i,i−1} changes: ċ_{i,i−1} and Ḃ_{i,i−1} ν_{i−1}."""

    ν: Motion
    ċ: Vec
    Ḃν: Motion


AT_REST = Rate(RIGIDLY_AT_REST, ZERO, RIGIDLY_AT_REST)


def rate(link: Coupled, before: Rate, θ̇: Scalar) -> Rate:
    """ν_i = p_i θ̇_i + B_{i,i−1} ν_{i−1}; ċ = −ω_{i−1} × r_{i−1} − ω_i × d_i − ḃ_i e_i, gathered by ω_{i−1} and θ̇_i."""
    Bν, pθ̇ = B(link, before.ν), link.p_i * θ̇
    ċ = Bν.angular.cross(link.c) - pθ̇.linear
    return Rate(Bν + pθ̇, ċ, Motion(ZERO, ċ.cross(Bν.angular)))


def twist_rate(link: Coupled, ξ: Motion, rate: Rate, θ̇: Scalar, θ̈: Scalar) -> Motion:
    """ξ_i = p_i θ̈_i + Ω_i p_i θ̇_i + B_{i,i−1} ξ_{i−1} + Ḃ_{i,i−1} ν_{i−1}."""
    return link.p_i * θ̈ + Ω(rate, link.p_i * θ̇) + B(link, ξ) + rate.Ḃν


def Ω(rate: Rate, t: Motion) -> Motion:
    ω = rate.ν.angular
    return Motion(ω.cross(t.angular), ω.cross(t.linear))


def inertia_wrench(link: Coupled, rate: Rate, ξ: Motion) -> Force:
    """M_i ξ_i + Ṁ_i ν_i (7)."""
    ω = rate.ν.angular
    return (link.M_i @ ξ) + Force(ω.cross(link.inertia @ ω), ZERO)


def joint_force(link: Coupled, γ: Force) -> Scalar:
    """τ_i = p_iᵀ γ_i."""
    return γ.dot(link.p_i)
