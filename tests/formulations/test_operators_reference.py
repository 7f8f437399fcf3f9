"""The operator formulation, quantity by quantity, against a chain whose numbers another program worked out."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from tests.engines import array, dense
from tests.formulations import chain7
from tests.formulations.chain7 import AXES, QD, SKELETON, Q, T, all_inertial, inertial, of_joints, of_links, of_tip

from linkwise.algebra import NO_FORCE, RIGIDLY_AT_REST, ZERO, Force, Motion, Vec
from linkwise.formulations.operator_forward import (
    Smoothed,
    arm,
    fd1,
    fd2,
    fd3,
    fd4,
    joint_reactions,
    link_accelerations,
    propagate,
    tip_acceleration,
)
from linkwise.formulations.operators import (
    bias_forces,
    factored_mass_matrix,
    factors,
    inverse_dynamics,
    inverse_mass_matrix,
    mass_matrix,
)
from linkwise.formulations.spatial_operators import H, Hᵀ, centripetal, g, φ, φᵀ
from linkwise.sweep import each, outward

TIP = chain7.tip_wrench()
ARM = arm(SKELETON, Q, QD, math, TIP)
FD4: Smoothed = fd4(ARM, T)
PARENT_AXES = [np.eye(3), *AXES]
UNIT_WRENCHES = [Force(Vec(*row[:3]), Vec(*row[3:])) for row in np.eye(6).tolist()]


def close(ours: Any, theirs: Any) -> None:
    ours, theirs = np.array(ours), np.array(theirs)
    assert ours.shape == theirs.shape
    assert np.max(np.abs(ours - theirs)) <= 1e-12 * np.max(np.abs(theirs))


def test_axes_origins_and_joints() -> None:
    own = [dense(bone.own_frame.rotation.matrix) for bone in SKELETON.bones]
    close([R @ link_axes for R, link_axes in zip(AXES, own, strict=True)], of_links("R"))
    steps = [R @ array(link.p) for R, link in zip(PARENT_AXES, ARM.links, strict=False)]
    close(np.cumsum(steps, axis=0), of_links("O"))
    close(all_inertial(each(ARM.links, Hᵀ, [1.0] * 7)), of_links("HT"))


def test_velocities_and_biases() -> None:
    close(all_inertial(ARM.V), of_links("V"))
    b = bias_forces(ARM.links, ARM.V, NO_FORCE)
    close(all_inertial(b), of_links("b"))
    a = [ARM.a[0] + φᵀ(ARM.links[0], g(SKELETON)), *ARM.a[1:]]  # the files let a(N) carry gravity
    close(all_inertial(a), of_links("a_g"))
    a_tip = Motion(ZERO, centripetal(ARM.V[-1].angular, SKELETON.tip))
    close(inertial(AXES[-1], a_tip), of_tip("a_g"))
    close(inertial(AXES[-1], ARM.V[-1].shifted(SKELETON.tip)), of_tip("V"))


def test_the_riccati_equation() -> None:
    close(all_inertial([link.spatial_inertia.articulated for link in ARM.links]), of_links("M"))
    close(all_inertial([gain.P for gain in ARM.gains]), of_links("P"))
    close([gain.D for gain in ARM.gains], of_links("D"))
    close(all_inertial([gain.G for gain in ARM.gains]), of_links("G"))
    L = [φ(link, gain.G) for link, gain in zip(ARM.links, ARM.gains, strict=True)]
    close([inertial(R, x) for R, x in zip(PARENT_AXES, L, strict=False)], of_links("L"))


def test_what_a_joint_lets_through_is_ψPφᵀ() -> None:
    their_φ, their_ψ, their_P = (of_links(name) for name in ("phi(k+1,k)", "psi(k+1,k)", "P"))
    for i, (link, gain) in enumerate(zip(ARM.links, ARM.gains, strict=True)):
        passed = gain.rest.at(link.along).turned(link.R).at(link.offset)
        close(inertial(PARENT_AXES[i], passed), their_ψ[i] @ their_P[i] @ their_φ[i].T)
        columns = [inertial(PARENT_AXES[i], φ(link, f)) for f in UNIT_WRENCHES]
        close(np.transpose(columns) @ np.kron(np.eye(2), AXES[i]).T, their_φ[i])


def test_filter_and_smoother() -> None:
    z, λ = FD4.z, FD4.λ
    close(all_inertial(z), of_links("z"))
    close(all_inertial(λ), of_links("alpha_g"))
    ε = np.subtract(T, each(ARM.links, H, z))
    close(ε, of_links("eps"))
    close(ε / [gain.D for gain in ARM.gains], of_links("nu"))


@pytest.mark.parametrize("algorithm", [fd1, fd2, fd3, fd4])
def test_joint_accelerations(algorithm: Any) -> None:
    solved = algorithm(ARM, T)
    θ̈ = solved if algorithm is fd1 else solved[0]
    close(θ̈, of_links("qdd"))


@pytest.mark.parametrize("algorithm", [fd2, fd3, fd4])
def test_link_accelerations_by_every_algorithm(algorithm: Any) -> None:
    close(all_inertial(algorithm(ARM, T)[1]), of_links("alpha_g"))


def test_accelerations_and_reactions() -> None:
    state = (SKELETON, Q, QD, T, math, TIP)
    close(all_inertial(link_accelerations(*state)), of_links("alpha"))
    close(inertial(AXES[-1], tip_acceleration(*state)), of_tip("alpha"))
    close(all_inertial(joint_reactions(*state)), of_links("f"))


def test_inverse_dynamics_and_bias_torques() -> None:
    close(inverse_dynamics(SKELETON, Q, QD, of_links("qdd"), math, TIP), T)
    close(inverse_dynamics(SKELETON, Q, QD, [0.0] * 7, math, TIP), chain7.VALUES["bias_torque_That"][0][::-1, 0])


def test_joint_space_matrices() -> None:
    K, D = factors(SKELETON, Q, math)
    close(mass_matrix(SKELETON, Q, math), of_joints("MM"))
    close(factored_mass_matrix(SKELETON, Q, math), of_joints("MM"))
    close(inverse_mass_matrix(SKELETON, Q, math), of_joints("MMinv"))
    close(K, of_joints("I+HPhiL"))
    close(D, of_links("D"))


def test_jacobian_and_its_rate() -> None:
    """Jᵀf(0) = HφBf(0), a unit wrench at the tip at a time; J̇θ̇ = Bᵀφᵀa + a(0), without gravity."""
    close(np.transpose([jacobian_transpose(f) for f in UNIT_WRENCHES]), of_joints("J").T)
    ζ = outward(ARM.links, propagate, RIGIDLY_AT_REST, ARM.a)[-1].shifted(SKELETON.tip)
    a_tip = Motion(ZERO, centripetal(ARM.V[-1].angular, SKELETON.tip))
    close(inertial(AXES[-1], ζ + a_tip), of_tip("Jdot_qd"))


def jacobian_transpose(f: Force) -> np.ndarray:
    N, F = (Vec(*(AXES[-1].T @ [*part]).tolist()) for part in (f.moment, f.force))
    rest = [0.0] * 7
    with_f = inverse_dynamics(SKELETON, Q, rest, rest, math, Force(N, F).at(SKELETON.tip))
    return np.subtract(with_f, inverse_dynamics(SKELETON, Q, rest, rest, math))
