"""Every text of every formulation, as the registry has it, ready to be run on floats."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from tests.robots import State

from linkwise.algebra import Force, Vec
from linkwise.coordinates import told
from linkwise.dynamics import Dynamics
from linkwise.formulations import KINEMATICS, QUANTITIES, TABLE, Formulation
from linkwise.robot.model import Robot
from linkwise.robot.skeleton import skeleton
from linkwise.setting import AS_IT_IS, Setting

VARIANTS = {
    "factored_mass_matrix": "mass_matrix",
    "udu_factors": "factors",
    "forward_dynamics_fd1": "forward_dynamics",
    "forward_dynamics_fd2": "forward_dynamics",
    "forward_dynamics_fd3": "forward_dynamics",
}
"""Functions that give, by another way, what another of the same formulation gives."""

OF_ITS_OWN = ("N_l", "N_d", "reverse_gaussian_elimination")
"""Functions of one formulation alone, beside those that are quantities."""

ARGUMENTS = {name: quantity.arguments for name, quantity in QUANTITIES.items()} | dict.fromkeys(
    ("factors", *OF_ITS_OWN), ("q",)
)


@dataclass(frozen=True)
class Text:
    """A text of a formulation, and the quantity that it gives."""

    formulation: str
    function: str
    text: Callable[..., Any]
    trees: bool

    @property
    def kind(self) -> str:
        return VARIANTS.get(self.function, self.function)

    @property
    def takes_tip(self) -> bool:
        return "tip" in inspect.signature(self.text).parameters

    def __str__(self) -> str:
        return f"{self.formulation}.{self.function}"

    def __call__(self, robot: Robot, *state: Any, fn: Any = math, **more: Any) -> Any:
        """Run on a robot's own frames."""
        return self.text(skeleton(robot), *state, fn, **more)

    def array(self, robot: Robot, *state: Any, **more: Any) -> np.ndarray:
        return np.array(self(robot, *state, **more))

    def at(self, robot: Robot, state: State, **more: Any) -> np.ndarray:
        """At that part of a state which the quantity depends on."""
        return self.array(robot, *self.arguments(state), **more)

    def arguments(self, state: State, scalar: Callable[[float], Any] = float) -> list[list[Any]]:
        return [[scalar(x) for x in getattr(state, name)] for name in ARGUMENTS[self.kind]]


@dataclass(frozen=True)
class Public(Text):
    """A function as users call it: through the normal form, the traced and rewritten program and its kernel."""

    def __call__(self, robot: Robot, *state: Any, **more: Any) -> Any:
        return getattr(Dynamics(robot, self.formulation), self.function)(*state, **more)


@dataclass(frozen=True)
class Aimed(Text):
    """A text that is told a reference and, if it is of frames, asked of the last link's."""

    def __call__(self, robot: Robot, *state: Any, **more: Any) -> Any:
        asked = QUANTITIES[self.function]
        frames = {"frames": robot.link_names[-1:]} if asked.of_frames else {}
        reference = {"reference": asked.references[0]} if asked.references else {}
        return super().__call__(robot, *state, **frames, **reference, **more)


def is_aimed(function: str) -> bool:
    asked = QUANTITIES.get(function)
    return asked is not None and bool(asked.of_frames or asked.references)


def of_row(row: Formulation) -> list[Text]:
    """All texts of a row of the registry."""
    kinds = ((Aimed if is_aimed(function) else Text, function, text) for function, text in row.functions.items())
    return [kind(row.name, function, text, row.trees) for kind, function, text in kinds]


ALL = [text for row in TABLE.values() for text in of_row(row)]
TEXTS = [text for text in ALL if text.formulation != KINEMATICS.name and not isinstance(text, Aimed)]
"""Those of the formulations in joint space."""

IN_SPACE = [text for text in ALL if text not in TEXTS]
"""Those of kinematics and of operational space."""

AUTO = ("inverse_dynamics", "forward_dynamics", "mass_matrix", "inverse_mass_matrix", "coriolis_matrix", "bias")

PUBLIC = [
    Public(name, function, getattr(Dynamics, function), trees)
    for name, function, trees in (
        *(("auto", function, True) for function in (*AUTO, "gravity_torques")),
        *((t.formulation, t.function, t.trees) for t in TEXTS if t.function in AUTO),
    )
]


def in_own_coordinates(text: Text, robot: Robot, setting: Setting = AS_IT_IS) -> Callable[..., np.ndarray]:
    """A text in the coordinates of a robot with joints of any kind, run on floats: nothing is compiled."""
    bodies = skeleton(setting.robot(robot))

    def run(*state: Any, f_ext: Any = None) -> np.ndarray:
        loads = {} if f_ext is None else {"f_ext": [Force(Vec(*x[3:]), Vec(*x[:3])) for x in np.array(f_ext).tolist()]}
        own = told(text.text, QUANTITIES[text.kind], setting, bodies, robot.nv, loaded=bool(loads))
        return np.array(own(bodies, *(np.array(vector).tolist() for vector in state), math, **loads))

    return run


def texts(*kinds: str) -> list[Text]:
    return [text for text in TEXTS if text.kind in kinds]


def named(name: str) -> Text:
    return next(t for t in TEXTS if str(t) == name)


NEWTON_EULER = named("newton-euler.inverse_dynamics")
COMPOSITE_BODY = named("composite-body.mass_matrix")
