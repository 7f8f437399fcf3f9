"""What is timed: linkwise, Pinocchio and MuJoCo on the same states, from Python, arrays in and arrays out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..dynamics import Dynamics
from ..kernel.compile import PRECISIONS
from ..kernel.threads import available
from ..quantities import QUANTITIES
from ..robot.model import Robot
from . import peak
from .subjects import beyond_engines, random_rows, width
from .terms import Terms
from .timing import Contender

Array = NDArray[Any]

FUNCTIONS = ("inverse_dynamics", "forward_dynamics", "mass_matrix")
LINKWISE, LOOP, POOL, MUJOCO, PEAK = "linkwise", "pinocchio", "pinocchio pool", "mujoco", "peak"
MODULES = {LOOP: "pinocchio", MUJOCO: "mujoco"}

LOOPED, POOLED = 1 << 12, 1 << 14
"""So many states of a batch are enough to time one that goes through Python, or through Pinocchio's pool."""

COMPARED = 1 << 10
"""So many states are enough to see whether results agree."""

MEMORY = 1 << 29
"""Bytes that the states and results of a batch may take; larger batches are cut."""


def installed(engine: str) -> bool:
    return find_spec(MODULES[engine]) is not None


@dataclass(frozen=True)
class Case:
    """A function of a robot on so many random states, or on a single one that comes and goes without a batch axis."""

    robot: Robot
    function: str
    wanted: int

    @property
    def single(self) -> bool:
        return self.wanted == 1

    @property
    def arguments(self) -> tuple[str, ...]:
        return QUANTITIES[self.function].arguments

    @property
    def result(self) -> tuple[int, ...]:
        return (self.robot.nv,) * (2 if self.function == "mass_matrix" else 1)

    @property
    def states(self) -> int:
        numbers = sum(width(self.robot, name) for name in self.arguments) + int(np.prod(self.result))
        return min(self.wanted, MEMORY // (8 * numbers))

    @cached_property
    def given(self) -> dict[str, Array]:
        """The states, in rows."""
        rng = np.random.default_rng(0)
        return {name: random_rows(self.robot, name, self.states, rng) for name in self.arguments}

    @property
    def few(self) -> dict[str, Array]:
        """Enough of the states for other engines."""
        return {name: rows[:POOLED] for name, rows in self.given.items()}

    def call(self, *more: str, before: str = "") -> str:
        return f"f({before}{', '.join((*self.arguments, *more))})"

    def contenders(self) -> list[Contender]:
        """All that can be timed here; what the machine can do at most is timed with the batches.

        Pinocchio's threads come last: they stay busy for a while when they are done.
        """
        found, engines = [*self._linkwise()], not beyond_engines(self.robot)
        if not self.single:
            found += peaks()
        if engines and installed(MUJOCO) and self.function in RESULTS_OF_MUJOCO:
            found += self._mujoco()
        if engines and installed(LOOP):
            found += self._pinocchio()
        return sorted(found, key=lambda contender: contender.threads)

    def _linkwise(self) -> Iterator[Contender]:
        for precision, dtype in PRECISIONS.items():
            f = getattr(Dynamics(self.robot, dtype=dtype), self.function)
            given = {name: rows.astype(dtype) for name, rows in self.given.items()}
            if self.single:
                yield Contender(LINKWISE, self.call(), {"f": f, **_first(given)}, precision=precision)
                continue
            out = np.empty((self.states, *self.result), dtype)
            for threads in thread_counts():
                names = {"f": f, **given, "out": out}
                statement = self.call("out=out", f"threads={threads}")
                yield Contender(
                    LINKWISE, statement, names, self.states, precision, threads, partial(np.array, out[:COMPARED])
                )

    def _pinocchio(self) -> Iterator[Contender]:
        engine = import_module("linkwise.bench.in_pinocchio")
        model = engine.model(self.robot)
        terms = engine.terms(self.robot, model)
        names = {"f": getattr(engine.pin, PINOCCHIO[self.function]), "model": model, "data": model.createData()}
        call, given = self.call(before="model, data, "), terms.given(self.few)
        if self.single:
            yield Contender(LOOP, call, {**names, **_first(given)})
            return
        out, rows = self._rows(given)
        statement = f"for {', '.join((*self.arguments, 'row'))} in rows: row[:] = {call}"
        yield Contender(LOOP, statement, {**names, "rows": rows}, len(rows), results=self._told(terms, out))
        if self.function in POOLS:
            yield from self._pool(engine.pin, model, terms, given)

    def _pool(self, pin: Any, model: Any, terms: Terms, given: dict[str, Array]) -> Iterator[Contender]:
        """Pinocchio's own loop over a batch, whose states are columns side by side in memory: the rows of ours."""
        columns = {name: rows.T for name, rows in given.items()}
        f, out = getattr(pin, POOLS[self.function]), np.empty((len(given["q"]), self.robot.nv))
        for threads in thread_counts():
            names = {"f": f, "pool": pin.ModelPool(model, threads), "out": out.T, **columns}
            statement = self.call("out", before=f"{threads}, pool, ")
            yield Contender(POOL, statement, names, len(out), threads=threads, results=self._told(terms, out))

    def _mujoco(self) -> Iterator[Contender]:
        engine = import_module("linkwise.bench.in_mujoco")
        model, is_ours = engine.nearest_model(self.robot)
        terms, data = engine.terms(self.robot, model), engine.mujoco.MjData(model)
        f, result = getattr(engine.mujoco, MUJOCO_CALLS[self.function]), RESULTS_OF_MUJOCO[self.function]
        fields = {field: getattr(data, field) for field in (*FIELDS_OF_MUJOCO.values(), result)}
        names, given = {"f": f, "model": model, "data": data, **fields}, terms.given(self.few)
        put = "; ".join(f"{FIELDS_OF_MUJOCO[name]}[:] = {name}" for name in self.arguments)
        if self.single:
            yield Contender(MUJOCO, f"{put}; f(model, data); {result}.copy()", {**names, **_first(given)})
            return
        out, rows = self._rows(given)
        statement = f"for {', '.join((*self.arguments, 'row'))} in rows: {put}; f(model, data); row[:] = {result}"
        told = self._told(terms, out) if is_ours else None
        yield Contender(MUJOCO, statement, {**names, "rows": rows}, len(rows), results=told)

    def _told(self, terms: Terms, out: Array) -> Callable[[], Array]:
        """An engine's results in our coordinates."""
        states = {name: rows[: min(COMPARED, len(out))] for name, rows in self.few.items()}
        return lambda: terms.result(self.function, out[:COMPARED], states)

    def _rows(self, given: dict[str, Array]) -> tuple[Array, list[tuple[Array, ...]]]:
        """Room for results, and for each state the rows of its arguments and of its result."""
        out = np.empty((min(self.states, LOOPED), *self.result))
        return out, list(zip(*(rows[:LOOPED] for rows in given.values()), out, strict=True))


PINOCCHIO = {"inverse_dynamics": "rnea", "forward_dynamics": "aba", "mass_matrix": "crba"}
POOLS = {"inverse_dynamics": "rneaInParallel", "forward_dynamics": "abaInParallel"}
MUJOCO_CALLS = {"inverse_dynamics": "mj_inverse", "forward_dynamics": "mj_forward"}
RESULTS_OF_MUJOCO = {"inverse_dynamics": "qfrc_inverse", "forward_dynamics": "qacc"}
FIELDS_OF_MUJOCO = {"q": "qpos", "v": "qvel", "a": "qacc", "tau": "qfrc_applied"}


def peaks() -> Iterator[Contender]:
    for precision in PRECISIONS:
        for threads in thread_counts():
            yield Contender(PEAK, "f()", {"f": peak.run_on(threads, precision)}, 1, precision, threads)


def thread_counts() -> tuple[int, ...]:
    """One, two, and all that there are."""
    return tuple(sorted({1, min(2, available()), available()}))


def _first(given: dict[str, Array]) -> dict[str, Array]:
    return {name: rows[0].copy() for name, rows in given.items()}
