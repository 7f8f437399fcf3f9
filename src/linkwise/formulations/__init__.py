"""The formulations: a file a paper, and the table in which all are registered."""

from __future__ import annotations

from collections.abc import Mapping

from ..quantities import QUANTITIES, Quantity
from . import (
    articulated_body,
    composite_body,
    coriolis,
    denoc,
    denoc_coriolis,
    denoc_elimination,
    denoc_forward,
    denoc_matrices,
    gibbs_appell,
    kane,
    kinematics,
    momentum,
    natural_complement,
    newton_euler,
    operational_space,
    operator_forward,
    operators,
)
from .registry import Formulation, Text

FORMULATIONS: Mapping[str, Formulation] = {
    row.name: row
    for row in (
        Formulation(
            "newton-euler",
            "Luh, Walker, Paul 1980",
            trees=True,
            functions={
                "inverse_dynamics": newton_euler.inverse_dynamics,
                "coriolis_matrix": coriolis.coriolis_matrix,
            },
        ),
        Formulation(
            "kane", "Angeles, Ma, Rojas 1988", trees=False, functions={"inverse_dynamics": kane.inverse_dynamics}
        ),
        Formulation(
            "natural-complement",
            "Angeles, Ma 1988",
            trees=False,
            functions={
                "mass_matrix": natural_complement.mass_matrix,
                "forward_dynamics": natural_complement.forward_dynamics,
            },
        ),
        Formulation(
            "denoc",
            "Saha 1999, 2001",
            trees=False,
            functions={
                "inverse_dynamics": denoc.inverse_dynamics,
                "mass_matrix": denoc_matrices.mass_matrix,
                "coriolis_matrix": denoc_coriolis.coriolis_matrix,
                "accelerations": denoc_forward.accelerations,
                "forward_dynamics": denoc_forward.forward_dynamics,
                "inverse_mass_matrix": denoc_elimination.inverse_mass_matrix,
                "udu_factors": denoc_elimination.udu_factors,
                "reverse_gaussian_elimination": denoc_elimination.reverse_gaussian_elimination,
                "N_l": denoc_matrices.N_l,
                "N_d": denoc_matrices.N_d,
            },
        ),
        Formulation(
            "gibbs-appell",
            "Mata, Provenzano, Valero, Cuadrado 2002",
            trees=False,
            functions={
                "inverse_dynamics": gibbs_appell.inverse_dynamics,
                "mass_matrix": gibbs_appell.mass_matrix,
                "forward_dynamics": gibbs_appell.forward_dynamics,
            },
        ),
        Formulation(
            "operators",
            "Rodriguez, Kreutz 1988",
            trees=True,
            functions={
                "inverse_dynamics": operators.inverse_dynamics,
                "mass_matrix": operators.mass_matrix,
                "factored_mass_matrix": operators.factored_mass_matrix,
                "factors": operators.factors,
                "inverse_mass_matrix": operators.inverse_mass_matrix,
                "forward_dynamics": operator_forward.forward_dynamics_fd4,
                "forward_dynamics_fd1": operator_forward.forward_dynamics_fd1,
                "forward_dynamics_fd2": operator_forward.forward_dynamics_fd2,
                "forward_dynamics_fd3": operator_forward.forward_dynamics_fd3,
                "link_accelerations": operator_forward.link_accelerations,
                "tip_acceleration": operator_forward.tip_acceleration,
                "joint_reactions": operator_forward.joint_reactions,
                "operational_space_mobility": operational_space.mobility,
                "operational_space_inertia": operational_space.inertia,
            },
        ),
        Formulation(
            "composite-body",
            "Walker, Orin 1982; Featherstone 1987",
            trees=True,
            functions={
                "mass_matrix": composite_body.mass_matrix,
                "accelerations": composite_body.accelerations,
                "forward_dynamics": composite_body.forward_dynamics,
                "operational_space_mobility": operational_space.mobility_by_jacobian,
                "operational_space_inertia": operational_space.inertia_by_jacobian,
            },
        ),
        Formulation(
            "articulated-body",
            "Featherstone 1983",
            trees=True,
            functions={
                "accelerations": articulated_body.accelerations,
                "forward_dynamics": articulated_body.forward_dynamics,
            },
        ),
    )
}

KINEMATICS = Formulation(
    "kinematics",
    "geometry alone",
    trees=True,
    functions={
        "forward_kinematics": kinematics.forward_kinematics,
        "frame_velocities": kinematics.frame_velocities,
        "frame_accelerations": kinematics.frame_accelerations,
        "jacobian": kinematics.jacobian,
        "jacobian_rate": kinematics.jacobian_rate,
        "com": momentum.com,
        "com_jacobian": momentum.com_jacobian,
        "momentum": momentum.momentum,
        "momentum_matrix": momentum.momentum_matrix,
        "kinetic_energy": momentum.kinetic_energy,
        "potential_energy": momentum.potential_energy,
    },
)
"""What no formulation is needed for, and none is chosen for."""

TABLE: Mapping[str, Formulation] = {**FORMULATIONS, KINEMATICS.name: KINEMATICS}
"""Every text by its name."""

__all__ = ["FORMULATIONS", "KINEMATICS", "QUANTITIES", "TABLE", "Formulation", "Quantity", "Text"]
