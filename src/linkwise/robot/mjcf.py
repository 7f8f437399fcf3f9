"""Robots as MJCF, the XML of MuJoCo, read by MuJoCo itself: its defaults, frames, geoms and meshes mean what they mean.

What the file has besides bodies, joints and drives is told by `inspected`: constraints that the robot cannot keep are
errors, forces that it would lack are warnings, of which `read` warns as well, and all that has no bearing on dynamics
is noted. MuJoCo opens what a file names, and expands what it multiplies; that is bounded first.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from threading import Lock
from types import ModuleType
from typing import Any

from ..errors import LinkwiseError, warn
from .finding import Finding, Inspection, line_of, located, ordered
from .model import Robot
from .xml import Element, content, parsed

MOST = 5_000
"""Elements, with all copies. A humanoid with its sensors has a thousand, and MuJoCo's time grows by the square."""

CELLS = 20_000_000
"""Of a texture, a height field or a table of numbers."""

COPIES = {"replicate": ("count",), "composite": ("count",), "flexcomp": ("count",)}
SIZES = {"texture": ("width", "height"), "hfield": ("nrow", "ncol"), "numeric": ("size",)}

NOT_USED = {
    "geom": "What a geom looks like and collides with",
    "site": "A site",
    "camera": "A camera",
    "light": "A light",
    "contact": "What is said of contacts",
    "sensor": "What is said of sensors",
    "actuator": "How actuators are controlled",
    "tendon": "The way of tendons",
    "deformable": "What is said of skins and soft bodies",
    "custom": "Custom data",
    "visual": "How all looks",
    "statistic": "What is said of the model's size",
    "size": "What is said of memory",
    "option": "How MuJoCo solves and integrates",
}
"""The tags of what has no bearing on dynamics, and what they stand for."""

MEANT = {"gravity", "density", "viscosity", "wind"}
"""What of <option> is heard or warned of."""

NAMED = {"body": "link", "joint": "joint", "freejoint": "joint"}
NUMBERED = {"link": "body", "joint": "joint"}
"""What those without a name are called, before their number."""

MULTIPLIED = (*COPIES, "attach")
"""What makes more of an element than is written."""

SECTIONS = ("equality", "tendon", "actuator")
"""What the elements are called, or the sections that they are in, whose lines are looked for by name."""


class MJCFWarning(UserWarning):
    """A robot lacks forces that its file has (springs, a fluid, carried weight), or MuJoCo warns of the file."""


def read(path_or_text: str | os.PathLike[str]) -> Robot:
    """The robot of a file, or of a text that has a tag in it; warns of forces that it lacks."""
    origin = "the text" if _is_text(path_or_text) else str(path_or_text)
    inspection = inspected(path_or_text)
    robot = inspection.sound(origin)
    doubts = [str(finding) for finding in inspection.findings if finding.severity == "warning"]
    if doubts:
        warn(f"{origin}: " + "; ".join(doubts), MJCFWarning)
    return robot


def inspected(path_or_text: str | os.PathLike[str]) -> Inspection:
    """The robot as far as it can be understood, with all errors, warnings and notes about it."""
    from_model = _reader()
    try:
        file = _file(path_or_text)
        model, warned = _compiled(file, from_model.mujoco)
    except _Unreadable as error:
        return Inspection(None, (error.finding,))
    lines = _lines(file.root)
    lost = located(from_model.lost(model), lines)
    findings = ordered((*map(_warned, warned), *lost, *_not_used(file.root)))
    if any(finding.severity == "error" for finding in findings):
        return Inspection(None, findings, lines)
    try:
        robot = from_model.robot_of(model)
    except LinkwiseError as error:
        return Inspection(None, (Finding.of(error, line_of(error.what, lines)), *findings), lines)
    return Inspection(replace(robot, notes=tuple(f"{f.what}: {f.given}" for f in findings)), findings, lines)


def _is_text(path_or_text: str | os.PathLike[str]) -> bool:
    return isinstance(path_or_text, str) and "<" in path_or_text


def _reader() -> ModuleType:
    try:
        from . import mujoco_model
    except ModuleNotFoundError as error:
        if error.name != "mujoco":
            raise
        raise LinkwiseError(
            "MJCF is read by MuJoCo, which is not installed",
            given=str(error),
            expected="the package mujoco",
            mend="pip install 'linkwise[mjcf]'",
        ) from error
    return mujoco_model


