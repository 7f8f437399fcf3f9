"""`Dynamics`: the functions of a robot's dynamics, on arrays of any shape."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .arguments import Array, batch_shape, check_one_tip, joint_vectors, wrench
from .errors import LinkwiseError
from .expr import count, evaluate, rewritten
from .formulations import FORMULATIONS, QUANTITIES, Formulation, Text, composite_body
from .robot.check import refuse_if_impossible, refuse_if_inertialess, warn_if_doubtful
from .robot.model import Robot
from .robot.skeleton import skeleton
from .robot.symbols import symbols_of
from .tracing import WRENCH, Traced, names, trace

CHEAPEST = {
    "inverse_dynamics": ("newton-euler",),
    "bias": ("newton-euler",),
    "gravity_torques": ("newton-euler",),
    "mass_matrix": ("composite-body",),
    "forward_dynamics": ("composite-body", "operators"),
    "coriolis_matrix": ("newton-euler",),
}
"""Which formulations can have the fewest operations: "auto" counts these, and takes any other where none is named."""

FOR_EVERY_ROBOT = {"bias", "gravity_torques", "coriolis_matrix"}
"""What every formulation is asked for, and Newton–Euler answers where it has no text of its own."""

PER_LINK = {"link_accelerations", "tip_acceleration", "joint_reactions"}
"""What is told in the links' own frames, so that the normal form cannot serve."""

NEEDS_SOUND_MASSES = {"forward_dynamics", "inverse_mass_matrix", *PER_LINK}


