"""Every text of every formulation, as the registry has it, ready to be run on floats."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from linkwise.formulations import FORMULATIONS
from linkwise.robot.model import Robot
from linkwise.robot.skeleton import skeleton

KINDS = ("inverse_dynamics", "forward_dynamics", "inverse_mass_matrix", "mass_matrix", "coriolis_matrix", "factors")
"""The quantities that tests know. A formulation may have several texts for one: their names contain its name."""


@dataclass(frozen=True)
class Text:
    """A text of a formulation, and the quantity that it gives."""

    formulation: str
    function: str
    text: Callable[..., Any]
    trees: bool

    @property
    def kind(self) -> str | None:
        return next((kind for kind in KINDS if kind in self.function), None)

    @property
    def takes_tip(self) -> bool:
        return "tip" in inspect.signature(self.text).parameters

    def __str__(self) -> str:
        return f"{self.formulation}.{self.function}"

    def __call__(self, robot: Robot, *state: Any, fn: Any = math, **more: Any) -> Any:
        """Run on a robot's own frames."""
        return self.text(skeleton(robot), *state, fn, **more)

    def array(self, robot: Robot, *state: Any, **more: Any) -> Any:
        return np.array(self(robot, *state, **more))


TEXTS = [
    Text(row.name, function, text, row.trees)
    for row in FORMULATIONS.values()
    for function, text in row.functions.items()
]


def texts(*kinds: str) -> list[Text]:
    return [text for text in TEXTS if text.kind in kinds]


def text(formulation: str, function: str) -> Text:
    return next(t for t in TEXTS if (t.formulation, t.function) == (formulation, function))


NEWTON_EULER = text("newton-euler", "inverse_dynamics")
COMPOSITE_BODY = text("composite-body", "mass_matrix")
