"""Which masses a robot would need for its joints to feel something, and which of them can be told apart at all.

What joints feel is linear in the masses and the moments of the bodies: there is a column for each. Those of a body
that its parent's bodies can stand for are no base parameters: they are counted there. [Gautier and Khalil 1990; by QR,
Gautier 1991]
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .felt import Array, Still

PARAMETERS: dict[str, str] = {
    "ZZ": "kg m²", "XX": "kg m²", "XY": "kg m²", "XZ": "kg m²", "YZ": "kg m²", "MX": "kg m", "MY": "kg m",
    "YY": "kg m²", "MZ": "kg m", "M": "kg", "IA": "kg m²",
}  # fmt: skip
"""Second and first moments about the joint's frame, the mass and the armature, with their units.

What the joint feels by itself comes first, so that it is what stays.
"""

INDEPENDENT = 1e-9
"""Of a column, the least part that others cannot stand for: with less, the digits of a parameter are lost."""


def _units() -> Array:
    """For each parameter but the armature, the inertia of a body that has nothing else."""
    made = np.zeros((len(PARAMETERS) - 1, 6, 6))
    for unit, name in zip(made, PARAMETERS, strict=False):
        if name == "M":
            unit[3:, 3:] = np.eye(3)
        elif name[0] == "M":
            a, b = {"X": (2, 1), "Y": (0, 2), "Z": (1, 0)}[name[1]]
            unit[a, 3 + b] = unit[3 + b, a] = 1.0
            unit[b, 3 + a] = unit[3 + a, b] = -1.0
        else:
            i, j = map("XYZ".index, name)
            unit[i, j] = unit[j, i] = 1.0
    return made


UNITS = _units()


def of_rates(bodies: Sequence[Still], rates: Array, armed: NDArray[np.bool_]) -> Array:
    """The columns of the momenta M(q) times some rates: nv rows; of armatures those of the armed joints."""
    return np.hstack([_columns(still, still.J @ rates, armed * rates) for still in bodies])


def of_falls(bodies: Sequence[Still], falls: Sequence[Array], nv: int) -> Array:
    """The columns of the weight where bodies fall with these accelerations."""
    none = np.zeros(nv)
    return np.hstack([-_columns(still, fall, none) for still, fall in zip(bodies, falls, strict=True)])


def _columns(still: Still, motion: Array, rates: Array) -> Array:
    rate, armature = still.body.bone.rate, np.zeros((len(rates), 1))
    armature[rate.index] = rate.multiplier**2 * rates[rate.index]
    return np.hstack([still.J.T @ (UNITS @ motion).T, armature])


def misfit(Y: Array, felt: Array) -> float:
    """How far the best masses are from making the joints feel this."""
    sizes = np.linalg.norm(Y, axis=0)
    Q, _ = np.linalg.qr(Y[:, sizes > 0.0] / sizes[sizes > 0.0])
    return float(np.abs(felt - Q @ (Q.T @ felt)).max())


def base_parameters(Y: Array) -> NDArray[np.intp]:
    """Which columns are independent of all that are before them."""
    sizes = np.linalg.norm(Y, axis=0)
    felt = np.flatnonzero(sizes > INDEPENDENT * sizes.max(initial=0.0))
    R = np.linalg.qr(Y[:, felt] / sizes[felt], mode="r")
    return felt[: len(R)][np.abs(np.diagonal(R)) > INDEPENDENT]


def solved(Y: Array, felt: Array) -> Array:
    """The masses with independent columns that come nearest to making the joints feel this."""
    Q, R = np.linalg.qr(Y)
    return np.asarray(np.linalg.solve(R, Q.T @ felt), np.float64)
