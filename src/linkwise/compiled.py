"""From a robot and the name of a function to machine code: traced, rewritten, lowered, compiled, or read from disk."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Any

from .choosing import candidates
from .expr import count, rewritten
from .expr.count import work
from .expr.lower import lowered
from .formulations import FORMULATIONS, QUANTITIES
from .kernel import cache
from .kernel.compile import Kernel, Signature, loaded, object_code
from .kernel.machine import host
from .robot.model import Robot
from .tracing import Traced, trace
from .varying import NOTHING_VARIES, Varying

PER_LINK = {"link_accelerations", "tip_acceleration", "joint_reactions"}
"""What is told in the links' own frames, so that the normal form cannot serve."""


@dataclass(frozen=True, slots=True)
class Request:
    """What is to be compiled."""

    robot: Robot
    function: str
    formulation: str = "auto"
    precision: str = "double"
    tip: bool = False
    varying: Varying = NOTHING_VARIES

    def choice(self) -> tuple[str, Traced]:
        """The formulation with the fewest operations among those that may be taken, and its program, rewritten."""
        programs = {name: self._traced(name) for name in candidates(self.robot, self.formulation, self.function)}
        best = min(programs, key=lambda name: _cost(programs[name]))
        return best, Traced(rewritten(programs[best].program), programs[best].shape)

    def _traced(self, formulation: str) -> Traced:
        text = FORMULATIONS[formulation].text(self.function)
        assert text, "a candidate has the text"
        own = self.function in PER_LINK
        options: dict[str, Any] = {"normal": not own, "own_frames": own, "tip": self.tip, "varying": self.varying}
        return trace(text, QUANTITIES[self.function], self.robot, **options)

    def signature(self, shape: tuple[int, ...]) -> Signature:
        """The arguments of the kernel: joint vectors, the tip's wrench, parameters that vary."""
        cores = dict.fromkeys(QUANTITIES[self.function].arguments, (self.robot.nv,))
        if self.tip:
            cores["tip_wrench"] = (6,)
        everything = {**cores, **{p: self.varying.core(p) for p in self.varying.parameters}}
        return Signature(tuple(everything), tuple(everything.values()), shape, self.precision)


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of a compiled function."""

    robot: str
    function: str
    formulation: str
    M: int
    A: int
    precision: str
    width: int
    """How many states a vector holds."""
    shape: tuple[int, ...]
    seconds: float
    """What it took to trace, rewrite and compile, once."""
    code_bytes: int
    instructions: int
    """The arithmetic of a state as the machine does it."""
    flops: int
    """The same in floating-point operations, a fused product being two."""
    from_cache: bool = False


def compiled(request: Request, check: Callable[[], None]) -> tuple[Kernel, Facts]:
    """The kernel of a request; `check` is asked before anything is made that was not on disk."""
    machine = host()
    key = cache.key(request=request, machine=machine)
    entry = cache.load(key)
    if entry is not None:
        facts = _read(entry.facts)
        return loaded(entry.object_code, request.signature(facts.shape), machine), facts
    check()
    begin = time.perf_counter()
    with collector_at_rest():
        formulation, traced = request.choice()
        signature = request.signature(traced.shape)
        steps = lowered(traced.program, request.precision)
        code = object_code(steps, signature, machine)
    kernel = loaded(code, signature, machine)
    seconds = time.perf_counter() - begin
    facts = _noted(request, formulation, traced, work(steps), len(code), seconds)
    cache.store(key, cache.Entry(code, asdict(facts)))
    return kernel, facts


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


def _noted(
    request: Request, formulation: str, traced: Traced, done: tuple[int, int], code_bytes: int, seconds: float
) -> Facts:
    operations, (instructions, flops) = count(traced.program), done
    return Facts(
        robot=request.robot.name,
        function=request.function,
        formulation=formulation,
        M=operations.M,
        A=operations.A,
        precision=request.precision,
        width=host().width(request.precision),
        shape=traced.shape,
        seconds=seconds,
        code_bytes=code_bytes,
        instructions=instructions,
        flops=flops,
    )


def _read(noted: Mapping[str, Any]) -> Facts:
    changed: dict[str, Any] = {**noted, "shape": tuple(noted["shape"]), "from_cache": True}
    return Facts(**changed)


def _cost(traced: Traced) -> int:
    operations = count(traced.program)
    return operations.M + operations.A
