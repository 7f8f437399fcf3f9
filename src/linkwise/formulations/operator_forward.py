"""Forward dynamics by spatial operators, FD1 to FD4: G. Rodriguez, K. Kreutz (1988), sections 4 and 5; any tree.

One filter and one smoother serve all four, which differ in what is taken off the joints' forces beforehand:

    FD1, FD2   T' = T - T̂ is filtered, T̂ being the bias torques (3.23)       four sweeps
    FD3        T is filtered, with Mζ + b as bias forces, where ζ = φᵀa      three sweeps
    FD4        T is filtered, with the biases a and b as they are            three sweeps

FD4's λ turns out to be α, and Pα + z the wrench f at each joint: neither is in the report.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ..algebra import NO_FORCE, RIGIDLY_AT_REST, ZERO, Force, Motion, Scalar
from ..robot.skeleton import Body, Skeleton
from ..sweep import Bodies, each, inward, inward_keeping, outward
from .operators import bias_forces, inertial_and_bias_force
from .spatial_operators import Gain, H, Hᵀ, centripetal, g, gains, velocities, φ, φᵀ

Scalars = Sequence[Scalar]


class Arm(NamedTuple):
    """An arm at a position and velocity: the links, V, a, b + Bf(0), the gains and gravity."""

    links: Bodies
    V: list[Motion]
    a: list[Motion]
    b: list[Force]
    gains: list[Gain]
    g: Motion


class Smoothed(NamedTuple):
    """What filter and smoother give: the joint accelerations θ̈, and for each link λ and z."""

    θ̈: list[Scalar]
    λ: list[Motion]
    z: list[Force]


def forward_dynamics_fd1(
    robot: Skeleton, q: Scalars, q̇: Scalars, τ: Scalars, fn: Any, tip: Force = NO_FORCE
) -> list[Scalar]:
    """Algorithm FD1, θ̈ = (I - HΨL)ᵀ D⁻¹ (I - HΨL) T' [4.17-4.22]; `tip` is the tip's wrench on what it touches."""
    return fd1(arm(robot, q, q̇, fn, tip), τ)


def forward_dynamics_fd2(
    robot: Skeleton, q: Scalars, q̇: Scalars, τ: Scalars, fn: Any, tip: Force = NO_FORCE
) -> list[Scalar]:
    """Algorithm FD2 [5.5-5.7, 4.21b-4.23]: FD1, and α on the way."""
    return fd2(arm(robot, q, q̇, fn, tip), τ)[0]


def forward_dynamics_fd3(
    robot: Skeleton, q: Scalars, q̇: Scalars, τ: Scalars, fn: Any, tip: Force = NO_FORCE
) -> list[Scalar]:
    """Algorithm FD3 [5.8-5.10]."""
    return fd3(arm(robot, q, q̇, fn, tip), τ)[0]


def forward_dynamics_fd4(
    robot: Skeleton, q: Scalars, q̇: Scalars, τ: Scalars, fn: Any, tip: Force = NO_FORCE
) -> list[Scalar]:
    """Algorithm FD4 [5.13-5.17]."""
    return fd4(arm(robot, q, q̇, fn, tip), τ).θ̈


def link_accelerations(
    robot: Skeleton, q: Scalars, q̇: Scalars, τ: Scalars, fn: Any, tip: Force = NO_FORCE
) -> list[Motion]:
    """α of every link without gravity's share: ω̇ and the acceleration of the origin, in the link's axes."""
    moving = arm(robot, q, q̇, fn, tip)
    return without_gravity(moving, fd4(moving, τ).λ)


def tip_acceleration(robot: Skeleton, q: Scalars, q̇: Scalars, τ: Scalars, fn: Any, tip: Force = NO_FORCE) -> Motion:
    """α(0) = φᵀ(1,0) α(1) + a(0) [2.27], in the last link's axes."""
    moving = arm(robot, q, q̇, fn, tip)
    α = without_gravity(moving, fd4(moving, τ).λ)[-1]
    return α.shifted(robot.tip) + Motion(ZERO, centripetal(moving.V[-1].angular, robot.tip))


def joint_reactions(robot: Skeleton, q: Scalars, q̇: Scalars, τ: Scalars, fn: Any, tip: Force = NO_FORCE) -> list[Force]:
    """f(k) = P(k) α(k) + z(k): the wrench on link k through its joint, about its origin, in its axes."""
    moving = arm(robot, q, q̇, fn, tip)
    _, α, z = fd4(moving, τ)
    return each(moving.links, reaction, α, z, moving.gains)


def arm(robot: Skeleton, q: Scalars, q̇: Scalars, fn: Any, tip: Force) -> Arm:
    links = robot.at(q, fn)
    V, a = velocities(links, q̇)
    return Arm(links, V, a, bias_forces(links, V, tip), gains(links), g(robot))


