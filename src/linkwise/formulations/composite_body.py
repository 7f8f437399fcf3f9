"""Composite rigid bodies: M. W. Walker, D. E. Orin, "Efficient dynamic computer simulation of robotic mechanisms",
J. Dyn. Syst. Meas. Control 104 (1982), method 3; R. Featherstone, "Robot dynamics algorithms" (1987).

All beyond a joint taken as one rigid body, the wrench that moves it by a unit acceleration of the joint is a column
of the mass matrix once it is led down to the base, joint by joint. Any tree.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..algebra import NO_FORCE, Force, Inertia, Scalar, solve_udu, udu
from ..robot.skeleton import Body, Skeleton
from ..sweep import each, inward, toward_base
from .newton_euler import inverse_dynamics, joint_force, to_parent, unit_motion, with_rotor


def mass_matrix(robot: Skeleton, q: Sequence[Scalar], fn: Any) -> list[list[Scalar]]:
    """M, with M q̈ the joint forces of a robot at rest and without weight."""
    links = robot.at(q, fn)
    composite = inward(links, inertia_to_parent, [link.spatial_inertia for link in links])
    columns = each(links, unit_acceleration, composite)
    M: list[list[Scalar]] = [[0.0] * len(links) for _ in links]
    for link, F in zip(links, columns, strict=True):
        i = link.index
        M[i][i] = with_rotor(link, joint_force(link, F), 1.0)
        for ancestor, F_there in toward_base(links, link, to_parent, F):
            M[i][ancestor.index] = M[ancestor.index][i] = joint_force(ancestor, F_there)
    return M


def forward_dynamics(
    robot: Skeleton,
    q: Sequence[Scalar],
    q̇: Sequence[Scalar],
    τ: Sequence[Scalar],
    fn: Any,
    tip: Force = NO_FORCE,
) -> list[Scalar]:
    """q̈ with M q̈ = τ - bias, the bias by Newton–Euler."""
    bias = inverse_dynamics(robot, q, q̇, robot.at_rest, fn, tip)
    return accelerations(robot, q, [τ_i - bias_i for τ_i, bias_i in zip(τ, bias, strict=True)], fn)


def accelerations(robot: Skeleton, q: Sequence[Scalar], φ: Sequence[Scalar], fn: Any) -> list[Scalar]:
    """q̈ with M q̈ = φ, by U D Uᵀ from the tips, which keeps a tree's zeros."""
    return solve_udu(*udu(mass_matrix(robot, q, fn)), φ)


def inertia_to_parent(link: Body, composite: Inertia) -> Inertia:
    return composite.at(link.along).turned(link.R).at(link.offset)


def unit_acceleration(link: Body, composite: Inertia) -> Force:
    """The wrench that gives the composite body the joint's unit acceleration."""
    return composite @ unit_motion(link)
