"""What `export` writes, and what it says about it."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..dynamics import Dynamics
from ..errors import LinkwiseError
from ..export import Exported, exported
from ..quantities import OF_GEOMETRY
from ..robot.check import PhysicalWarning
from .output import aside, out

STDOUT = "-"


def check(function: str, parameters: Sequence[str], extras: Sequence[str], f_ext_on: Sequence[str]) -> None:
    """Raise if something is asked for that no file would have."""
    if parameters and function in OF_GEOMETRY:
        raise LinkwiseError(
            f"{function} does not depend on inertial parameters",
            given=", ".join(parameters),
            expected="for it, none",
            mend="leave out --parameter",
        )
    if f_ext_on and "f_ext" not in extras:
        raise LinkwiseError(
            "Links are named for f_ext, which the function does not take",
            given=", ".join(f_ext_on),
            expected="--take f_ext",
            mend="add it, or leave out --f-ext-on",
        )


def made(dynamics: Dynamics, function: str, **options: Any) -> Exported:
    """What is to be written, doubts about the robot's masses being told on stderr."""
    with aside.status(f"working out {function}"), warnings.catch_warnings(record=True) as doubts:
        warnings.simplefilter("always", PhysicalWarning)
        found = exported(dynamics, function, **options)
    for doubt in doubts:
        aside.print(f"doubtful: {doubt.message}", markup=False, soft_wrap=True)
    return found


def put(found: Exported, output: str) -> tuple[Path, ...]:
    """The files, written."""
    return () if output == STDOUT else found.write(output)


def data(found: Exported, files: tuple[Path, ...]) -> dict[str, Any]:
    """For a script to read, with the texts themselves where no files have them."""
    return {
        "name": found.name,
        "prototype": found.prototype,
        "formulation": found.formulation,
        "operations": {"M": found.operations.M, "A": found.operations.A},
        **({"files": [str(path) for path in files]} if files else {"source": found.source, "header": found.header}),
    }


def show(found: Exported, files: tuple[Path, ...]) -> None:
    """Which files there are now and what is in them, or the source itself."""
    if not files:
        print(found.source, end="")
        return
    out.print(f"wrote {' and '.join(map(str, files))}", markup=False, soft_wrap=True)
    out.print(f"{found.prototype};", markup=False, soft_wrap=True)
    out.print(f"formulation {found.formulation}, {found.operations}", markup=False, soft_wrap=True)
