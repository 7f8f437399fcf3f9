"""What `library` and `info` tell of a robot, as data and as tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, replace
from math import degrees, isfinite
from typing import Any

from ..algebra import Placement
from ..errors import LinkwiseError
from ..robot.angles import rpy_of
from ..robot.joint import NO_DRIVE, Joint
from ..robot.merging import merged, reach
from ..robot.model import BASE, Link, Robot, children_of
from .output import bold, number, out, show_named, show_table

LETTERS = {
    "revolute": "R",
    "continuous": "R",
    "prismatic": "P",
    "helical": "H",
    "cylindrical": "C",
    "universal": "U",
    "planar": "E",
    "spherical": "S",
    "free": "F",
}
"""The customary ones; E is the plane pair."""

READABLE = 12
"""Letters of a word."""


def summary(robot: Robot) -> dict[str, Any]:
    """One line of the library."""
    return {"name": robot.name, "joints": joint_word(robot), "source": robot.source}


def joint_word(robot: Robot) -> str:
    """A letter a joint."""
    return "".join(LETTERS[joint.type] for joint in robot.joints)


def joints_in_short(robot: Robot) -> str:
    """A letter a joint; where that is too long to be read, how many there are of each type."""
    if len(robot.joints) <= READABLE:
        return joint_word(robot)
    return ", ".join(f"{number} {kind}" for kind, number in Counter(joint.type for joint in robot.joints).items())


def description(robot: Robot, convention: str) -> dict[str, Any]:
    """All of a robot, for a script to read."""
    farthest = reach(robot)
    return {
        **summary(robot),
        "notes": robot.notes,
        "nq": robot.nq,
        "nv": robot.nv,
        "mass": _mass(robot),
        "reach": farthest and farthest._asdict(),
        "gravity": tuple(robot.gravity),
        "tip": _placement(robot.tip),
        "configurations": {pose.name: pose.q for pose in robot.configurations},
        "links": [_link(robot, link) for link in robot.links],
        "dh": _dh(robot, convention),
        "findings": [asdict(finding) for finding in robot.check()],
    }


def _mass(robot: Robot) -> float:
    return sum(link.mass for link in robot.links)


def _link(robot: Robot, link: Link) -> dict[str, Any]:
    joint = link.joint
    return {
        "name": link.name,
        "parent": None if link.parent == BASE else robot.links[link.parent].name,
        "mass": link.mass,
        "com": tuple(link.com),
        "inertia": asdict(link.inertia),
        "joint": {
            "name": joint.name,
            "type": joint.type,
            "placement": _placement(joint.placement),
            "axis": tuple(joint.axis),
            **({"second_axis": tuple(joint.second_axis)} if joint.type == "universal" else {}),
            **({"pitch": joint.pitch} if joint.type == "helical" else {}),
            "limits": asdict(joint.limits),
            "drive": asdict(joint.drive),
            "mimic": joint.mimic and asdict(joint.mimic),
        },
    }


def _placement(placement: Placement) -> dict[str, Any]:
    return {"xyz": tuple(placement.position), "rpy": tuple(rpy_of(placement.rotation.matrix))}


def _dh(robot: Robot, convention: str) -> dict[str, Any]:
    """The table of what moves, the masses on fixed joints merged and drives left out; or why there is none."""
    moving = merged(robot)
    if moving is None:
        return {"convention": convention, "rows": None, "reason": "nothing moves"}
    try:
        rows = replace(moving, links=tuple(map(_plain, moving.links))).to_dh(convention).rows
    except LinkwiseError as error:
        return {"convention": convention, "rows": None, "reason": f"{error.what}: {error.given}"}
    columns = ("a", "alpha", "b", "theta")
    joints = moving.joint_names
    found = [{"joint": name} | dict(zip(columns, row, strict=True)) for name, row in zip(joints, rows, strict=True)]
    return {"convention": convention, "rows": found}


def _plain(link: Link) -> Link:
    """The link on a joint that a table has a word for."""
    kind = "revolute" if link.joint.type == "continuous" else link.joint.type
    return replace(link, joint=replace(link.joint, type=kind, drive=NO_DRIVE))


def show(robot: Robot, convention: str) -> None:
    kind = "serial chain" if robot.is_chain else "tree"
    size = f"{kind} of {counted(len(robot.links), 'link')}, {counted(len(robot.joints), 'joint')}"
    out.print(bold(robot.name) + f", {size} ({joints_in_short(robot)})", soft_wrap=True)
    if robot.source:
        out.print(robot.source, markup=False)
    for note in robot.notes:
        out.print("• " + note, markup=False)
    out.print(f"nq = {robot.nq}, nv = {robot.nv}, mass {number(_mass(robot))} kg, " + _reach(robot), markup=False)
    out.print("gravity (" + ", ".join(map(number, robot.gravity)) + ") m/s²")
    _show_tree(robot)
    _show_joints(robot)
    _show_dh(robot, convention)
    _show_masses(robot)
    _show_findings(robot)


def counted(number: int, what: str) -> str:
    """The number of things in words.

    >>> counted(1, "link"), counted(3, "link")
    ('1 link', '3 links')
    """
    return f"{number} {what}" + ("" if number == 1 else "s")


def _reach(robot: Robot) -> str:
    farthest = reach(robot)
    if farthest is None:
        return "no reach"
    most = f"at most {number(farthest.at_most)} m" if isfinite(farthest.at_most) else "without limit"
    return f"reach {most}, from joint {farthest.joint!r} to link {farthest.link!r}"


# Links and joints


def _show_tree(robot: Robot) -> None:
    """A table where the screen is wide enough for one; otherwise fixed joints go without their names."""
    rows = [(line, link.joint.name, link.joint.type) for line, link in zip(tree(robot), robot.links, strict=True)]
    title = "Links, and the joints that carry them"
    if sum(max(map(len, column)) + 2 for column in zip(*rows, strict=True)) <= out.width:
        show_table(title, ("link", "joint", "type"), rows, left=3, whole=range(3))
        return
    out.print()
    out.print(bold(title))
    for line, joint, kind in rows:
        out.print(f"{line}  {kind}" if kind == "fixed" else f"{line}  {joint}, {kind}", markup=False)


def _show_joints(robot: Robot) -> None:
    """The joints that move; columns in which nothing is said are left out."""
    joints = [link.joint for link in robot.links if link.joint.kind.nv]
    columns = {
        "joint": [joint.name for joint in joints],
        "axis": [_axis(joint) for joint in joints],
        "position": [_range(joint) for joint in joints],
        "velocity": [_numbers(joint.limits.velocity) for joint in joints],
        "effort": [_numbers(joint.limits.effort) for joint in joints],
        "rotor": [_rotor(joint) for joint in joints],
        **{name: [_numbers(getattr(joint.drive, name)) for joint in joints] for name in LOSSES},
        "follows": [_leader(joint) for joint in joints],
    }
    told = {name: column for name, column in columns.items() if any(column)}
    if told:
        show_named("Joints that move", tuple(told), zip(*told.values(), strict=True), left=len(told))


LOSSES = ("armature", "damping", "friction")


def tree(robot: Robot) -> list[str]:
    """The name of every link, behind lines that lead to it from the link that carries it.

    >>> from ..robot.library import load
    >>> print(*tree(load("planar-3r")), sep="\\n")
    link1
    └ link2
      └ link3
    """
    children = children_of(tuple(link.parent for link in robot.links))
    lead = [""] * len(robot.links)
    """What stands before the lines of what a link carries."""
    lines: list[str] = []
    for i, link in enumerate(robot.links):
        if link.parent == BASE:
            lines.append(link.name)
            continue
        last = children[link.parent][-1] == i
        lines.append(lead[link.parent] + ("└ " if last else "├ ") + link.name)
        lead[i] = lead[link.parent] + ("  " if last else "│ ")
    return lines


def _axis(joint: Joint) -> str:
    if joint.type in ("fixed", "free", "spherical"):
        return ""
    axes = (joint.axis, joint.second_axis) if joint.type == "universal" else (joint.axis,)
    pitch = f", {number(joint.pitch)} m/rad" if joint.type == "helical" else ""
    return "; ".join(", ".join(map(number, axis)) for axis in axes) + pitch


def _range(joint: Joint) -> str:
    ranges = [
        f"{number(low)} to {number(high)}" for low, high in zip(joint.limits.lower, joint.limits.upper, strict=False)
    ]
    return "; ".join(ranges) or ("unlimited" if joint.nv else "")


def _numbers(values: Sequence[float]) -> str:
    return "; ".join(map(number, values))


def _rotor(joint: Joint) -> str:
    drive = joint.drive
    if (drive.rotor_inertia, drive.gear_ratio) == (NO_DRIVE.rotor_inertia, NO_DRIVE.gear_ratio):
        return ""
    return f"{number(drive.rotor_inertia)} × {number(drive.gear_ratio)}²"


def _leader(joint: Joint) -> str:
    if joint.mimic is None:
        return ""
    offset = f" + {number(joint.mimic.offset)}" if joint.mimic.offset else ""
    return f"{number(joint.mimic.multiplier)} × {joint.mimic.joint}{offset}"


def _show_dh(robot: Robot, convention: str) -> None:
    dh = _dh(robot, convention)
    if dh["rows"] is None:
        out.print(f"\nNo Denavit–Hartenberg table: {dh['reason']}", markup=False)
        return
    rows = [
        (joint.name, row["a"], degrees(row["alpha"]), *_variable(joint.type, row["b"], degrees(row["theta"])))
        for joint, row in zip(robot.joints, dh["rows"], strict=True)
    ]
    header = ("joint", "a / m", "α / °", "b / m", "θ / °")
    show_named(f"Denavit–Hartenberg parameters, {convention}", header, rows)


def _variable(kind: str, b: float, theta: float) -> tuple[str, str]:
    """The last two parameters, with q beside the constant offset of the one that varies."""
    if kind != "prismatic":
        return number(b), _varying(theta)
    return _varying(b), number(theta)


def _varying(offset: float) -> str:
    if offset == 0.0:
        return "q"
    return f"q {'-' if offset < 0 else '+'} {number(abs(offset))}"


def _show_masses(robot: Robot) -> None:
    """Mass properties of the links that have any, and the names of the others."""
    heavy = [link for link in robot.links if link.mass or any(link.inertia.entries)]
    centres = [(link.name, link.mass, *link.com) for link in heavy]
    moments = [(link.name, *link.inertia.entries) for link in heavy]
    title = "Moments of inertia about the centres of mass, in kg m² and link axes"
    for name, header, rows in (
        ("Masses, and centres of mass in link axes", ("link", "mass / kg", "x / m", "y / m", "z / m"), centres),
        (title, ("link", "xx", "xy", "xz", "yy", "yz", "zz"), moments),
    ):
        if rows:
            show_named(name, header, rows)
    massless = [link.name for link in robot.links if link not in heavy]
    if massless:
        out.print("\nwithout mass: " + ", ".join(massless), markup=False)


def _show_findings(robot: Robot) -> None:
    findings = robot.check()
    out.print()
    out.print(bold("Physical findings") + ("" if findings else ": none"))
    for finding in findings:
        out.print(f"• {finding}", markup=False)
