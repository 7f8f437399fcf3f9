"""What was asked of linkwise, beside what it reaches: on one core unless threads are named."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ..kernel.machine import host
from .contenders import FUNCTIONS, LOOP, POOL
from .measuring import ALONE, BATCH, LARGE
from .report import Report
from .subjects import HUMANOID, LONG, LONGEST, SIX_AXES

Reached = Callable[[Report, str, str], float | None]
"""The figure of a report, a robot and a function; None where it was not measured."""

INVERSE, FORWARD, MASS = FUNCTIONS


@dataclass(frozen=True, slots=True)
class Target:
    """A figure that is asked for, of each of these functions of each of these robots."""

    what: str
    asked: float
    reached: Reached
    functions: Sequence[str]
    robots: Sequence[str] = SIX_AXES
    unit: str = "×"
    at_most: bool = False
    by_width: bool = False
    """Whether a processor of shorter vectors is asked for less."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """A target, of which robot and function, and what was reached."""

    what: str
    robot: str
    function: str
    asked: float
    reached: float
    unit: str
    at_most: bool

    @property
    def met(self) -> bool:
        return self.reached <= self.asked if self.at_most else self.reached >= self.asked

    def data(self) -> dict[str, Any]:
        relation = "at most" if self.at_most else "at least"
        own = {"what": self.what, "robot": self.robot, "function": self.function, "unit": self.unit}
        return {**own, "relation": relation, "asked": self.asked, "reached": self.reached, "met": self.met}


def verdicts(report: Report) -> Iterator[Verdict]:
    """Of all targets whose figures were measured."""
    for t in TARGETS:
        asked = t.asked * host().doubles / 8 if t.by_width else t.asked
        for robot in (r for r in t.robots if r in report.robots or not r):
            for function in t.functions:
                reached = t.reached(report, robot, function)
                if reached is not None:
                    yield Verdict(t.what, robot, function, asked, reached, t.unit, t.at_most)


def ratio(above: float | None, below: float | None) -> float | None:
    return above / below if above and below else None


def over(by: str) -> Reached:
    """How many times faster a batch is than somebody's."""
    return lambda report, robot, function: ratio(
        report.ns(robot, function, BATCH, by), report.ns(robot, function, BATCH)
    )


def single_precision(report: Report, robot: str, function: str) -> float | None:
    return ratio(report.ns(robot, function, BATCH), report.ns(robot, function, BATCH, precision="single"))


def two_threads(report: Report, robot: str, function: str) -> float | None:
    return ratio(report.ns(robot, function, LARGE), report.ns(robot, function, LARGE, threads=2))


def alone(report: Report, robot: str, function: str) -> float | None:
    return ratio(report.ns(robot, function, ALONE), report.ns(robot, function, ALONE, LOOP))


def cold(report: Report, robot: str, function: str) -> float | None:
    code = report.code(robot, function, "double")
    return code and 1e3 * code.cold


def warm(report: Report, robot: str, function: str) -> float | None:
    code = report.code(robot, function, "double")
    return code and 1e3 * code.warm


def to_import(report: Report, robot: str, function: str) -> float:
    return 1e3 * report.seconds_to_import


TARGETS = (
    Target("batch 4,096, over a loop on pin.aba", 70.0, over(LOOP), [FORWARD], by_width=True),
    Target("batch 4,096, over abaInParallel on one thread", 50.0, over(POOL), [FORWARD], by_width=True),
    Target("batch 4,096, over a loop on pin.rnea", 60.0, over(LOOP), [INVERSE], by_width=True),
    Target("batch 4,096, over a loop on pin.crba", 40.0, over(LOOP), [MASS], by_width=True),
    Target("batch 4,096, float32 over float64", 1.6, single_precision, FUNCTIONS),
    Target("batch 10⁶, two threads over one", 1.8, two_threads, FUNCTIONS),
    Target("one state, share of pin.aba's time", 0.18, alone, [FORWARD], at_most=True),
    Target("one state, share of pin.rnea's time", 0.25, alone, [INVERSE], at_most=True),
    Target("batch 4,096, over a loop on pin.aba", 12.0, over(LOOP), [FORWARD], [LONGEST], by_width=True),
    Target("batch 4,096, over a loop on pin.aba", 25.0, over(LOOP), [FORWARD], [HUMANOID]),
    Target("traced, rewritten, compiled", 120.0, cold, [FORWARD], unit="ms", at_most=True),
    Target("traced, rewritten, compiled", 1200.0, cold, [FORWARD], [LONG], unit="ms", at_most=True),
    Target("traced, rewritten, compiled", 1500.0, cold, [FORWARD], [HUMANOID], unit="ms", at_most=True),
    Target("found on disk", 5.0, warm, FUNCTIONS, [*SIX_AXES, LONG, HUMANOID], unit="ms", at_most=True),
    Target("import linkwise", 150.0, to_import, [""], [""], unit="ms", at_most=True),
)
