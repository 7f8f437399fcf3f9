"""From links and joints as URDF lists them, in any order, to a tree with parents first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from ..algebra import ZERO, ZERO_TENSOR, Sym, Vec
from ..errors import LinkwiseError
from . import given
from .finding import Findings
from .joint import Joint
from .mimicry import check_led
from .model import BASE, Link

ROOT_JOINT = "root_joint"
"""The name of the fixed joint between the world and the root link, which URDF does not have."""


@dataclass(frozen=True, slots=True)
class Body:
    """What a <link> says."""

    name: str
    line: int
    mass: float = 0.0
    com: Vec = ZERO
    inertia: Sym = ZERO_TENSOR


@dataclass(frozen=True, slots=True)
class Branch:
    """What a <joint> says: how it moves, and the names of its two links."""

    joint: Joint
    parent: str
    child: str
    line: int
    mimic_line: int

    @property
    def name(self) -> str:
        return self.joint.name


Named = TypeVar("Named", Body, Branch)


def grown(line: int, bodies: Sequence[Body], branches: Sequence[Branch], findings: Findings) -> tuple[Link, ...]:
    """The links, each followed by what it carries, with joints in the order of the file; none if there is no tree."""
    known = _by_name("links", bodies, findings)
    if not findings.tried(line, False, _is_of_a_robots_size, known):
        return ()
    joints = _led(_by_name("joints", branches, findings), findings)
    carriers = _carriers(known, joints.values(), findings)
    roots = [body for body in known.values() if body.name not in carriers]
    if len(roots) > 1 and len(carriers) == len(branches):  # otherwise they stand alone because of what was told
        findings.tried(roots[1].line, None, _refuse_roots, roots)
    order = _climbed([body.name for body in roots], carriers.values())
    circling = next((body for body in known.values() if body.name not in order), None)
    if circling:
        findings.tried(circling.line, None, _refuse_circle, circling.name, carriers)
    name, taken = ROOT_JOINT, set(joints)
    for body in roots:
        name = new_name(name, taken)
        carriers[body.name] = Branch(Joint(name, "fixed"), "", body.name, line, line)
        taken.add(name)
    at = {"": BASE} | {name: i for i, name in enumerate(order)}
    return tuple(_link(known[name], carriers[name], at) for name in order)


def _is_of_a_robots_size(links: Mapping[str, Body]) -> bool:
    given.count_of_links(len(links))
    return True


def _link(body: Body, carrier: Branch, at: Mapping[str, int]) -> Link:
    return Link(body.name, at[carrier.parent], carrier.joint, body.mass, body.com, body.inertia)


def new_name(name: str, taken: Iterable[str]) -> str:
    """The name, or one like it that is not taken."""
    while name in taken:
        name += "_"
    return name


def _by_name(what: str, items: Sequence[Named], findings: Findings) -> dict[str, Named]:
    found: dict[str, Named] = {}
    for item in items:
        first = found.setdefault(item.name, item)
        if first is not item:
            findings.tried(item.line, None, _refuse_second, what, first)
    return found


def _refuse_second(what: str, first: Body | Branch) -> None:
    raise LinkwiseError(
        f"Two {what} have one name",
        given=f"{first.name!r} stands in line {first.line} already",
        expected="a name of its own for each",
        mend="rename one",
    )


def _carriers(known: Mapping[str, Body], branches: Iterable[Branch], findings: Findings) -> dict[str, Branch]:
    """For each link but the root, the joint that carries it."""
    found: dict[str, Branch] = {}
    for branch in branches:
        if findings.tried(branch.line, False, _leads_somewhere, branch, known, found):
            found[branch.child] = branch
    return found


def _leads_somewhere(branch: Branch, known: Mapping[str, Body], found: Mapping[str, Branch]) -> bool:
    if not (branch.parent and branch.child):
        return False  # which was said when it was read
    for end, name in (("parent", branch.parent), ("child", branch.child)):
        if name not in known:
            given.one_of(name, tuple(known), f"{end} of joint {branch.name!r}")
    if branch.child in found:
        other = found[branch.child]
        raise LinkwiseError(
            f"Link {branch.child!r} is carried by two joints",
            given=f"{branch.name!r}, and {other.name!r} in line {other.line}",
            expected="a tree, in which every link has one parent",
            mend="leave out one of them: loops cannot be told in URDF",
        )
    return True


def _refuse_roots(roots: Sequence[Body]) -> None:
    raise LinkwiseError(
        "There is more than one root",
        given=", ".join(f"{body.name!r} in line {body.line}" for body in roots[:5]) + ", …" * (len(roots) > 5),
        expected="one link that no joint has for a child",
        mend="connect the others by joints",
    )


def _refuse_circle(name: str, carriers: Mapping[str, Branch]) -> None:
    path = [name]
    while (parent := carriers[path[-1]].parent) not in path:
        path.append(parent)
    raise LinkwiseError(
        "Links carry each other in a circle",
        given=given.listed(map(repr, [*path[path.index(parent) :], parent]), " is carried by "),
        expected="a tree with one root",
        mend="let one of these joints have another parent",
    )


def _climbed(roots: Sequence[str], branches: Iterable[Branch]) -> dict[str, None]:
    """The names of the links from the roots on, depth first."""
    carried: dict[str, list[str]] = {}
    for branch in branches:
        carried.setdefault(branch.parent, []).append(branch.child)
    order: dict[str, None] = {}
    waiting = list(reversed(roots))
    while waiting:
        name = waiting.pop()
        order[name] = None
        waiting.extend(reversed(carried.get(name, ())))
    return order


def _led(branches: Mapping[str, Branch], findings: Findings) -> dict[str, Branch]:
    """The joints; those that mimic one that cannot lead them, which is an error each, move by themselves."""
    joints = {name: branch.joint for name, branch in branches.items()}
    led: set[str] = set()
    for name, branch in branches.items():
        findings.tried(branch.mimic_line, None, check_led, name, joints, led)
        if name not in led:
            joints[name] = replace(branch.joint, mimic=None)
    return {name: replace(branch, joint=joints[name]) for name, branch in branches.items()}
