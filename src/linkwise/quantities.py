"""What can be worked out of a robot, by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Quantity:
    """A quantity: which joint vectors it is worked out from, and whether a wrench at the tip may be given too."""

    name: str
    arguments: tuple[str, ...]
    tip: bool = False


QUANTITIES: Mapping[str, Quantity] = {
    quantity.name: quantity
    for quantity in (
        Quantity("inverse_dynamics", ("q", "v", "a"), tip=True),
        Quantity("forward_dynamics", ("q", "v", "tau"), tip=True),
        Quantity("mass_matrix", ("q",)),
        Quantity("bias", ("q", "v"), tip=True),
        Quantity("gravity_torques", ("q",)),
        Quantity("accelerations", ("q", "tau")),
        Quantity("coriolis_matrix", ("q", "v")),
        Quantity("inverse_mass_matrix", ("q",)),
        Quantity("link_accelerations", ("q", "v", "tau"), tip=True),
        Quantity("tip_acceleration", ("q", "v", "tau"), tip=True),
        Quantity("joint_reactions", ("q", "v", "tau"), tip=True),
    )
}
"""What a formulation can be asked for by name.

`bias` and `gravity_torques` are inverse dynamics with nought for accelerations (and velocities); `accelerations` is
the second half of forward dynamics, from joint forces that the bias has been taken off already.
"""

PER_LINK = frozenset({"link_accelerations", "tip_acceleration", "joint_reactions"})
"""What is told in the links' own frames, so that the normal form cannot serve."""
