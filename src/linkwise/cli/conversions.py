"""What `convert` writes, and what it says about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import LinkwiseError
from ..files import put
from ..robot.library import load
from ..robot.model import Robot
from .output import out
from .robots import counted

FORMATS = (".toml", ".urdf")


@dataclass(frozen=True)
class Conversion:
    """A robot, and the file that it was written to."""

    robot: Robot
    path: Path


def made(name: str, output: str, leave_out: Sequence[str]) -> Conversion:
    """The robot, written in the format that the file's ending tells."""
    path = Path(output)
    if path.suffix not in FORMATS:
        raise LinkwiseError(
            "The ending of the file tells no format that can be written",
            given=repr(output),
            expected="a file ending in " + " or ".join(FORMATS),
            mend="name it so",
        )
    robot = load(name)
    put(path, robot.to_urdf(leave_out) if path.suffix == ".urdf" else robot.to_toml())
    return Conversion(robot, path)


def data(found: Conversion) -> dict[str, Any]:
    return {"file": str(found.path), "name": found.robot.name, "links": len(found.robot.links), "nv": found.robot.nv}


def show(found: Conversion) -> None:
    links, joints = counted(len(found.robot.links), "link"), counted(len(found.robot.joints), "joint")
    out.print(f"wrote {found.path}: {found.robot.name}, {links}, {joints}", markup=False, soft_wrap=True)
