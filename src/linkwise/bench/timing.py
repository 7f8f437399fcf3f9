"""Statements timed side by side, so that what else the machine does falls on all of them alike."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from timeit import Timer
from typing import Any

from numpy.typing import NDArray

Step = tuple[str, Callable[[], object]]
"""What is done, in words, and what does it."""


@dataclass(frozen=True)
class Contender:
    """A statement, the values of its names, and how many states one run of it works out."""

    name: str
    statement: str
    names: Mapping[str, Any]
    states: int = 1
    precision: str = "double"
    threads: int = 1
    results: Callable[[], NDArray[Any]] | None = None
    """Where they can be compared: the results of its last run, in rows, in the robot's own coordinates."""

    @cached_property
    def timer(self) -> Timer:
        return Timer(self.statement, globals=dict(self.names))


LEAST, ENOUGH = 5, 2.0
"""After so many rounds and seconds no further round is begun: where a run takes long, few of them do."""


def best(contenders: Sequence[Contender], *, rounds: int, slice: float) -> list[float]:
    """Seconds a run: for each contender, the best of its slices of time, which are as long for all."""
    runs = [_runs(contender, slice) for contender in contenders]
    times = [[t / n for t, n in zip(turn, runs, strict=True)] for turn in _rounds(contenders, runs, rounds)]
    return [min(own) for own in zip(*times, strict=True)]


def _rounds(contenders: Sequence[Contender], runs: Sequence[int], rounds: int) -> Iterator[list[float]]:
    began = time.perf_counter()
    for k in range(rounds):
        if k >= LEAST and time.perf_counter() - began > ENOUGH:
            return
        yield [_slice(contender.timer, n) for contender, n in zip(contenders, runs, strict=True)]


def _slice(timer: Timer, runs: int) -> float:
    """So many runs, when caches and clocks have got used to them."""
    timer.timeit(runs // 5)
    return timer.timeit(runs)


def _runs(contender: Contender, slice: float) -> int:
    """How many runs fill a slice; what is timed here was run before."""
    contender.timer.timeit(1)
    runs = 1
    while (seconds := contender.timer.timeit(runs)) < 0.5 * slice:
        runs = min(10 * runs, 1 + int(runs * slice / max(seconds, 1e-9)))
    return runs
