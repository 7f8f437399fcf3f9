"""What can be worked out of a robot, by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Quantity:
    """A quantity: which joint vectors it is worked out from, and what else may be given."""

    name: str
    arguments: tuple[str, ...]
    extras: tuple[str, ...] = ()


EXTRAS = ("tip_wrench", "f_ext", "gravity")
"""What may be given beyond the state of a robot: the tip's wrench on what it touches, wrenches on links, gravity."""

QUANTITIES: Mapping[str, Quantity] = {
    quantity.name: quantity
    for quantity in (
        Quantity("inverse_dynamics", ("q", "v", "a"), EXTRAS),
        Quantity("forward_dynamics", ("q", "v", "tau"), EXTRAS),
        Quantity("mass_matrix", ("q",)),
        Quantity("bias", ("q", "v"), EXTRAS),
        Quantity("gravity_torques", ("q",), ("gravity",)),
        Quantity("accelerations", ("q", "tau")),
        Quantity("coriolis_matrix", ("q", "v")),
        Quantity("inverse_mass_matrix", ("q",)),
        Quantity("link_accelerations", ("q", "v", "tau"), EXTRAS),
        Quantity("tip_acceleration", ("q", "v", "tau"), EXTRAS),
        Quantity("joint_reactions", ("q", "v", "tau"), EXTRAS),
    )
}
"""What a formulation can be asked for by name.

`bias` and `gravity_torques` are inverse dynamics with nought for accelerations (and velocities); `accelerations` is
the second half of forward dynamics, from joint forces that the bias has been taken off already.
"""

PER_LINK = frozenset({"link_accelerations", "tip_acceleration", "joint_reactions"})
"""What is told in the links' own frames, so that the normal form cannot serve."""
