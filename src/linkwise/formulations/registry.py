"""What a formulation may offer, and the row by which it is known."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..algebra import NO_FORCE, Force, Scalar
from ..robot.skeleton import Skeleton

Vector = Sequence[Scalar]
Text = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Formulation:
    """A row of the registry: a formulation's name, its paper, whether trees are its business, and its texts."""

    name: str
    paper: str
    trees: bool
    functions: Mapping[str, Text]

    def text(self, name: str) -> Text | None:
        """The text for a quantity, worked out of inverse dynamics where it is a part of that."""
        if name in self.functions:
            return self.functions[name]
        whole = self.functions.get("inverse_dynamics")
        return PARTS[name](whole) if whole and name in PARTS else None


def _bias(inverse_dynamics: Text) -> Text:
    def bias(
        robot: Skeleton, q: Vector, v: Vector, fn: Any, tip: Force = NO_FORCE, drift: Vector | None = None
    ) -> list[Scalar]:
        """`drift` is how the axes accelerate of themselves."""
        return inverse_dynamics(robot, q, v, drift or robot.at_rest, fn, tip)

    return bias


def _gravity_torques(inverse_dynamics: Text) -> Text:
    def gravity_torques(robot: Skeleton, q: Vector, fn: Any) -> list[Scalar]:
        return inverse_dynamics(robot, q, robot.at_rest, robot.at_rest, fn)

    return gravity_torques


PARTS: Mapping[str, Callable[[Text], Text]] = {"bias": _bias, "gravity_torques": _gravity_torques}
