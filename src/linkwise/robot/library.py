"""The robots that linkwise ships, and loading a robot by name or from a file."""

from __future__ import annotations

import os
from collections.abc import Generator
from contextlib import contextmanager
from importlib import import_module
from importlib.resources import as_file, files
from pathlib import Path
from typing import Protocol, cast

from ..errors import LinkwiseError
from . import given
from .finding import Inspection
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
    with file_of(name_or_path) as path:
        return reader_of(path).read(path)


@contextmanager
def file_of(name_or_path: str | os.PathLike[str]) -> Generator[Path]:
    """The file of a robot of the library, or the path as it was given."""
    shipped = library()
    if isinstance(name_or_path, str) and name_or_path in shipped:
        with as_file(_SHELF / (name_or_path + SUFFIX)) as path:
            yield path
        return
    path = Path(name_or_path) if isinstance(name_or_path, str | os.PathLike) else None  # pyright: ignore
    if path is not None and path.is_dir():
        raise LinkwiseError(
            "This is a folder, not the file of a robot",
            given=repr(name_or_path),
            expected="the path of a file, or one of " + ", ".join(shipped),
            mend="name a file in it",
        )
    if path is None or not (path.suffix in SUFFIXES or path.exists()):
        raise LinkwiseError(
            "No robot has this name, and no file is there",
            given=repr(name_or_path),
            expected="the path of a file, or one of " + ", ".join(shipped),
            mend=given.nearest(name_or_path, shipped),
        )
    yield path


class Reader(Protocol):
    """The module of a kind of file."""

    def read(self, path_or_text: str | os.PathLike[str], /) -> Robot: ...

    def inspected(self, path_or_text: str | os.PathLike[str], /) -> Inspection: ...


def reader_of(path: Path) -> Reader:
    """By its suffix; of .xml the outermost tag tells, and all that is no XML is TOML."""
    kind = {".urdf": "urdf", ".mjcf": "mjcf", ".xml": "xml"}.get(path.suffix, "toml")
    if kind == "xml":
        from .xml import content, root_tag

        kind = "mjcf" if root_tag(content(path)) == "mujoco" else "urdf"
    return cast(Reader, import_module(f".{kind}", __package__))