class Dynamics:
    """The dynamics of one robot: M(q) a + C(q, v) v + gravity = tau.

    Arguments are of shape (…, n), n being the number of joints, and broadcast as NumPy's do; results are (…, n) or
    (…, n, n). Nothing is kept between calls but the programs that the calls are worked out with.

    >>> import linkwise
    >>> arm = linkwise.Dynamics(linkwise.load("planar-3r"))
    >>> arm.gravity_torques([0, 0, 0]).round(3)
    array([44.145, 19.62 ,  4.905])
    """

    def __init__(self, robot: Robot, formulation: str = "auto") -> None:
        _check_robot(robot)
        self.robot = robot
        self.formulation = formulation
        self._rows = _rows(robot, formulation)
        self._traced: dict[tuple[str, bool], Traced] = {}
        self._chosen: dict[str, str] = {}

    def __repr__(self) -> str:
        return f"Dynamics({self.robot.name!r}, formulation={self.formulation!r}, joints={list(self.robot.joint_names)})"

    def __getstate__(self) -> dict[str, Any]:
        return {"robot": self.robot, "formulation": self.formulation}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        self.__init__(**state)

    def inverse_dynamics(
        self, q: ArrayLike, v: ArrayLike, a: ArrayLike, *, tip_wrench: ArrayLike | None = None
    ) -> Array:
        """The joint forces for accelerations a.

        `tip_wrench` (…, 6) is the moment and force that the tip of a chain exerts on what it touches, about the tip
        and in the last moving link's axes.
        """
        return self._evaluated("inverse_dynamics", {"q": q, "v": v, "a": a}, tip_wrench)

    def forward_dynamics(
        self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, *, tip_wrench: ArrayLike | None = None
    ) -> Array:
        """The joint accelerations under the joint forces tau; `tip_wrench` as in inverse dynamics."""
        return self._evaluated("forward_dynamics", {"q": q, "v": v, "tau": tau}, tip_wrench)

    def mass_matrix(self, q: ArrayLike) -> Array:
        """M(q)."""
        return self._evaluated("mass_matrix", {"q": q})

    def inverse_mass_matrix(self, q: ArrayLike) -> Array:
        """The inverse of M(q), without M having been made."""
        return self._evaluated("inverse_mass_matrix", {"q": q})

    def coriolis_matrix(self, q: ArrayLike, v: ArrayLike) -> Array:
        """A C(q, v) with C v the velocity forces, for which dM/dt - 2 C is skew."""
        return self._evaluated("coriolis_matrix", {"q": q, "v": v})

    def bias(self, q: ArrayLike, v: ArrayLike, *, tip_wrench: ArrayLike | None = None) -> Array:
        """The joint forces without acceleration: C v + gravity (+ the tip's wrench)."""
        return self._evaluated("bias", {"q": q, "v": v}, tip_wrench)

    def gravity_torques(self, q: ArrayLike) -> Array:
        """The joint forces that hold the robot still."""
        return self._evaluated("gravity_torques", {"q": q})

    def link_accelerations(
        self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, *, tip_wrench: ArrayLike | None = None
    ) -> Array:
        """Angular, then linear acceleration of every moving link's origin under tau, in its own axes: (…, n, 6)."""
        return self._evaluated("link_accelerations", {"q": q, "v": v, "tau": tau}, tip_wrench)

    def tip_acceleration(
        self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, *, tip_wrench: ArrayLike | None = None
    ) -> Array:
        """Angular, then linear acceleration of the tip under tau, in the last moving link's axes: (…, 6)."""
        check_one_tip(self.robot, "tip_acceleration")
        return self._evaluated("tip_acceleration", {"q": q, "v": v, "tau": tau}, tip_wrench)

    def joint_reactions(
        self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, *, tip_wrench: ArrayLike | None = None
    ) -> Array:
        """Moment and force on every moving link through its joint, about its origin, in its axes: (…, n, 6)."""
        return self._evaluated("joint_reactions", {"q": q, "v": v, "tau": tau}, tip_wrench)

    def run_text(self, function: str, *state: Sequence[Any], fn: Any = math, **more: Any) -> Any:
        """A formulation's text itself, run once on scalars of any kind whose namespace is `fn`.

        Bodies keep the frames of the robot's description, turned until joint axes are z axes. This reaches what
        arrays cannot hold and what other scalars are needed for: the factors of a decomposition, 50 digits, symbols.

        >>> import linkwise
        >>> arm = linkwise.Dynamics(linkwise.load("planar-3r"), "denoc")
        >>> U, D = arm.run_text("udu_factors", [0.0, 0.5, -0.5])
        >>> len(U), len(D)
        (3, 3)
        """
        return self._text(self.chosen(function), function)(skeleton(self.robot), *state, fn, **more)

    def chosen(self, function: str) -> str:
        """The name of the formulation that works out a function."""
        if function not in self._chosen:
            self._chosen[function] = self._choice(function)
        return self._chosen[function]

    def _choice(self, function: str) -> str:
        able = [row.name for row in self._rows if row.text(function)]
        if not able:
            return self._stand_in(function)
        if self.formulation == "auto":
            able = [name for name in CHEAPEST.get(function, ()) if name in able] or able[:1]
        if len(able) == 1 or function not in QUANTITIES:
            return able[0]
        return min(able, key=lambda name: _cost(self._trace(name, function, tip=False)))

    def _stand_in(self, function: str) -> str:
        if function in FOR_EVERY_ROBOT:
            return "newton-euler"
        raise LinkwiseError(
            f"The formulation {self.formulation!r} has no {function} for {self.robot.name!r}",
            given=f"formulation={self.formulation!r}",
            expected="one of " + ", ".join(row.name for row in _able(self.robot) if row.text(function)),
            mend='choose one of these, or formulation="auto"',
        )

    def _text(self, formulation: str, function: str) -> Text:
        text = FORMULATIONS[formulation].text(function)
        assert text, "a formulation is chosen among those that have the text"
        return text

    def _trace(self, formulation: str, function: str, *, tip: bool) -> Traced:
        text = self._text(formulation, function)
        if function in PER_LINK:
            return trace(text, QUANTITIES[function], self.robot, normal=False, tip=tip, own_frames=True)
        traced = trace(text, QUANTITIES[function], self.robot, normal=True, tip=tip)
        return Traced(rewritten(traced.program), traced.shape)

    def _program(self, function: str, tip: bool) -> Traced:
        key = (function, tip)
        if key not in self._traced:
            if function in NEEDS_SOUND_MASSES:
                refuse_if_impossible(self.robot)
                refuse_if_inertialess(self.robot, _somewhere(self.robot))
                warn_if_doubtful(self.robot)
            self._traced[key] = self._trace(self.chosen(function), function, tip=tip)
        return self._traced[key]

    def _evaluated(
        self, function: str, arguments: Mapping[str, ArrayLike], tip_wrench: ArrayLike | None = None
    ) -> Array:
        arrays = {name: joint_vectors(self.robot, function, name, x) for name, x in arguments.items()}
        columns = {k: arrays[name][..., i] for name in arrays for i, k in enumerate(names(name, self.robot.nv))}
        if tip_wrench is not None:
            components = wrench(self.robot, function, tip_wrench)
            columns |= {k: components[..., i] for i, k in enumerate(WRENCH)}
        batch = batch_shape(function, columns)
        traced = self._program(function, tip_wrench is not None)
        outputs = evaluate(traced.program, columns)
        return _stacked(outputs, batch).reshape(*batch, *traced.shape)


