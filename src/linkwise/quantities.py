"""What can be worked out of a robot, by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Quantity:
    """A quantity: which joint vectors it is worked out from, and whether a wrench at the tip may be given too."""

    arguments: tuple[str, ...]
    tip: bool = False


QUANTITIES: Mapping[str, Quantity] = {
    "inverse_dynamics": Quantity(("q", "v", "a"), tip=True),
    "forward_dynamics": Quantity(("q", "v", "tau"), tip=True),
    "mass_matrix": Quantity(("q",)),
    "bias": Quantity(("q", "v"), tip=True),
    "gravity_torques": Quantity(("q",)),
    "accelerations": Quantity(("q", "tau")),
    "coriolis_matrix": Quantity(("q", "v")),
    "inverse_mass_matrix": Quantity(("q",)),
    "link_accelerations": Quantity(("q", "v", "tau"), tip=True),
    "tip_acceleration": Quantity(("q", "v", "tau"), tip=True),
    "joint_reactions": Quantity(("q", "v", "tau"), tip=True),
}
"""What a formulation can be asked for by name.

`bias` and `gravity_torques` are inverse dynamics with nought for accelerations (and velocities); `accelerations` is
the second half of forward dynamics, from joint forces that the bias has been taken off already.
"""

PER_LINK = frozenset({"link_accelerations", "tip_acceleration", "joint_reactions"})
"""What is told in the links' own frames, so that the normal form cannot serve."""
