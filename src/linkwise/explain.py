"""What was compiled, told to a person."""

from __future__ import annotations

from dataclasses import dataclass

from .compiled import Facts
from .kernel.call import layer
from .kernel.machine import host
from .robot.listing import table


@dataclass(frozen=True, slots=True)
class Explanation:
    """The compiled functions of a robot, with their formulations, operations, code and origin."""

    functions: tuple[Facts, ...]

    def __str__(self) -> str:
        if not self.functions:
            return "nothing is compiled yet: functions are when they are first used, or named to explain()"
        header = ("function", "formulation", "M", "A", "precision", "states at once", "compiled in", "code", "from")
        return f"{table(header, [_row(facts) for facts in self.functions])}\n{self.machine}"

    __repr__ = __str__

    @property
    def machine(self) -> str:
        """What the code is for, what made it, and what calls it."""
        return f"for {host().cpu} by LLVM {host().llvm}, called by {layer()}"


def _row(facts: Facts) -> tuple[object, ...]:
    return (
        facts.function,
        facts.formulation,
        facts.M,
        facts.A,
        facts.precision,
        facts.width,
        f"{facts.seconds * 1e3:.0f} ms",
        f"{facts.code_bytes / 1024:.1f} KiB",
        "the cache" if facts.from_cache else "scratch",
    )
