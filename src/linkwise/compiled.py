"""From a robot and the name of a function to machine code that can be called: read from disk, or made."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from math import prod
from typing import Any

from .errors import LinkwiseError
from .kernel import cache
from .kernel.compile import Kernel, Signature, loaded
from .kernel.machine import Machine, host
from .quantities import QUANTITIES
from .robot.model import Robot
from .setting import AS_IT_IS, Setting
from .varying import NOTHING_VARIES, Varying


@dataclass(frozen=True, slots=True)
class Request:
    """What is to be compiled."""

    robot: Robot
    function: str
    formulation: str = "auto"
    precision: str = "double"
    extras: tuple[str, ...] = ()
    varying: Varying = NOTHING_VARIES
    setting: Setting = AS_IT_IS
    frames: tuple[str, ...] = ()
    """Of which frames it is asked, where it is a matter of frames."""
    reference: str = ""
    """In which of a quantity's references, where it has any."""

    @property
    def title(self) -> str:
        """What a person would call it."""
        named = f"{self.function} of {_listed(self.frames)}" if self.frames else self.function
        told = f"{named}, {self.reference}" if self.reference else named
        return " with ".join([told, *filter(None, [", ".join(self.extras)])])

    @property
    def aim(self) -> dict[str, Any]:
        """The same for a text to be told."""
        named = {"frames": self.frames, "reference": self.reference}
        return {what: told for what, told in named.items() if told}

    def signature(self, shape: tuple[int, ...]) -> Signature:
        """The arguments of the kernel: joint vectors, the tip's wrench, parameters that vary; and its result's axes."""
        arguments = QUANTITIES[self.function].arguments
        cores = {name: (self.robot.nq if name == "q" else self.robot.nv,) for name in arguments}
        cores |= {name: self.setting.core(name) for name in self.extras}
        everything = {**cores, **{p: self.varying.core(p) for p in self.varying.parameters}}
        return Signature(tuple(everything), tuple(everything.values()), one_or_two_axes(shape), self.precision)


def one_or_two_axes(shape: tuple[int, ...]) -> tuple[int, ...]:
    """The shape in which a kernel writes a result of any shape: row by row, which is the same place in memory.

    >>> one_or_two_axes(()), one_or_two_axes((6, 7)), one_or_two_axes((3, 4, 4))
    ((1,), (6, 7), (12, 4))
    """
    return shape if 1 <= len(shape) <= 2 else (prod(shape[:-1]), *shape[-1:])


def _listed(frames: tuple[str, ...]) -> str:
    return ", ".join(frames) if len(frames) <= 3 else f"{len(frames)} frames"


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
    key = _key(request, machine)
    entry = cache.load(key)
    if entry is not None:
        facts, code = _read(entry.facts), entry.object_code
    else:
        check()
        from .making import made  # texts, rules and printers, which a warm start has no use for

        facts, code = made(request, machine)
        cache.store(key, cache.Entry(code, asdict(facts)))
    return loaded(code, request.signature(facts.shape), machine), facts


def _key(request: Request, machine: Machine) -> str:
    try:
        return cache.key(request=request, machine=machine)
    except TypeError as error:
        raise LinkwiseError(
            f"{request.robot.name!r} is described by numbers that are no machine's",
            given=str(error).split(":")[0],
            expected="floats, for what is to be compiled",
            mend="make floats of them; run_text computes with any numbers",
        ) from error


def _read(noted: Mapping[str, Any]) -> Facts:
    changed: dict[str, Any] = {**noted, "shape": tuple(noted["shape"]), "from_cache": True}
    return Facts(**changed)
