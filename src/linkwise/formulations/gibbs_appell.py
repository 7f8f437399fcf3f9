"""The Gibbs–Appell equations: V. Mata, S. Provenzano, F. Valero, J. I. Cuadrado, "Serial-robot dynamics algorithms
for moderately large numbers of joints", Mech. Mach. Theory 37 (2002).

The joint forces are the first derivatives of Gibbs' function, the energy of acceleration, by the joint accelerations;
the mass matrix is its second. In link frames; gravity is an upward acceleration of the base. For a sliding joint k
the paper's (7e), put right, reads ∂r̈_i/∂q̈_k = z_k, and its ∂ω̇_i/∂q̈_k is nought.

Symbols: R = link.R, s = link.p from O_{i-1} to O_i, r = link.com from O_i to the mass centre; ω, ω̇ angular velocity and
acceleration, Ω = ω̇× + ω×ω× (12); s̈, r̈ accelerations of O_i and of the mass centre; J Euler's tensor (11); f, t force
and moment about the mass centre (9), (10). Of the composite bodies: M mass, φ first and ψ second moments about O_i.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..algebra import (
    NO_FORCE,
    ZERO,
    ZERO_TENSOR,
    Force,
    Inertia,
    Mat,
    Motion,
    Scalar,
    Vec,
    axial_product,
    cholesky,
    solve_cholesky,
)
from ..robot.skeleton import Body, Skeleton
from ..sweep import each, inward, outward
from .axes import Axis, axes_below
from .newton_euler import (
    AT_REST,
    acceleration_tensor,
    angular_acceleration,
    angular_velocity,
    euler_tensor,
    joint_force,
)


def inverse_dynamics(
    robot: Skeleton,
    q: Sequence[Scalar],
    q̇: Sequence[Scalar],
    q̈: Sequence[Scalar],
    fn: Any,
    tip: Force = NO_FORCE,
) -> list[Scalar]:
    """τ by section 4.1; `tip` is the wrench of the last link on what it touches."""
    links = robot.at(q, fn)
    ω = outward(links, angular_velocity, ZERO, q̇)  # step 1
    ω̇ = outward(links, angular_acceleration, ZERO, ω, q̇, q̈)
    Ω = each(links, acceleration_tensor, ω, ω̇)
    Ω_s̈ = outward(links, origin_acceleration, (AT_REST, -robot.gravity), Ω, ω, q̇, q̈)
    own = each(links, inertia_wrench, Ω_s̈)  # step 2
    own[-1] = own[-1] + tip
    return each(links, joint_force, inward(links, to_parent, own))  # step 3, (14)


def mass_matrix(robot: Skeleton, q: Sequence[Scalar], fn: Any) -> list[list[Scalar]]:
    """D, the Hessian of Gibbs' function (19), by the seven steps of section 4.2."""
    links = robot.at(q, fn)
    augmented = inward(links, mass_to_parent, [link.spatial_inertia for link in links])  # step 1
    axes = outward(links, axes_below, ())  # steps 2 and 3
    composite = inward(links, moments_to_parent, augmented)  # steps 4 and 5
    D: list[list[Scalar]] = [[0.0] * len(links) for _ in links]
    for j, wrench in enumerate(each(links, unit_acceleration, composite)):  # steps 6 and 7
        for k, axis in enumerate(axes[j]):
            D[j][k] = D[k][j] = along(axis, wrench)
    return D


def forward_dynamics(
    robot: Skeleton,
    q: Sequence[Scalar],
    q̇: Sequence[Scalar],
    τ: Sequence[Scalar],
    fn: Any,
    tip: Force = NO_FORCE,
) -> list[Scalar]:
    """q̈ of D q̈ = τ - bias (17), by Cholesky's decomposition."""
    bias = inverse_dynamics(robot, q, q̇, robot.at_rest, fn, tip)
    L = cholesky(mass_matrix(robot, q, fn), fn)
    return solve_cholesky(L, [t - b for t, b in zip(τ, bias, strict=True)])


def origin_acceleration(link: Body, parent: tuple[Mat, Vec], Ω: Mat, ω: Vec, q̇: Scalar, q̈: Scalar) -> tuple[Mat, Vec]:
    """s̈ of step 1, with the Ω that the next link needs of this one."""
    Ω_parent, s̈ = parent
    s̈ = link.R.T @ (s̈ + (Ω_parent @ link.p))
    if link.prismatic:
        s̈ = s̈ + ω.cross(link.e * (q̇ + q̇)) + link.e * q̈
    return Ω, s̈


def inertia_wrench(link: Body, motion: tuple[Mat, Vec]) -> Force:
    """The link's own part of χ (15) and of φ (16): r × f + t about O_i, and f = m r̈."""
    Ω, s̈ = motion
    r̈ = s̈ + (Ω @ link.com)
    f = r̈ * link.mass
    t = axial_product(Ω, euler_tensor(link.inertia))
    return Force(link.com.cross(f) + t, f)


def to_parent(link: Body, total: Force) -> Force:
    """R χ + s × φ (15), and φ = R (f + φ) (16)."""
    return total.turned(link.R).at(link.p)


def mass_to_parent(link: Body, carried: Inertia) -> Inertia:
    """All that the link carries, as a point of mass M at O_i: with it γ, E are constants if the joint only turns."""
    return Inertia(carried.mass, ZERO, ZERO_TENSOR).at(link.p)


def moments_to_parent(link: Body, composite: Inertia) -> Inertia:
    """R φ, and R ψ Rᵀ - s̃φ̃ - (s̃φ̃)ᵀ: the mass is there already."""
    return Inertia(0.0, composite.moment, composite.tensor).turned(link.R).at(link.p)


def unit_acceleration(link: Body, composite: Inertia) -> Force:
    """The wrench that gives the composite body a unit acceleration of the joint: ψ z and -φ̃ z, or φ̃ z and M z."""
    return composite @ (Motion(ZERO, link.e) if link.prismatic else Motion(link.e, ZERO))


def along(axis: Axis, wrench: Force) -> Scalar:
    """What the joint of the axis feels of a wrench s further out: ∂ω̇/∂q̈ · [ψ - s̃φ̃] z of step 7 where it turns."""
    return axis.e.dot(wrench.force if axis.prismatic else wrench.at(axis.s).moment)