def fd1(arm: Arm, T: Scalars) -> list[Scalar]:
    """The bias torques taken off first [4.17], then filter and smoother of the bias-free arm [4.19-4.22]."""
    return bias_free(arm, T, bias_accelerations(arm)).θ̈


def fd2(arm: Arm, T: Scalars) -> tuple[list[Scalar], list[Motion]]:
    """θ̈ as in FD1, and α = λ + ζ [4.22b]."""
    ζ = bias_accelerations(arm)
    smoothed = bias_free(arm, T, ζ)
    return smoothed.θ̈, sums(smoothed.λ, ζ)


def fd3(arm: Arm, T: Scalars) -> tuple[list[Scalar], list[Motion]]:
    """θ̈ with Mζ + b for a bias force [5.9], and α = λ + ζ."""
    ζ = bias_accelerations(arm)
    smoothed = filter_and_smooth(arm, T, each(arm.links, inertial_and_bias_force, ζ, arm.b))
    return smoothed.θ̈, sums(smoothed.λ, ζ)


def fd4(arm: Arm, T: Scalars) -> Smoothed:
    """θ̈, and a λ that is α; gravity enters as λ(N+1) = g, so that a(N) need not carry it [5.16, 5.17]."""
    return filter_and_smooth(arm, T, arm.b, arm.a, arm.g)


def bias_free(arm: Arm, T: Scalars, ζ: Sequence[Motion]) -> Smoothed:
    """Filter and smoother of T' = T - Hφ(Mζ + b + Bf(0)) [5.5, 5.6]."""
    f = inward(arm.links, φ, each(arm.links, inertial_and_bias_force, ζ, arm.b))
    T_free = [T_k - T̂_k for T_k, T̂_k in zip(T, each(arm.links, H, f), strict=True)]
    return filter_and_smooth(arm, T_free, [NO_FORCE] * len(f))


def bias_accelerations(arm: Arm) -> list[Motion]:
    """ζ = φᵀa, with gravity [5.8]: what the links' accelerations would be if θ̈ were nought."""
    return outward(arm.links, propagate, arm.g, arm.a)


def propagate(link: Body, ζ: Motion, a: Motion) -> Motion:
    """ζ(k) = φᵀ(k+1,k) ζ(k+1) + a(k) [4.22b, 5.8]."""
    return φᵀ(link, ζ) + a


def sums(λ: Sequence[Motion], ζ: Sequence[Motion]) -> list[Motion]:
    return [λ_k + ζ_k for λ_k, ζ_k in zip(λ, ζ, strict=True)]


def filter_and_smooth(
    arm: Arm, T: Scalars, b: Sequence[Force], a: Sequence[Motion] | None = None, g: Motion = RIGIDLY_AT_REST
) -> Smoothed:
    """The filter from the tips to the base and the smoother back, driven by T, b and, in FD4, a and g."""
    a = a or [RIGIDLY_AT_REST] * len(arm.links)
    z_ν = inward_keeping(arm.links, innovate, b, T, a, arm.gains)
    λ_θ̈ = outward(arm.links, smooth, (g, None), [ν for _, ν in z_ν], a, arm.gains)
    return Smoothed([θ̈ for _, θ̈ in λ_θ̈], [λ for λ, _ in λ_θ̈], [z for z, _ in z_ν])


def innovate(link: Body, z: Force, T: Scalar, a: Motion, gain: Gain) -> tuple[Force, tuple[Force, Scalar]]:
    """What (5.16) brings to the parent, ψ(z + Pa) + LT = φ[z + (I - GH)Pa + Gε], and ν = D⁻¹ε with ε = T - Hz."""
    ε = T - H(link, z)
    return φ(link, z + (gain.rest @ a) + gain.G * ε), (z, ε / gain.D)


def smooth(link: Body, parent: tuple[Motion, Any], ν: Scalar, a: Motion, gain: Gain) -> tuple[Motion, Scalar]:
    """θ̈(k) = ν - Lᵀλ(k+1) - Gᵀa and, from (5.17) with it, λ(k) = φᵀλ(k+1) + a + Hᵀθ̈."""
    λ_parent, _ = parent
    carried = φᵀ(link, λ_parent) + a
    θ̈ = ν - gain.G.dot(carried)
    return carried + Hᵀ(link, θ̈), θ̈


def without_gravity(arm: Arm, α: Sequence[Motion]) -> list[Motion]:
    return [α_k - g_k for α_k, g_k in zip(α, outward(arm.links, φᵀ, arm.g), strict=True)]


def reaction(link: Body, α: Motion, z: Force, gain: Gain) -> Force:
    return (gain.P @ α) + z
