"""Kane's equations: J. Angeles, O. Ma, A. Rojas, "An algorithm for the inverse dynamics of n-axis general
manipulators using Kane's equations", Computers Math. Applic. 17 (1989), received in 1988.

Everything is told of the mass centres, in link frames. Gravity is an upward acceleration of the base (51).

Symbols: Q_i = link.R; a_i = link.p from O_{i-1} to O_i, ρ_i = link.com from O_i to the mass centre C_i,
I_i = link.inertia about C_i; ω, ω̇ angular velocity and acceleration, W = Ω̇ + Ω² (53); p̈ the acceleration of C_i less
gravity (41); ḣ the rate of the angular momentum about C_i; v, w the sums over the links from i on of (45) and (44).
A sliding joint's variable is the displacement along +e_i, which is -b_i of the paper: its signs in (19), (20) turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..algebra import NO_FORCE, ZERO, Force, Mat, Scalar, Vec
from ..robot.skeleton import Body, Skeleton
from ..sweep import each, inward, outward
from .newton_euler import AT_REST, acceleration_tensor, angular_acceleration, angular_velocity, joint_force


def inverse_dynamics(
    robot: Skeleton,
    q: Sequence[Scalar],
    q̇: Sequence[Scalar],
    q̈: Sequence[Scalar],
    fn: Any,
    tip: Force = NO_FORCE,
) -> list[Scalar]:
    """τ by (37) in the three stages of section 6; `tip` is the wrench of the last link on what it touches."""
    links = robot.at(q, fn)  # stage 1: (7), (8)
    ω = outward(links, angular_velocity, ZERO, q̇)  # stage 2: (12) to (14), (53), (18), (20)
    ω̇ = outward(links, angular_acceleration, ZERO, ω, q̇, q̈)
    W = each(links, acceleration_tensor, ω, ω̇)
    reached = outward(links, mass_centre, (ZERO, AT_REST, -robot.gravity), ω, W, q̇, q̈)
    own = each(links, inertia_wrench, ω, ω̇, [p̈ for _, _, p̈ in reached])  # stage 3: (46) to (49)
    own[-1] = own[-1] + tip
    return each(links, joint_force, inward(links, to_parent, own))  # (44), (45)


def mass_centre(link: Body, parent: tuple[Vec, Mat, Vec], ω: Vec, W: Mat, q̇: Scalar, q̈: Scalar) -> tuple[Vec, Mat, Vec]:
    """p̈_i from p̈_{i-1}, by (18) and (20), with the ρ and the W that the next link needs of this one."""
    ρ, W_parent, p̈ = parent
    carried = (link.R.T @ (p̈ + (W_parent @ (link.p - ρ)))) + (W @ link.com)
    if link.prismatic:
        carried = carried + ω.cross(link.e * (q̇ + q̇)) + link.e * q̈
    return link.com, W, carried


def inertia_wrench(link: Body, ω: Vec, ω̇: Vec, p̈: Vec) -> Force:
    """The link's own part of k (47) and of v (49): ḣ + ρ × u about O_i, and u = m p̈."""
    ḣ = (link.inertia @ ω̇) + ω.cross(link.inertia @ ω)
    u = p̈ * link.mass
    return Force(ḣ + link.com.cross(u), u)


def to_parent(link: Body, total: Force) -> Force:
    """Q w + a × Q v (46), and Q v (49)."""
    return total.turned(link.R).at(link.p)
