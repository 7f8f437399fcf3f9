"""What `same` tells of two robots."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

from ..robot.comparison import Comparison
from ..robot.library import load
from .output import out


def made(one: str, other: str, rtol: float) -> Comparison:
    """The comparison of two robots, which are called as they were given: they may have the same name."""
    return replace(load(one).same_dynamics(load(other), rtol), names=(one, other))


def data(found: Comparison) -> dict[str, Any]:
    return {"same": bool(found), **asdict(found)}


def show(found: Comparison) -> None:
    out.print(str(found), markup=False, soft_wrap=True)
