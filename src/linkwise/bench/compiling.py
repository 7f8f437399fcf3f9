"""How long it takes until a function is there: made from nothing, or found on disk, each in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ..compiled import Facts
from ..dynamics import Dynamics
from ..kernel.compile import PRECISIONS
from ..robot.model import Robot
from .subjects import lossless, subject

ENOUGH = 1.0
"""Seconds after which something is not compiled once more to see whether it goes faster."""


@dataclass(frozen=True, slots=True)
class Compiled:
    """A function of a robot, and the seconds that it takes to have it."""

    robot: str
    joints: int
    facts: Facts
    first: float
    """Until the first function of a process is there, LLVM's import being a part of that; nothing is on disk."""
    first_warm: float
    """The same with the code on disk."""
    warm: float
    """Of a further robot of that process, with the code on disk."""

    @property
    def cold(self) -> float:
        """To trace, rewrite and compile."""
        return self.facts.seconds

    @property
    def at_best(self) -> float:
        """The share of the machine's peak that the operations could have: not every instruction is a fused product."""
        return self.facts.flops / (2 * self.facts.instructions)

    def data(self) -> dict[str, Any]:
        own = {"robot": self.robot, "joints": self.joints, "cold": self.cold, "at_best": self.at_best}
        return {**own, **{name: value for name, value in asdict(self).items() if name != "facts"}, **asdict(self.facts)}


def compiled(robot: str, function: str, precision: str, folder: Path, attempts: int) -> Compiled:
    """The function compiled in fresh processes; its code stays in the folder, as a cache for who goes on with it."""
    began, tried = time.perf_counter(), [_in_new_process(robot, function, precision, folder)]
    warm = _in_new_process(robot, function, precision, folder)
    while len(tried) < attempts and time.perf_counter() - began < ENOUGH:
        tried.append(_in_new_process(robot, function, precision, None))
    facts = min((Facts(**t["facts"]) for t in tried), key=lambda facts: facts.seconds)
    first = min(t["first"] for t in tried)
    return Compiled(robot, warm["joints"], facts, first, warm["first"], warm["again"])


def _in_new_process(robot: str, function: str, precision: str, folder: Path | None) -> dict[str, Any]:
    environment = {**os.environ, "LINKWISE_CACHE": str(folder or "off")}
    command = [sys.executable, "-W", "ignore", "-m", __name__, robot, function, precision]
    return json.loads(subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE).stdout)


def _here(robot: str, function: str, precision: str) -> dict[str, Any]:
    """What a new process finds."""
    loaded, dtype = lossless(subject(robot)), PRECISIONS[precision]
    begin = time.perf_counter()
    dynamics = Dynamics(loaded, dtype=dtype)
    dynamics.compile(function)
    first = time.perf_counter() - begin
    (facts,) = dynamics.explain().functions
    again = min(_again(loaded, dtype, function) for _ in range(5)) if facts.from_cache else None
    return {"joints": loaded.nv, "facts": asdict(facts), "first": first, "again": again}


def _again(robot: Robot, dtype: Any, function: str) -> float:
    begin = time.perf_counter()
    Dynamics(robot, dtype=dtype).compile(function)
    return time.perf_counter() - begin


IMPORT = "import time; begin = time.perf_counter(); import linkwise; print(time.perf_counter() - begin)"


def seconds_to_import(attempts: int) -> float:
    """`import linkwise` in a process that has imported nothing yet."""
    runs = [subprocess.run([sys.executable, "-c", IMPORT], check=True, stdout=subprocess.PIPE) for _ in range(attempts)]
    return min(float(run.stdout) for run in runs)


if __name__ == "__main__":
    print(json.dumps(_here(*sys.argv[1:])))
