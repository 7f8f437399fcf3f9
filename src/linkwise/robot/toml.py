"""Robots as TOML files that a person can read and write.

A file tells a robot either by its links, one [[link]] table each, or, in [dh], by the arguments of `Robot.from_dh`:

    name = "pendulum"
    source = "a textbook"
    angle_unit = "deg"          # or "rad", the default; for every angle of the file

    [[link]]
    name = "rod"
    parent = "…"                # left out where the base carries the link
    mass = 1.0
    com = [0.5, 0.0, 0.0]
    inertia = [0.0, 0.08, 0.08] # or xx, xy, xz, yy, yz, zz; about the centre of mass
    [link.joint]
    name = "hinge"
    type = "revolute"
    axis = [0.0, 0.0, 1.0]
    xyz = [0.0, 0.0, 0.3]       # the placement in the parent, with rpy: turns about fixed x, y, z, in this order
    rpy = [90.0, 0.0, 0.0]
    limits = { lower = -90.0, upper = 90.0, velocity = 10.0, effort = 5.0 }
    drive = { rotor_inertia = 1e-4, gear_ratio = 50.0, armature = 0.1, damping = 0.2, friction = 0.3 }

Instead of xyz and rpy a joint may have `placement`, a list of steps one after the other: { xyz, rpy } or
{ xyz, rotation } with the rows of a rotation matrix, or the screw { axis = "x" or "z", turn, slide }, where cos and
sin may stand for turn. A universal joint has a `second_axis`, a helical one a `pitch` in metres a radian, and one that
another leads mimic = { joint = "…", multiplier = 2.0, offset = 0.0 }. `tip` is such a list too. Poses have names:
[configurations] with home = [0.0].
"""

from __future__ import annotations

import json
import math
import os
import re
import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, TypeVar

from ..algebra import X_AXIS, Z_AXIS, Mat, Placement, Rigid, Screw, Turn, Vec
from ..errors import LinkwiseError
from . import given
from .angles import angle_of, rotation_of, rpy_of, screw, turn
from .finding import Finding, Inspection
from .joint import IN_PLACE, JOINT_TYPES, NO_DRIVE, NO_LIMITS, Drive, Joint, JointType, Limits, Mimic
from .listing import numeral
from .model import BASE, STANDARD_GRAVITY, Configuration, Link, Robot
from .section import Section
from .toml_lines import DEEPEST, line_for, lines_of, too_deep

Made = TypeVar("Made")

LARGEST = 4_000_000
"""Bytes. A thousand links take about a fifth of it."""

DH_JOINTS = {"R": JOINT_TYPES["revolute"], "P": JOINT_TYPES["prismatic"]}
FIXED = JOINT_TYPES["fixed"]

UNITS = {"rad": 1.0, "deg": math.pi / 180.0}


def read(path_or_text: str | os.PathLike[str]) -> Robot:
    """The robot of a file, or of a text that has the lines of one."""
    return inspected(path_or_text).sound("the text" if _is_text(path_or_text) else str(path_or_text))


def inspected(path_or_text: str | os.PathLike[str]) -> Inspection:
    """The robot, or what keeps it from being read, and where in the text all stands."""
    data = str(path_or_text).encode("utf-8", "surrogatepass") if _is_text(path_or_text) else _content(path_or_text)
    if len(data) > LARGEST:
        told, mend = f"more than {LARGEST:,} bytes", "check that this is the file you meant"
        return Inspection(None, (Finding("error", "This is too long for a robot", told, "fewer", mend),))
    try:
        text = data.decode()
        file = _parsed(text)
    except (ValueError, RecursionError) as error:
        finding = Finding("error", "This is no TOML", str(error), "TOML as in https://toml.io", "mend it there")
        return Inspection(None, (replace(finding, line=_line_of_fault(error, data)),))
    lines = lines_of(text, file)
    try:
        return Inspection(_robot(Section(file, "the file")), (), lines)
    except LinkwiseError as error:
        return Inspection(None, (Finding.of(error, line_for(error, lines)),), lines)


