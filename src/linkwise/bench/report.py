"""What a benchmark found."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from ..kernel.call import layer
from ..kernel.machine import host
from ..kernel.threads import available
from .compiling import Compiled
from .contenders import LINKWISE, PEAK


@dataclass(frozen=True, slots=True)
class Speed:
    """How fast a state is worked out by somebody."""

    robot: str
    joints: int
    function: str
    batch: int
    """The states of a call: 1 is a single state from Python, without a batch axis."""
    by: str
    precision: str
    threads: int
    ns: float
    """A state; of the machine's peak, a floating-point operation."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far linkwise's results and another's are from each other at most, beside the largest number of a state."""

    robot: str
    function: str
    by: str
    differs: float


@dataclass(frozen=True, slots=True)
class Report:
    """All that was measured, in one run."""

    seconds_to_import: float
    compiled: tuple[Compiled, ...]
    speeds: tuple[Speed, ...]
    agreements: tuple[Agreement, ...]

    @property
    def robots(self) -> dict[str, int]:
        """The robots with the numbers of their joints."""
        return {speed.robot: speed.joints for speed in self.speeds}

    def batches(self, robot: str, function: str) -> list[int]:
        return sorted({s.batch for s in self.speeds if (s.robot, s.function) == (robot, function)})

    def ns(
        self, robot: str, function: str, batch: int, by: str = LINKWISE, precision: str = "double", threads: int = 1
    ) -> float | None:
        """A state's time, if that was measured."""
        asked = (robot, function, batch, by, precision, threads)
        return next((s.ns for s in self.speeds if _key(s) == asked), None)

    def code(self, robot: str, function: str, precision: str) -> Compiled | None:
        asked = (robot, function, precision)
        return next((c for c in self.compiled if (c.robot, c.facts.function, c.facts.precision) == asked), None)

    def gflops(self, robot: str, function: str, batch: int, precision: str, threads: int) -> float | None:
        """Floating-point operations in a nanosecond."""
        ns, code = self.ns(robot, function, batch, LINKWISE, precision, threads), self.code(robot, function, precision)
        return code.facts.flops / ns if ns and code else None

    def share(self, robot: str, function: str, batch: int, precision: str, threads: int) -> float | None:
        """Of the machine's peak, as measured in between."""
        done = self.gflops(robot, function, batch, precision, threads)
        least = self.ns(robot, function, batch, PEAK, precision, threads)
        return done * least if done and least else None

    def data(self) -> dict[str, Any]:
        return {
            "machine": machine(),
            "seconds_to_import": self.seconds_to_import,
            "compiled": [c.data() for c in self.compiled],
            "speeds": [self._speed(s) for s in self.speeds],
            "agreements": [asdict(a) for a in self.agreements],
        }

    def _speed(self, speed: Speed) -> dict[str, Any]:
        if speed.by == PEAK:
            return {**asdict(speed), "gflops": 1.0 / speed.ns}
        asked = (speed.robot, speed.function, speed.batch, speed.precision, speed.threads)
        own = {"gflops": self.gflops(*asked), "share": self.share(*asked)} if speed.by == LINKWISE else {}
        return {**asdict(speed), **own}


def _key(speed: Speed) -> tuple[object, ...]:
    return (speed.robot, speed.function, speed.batch, speed.by, speed.precision, speed.threads)


def machine() -> dict[str, Any]:
    """What was measured on, and with which versions."""
    packages = ("linkwise", "numpy", "llvmlite", "pin", "mujoco")
    return {
        "cpu": host().cpu,
        "threads": available(),
        "doubles in a vector": host().doubles,
        "llvm": host().llvm,
        "calls": layer(),
        **{name: _version(name) for name in packages},
    }


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
