"""Newton–Euler: J. Y. S. Luh, M. W. Walker, R. P. C. Paul, "On-line computational scheme for mechanical
manipulators", J. Dyn. Syst. Meas. Control 102 (1980).

In link frames, with the inertial parameters about the frames' origins instead of the centres of mass: F and N are
then the wrench at the origin, and mass, first and second moments enter linearly. Gravity is an upward acceleration
of the base. Any tree.

Symbols: ω angular velocity, ω̇ angular acceleration, p̈ acceleration of the frame's origin, U = ω̇× + ω×ω×,
F and N force and moment of inertia on the link, f and n force and moment that the joint exerts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..algebra import NO_FORCE, ZERO, Force, Mat, Scalar, Vec, skew
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
    ω_U_p̈ = outward(links, origin_acceleration, (ZERO, NO_ROTATION, -robot.gravity), ω, U, q̇, q̈)
    own = each(links, inertia_wrench, ω, ω̇, U, [p̈ for _, _, p̈ in ω_U_p̈])
    own[-1] = own[-1] + tip
    return each(links, joint_force, inward(links, to_parent, own))


NO_ROTATION = skew(ZERO)


def angular_velocity(link: Body, ω: Vec, q̇: Scalar) -> Vec:
    carried = link.R.T @ ω
    return carried if link.prismatic else carried + link.e * q̇


def angular_acceleration(link: Body, ω̇: Vec, ω: Vec, q̇: Scalar, q̈: Scalar) -> Vec:
    carried = link.R.T @ ω̇
    return carried if link.prismatic else carried + ω.cross(link.e * q̇) + link.e * q̈


def acceleration_tensor(link: Body, ω: Vec, ω̇: Vec) -> Mat:
    """U with U r the acceleration of a point at r relative to the origin."""
    Ω = skew(ω)
    return skew(ω̇) + (Ω @ Ω)


def origin_acceleration(
    link: Body, parent: tuple[Vec, Mat, Vec], ω: Vec, U: Mat, q̇: Scalar, q̈: Scalar
) -> tuple[Vec, Mat, Vec]:
    """The parent's origin, across to the joint's axis on the parent, along the axis on the link itself."""
    _, U_parent, p̈ = parent
    across = p̈ + (U_parent @ link.offset)
    reached = (link.R.T @ across) + (U @ link.along)
    if link.prismatic:
        reached = reached + ω.cross(link.e * (q̇ + q̇)) + link.e * q̈
    return ω, U, reached


def inertia_wrench(link: Body, ω: Vec, ω̇: Vec, U: Mat, p̈: Vec) -> Force:
    """F = m p̈ + U m c, and N = d/dt (I ω) + m c × p̈ about the origin."""
    F = p̈ * link.mass + (U @ link.moment)
    J = link.tensor
    E = Mat(J.x, J.y, J.z)
    half = 0.5 * J.trace
    E = Mat(Vec(half, 0.0, 0.0), Vec(0.0, half, 0.0), Vec(0.0, 0.0, half)) - J
    W = U @ E
    N = Vec(W.z.y - W.y.z, W.x.z - W.z.x, W.y.x - W.x.y)
    return Force(N + link.moment.cross(p̈), F)


def to_parent(link: Body, total: Force) -> Force:
    return total.at(link.along).turned(link.R).at(link.offset)


def joint_force(link: Body, total: Force) -> Scalar:
    return total.force.z if link.prismatic else total.moment.z