def _is_text(path_or_text: str | os.PathLike[str]) -> bool:
    return isinstance(path_or_text, str) and "\n" in path_or_text


def _content(path: str | os.PathLike[str]) -> bytes:
    try:
        with Path(path).open("rb") as file:
            return file.read(LARGEST + 1)
    except (OSError, ValueError) as error:
        raise LinkwiseError(
            f"{path} cannot be read", given=str(error), expected="a TOML file in UTF-8", mend="check the path"
        ) from error


def _parsed(text: str) -> dict[str, Any]:
    deep = too_deep(text)
    if deep:
        raise ValueError(f"a key of more than {DEEPEST} names (at line {deep})")
    file = tomllib.loads(text)
    repr(file)  # raises, as loads does, where an integer has more digits than Python cares to write
    return file


def _line_of_fault(error: Exception, data: bytes) -> int | None:
    """As the error tells it; none where the text is nested too deep, or a number too long, for Python to say where."""
    if isinstance(error, UnicodeDecodeError):
        return data.count(b"\n", 0, error.start) + 1
    told = re.search(r"line (\d+)", str(error))
    if told:
        return int(told[1])
    return data.count(b"\n") + 1 if "end of document" in str(error) else None


def _robot(file: Section) -> Robot:
    unit = UNITS[given.one_of(file.text("angle_unit", "rad"), tuple(UNITS), "angle_unit")]
    described: dict[str, Any] = {
        "name": file.text("name"),
        "gravity": given.vector(file.numbers("gravity", tuple(STANDARD_GRAVITY)), "gravity"),
        "source": file.text("source", ""),
        "notes": file.texts("notes", ()),
    }
    poses = file.section("configurations", {})
    if ("dh" in file) == ("link" in file):
        raise LinkwiseError(
            "It is not clear which links the robot has",
            given="both [dh] and [[link]]" if "dh" in file else "neither [dh] nor [[link]]",
            expected="one of the two",
            mend="describe the robot by a Denavit–Hartenberg table or link by link",
        )
    if "dh" in file:
        robot = Robot.from_dh(**described, **_table(file.section("dh"), unit))
    else:
        robot = Robot(**described, links=_links(file.sections("link"), unit), tip=_steps(file, "tip", unit))
    file.close()
    return replace(robot, configurations=tuple(_pose(robot, poses, name, unit) for name in poses))


def _pose(robot: Robot, poses: Section, name: str, unit: float) -> Configuration:
    q = given.sequence(poses.numbers(name), (robot.nq,), poses.at(name))
    units = [unit if angle else 1.0 for joint in robot.joints for angle in joint.kind.angles]
    return Configuration(name, tuple(x * u for x, u in zip(q, units, strict=True)))


def _table(dh: Section, unit: float) -> dict[str, Any]:
    """The arguments of Robot.from_dh that stand in [dh]."""
    letters, limits = dh.text("joints", ""), dh.sections("limits", ())
    kinds = letters.ljust(len(limits), "R")
    table = {
        "rows": _rows(dh.list("rows"), unit),
        "convention": dh.text("convention"),
        "joints": letters,
        "masses": dh.numbers("masses", ()),
        "coms": dh.list("coms", ()),
        "inertias": dh.list("inertias", ()),
        "link_names": dh.texts("link_names", ()),
        "joint_names": dh.texts("joint_names", ()),
        "limits": [_limits(s, DH_JOINTS.get(kind, FIXED), unit) for s, kind in zip(limits, kinds, strict=False)],
        "base": _steps(dh, "base", unit),
        "tip": _steps(dh, "tip", unit),
    }
    dh.close()
    return table


def _rows(rows: Sequence[Any], unit: float) -> list[tuple[float, ...]]:
    given.count_of_links(len(rows))
    return [_row(row, unit, i) for i, row in enumerate(rows, 1)]


def _row(row: Any, unit: float, i: int) -> tuple[float, ...]:
    a, alpha, b, theta = (given.number(x, f"row {i}") for x in given.sequence(row, (4,), f"row {i}"))
    return a, alpha * unit, b, theta * unit


