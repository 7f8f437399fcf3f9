"""Machine code made anew: traced, rewritten, lowered and compiled."""

from __future__ import annotations

import gc
import math
import time
from collections.abc import Generator, Sequence, Sized
from contextlib import contextmanager
from inspect import signature
from itertools import takewhile
from typing import Any

from .choosing import allowed, candidates
from .compiled import Facts, Request
from .coordinates import told
from .errors import LinkwiseError
from .expr import count, rewritten
from .expr.count import work
from .expr.lower import lowered
from .formulations import TABLE, Text, composite_body
from .kernel.compile import object_code
from .kernel.machine import Machine
from .quantities import PER_LINK, QUANTITIES
from .robot import given
from .robot.check import refuse_if_impossible, refuse_if_inertialess
from .robot.model import Robot
from .robot.skeleton import skeleton
from .tracing import Traced, trace

__all__ = ["allowed", "choice", "made", "refuse_if_unsound", "run"]


def made(request: Request, machine: Machine) -> tuple[Facts, bytes]:
    """The machine code of a request, and what there is to know of it."""
    begin = time.perf_counter()
    with collector_at_rest():
        formulation, traced = choice(request)
        steps = lowered(traced.program, request.precision)
        code = object_code(steps, request.signature(traced.shape), machine)
    operations, (instructions, flops) = count(traced.program), work(steps)
    facts = Facts(
        robot=request.robot.name,
        function=request.title,
        formulation=formulation,
        M=operations.M,
        A=operations.A,
        precision=request.precision,
        width=machine.width(request.precision),
        shape=traced.shape,
        seconds=time.perf_counter() - begin,
        code_bytes=len(code),
        instructions=instructions,
        flops=flops,
    )
    return facts, code


FUNCTIONS = tuple(dict.fromkeys([*QUANTITIES, *(name for row in TABLE.values() for name in row.functions)]))
"""All that some formulation has a text for."""


def run(request: Request, state: Sequence[Any], fn: Any, **more: Any) -> Any:
    """The text of a function, run on scalars of any kind."""
    given.one_of(request.function, FUNCTIONS, "function")
    found = text(request)
    _check_vectors(request, _vectors(request.function, found), state)
    return found(skeleton(request.robot), *state, fn, **more)


def _vectors(function: str, found: Text) -> tuple[str, ...]:
    """The names of the joint vectors that a text takes."""
    if function in QUANTITIES:
        return QUANTITIES[function].arguments
    _, *names = takewhile(lambda name: name != "fn", signature(found).parameters)
    return tuple(names)


def _check_vectors(request: Request, names: Sequence[str], state: Sequence[Any]) -> None:
    """Raise unless there is an entry for every coordinate: a text would leave out what is too much."""
    robot = request.robot
    expected = [robot.nq if name == "q" else robot.nv for name in names]
    found = [len(x) if isinstance(x, Sized) else None for x in state]
    if found != expected:
        raise LinkwiseError(
            f"{request.function}: the joint vectors do not fit {robot.name!r}",
            given=", ".join(f"{n} entries" if n is not None else "no vector" for n in found) or "nothing",
            expected=", ".join(f"{name} of {n} entries" for name, n in zip(names, expected, strict=True)),
            mend="give these one after the other, and the rest by name",
        )


def text(request: Request) -> Text:
    """The text of a function, by the formulation that would be chosen for it, in the robot's own coordinates."""
    alone, *others = candidates(request.robot, request.formulation, request.function)
    name = choice(request)[0] if others and request.function in QUANTITIES else alone
    found = TABLE[name].text(request.function)
    assert found, "a candidate has the text"
    return in_own_terms(found, request) if request.function in QUANTITIES else found


def in_own_terms(found: Text, request: Request) -> Text:
    """A text in the robot's own coordinates."""
    robot = request.robot
    return told(found, QUANTITIES[request.function], request.setting, skeleton(robot), robot.nv)


def refuse_if_unsound(robot: Robot) -> None:
    """Raise if masses are such that forces do not determine accelerations."""
    refuse_if_impossible(robot)
    pose = [1.0 + math.sin(i * i) for i in range(1, robot.nq + 1)]  # that no symmetry of a robot goes with
    mass_matrix = in_own_terms(composite_body.mass_matrix, Request(robot, "mass_matrix"))
    refuse_if_inertialess(robot, mass_matrix(skeleton(robot), pose, math))


def choice(request: Request) -> tuple[str, Traced]:
    """The formulation with the fewest operations among those that may be taken, and its program, rewritten."""
    names = candidates(request.robot, request.formulation, request.function)
    programs = {name: _traced(request, name) for name in names}
    best = min(names, key=lambda name: _cost(programs[name]))
    return best, Traced(rewritten(programs[best].program), programs[best].shape)


def _traced(request: Request, formulation: str) -> Traced:
    text = TABLE[formulation].text(request.function)
    assert text, "a candidate has the text"
    own = request.function in PER_LINK
    return trace(
        text,
        QUANTITIES[request.function],
        request.robot,
        normal=not own,
        own_frames=own,
        extras=request.extras,
        varying=request.varying,
        setting=request.setting,
        aim=request.aim,
    )


def _cost(traced: Traced) -> int:
    operations = count(traced.program)
    return operations.M + operations.A


@contextmanager
def collector_at_rest() -> Generator[None]:
    """Without the garbage collector, which would walk a growing graph again and again and free none of it."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
