"""Every formulation against every other: operations, time, and how far from the truth it ends."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from ..choosing import candidates
from ..dynamics import Dynamics
from ..errors import LinkwiseError
from ..expr import Count
from ..formulations import FORMULATIONS
from ..kernel.compile import PRECISIONS
from ..quantities import QUANTITIES
from ..robot.model import Robot
from .contenders import FUNCTIONS
from .subjects import random_rows
from .timing import Contender, Step, best
from .truth import Array, Truth

BATCH = 1 << 12


@dataclass(frozen=True, slots=True)
class Effort:
    """How much is done to time and to find errors."""

    rounds: int = 20
    slice: float = 5e-3
    states: int = 32
    """At which results are held against the truth."""


QUICK = Effort(rounds=3, slice=1e-3, states=4)


@dataclass(frozen=True, slots=True)
class Result:
    """Of one formulation in one function; what comes in two precisions goes by their names."""

    function: str
    formulation: str
    operations: Count
    ns: Mapping[str, float]
    """A state, in a batch of 4,096 on one core."""
    error: Mapping[str, float]
    """The largest of some states', see `Truth`."""

    def data(self) -> dict[str, Any]:
        own = {"function": self.function, "formulation": self.formulation, "ns": self.ns, "error": self.error}
        return {**own, "operations": {"M": self.operations.M, "A": self.operations.A}}


Measure = Callable[[Result], float]
MEASURES: Mapping[str, Measure] = {
    "operations": lambda r: r.operations.M + r.operations.A,
    "ns, float64": lambda r: r.ns["double"],
    "ns, float32": lambda r: r.ns["single"],
    "error, float64": lambda r: r.error["double"],
    "error, float32": lambda r: r.error["single"],
}
"""What formulations are compared by; the least is the best."""


def winners(results: Sequence[Result]) -> dict[str, tuple[str, ...]]:
    """For each measure, who is best."""
    least = {what: min(map(measure, results)) for what, measure in MEASURES.items()}
    return {what: tuple(r.formulation for r in results if MEASURES[what](r) == least[what]) for what in MEASURES}


@dataclass(frozen=True)
class Race:
    """A race in progress: in each function, all formulations that have it for the robot."""

    robot: Robot
    effort: Effort
    results: list[Result] = field(default_factory=list[Result])

    def steps(self) -> Iterator[Step]:
        for function in FUNCTIONS:
            runners = {name: self._runners(name) for name in self.names(function)}
            for name, both in runners.items():
                for runner in both.values():
                    yield f"compiling {name}, {function}", partial(runner.explain, function)
            yield f"running {function}", partial(self._run, function, runners)

    def names(self, function: str) -> list[str]:
        """The formulations that run."""
        return [name for name in FORMULATIONS if self._runs(name, function)]

    def _runs(self, name: str, function: str) -> bool:
        try:
            return candidates(self.robot, name, function) == (name,)
        except LinkwiseError:
            return False

    def _runners(self, name: str) -> dict[str, Dynamics]:
        return {precision: Dynamics(self.robot, name, dtype=dtype) for precision, dtype in PRECISIONS.items()}

    def _run(self, function: str, runners: Mapping[str, Mapping[str, Dynamics]]) -> None:
        contenders = [_contender(runner, function) for both in runners.values() for runner in both.values()]
        seconds = iter(best(contenders, rounds=self.effort.rounds, slice=self.effort.slice))
        truth = Truth(self.robot, function, states(self.robot, function, self.effort.states))
        for name, both in runners.items():
            ns = {precision: 1e9 * next(seconds) / BATCH for precision in both}
            error = {precision: truth.error(runner) for precision, runner in both.items()}
            self.results.append(Result(function, name, _operations(both["double"]), ns, error))


def _contender(runner: Dynamics, function: str) -> Contender:
    f, arguments = getattr(runner, function), QUANTITIES[function].arguments
    given = [rows.astype(runner.dtype) for rows in states(runner.robot, function, BATCH)]
    names = {"f": f, "out": f(*given), **dict(zip(arguments, given, strict=True))}
    return Contender(runner.formulation, f"f({', '.join(arguments)}, out=out, threads=1)", names, BATCH)


def _operations(runner: Dynamics) -> Count:
    (facts,) = runner.explain().functions
    return Count(facts.M, facts.A)


def states(robot: Robot, function: str, number: int) -> list[Array]:
    """Random states that single precision has as they are, so that the truth is the same for both."""
    rng = np.random.default_rng(0)
    given = [random_rows(robot, argument, number, rng) for argument in QUANTITIES[function].arguments]
    return [rows.astype(np.float32).astype(np.float64) for rows in given]