def _links(sections: Sequence[Section], unit: float) -> tuple[Link, ...]:
    given.count_of_links(len(sections))
    names = [section.text("name") for section in sections]
    return tuple(_link(section, name, names, unit) for section, name in zip(sections, names, strict=True))


def _link(section: Section, name: str, names: list[str], unit: float) -> Link:
    section.where = f"link {name!r}"
    parent = section.take("parent", None)
    if parent is not None:
        given.one_of(parent, names, f"parent of link {name!r}, left out where the base carries it")
    link = Link(
        name=name,
        parent=BASE if parent is None else names.index(parent),
        joint=_joint(section.section("joint"), unit),
        mass=section.number("mass", 0.0),
        com=given.vector(section.list("com", (0.0, 0.0, 0.0)), section.at("com")),
        inertia=given.tensor(section.list("inertia", (0.0, 0.0, 0.0)), section.at("inertia")),
    )
    section.close()
    return link


def _joint(section: Section, unit: float) -> Joint:
    name = section.text("name")
    section.where += f" {name!r}"
    kind = JOINT_TYPES[given.one_of(section.text("type"), tuple(JOINT_TYPES), f"type in {section.where}")]
    joint = Joint(
        name=name,
        type=kind.name,
        placement=_placement(section, unit),
        axis=given.vector(section.list("axis", tuple(Z_AXIS)), section.at("axis")),
        limits=_limits(section.section("limits", {}), kind, unit),
        second_axis=given.vector(section.list("second_axis", tuple(X_AXIS)), section.at("second_axis")),
        pitch=section.number("pitch", 0.0),
        mimic=_mimic(section.section("mimic"), kind, unit) if "mimic" in section else None,
        drive=_drive(section.section("drive", {})),
    )
    section.close()
    return joint


def _limits(section: Section, kind: JointType, unit: float) -> Limits:
    """Bounds, one or a list each; efforts know no angle."""
    angular = {"lower": kind.angles, "upper": kind.angles, "velocity": kind.turns, "effort": (False,) * kind.nv}
    bounds: dict[str, tuple[float, ...]] = {}
    for key, turns in angular.items():
        items = _one_or_more(section, key)
        scales = [unit if turn else 1.0 for turn in turns] if len(items) == len(turns) else [1.0] * len(items)
        bounds[key] = tuple(x * scale for x, scale in zip(items, scales, strict=True))
    section.close()
    return _of(section, Limits, **bounds)


def _of(section: Section, make: Callable[..., Made], **values: Any) -> Made:
    """What is made of the values in a section, which its errors name."""
    try:
        return make(**values)
    except LinkwiseError as error:
        what = f"{section.where}: {error.what}"
        raise LinkwiseError(what, given=error.given, expected=error.expected, mend=error.mend) from error


def _one_or_more(section: Section, key: str) -> tuple[float, ...]:
    value = section.take(key, ())
    items: list[Any] = value if isinstance(value, list | tuple) else [value]  # pyright: ignore
    return tuple(given.bound(item, section.at(key)) for item in items)


def _mimic(section: Section, kind: JointType, unit: float) -> Mimic:
    """The offset is an angle if the joint that follows turns."""
    offset = section.number("offset", 0.0) * (unit if any(kind.angles) else 1.0)
    mimic = Mimic(section.text("joint"), section.number("multiplier", 1.0), offset)
    section.close()
    return mimic


def _drive(section: Section) -> Drive:
    drive = _of(
        section,
        Drive,
        rotor_inertia=section.number("rotor_inertia", 0.0),
        gear_ratio=section.number("gear_ratio", 1.0),
        **{key: _one_or_more(section, key) for key in ("armature", "damping", "friction")},
    )
    section.close()
    return drive


def _placement(section: Section, unit: float) -> Placement:
    if "placement" in section:
        return _steps(section, "placement", unit)
    if any(key in section for key in ("xyz", "rpy", "rotation")):
        return Placement((_displacement(section, unit),))
    return IN_PLACE


def _steps(section: Section, key: str, unit: float) -> Placement:
    return Placement(tuple(_step(step, unit) for step in section.sections(key, ())))


