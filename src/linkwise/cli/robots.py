"""What `library` and `info` tell of a robot, as data and as tables."""

from __future__ import annotations

from dataclasses import asdict
from math import degrees
from typing import Any

from ..errors import LinkwiseError
from ..robot.model import Link, Robot
from .output import bold, number, out, show_table


def summary(robot: Robot) -> dict[str, Any]:
    """One line of the library."""
    return {"name": robot.name, "joints": joint_word(robot), "source": robot.source}


def joint_word(robot: Robot) -> str:
    """A letter a joint: R and P."""
    return "".join(joint.type[0].upper() for joint in robot.joints)


def description(robot: Robot, convention: str) -> dict[str, Any]:
    """All of a robot, for a script to read."""
    return {
        **summary(robot),
        "notes": robot.notes,
        "nq": robot.nq,
        "nv": robot.nv,
        "gravity": tuple(robot.gravity),
        "links": [_link(robot, link) for link in robot.links],
        "dh": _dh(robot, convention),
        "findings": [asdict(finding) for finding in robot.check()],
    }


def _link(robot: Robot, link: Link) -> dict[str, Any]:
    return {
        "name": link.name,
        "parent": None if link.parent < 0 else robot.links[link.parent].name,
        "mass": link.mass,
        "com": tuple(link.com),
        "inertia": asdict(link.inertia),
        "joint": {
            "name": link.joint.name,
            "type": link.joint.type,
            "axis": tuple(link.joint.axis),
            "limits": asdict(link.joint.limits),
        },
    }


def _dh(robot: Robot, convention: str) -> dict[str, Any]:
    """The table, or why there is none."""
    try:
        rows = robot.to_dh(convention).rows
    except LinkwiseError as error:
        return {"convention": convention, "rows": None, "reason": f"{error.what}: {error.given}"}
    columns = ("a", "alpha", "b", "theta")
    return {"convention": convention, "rows": [dict(zip(columns, row, strict=True)) for row in rows]}


def show(robot: Robot, convention: str) -> None:
    kind = "serial chain" if robot.is_chain else "tree"
    size = f"{kind} of {counted(len(robot.links), 'link')}, {counted(robot.nv, 'joint')}"
    out.print(bold(robot.name) + f", {size} ({joint_word(robot)})")
    if robot.source:
        out.print(robot.source, markup=False)
    for note in robot.notes:
        out.print("• " + note, markup=False)
    out.print("gravity (" + ", ".join(map(number, robot.gravity)) + ") m/s²")
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


def _show_joints(robot: Robot) -> None:
    parents = ("base", *robot.link_names)
    rows = [
        (link.joint.name, link.joint.type, link.name, parents[link.parent + 1], _axis(link), _range(link))
        for link in robot.links
    ]
    show_table("Joints", ("joint", "type", "carries", "on", "axis", "position"), rows, left=6)


def _axis(link: Link) -> str:
    return ", ".join(map(number, link.joint.axis)) if link.joint.nv else ""


def _range(link: Link) -> str:
    limits = link.joint.limits
    ranges = [f"{number(low)} to {number(high)}" for low, high in zip(limits.lower, limits.upper, strict=False)]
    return "; ".join(ranges) or ("unlimited" if link.joint.nv else "")


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
    show_table(f"Denavit–Hartenberg parameters, {convention}", header, rows)


def _variable(kind: str, b: float, theta: float) -> tuple[str, str]:
    """The last two parameters, with q beside the constant offset of the one that varies."""
    if kind == "revolute":
        return number(b), _varying(theta)
    return _varying(b), number(theta)


def _varying(offset: float) -> str:
    if offset == 0.0:
        return "q"
    return f"q {'-' if offset < 0 else '+'} {number(abs(offset))}"


def _show_masses(robot: Robot) -> None:
    header = ("link", "mass / kg", "cx / m", "cy / m", "cz / m", "Ixx", "Ixy", "Ixz", "Iyy", "Iyz", "Izz")
    rows = [(link.name, link.mass, *link.com, *link.inertia.entries) for link in robot.links]
    title = "Masses, centres of mass, and moments of inertia about them in kg m², in link axes"
    show_table(title, header, rows)


def _show_findings(robot: Robot) -> None:
    findings = robot.check()
    out.print()
    out.print(bold("Physical findings") + ("" if findings else ": none"))
    for finding in findings:
        out.print(f"• {finding}", markup=False)