class _Unreadable(Exception):
    """Why there is nothing to be read."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding)
        self.finding = finding


@dataclass(frozen=True)
class _File:
    """A text with its elements, the lines of which are nought where another file was included."""

    root: Element
    path: Path | None
    text: str


def _file(path_or_text: str | os.PathLike[str]) -> _File:
    path = None if _is_text(path_or_text) else Path(path_or_text)
    data = str(path_or_text).encode("utf-8", "surrogatepass") if path is None else content(path)
    root = _parsed(data)
    if root.tag != "mujoco":
        raise _Unreadable(_error(root, "This is no MJCF", f"<{root.tag:.50}>", "<mujoco> around everything"))
    folder = path.parent if path else Path()
    _include(root, folder, {os.path.realpath(path)} if path else set())
    _refuse_excess(root)
    return _File(root, path, data.decode("utf-8", "replace"))


def _parsed(data: bytes) -> Element:
    root = parsed(data)
    if isinstance(root, Finding):
        raise _Unreadable(root)
    return root


def _error(element: Element, what: str, told: str, expected: str) -> Finding:
    mend = "check that this is the file you meant"
    return Finding("error", what, told, expected, mend, line=element.line or None)


def _include(element: Element, folder: Path, seen: set[str]) -> None:
    """Put the elements of other files where they are named, to be counted; MuJoCo tells which are missing."""
    for child in element.children:
        path = os.path.realpath(folder / child.attributes.get("file", ""))
        if "file" in child.attributes and os.path.exists(path) and not os.path.isfile(path):
            raise _Unreadable(_error(child, f"{child} names what is no file", path, "a file"))
        if child.tag in ("include", "model") and os.path.isfile(path) and path not in seen:
            seen.add(path)
            child.children += _without_lines(_parsed(content(path)).children)
        _include(child, folder, seen)


def _without_lines(elements: list[Element]) -> list[Element]:
    return [replace(element, line=0, children=_without_lines(element.children)) for element in elements]


# What would take too long


def _refuse_excess(root: Element) -> None:
    """Raise where MuJoCo would take minutes, all memory, or write a file about a NaN."""
    if _count(root) > MOST:
        raise _Unreadable(
            _error(root, "There are too many elements for a robot", "copies and all", f"{MOST:,} at most")
        )
    for element in _all(root):
        if _product(element, SIZES) > CELLS:
            raise _Unreadable(_error(element, f"{element} is too large", "its size", f"{CELLS:,} cells at most"))
        for key, value in element.attributes.items():
            if key != "name" and "nan" in value.lower().split():
                told = f'{key}="{value:.50}"'
                raise _Unreadable(_error(element, f"{element} has an entry that is no number", told, "numbers"))


def _count(element: Element) -> int:
    return _product(element, COPIES) * (1 + sum(map(_count, element.children)))


def _product(element: Element, counted: dict[str, tuple[str, ...]]) -> int:
    """The product of the counts that an element gives."""
    words = [word for key in counted.get(element.tag, ()) for word in element.attributes.get(key, "").split()]
    return math.prod(max(int(word), 1) for word in words if re.fullmatch(r"\d{1,12}", word))


def _all(element: Element) -> Iterator[Element]:
    yield element
    for child in element.children:
        yield from _all(child)


# MuJoCo's own words


def _compiled(file: _File, mujoco: Any) -> tuple[Any, list[str]]:
    """The model, and the warnings that would otherwise go to a file in the working directory."""
    warned: list[str] = []
    with _listening:
        earlier = mujoco.get_mju_user_warning()
        mujoco.set_mju_user_warning(warned.append)
        try:
            if file.path is None:
                return mujoco.MjModel.from_xml_string(file.text), warned
            return mujoco.MjModel.from_xml_path(str(file.path)), warned
        except (ValueError, MemoryError, mujoco.FatalError) as error:
            raise _Unreadable(_refused(str(error))) from error
        finally:
            mujoco.set_mju_user_warning(earlier)


_listening = Lock()
"""MuJoCo tells its warnings to one listener only."""


def _warned(message: str) -> Finding:
    return Finding("warning", "MuJoCo warns of it", message, "a model without its warnings", "mend it there")


def _refused(message: str) -> Finding:
    line = re.search(r"line (?:number=)?(\d+)", message)
    missing = "opening file" in message
    mend = "put the files that it names where it looks for them" if missing else "mend it there"
    told = " ".join(message.split())
    return Finding("error", "MuJoCo refuses it", told, "MJCF", mend, line=int(line[1]) if line else None)


def _lines(root: Element) -> dict[str, int]:
    """The lines in which things begin, by what they are called."""
    lines: dict[str, int] = {}
    for element in _all(root):
        for child in element.children:
            kind = element.tag if element.tag in SECTIONS else NAMED.get(child.tag)
            if kind and child.line and "name" in child.attributes:
                lines.setdefault(f"{kind} {child.attributes['name']!r}", child.line)
    return lines if any(element.tag in MULTIPLIED for element in _all(root)) else lines | _numbered(root)


def _numbered(root: Element) -> dict[str, int]:
    """The lines of bodies and joints without names, which go by the numbers that MuJoCo gives them."""
    lines: dict[str, int] = {}
    counts = {"link": count(1), "joint": count(0)}
    for element in (each for world in root.all("worldbody") for each in _all(world)):
        kind = NAMED.get(element.tag)
        number = next(counts[kind]) if kind else 0
        if kind and element.line and "name" not in element.attributes:
            lines[f"{kind} {NUMBERED[kind] + str(number)!r}"] = element.line
    return lines


def _not_used(root: Element) -> Iterator[Finding]:
    """What has no bearing on dynamics, counted by its kind."""
    lines: dict[str, list[int]] = {}
    for tag, line in _unused(root):
        lines.setdefault(tag, []).append(line)
    for tag, found in lines.items():
        line = next(filter(None, found), None)
        told = (f"{len(found)} times" if len(found) > 1 else "once") + (f", first in line {line}" if line else "")
        what = f"{NOT_USED[tag]} is not used"
        yield Finding("note", what, told, "nothing that dynamics need", "leave it as it is", line=line)


def _unused(element: Element) -> Iterator[tuple[str, int]]:
    for child in element.children:
        if child.tag == "option":
            yield from (("option", child.line) for _ in child.attributes.keys() - MEANT)
        elif child.tag in NOT_USED:
            yield from ((child.tag, each.line) for each in child.children or [child])
        elif child.tag not in ("default", "asset"):
            yield from _unused(child)