def _step(section: Section, unit: float) -> Screw | Rigid:
    step = _screw(section, unit) if "axis" in section else _displacement(section, unit)
    section.close()
    return step


def _screw(section: Section, unit: float) -> Screw:
    axis = given.one_of(section.text("axis"), ("x", "z"), f"axis in {section.where}")
    slide = section.number("slide", 0.0)
    if "cos" in section:
        return Screw(Turn(axis, section.number("cos"), section.number("sin")), slide)
    return screw(axis, section.number("turn", 0.0) * unit, slide)


def _displacement(section: Section, unit: float) -> Rigid:
    position = given.vector(section.list("xyz", (0.0, 0.0, 0.0)), section.at("xyz"))
    if "rotation" in section:
        rows = given.sequence(section.list("rotation"), (3,), section.at("rotation"))
        return Rigid(Mat(*(given.vector(row, section.at("rotation")) for row in rows)), position)
    rpy = given.vector(section.list("rpy", (0.0, 0.0, 0.0)), section.at("rpy"))
    return Rigid(rotation_of(rpy * unit), position)


# Writing


def write(robot: Robot) -> str:
    """The text of a file from which `read` makes an equal robot, link by link and in radians."""
    head = {"name": robot.name, "source": robot.source, "notes": robot.notes, "gravity": robot.gravity}
    lines = [_line(key, value) for key, value in head.items() if value not in ("", ())]
    if robot.tip.factors:
        lines.append(_line("tip", [_written_step(step) for step in robot.tip.factors]))
    if robot.configurations:
        lines += ["", "[configurations]", *(_line(_value(c.name), c.q) for c in robot.configurations)]
    for link in robot.links:
        lines += ["", "[[link]]", *_written_link(robot, link), "[link.joint]", *_written_joint(link.joint)]
    return "\n".join(lines) + "\n"


def _written_link(robot: Robot, link: Link) -> Iterator[str]:
    yield _line("name", link.name)
    if link.parent != BASE:
        yield _line("parent", robot.links[link.parent].name)
    yield _line("mass", link.mass)
    yield _line("com", link.com)
    yield _line("inertia", link.inertia.entries)


def _written_joint(joint: Joint) -> Iterator[str]:
    yield _line("name", joint.name)
    yield _line("type", joint.type)
    yield _line("axis", joint.axis)
    if joint.second_axis != X_AXIS:
        yield _line("second_axis", joint.second_axis)
    if joint.pitch:
        yield _line("pitch", joint.pitch)
    if joint.placement.factors:
        yield _line("placement", [_written_step(step) for step in joint.placement.factors])
    if joint.limits != NO_LIMITS:
        yield _line("limits", _told(joint.limits))
    if joint.mimic:
        yield _line("mimic", _told(joint.mimic))
    if joint.drive != NO_DRIVE:
        yield _line("drive", _told(joint.drive))


def _told(data: Limits | Mimic | Drive) -> dict[str, Any]:
    """The fields in which something is said."""
    return {f.name: value for f in fields(data) if (value := getattr(data, f.name)) != ()}


def _written_step(step: Screw | Rigid) -> dict[str, Any]:
    """The step in the words that make exactly it again: angles where they do, cosines and matrices where not."""
    if isinstance(step, Screw):
        angle = angle_of(step.turn)
        exact = turn(step.turn.axis, angle) == step.turn
        rotation = {"turn": angle} if exact else {"cos": step.turn.c, "sin": step.turn.s}
        return {"axis": step.turn.axis, **rotation, "slide": step.slide}
    m, rpy = step.matrix, rpy_of(step.matrix)
    return {"xyz": step.position, **({"rpy": rpy} if rotation_of(rpy) == m else {"rotation": (m.x, m.y, m.z)})}


def _line(key: str, value: Any) -> str:
    return f"{key} = {_value(value)}"


def _value(value: Any) -> str:
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, dict):
        return "{ " + ", ".join(_line(k, v) for k, v in value.items()) + " }"  # pyright: ignore
    if isinstance(value, tuple | list | Vec):
        return "[" + ", ".join(map(_value, value)) + "]"  # pyright: ignore
    return numeral(value)
