"""What a race between the formulations shows."""

from __future__ import annotations

import warnings
from typing import Any

from ..bench.contenders import FUNCTIONS
from ..bench.race import MEASURES, QUICK, Effort, Race, Result, winners
from ..bench.tables import size, words
from ..dynamics import Dynamics
from ..robot.check import PhysicalWarning
from ..robot.model import Robot
from .output import out, show_table, step_by_step


def run(robot: Robot, *, quick: bool) -> dict[str, list[Result]]:
    """The results in each function; doubts about masses, which change neither time nor rounding, are not told."""
    Dynamics(robot).check_masses("forward_dynamics")
    race = Race(robot, QUICK if quick else Effort())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PhysicalWarning)
        step_by_step(race.steps())
    return {function: [r for r in race.results if r.function == function] for function in FUNCTIONS}


def data(found: dict[str, list[Result]]) -> dict[str, Any]:
    return {
        function: {"results": [r.data() for r in results], "winners": winners(results)}
        for function, results in found.items()
    }


LEGEND = """M multiplications, A additions of a state, sines and cosines being free. ns: a state of a batch of 4,096 on
one core. error: the largest of some random states, as a share of the largest entry of the true result, which is worked
out with 50 digits; in units in which every joint's own inertia is one. •: the best."""


def show(robot: Robot, found: dict[str, list[Result]]) -> None:
    for function, results in found.items():
        best = winners(results)
        rows = [(r.formulation, *(_cell(what, r, best) for what in MEASURES)) for r in results]
        last = ("best", *("\n".join(best[what]) for what in MEASURES))
        show_table(f"{words(function).capitalize()} of {robot.name}", ("", *MEASURES), [*rows, last])
    out.print(f"\n{' '.join(LEGEND.split())}", style="dim")


def _cell(what: str, result: Result, best: dict[str, tuple[str, ...]]) -> str:
    """A figure, and a mark where it is the best."""
    value = MEASURES[what](result)
    text = str(result.operations) if what == "operations" else f"{value:.1e}" if "error" in what else size(value)
    return ("• " if result.formulation in best[what] else "") + text
