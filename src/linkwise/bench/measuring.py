"""The benchmark: what is compiled and what is timed, step by step."""

from __future__ import annotations

import os
import warnings
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from ..kernel.compile import PRECISIONS
from ..robot.check import PhysicalWarning
from . import peak
from .compiling import Compiled, compiled, seconds_to_import
from .contenders import FUNCTIONS, LINKWISE, PEAK, Case
from .report import Agreement, Report, Speed
from .subjects import QUICK, SUBJECTS, lossless, subject
from .timing import Contender, Step, best

ALONE, BATCH, LARGE = 1, 1 << 12, 10**6
"""Numbers of states: one, what stays in a core's own cache, and what does not."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Which robots on how many states, and how long."""

    robots: Sequence[str] = SUBJECTS
    batches: Sequence[int] = (ALONE, BATCH, LARGE)
    attempts: int = 5
    """How often something is compiled anew, where that is fast."""
    rounds: int = 20
    slice: float = 5e-3
    """Seconds that each contender has in a round."""


QUICKLY = Plan(QUICK, (ALONE, BATCH), attempts=1, rounds=5, slice=1e-3)


@dataclass(frozen=True)
class Bench:
    """A benchmark in progress, with a cache of its own."""

    plan: Plan
    folder: Path
    compiled: list[Compiled] = field(default_factory=list[Compiled])
    speeds: list[Speed] = field(default_factory=list[Speed])
    agreements: list[Agreement] = field(default_factory=list[Agreement])

    def steps(self) -> Iterator[Step]:
        """All there is to do; robots are compiled before they are timed."""
        for robot in self.plan.robots:
            for function in FUNCTIONS:
                for precision in PRECISIONS:
                    yield f"compiling {robot}, {function}", partial(self._compile, robot, function, precision)
                for batch in self.plan.batches:
                    yield f"timing {robot}, {function}", partial(self._time, robot, function, batch)

    def report(self) -> Report:
        imports = seconds_to_import(self.plan.attempts)
        return Report(imports, tuple(self.compiled), tuple(self.speeds), tuple(self.agreements))

    def _compile(self, robot: str, function: str, precision: str) -> None:
        self.compiled.append(compiled(robot, function, precision, self.folder, self.plan.attempts))

    def _time(self, robot: str, function: str, batch: int) -> None:
        case = Case(lossless(subject(robot)), function, batch)
        contenders = case.contenders()
        seconds = best(contenders, rounds=self.plan.rounds, slice=self.plan.slice)
        for contender, time in zip(contenders, seconds, strict=True):
            self.speeds.append(_speed(robot, case, contender, time))
        if batch == BATCH:
            self.agreements.extend(_agreements(robot, case, contenders))


def _speed(robot: str, case: Case, contender: Contender, seconds: float) -> Speed:
    """Batches that were cut are still told by the number that was asked for."""
    unit = peak.flops(contender.precision, contender.threads) if contender.name == PEAK else contender.states
    by, precision, threads = contender.name, contender.precision, contender.threads
    return Speed(robot, case.robot.nv, case.function, case.wanted, by, precision, threads, 1e9 * seconds / unit)


def _agreements(robot: str, case: Case, contenders: Sequence[Contender]) -> Iterator[Agreement]:
    """How far everybody else's results are from ours, of a function in double precision."""
    results = {c.name: c.results() for c in contenders if c.results and (c.precision, c.threads) == ("double", 1)}
    ours = results.pop(LINKWISE)
    axes = tuple(range(1, ours.ndim))
    for by, theirs in results.items():
        away = np.abs(ours[: len(theirs)] - theirs).max(axes) / np.abs(theirs).max(axes)
        yield Agreement(robot, case.function, by, float(away.max()))


@contextmanager
def bench(plan: Plan) -> Generator[Bench]:
    """A benchmark whose compiled code goes when it is over; doubts about masses, which take no time, are not told."""
    before = os.environ.get("LINKWISE_CACHE")
    with TemporaryDirectory(prefix="linkwise-bench-") as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore", PhysicalWarning)
        os.environ["LINKWISE_CACHE"] = folder
        try:
            yield Bench(plan, Path(folder))
        finally:
            del os.environ["LINKWISE_CACHE"]
            if before is not None:
                os.environ["LINKWISE_CACHE"] = before
