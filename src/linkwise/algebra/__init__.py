"""Vectors, rotations and spatial quantities over any scalar."""

from .rotation import Placement, Rigid, Rotation, Screw, Turn
from .solve import cholesky, solve_cholesky, solve_udu, solve_unit_upper, udu
from .spatial import NO_FORCE, RIGIDLY_AT_REST, ArticulatedInertia, Force, Inertia, Motion
from .vec import (
    IDENTITY,
    X_AXIS,
    Y_AXIS,
    Z_AXIS,
    ZERO,
    ZERO_TENSOR,
    Mat,
    Scalar,
    Sym,
    Vec,
    axial_product,
    diagonal,
    dyad,
    skew,
)

__all__ = [
    "IDENTITY",
    "NO_FORCE",
    "RIGIDLY_AT_REST",
    "X_AXIS",
    "Y_AXIS",
    "ZERO",
    "ZERO_TENSOR",
    "Z_AXIS",
    "ArticulatedInertia",
    "Force",
    "Inertia",
    "Mat",
    "Motion",
    "Placement",
    "Rigid",
    "Rotation",
    "Scalar",
    "Screw",
    "Sym",
    "Turn",
    "Vec",
    "axial_product",
    "cholesky",
    "diagonal",
    "dyad",
    "skew",
    "solve_cholesky",
    "solve_udu",
    "solve_unit_upper",
    "udu",
]
