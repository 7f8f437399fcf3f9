"""What can be worked out of a robot, by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Quantity:
    """A quantity: which joint vectors it is worked out from, and what else may be given."""

    name: str
    arguments: tuple[str, ...]
    extras: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    """In which terms it can be told, the usual one first."""
    of_frames: Literal["", "one", "several"] = ""
    """Whether it has to be said of which frame, or frames, it is asked."""


EXTRAS = ("tip_wrench", "f_ext", "gravity")
"""What may be given beyond the state of a robot: the tip's wrench on what it touches, wrenches on links, gravity."""

REFERENCES = ("world_aligned", "local", "spatial")
"""In which axes six-vectors of a frame are told, and about which point: the world's axes at the frame's origin, the
frame's own at its origin, the world's at the world's origin."""

ABOUT = ("com", "world")
"""About which point a robot's momentum is told, in the world's axes: its centre of mass, or the world's origin."""

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
        Quantity("forward_kinematics", ("q",), of_frames="several"),
        Quantity("frame_velocities", ("q", "v"), references=REFERENCES, of_frames="several"),
        Quantity("frame_accelerations", ("q", "v", "a"), references=REFERENCES, of_frames="several"),
        Quantity("jacobian", ("q",), references=REFERENCES, of_frames="one"),
        Quantity("jacobian_rate", ("q", "v"), references=REFERENCES, of_frames="one"),
        Quantity("operational_space_mobility", ("q",), references=REFERENCES, of_frames="one"),
        Quantity("operational_space_inertia", ("q",), references=REFERENCES, of_frames="one"),
        Quantity("com", ("q",)),
        Quantity("com_jacobian", ("q",)),
        Quantity("momentum", ("q", "v"), references=ABOUT),
        Quantity("momentum_matrix", ("q",), references=ABOUT),
        Quantity("kinetic_energy", ("q", "v")),
        Quantity("potential_energy", ("q",), ("gravity",)),
    )
}
"""What a formulation can be asked for by name.

`bias` and `gravity_torques` are inverse dynamics with nought for accelerations (and velocities); `accelerations` is
the second half of forward dynamics, from joint forces that the bias has been taken off already. The operational-space
mobility of a frame is J M⁻¹ Jᵀ, the inertia its inverse.
"""

PER_LINK = frozenset({"link_accelerations", "tip_acceleration", "joint_reactions"})
"""What is told in the links' own frames, so that the normal form cannot serve."""

OF_TRUE_BODIES = frozenset({"com", "com_jacobian", "momentum", "momentum_matrix", "potential_energy"})
"""What depends on more of the bodies than the joints feel, so that their inertia must not be regrouped."""

OF_GEOMETRY = frozenset({"forward_kinematics", "frame_velocities", "frame_accelerations", "jacobian", "jacobian_rate"})
"""What no mass or moment of inertia has a part in."""
