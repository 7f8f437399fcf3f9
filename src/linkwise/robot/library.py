"""The robots that linkwise ships, and loading a robot by name or from a file."""

from __future__ import annotations

import os
from importlib.resources import as_file, files
from pathlib import Path

from ..errors import LinkwiseError
from . import given
from .model import Robot

_SHELF = files("linkwise") / "library"
SUFFIX = ".toml"
SUFFIXES = (SUFFIX, ".urdf", ".xml", ".mjcf")


def library() -> tuple[str, ...]:
    """The names of the robots that linkwise ships."""
    return tuple(sorted(item.name.removesuffix(SUFFIX) for item in _SHELF.iterdir() if item.name.endswith(SUFFIX)))


def load(name_or_path: str | os.PathLike[str]) -> Robot:
    """A robot of the library by its name, or the robot of a file in TOML, URDF or MJCF, told by its suffix.

    >>> load("planar-3r").joint_names
    ('joint1', 'joint2', 'joint3')
    """
    shipped = library()
    if isinstance(name_or_path, str) and name_or_path in shipped:
        with as_file(_SHELF / (name_or_path + SUFFIX)) as path:
            return read(path)
    if isinstance(name_or_path, str | os.PathLike):  # pyright: ignore[reportUnnecessaryIsInstance]
        path = Path(name_or_path)
        if path.suffix in SUFFIXES or (path.exists() and not path.is_dir()):
            return read(path)
    raise LinkwiseError(
        "No robot has this name, and no file is there",
        given=repr(name_or_path),
        expected="a path, or one of " + ", ".join(shipped),
        mend=given.nearest(name_or_path, shipped),
    )


def read(path: Path) -> Robot:
    """The robot of a file: URDF or MJCF if it ends in .urdf, .mjcf or .xml, otherwise TOML."""
    match kind(path):
        case "urdf":
            from . import urdf

            return urdf.read(path)
        case "mjcf":
            from . import mjcf

            return mjcf.read(path)
        case _:
            from . import toml

            return toml.read(path)


def kind(path: Path) -> str:
    """What a file is written in, which for .xml its outermost tag tells."""
    told = {".urdf": "urdf", ".mjcf": "mjcf", ".xml": "xml"}.get(path.suffix, "toml")
    if told != "xml":
        return told
    from .xml import content, root_tag

    return "mjcf" if root_tag(content(path)) == "mujoco" else "urdf"