def _somewhere(robot: Robot) -> Any:
    """The mass matrix of a pose that no symmetry of a robot goes with."""
    pose = [1.0 + math.sin(i * i) for i in range(1, robot.nv + 1)]
    return composite_body.mass_matrix(skeleton(robot), pose, math)


def _rows(robot: Robot, formulation: str) -> tuple[Formulation, ...]:
    """The formulations to choose from."""
    if formulation == "auto":
        return _able(robot)
    row = FORMULATIONS.get(formulation) if isinstance(formulation, str) else None  # pyright: ignore
    if row is None:
        raise LinkwiseError(
            f"There is no formulation {formulation!r}",
            given=repr(formulation),
            expected='"auto" or one of ' + ", ".join(FORMULATIONS),
            mend="choose one of these",
        )
    if row not in _able(robot):
        raise LinkwiseError(
            f"The formulation {formulation!r} is for serial chains, and {robot.name!r} branches {_branching(robot)}",
            given=f"formulation={formulation!r}",
            expected="for a tree, one of " + ", ".join(r.name for r in FORMULATIONS.values() if r.trees),
            mend='choose one of these, or formulation="auto"',
        )
    return (row,)


def _able(robot: Robot) -> tuple[Formulation, ...]:
    chain = skeleton(robot).is_chain
    return tuple(row for row in FORMULATIONS.values() if row.trees or chain)


def _branching(robot: Robot) -> str:
    """Where a tree first has two branches."""
    bones = skeleton(robot).bones
    fork = next((bone for bone in bones if len(bone.children) > 1), None)
    return f"at link {fork.name!r}" if fork else "at the base"


def _check_robot(robot: Any) -> None:
    if not isinstance(robot, Robot):
        raise LinkwiseError(
            "Dynamics is of a robot",
            given=f"{type(robot).__name__} {robot!r:.80}",
            expected="a linkwise.Robot",
            mend='load one by its name or file: Dynamics(linkwise.load("puma-560-armstrong-1986"))',
        )
    symbols = symbols_of(robot)
    if symbols:
        raise LinkwiseError(
            f"{robot.name!r} has symbols in the place of numbers",
            given=", ".join(symbol.name for symbol in symbols[:5]) + (", …" if len(symbols) > 5 else ""),
            expected="numbers, which arrays can be worked out with",
            mend="count its operations (linkwise.counting.counted), or put numbers in the place of its symbols",
        )
    if robot.nv == 0:
        raise LinkwiseError(
            f"No joint of {robot.name!r} moves",
            given=f"{len(robot.links)} links on fixed joints",
            expected="at least one joint that moves",
            mend="give a joint a type other than fixed",
        )


def _cost(traced: Traced) -> int:
    operations = count(traced.program)
    return operations.M + operations.A


def _stacked(outputs: Iterable[Any], batch: tuple[int, ...]) -> Array:
    return np.stack([np.broadcast_to(np.asarray(x, dtype=np.float64), batch) for x in outputs], axis=-1)
