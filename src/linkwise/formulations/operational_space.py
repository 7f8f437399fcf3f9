"""How a frame answers wrenches on it: its operational-space mobility Λ⁻¹ = J 𝓜⁻¹ Jᵀ and inertia Λ, six by six.

By spatial operators (G. Rodriguez, K. Kreutz 1988; G. Rodriguez, A. Jain, K. Kreutz-Delgado, "A spatial operator
algebra for manipulator modeling and control", Int. J. Robot. Res. 10, 1991) the mobility of a link goes out from the
base, after the filter has come in from the tips:

    Υ(k) = ψᵀ(k+1,k) Υ(k+1) ψ(k+1,k) + Hᵀ(k) D⁻¹(k) H(k),    Υ(N+1) = 0,    Λ⁻¹ = φᵀ(k,0) Υ(k) φ(k,0)

at a frame 0 that link k carries: of order n, without mass matrix or Jacobian. The other way is the definition. Where
joints do not let the frame move in every direction Λ⁻¹ is singular, and there is no Λ.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..algebra import (
    ZERO,
    ZERO_TENSOR,
    ArticulatedInertia,
    Force,
    Motion,
    Scalar,
    solve_udu,
    solve_unit_upper,
    udu,
)
from ..robot.model import BASE
from ..robot.skeleton import Body, Skeleton
from ..sweep import outward
from .composite_body import mass_matrix
from .kinematics import Rows, frame_pose, jacobian, poses
from .newton_euler import unit_motion
from .operators import symmetric, unit_matrix
from .spatial_operators import Gain, gains

Names = Sequence[str]
Mobility = ArticulatedInertia
"""Of which A answers a force and C a moment, so that it moves and turns as an inertia does, but the other way."""

IMMOBILE = Mobility(ZERO_TENSOR, ZERO.outer(ZERO), ZERO_TENSOR)


def mobility(robot: Skeleton, q: Sequence[Scalar], fn: Any, frames: Names, reference: str) -> Rows:
    """Λ⁻¹ by Υ."""
    links, frame = robot.at(q, fn), robot.frame(*frames)
    if frame.body == BASE:
        return in_rows(IMMOBILE)
    Υ = outward(links, mobility_beyond, IMMOBILE, gains(links))
    local = Υ[frame.body].at(-frame.placement.position).turned(frame.placement.rotation.T)
    if reference == "local":
        return in_rows(local)
    where = frame_pose(frame, poses(robot, links))
    aligned = local.turned(where.R)
    return in_rows(aligned.at(where.p) if reference == "spatial" else aligned)


def inertia(robot: Skeleton, q: Sequence[Scalar], fn: Any, frames: Names, reference: str) -> Rows:
    """Λ, of which the inverse comes by Υ."""
    return inverse(mobility(robot, q, fn, frames, reference))


def mobility_by_jacobian(robot: Skeleton, q: Sequence[Scalar], fn: Any, frames: Names, reference: str) -> Rows:
    """J 𝓜⁻¹ Jᵀ."""
    return through_joints(jacobian(robot, q, fn, frames, reference), mass_matrix(robot, q, fn))


def inertia_by_jacobian(robot: Skeleton, q: Sequence[Scalar], fn: Any, frames: Names, reference: str) -> Rows:
    """(J 𝓜⁻¹ Jᵀ)⁻¹."""
    return inverse(mobility_by_jacobian(robot, q, fn, frames, reference))


def mobility_beyond(link: Body, Υ: Mobility, gain: Gain) -> Mobility:
    """Υ(k) from Υ(k+1), ψ being φ(I - GH)."""
    carried = Υ.at(-link.offset).turned(link.R.T).at(-link.along)
    y, Hᵀ = answer(carried, gain.G), unit_motion(link)
    own = gain.G.dot(y) + 1.0 / gain.D
    return carried - mutual(Hᵀ, y - Hᵀ * (0.5 * own))


def answer(mobility: Mobility, f: Force) -> Motion:
    """The motion by a wrench."""
    dual = mobility @ Motion(f.force, f.moment)
    return Motion(dual.force, dual.moment)


def mutual(s: Motion, u: Motion) -> Mobility:
    """s uᵀ + u sᵀ."""
    return Mobility(
        (s.linear.outer(u.linear) + u.linear.outer(s.linear)).symmetric,
        s.linear.outer(u.angular) + u.linear.outer(s.angular),
        (s.angular.outer(u.angular) + u.angular.outer(s.angular)).symmetric,
    )


def in_rows(mobility: Mobility) -> Rows:
    """Linear motion by force and moment, then angular motion."""
    A, B, C = mobility.A, mobility.B, mobility.C
    return [[*a, *b] for left, right in ((A, B), (B.T, C)) for a, b in zip(left, right, strict=True)]


def through_joints(J: Rows, M: Rows) -> Rows:
    """J 𝓜⁻¹ Jᵀ with 𝓜 = U D Uᵀ."""
    U, D = udu(M)
    half = [solve_unit_upper(U, row) for row in J]
    return symmetric(len(J), lambda i, j: weighted(half[i], half[j], D))


def weighted(x: Sequence[Scalar], y: Sequence[Scalar], D: Sequence[Scalar]) -> Scalar:
    """xᵀ D⁻¹ y."""
    return sum((a * b / d for a, b, d in zip(x, y, D, strict=True)), 0.0)


def inverse(matrix: Rows) -> Rows:
    """That of a symmetric positive definite matrix."""
    n = len(matrix)
    U, D = udu(matrix)
    columns = [solve_udu(U, D, unit) for unit in unit_matrix(n)]
    return symmetric(n, lambda i, j: columns[j][i])
