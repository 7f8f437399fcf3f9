"""Newton–Euler: J. Y. S. Luh, M. W. Walker, R. P. C. Paul, "On-line computational scheme for mechanical
manipulators", J. Dyn. Syst. Meas. Control 102 (1980).

In link frames, with the inertial parameters about the frames' origins instead of the centres of mass: mass, first
and second moments then enter linearly. Gravity is an upward acceleration of the base. Any tree, any joint.

Symbols: ω angular velocity, ω̇ angular acceleration, p̈ acceleration of the frame's origin, U = ω̇× + ω×ω×,
F and N force of inertia and its moment about the origin.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..algebra import NO_FORCE, ZERO, Force, Mat, Motion, Scalar, Sym, Vec, axial_product, diagonal, skew
from ..robot.skeleton import Body, Skeleton
from ..sweep import each, inward, outward


def inverse_dynamics(
    robot: Skeleton,
    q: Sequence[Scalar],
    q̇: Sequence[Scalar],
    q̈: Sequence[Scalar],
    fn: Any,
    tip: Force = NO_FORCE,
) -> list[Scalar]:
    """τ of M(q)q̈ + C(q, q̇)q̇ + gravity = τ; `tip` is the wrench of the last body on what it touches."""
    links = robot.at(q, fn)
    ω = outward(links, angular_velocity, ZERO, q̇)
    ω̇ = outward(links, angular_acceleration, ZERO, ω, q̇, q̈)
    U = each(links, acceleration_tensor, ω, ω̇)
    p̈ = outward(links, origin_acceleration, (AT_REST, -robot.gravity), U, ω, q̇, q̈)
    own = each(links, inertia_wrench, p̈)
    own[-1] = own[-1] + tip
    forces = each(links, joint_force, inward(links, to_parent, own))
    return each(links, with_rotor, forces, q̈)


AT_REST = skew(ZERO)


def angular_velocity(link: Body, ω: Vec, q̇: Scalar) -> Vec:
    carried = link.R.T @ ω
    return carried if link.prismatic else carried + link.e * q̇


def angular_acceleration(link: Body, ω̇: Vec, ω: Vec, q̇: Scalar, q̈: Scalar) -> Vec:
    carried = link.R.T @ ω̇
    return carried if link.prismatic else carried + ω.cross(link.e * q̇) + link.e * q̈


def acceleration_tensor(link: Body, ω: Vec, ω̇: Vec) -> Mat:
    """U, with U r the acceleration of the point r relative to the origin's."""
    Ω = skew(ω)
    return skew(ω̇) + (Ω @ Ω)


def origin_acceleration(link: Body, parent: tuple[Mat, Vec], U: Mat, ω: Vec, q̇: Scalar, q̈: Scalar) -> tuple[Mat, Vec]:
    """From the parent's origin across to the joint's axis on the parent, then along the axis on the link itself.

    The axis shares the motion of both, so that each leg can be told in the axes where it is constant.
    """
    U_parent, p̈ = parent
    p̈ = (link.R.T @ (p̈ + (U_parent @ link.offset))) + (U @ link.along)
    if link.slides:
        p̈ = p̈ + ω.cross(link.e * (link.lead * (q̇ + q̇))) + link.e * (link.lead * q̈)
    return U, p̈


def inertia_wrench(link: Body, motion: tuple[Mat, Vec]) -> Force:
    """F = m p̈ + U m c, and about the origin N = the axial vector of U E - (U E)ᵀ, plus m c × p̈.

    With Euler's tensor E = ½ tr(I) 1 - I, U E - (U E)ᵀ is (I ω̇ + ω × I ω)×.
    """
    U, p̈ = motion
    inertia = link.spatial_inertia
    N = axial_product(U, euler_tensor(inertia.tensor))
    return Force(N + inertia.moment.cross(p̈), p̈ * inertia.mass + (U @ inertia.moment))


def euler_tensor(I: Sym) -> Sym:
    half = 0.5 * I.trace
    return diagonal(half, half, half) - I


def to_parent(link: Body, total: Force) -> Force:
    return total.at(link.along).turned(link.R).at(link.offset)


def unit_motion(link: Body) -> Motion:
    """What the joint moves by at unit rate."""
    return Motion(ZERO if link.prismatic else link.e, link.e * link.lead if link.slides else ZERO)


def joint_force(link: Body, total: Force) -> Scalar:
    """The part of a wrench that the joint feels, of unit motion s: sᵀ f."""
    if link.slides and not link.prismatic:
        return total.moment.z + link.lead * total.force.z
    return total.force.z if link.prismatic else total.moment.z


def with_rotor(link: Body, force: Scalar, q̈: Scalar) -> Scalar:
    """The joint's force with what its rotor needs."""
    return force if link.rotor == 0.0 else force + link.rotor * q̈
