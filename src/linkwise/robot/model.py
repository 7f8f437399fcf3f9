"""What a robot is: links, each with the joint that carries it, as frozen data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..algebra import ZERO, ZERO_TENSOR, Placement, Scalar, Sym, Vec
from ..errors import LinkwiseError
from . import given
from .joint import IN_PLACE, Joint, Limits
from .listing import shown, table
from .mimicry import check_mimics

if TYPE_CHECKING:
    from .check import Finding
    from .comparison import Comparison
    from .denavit_hartenberg import DHTable

BASE = -1

STANDARD_GRAVITY = Vec(0.0, 0.0, -9.81)


@dataclass(frozen=True, slots=True)
class Link:
    """A rigid body: its name, its parent's index (-1 for the base), its joint and its mass properties."""

    name: str
    parent: int
    joint: Joint
    mass: Scalar = 0.0
    com: Vec = ZERO
    inertia: Sym = ZERO_TENSOR
    """Second moments about the centre of mass, in the link's axes."""

    def __post_init__(self) -> None:
        given.name(self.name, "A link")
        given.instance(self.joint, Joint, f"the joint of link {self.name!r}")
        given.settle(self, parent=given.index(self.parent, f"the parent of link {self.name!r}"))
        given.settle(self, mass=given.number(self.mass, f"the mass of link {self.name!r}"))
        given.settle(self, com=given.vector(self.com, f"the centre of mass of link {self.name!r}"))
        given.settle(self, inertia=given.tensor(self.inertia, f"the inertia of link {self.name!r}"))


@dataclass(frozen=True, slots=True)
class Configuration:
    """A named pose: the positions of all joints, in the order of q."""

    name: str
    q: tuple[Scalar, ...]

    def __post_init__(self) -> None:
        given.name(self.name, "A configuration")
        what = f"a position of configuration {self.name!r}"
        given.settle(self, q=tuple(given.number(x, what) for x in given.sequence(self.q, None, "its positions")))


HOME = "home"
TIP = "tip"


@dataclass(frozen=True, repr=False)
class Robot:
    """A tree of links, parents first, with the gravity that it stands in."""

    name: str
    links: tuple[Link, ...]
    gravity: Vec = STANDARD_GRAVITY
    tip: Placement = IN_PLACE
    """Where the tip sits in the last link's frame."""
    source: str = ""
    notes: tuple[str, ...] = ()
    configurations: tuple[Configuration, ...] = ()

    def __post_init__(self) -> None:
        given.name(self.name, "A robot")
        links = given.sequence(self.links, None, "the links")
        given.settle(self, links=tuple(given.instance(link, Link, "a link") for link in links))
        given.settle(self, gravity=given.vector(self.gravity, "the gravity"))
        given.settle(self, tip=given.placement(self.tip, "the tip"))
        given.text(self.source, "the source")
        given.settle(self, notes=given.sequence(self.notes, None, "the notes"))
        for note in self.notes:
            given.text(note, "a note")
        given.settle(self, configurations=_configurations(self.configurations))
        _check_tree(self.links)
        _check_unique("links", self.link_names)
        _check_unique("joints", tuple(link.joint.name for link in self.links))
        _check_unique("configurations", tuple(c.name for c in self.configurations))
        check_mimics(self)
        for configuration in self.configurations:
            given.sequence(configuration.q, (self.nq,), f"configuration {configuration.name!r}")

    @classmethod
    def from_dh(
        cls,
        rows: Sequence[Sequence[float]],
        *,
        convention: str,
        joints: str = "",
        masses: Sequence[Scalar] = (),
        coms: Sequence[Any] = (),
        inertias: Sequence[Any] = (),
        name: str = "robot",
        gravity: Any = STANDARD_GRAVITY,
        link_names: Sequence[str] = (),
        joint_names: Sequence[str] = (),
        limits: Sequence[Limits] = (),
        base: Placement = IN_PLACE,
        tip: Placement = IN_PLACE,
        source: str = "",
        notes: Sequence[str] = (),
        configurations: Any = (),
    ) -> Robot:
        """A serial robot from rows (a, alpha, b, theta) of Denavit–Hartenberg parameters, in metres and radians.

        The entry of a joint's variable is its constant offset. What a, alpha, b, `coms` and `inertias` mean is told
        by the convention, see `linkwise.robot.denavit_hartenberg`. `joints` is a word of R and P, all R if left out.
        """
        from .denavit_hartenberg import DHTable, robot_of

        return robot_of(
            DHTable(
                rows, convention, joints, masses, coms, inertias, name, gravity,
                link_names, joint_names, limits, base, tip, source, notes, configurations,
            )
        )  # fmt: skip

    def to_dh(self, convention: str) -> DHTable:
        """This robot as Denavit–Hartenberg table, such that Robot.from_dh(**table) has the same dynamics."""
        from .denavit_hartenberg import table_of

        return table_of(self, convention)

    def to_toml(self) -> str:
        """The text of a file in TOML from which `linkwise.load` makes an equal robot, bit by bit.

        >>> from linkwise import load
        >>> load("planar-3r").to_toml().splitlines()[0]
        'name = "planar-3r"'
        """
        from .toml import write

        return write(self)

    def to_urdf(self, leave_out: Sequence[str] = ()) -> str:
        """The text of a URDF from which `linkwise.load` makes the same robot, or an error that names what URDF lacks.

        Of that, "gravity" that is not the standard one, "armature", "configurations" and the "order" of joints that
        do not stand branch after branch may be left out knowingly. Source and notes become comments.
        """
        from .urdf_writing import write

        return write(self, leave_out)

    @classmethod
    def generic(cls, joints: str, first_axis: str = "general") -> Robot:
        """A serial robot of R and P joints with a symbol for every constant."""
        from .symbols import generic

        return generic(joints, first_axis)

    def check(self) -> tuple[Finding, ...]:
        """What of the mass properties no body can have."""
        from .check import findings

        return findings(self)

    def same_dynamics(self, other: Robot, rtol: float = 1e-9) -> Comparison:
        """Whether another robot is the same machine, however it is described: true if so, and otherwise where not.

        It is, if its joints feel the same everywhere: its mass matrix to within rtol of the inertia that each joint
        meets at most, its weight likewise, its damping and friction. Coordinates are paired in the order of q; names,
        frames, limits and what stands still do not matter.

        >>> from linkwise import Robot, load
        >>> robot = load("planar-3r")
        >>> bool(robot.same_dynamics(Robot.from_dh(**robot.to_dh("modified"))))
        True
        """
        from .comparison import compared

        return compared(self, other, rtol)

    def with_free_base(self, name: str = "root_joint") -> Robot:
        """The same robot afloat: its base link on a free joint of this name, a new massless one if it has none.

        >>> from linkwise import load
        >>> load("planar-3r").with_free_base().nq
        10
        """
        from .afloat import afloat

        return afloat(self, name)

    def neutral(self) -> NDArray[np.float64]:
        """All joints at nought, quaternions at no rotation; where limits leave nought out, the nearest they allow."""
        from .manifold import neutral

        return neutral(self)

    def random(self, rng: np.random.Generator | int | None = None, size: int | tuple[int, ...] = ()) -> Any:
        """Random positions (*size, nq) within the limits; without any, angles in (-π, π) and lengths in (-1, 1)."""
        from .manifold import random

        return random(self, rng, size)

    def integrate(self, q: Any, v: Any, dt: Any = 1.0, base_velocity: str = "world_aligned") -> NDArray[np.float64]:
        """Where the robot is after a time dt at the constant velocity v (…, nv), from q (…, nq)."""
        from .manifold import integrate

        return integrate(self, q, v, dt, base_velocity)

    def difference(self, q1: Any, q0: Any, base_velocity: str = "world_aligned") -> NDArray[np.float64]:
        """The constant velocity (…, nv) that leads from q0 to q1 in a unit of time: integrate(q0, difference) is q1."""
        from .manifold import difference

        return difference(self, q1, q0, base_velocity)

    @property
    def position_names(self) -> tuple[str, ...]:
        """A name for every entry of q: the joint's, and which of its positions it is if it has several."""
        return tuple(name for joint in self.joints for name in _coordinates(joint, joint.kind.positions))

    @property
    def velocity_names(self) -> tuple[str, ...]:
        """A name for every entry of v, a and tau."""
        return tuple(name for joint in self.joints for name in _coordinates(joint, joint.kind.velocities))

    @property
    def link_names(self) -> tuple[str, ...]:
        return tuple(link.name for link in self.links)

    @property
    def frame_names(self) -> tuple[str, ...]:
        """What can be asked where it is: the links and, where the description has a tip beyond the last, "tip"."""
        has_tip = bool(self.links) and bool(self.tip.factors) and TIP not in self.link_names
        return (*self.link_names, TIP) if has_tip else self.link_names

    @property
    def joints(self) -> tuple[Joint, ...]:
        """The joints that move, in the order of q."""
        return tuple(link.joint for link in self.links if link.joint.nv)

    @property
    def joint_names(self) -> tuple[str, ...]:
        return tuple(joint.name for joint in self.joints)

    @property
    def nq(self) -> int:
        return sum(joint.nq for joint in self.joints)

    @property
    def nv(self) -> int:
        return sum(joint.nv for joint in self.joints)

    @property
    def is_chain(self) -> bool:
        """Whether every link carries the next one and no other."""
        return all(link.parent == i - 1 for i, link in enumerate(self.links))

    @property
    def home(self) -> tuple[Scalar, ...]:
        """The configuration of that name, or all joints at nought and quaternions at no rotation."""
        if any(c.name == HOME for c in self.configurations):
            return self.configuration(HOME)
        return tuple(float(name == "qw") for joint in self.joints for name in joint.kind.positions)

    def configuration(self, name: str) -> tuple[Scalar, ...]:
        """The joint positions of a named pose."""
        poses = {c.name: c.q for c in self.configurations}
        return poses[given.one_of(name, tuple(poses), f"configuration of {self.name}")]

    def __repr__(self) -> str:
        parents = ("", *self.link_names)
        rows = [
            (i, link.name, parents[link.parent + 1], link.joint.name, link.joint.type, link.mass)
            for i, link in enumerate(self.links)
        ]
        gravity = shown(tuple(self.gravity))
        head = f"Robot {self.name!r}: {len(rows)} links, nq = {self.nq}, nv = {self.nv}, gravity {gravity}"
        return head + "\n" + table(("#", "link", "parent", "joint", "type", "mass"), rows)

    def __str__(self) -> str:
        return "\n".join([repr(self), *filter(None, [self.source]), *self.notes])


def _coordinates(joint: Joint, names: tuple[str, ...]) -> tuple[str, ...]:
    return (joint.name,) if len(names) == 1 else tuple(f"{joint.name}.{name}" for name in names)


def _configurations(poses: Any) -> tuple[Configuration, ...]:
    if isinstance(poses, Mapping):
        return tuple(Configuration(name, q) for name, q in poses.items())  # pyright: ignore
    found = given.sequence(poses, None, "the configurations")
    return tuple(given.instance(pose, Configuration, "a configuration") for pose in found)


def _check_unique(what: str, names: tuple[str, ...]) -> None:
    twice = next((name for name, count in Counter(names).items() if count > 1), None)
    if twice is not None:
        raise LinkwiseError(
            f"Two {what} have one name", given=repr(twice), expected="a name of its own for each", mend="rename one"
        )


def _check_tree(links: tuple[Link, ...]) -> None:
    """Raise unless every link has the base or an earlier link as parent."""
    if not links:
        raise LinkwiseError("A robot without links", given="no link", expected="at least one", mend="give it a link")
    for i, link in enumerate(links):
        if not BASE <= link.parent < len(links):
            raise LinkwiseError(
                f"The parent of link {link.name!r} does not exist",
                given=repr(link.parent),
                expected=f"the index of a link, 0 to {i - 1}, or -1 for the base" if i else "-1, the base",
                mend="give the index of the link that carries it",
            )
    for i, link in enumerate(links):
        if link.parent >= i:
            raise _misplaced(links, i)


def _misplaced(links: tuple[Link, ...], start: int) -> LinkwiseError:
    """The error about a link that does not come after its parent: either a circle, or only the wrong order."""
    path = [start]
    while path[-1] != BASE and path[-1] not in path[:-1]:
        path.append(links[path[-1]].parent)
    if path[-1] == BASE:
        return LinkwiseError(
            f"Link {links[start].name!r} stands before its parent",
            given=f"parent {links[links[start].parent].name!r}, which comes later",
            expected="parents before their children",
            mend="put the parent first",
        )
    return LinkwiseError(
        "The parents of links go in a circle",
        given=" is carried by ".join(repr(links[i].name) for i in path),
        expected="a tree that stands on the base",
        mend="let one of these links be carried by the base (-1)",
    )


def movers(robot: Robot) -> tuple[Joint, ...]:
    """For every velocity, the joint that it belongs to."""
    return tuple(joint for joint in robot.joints for _ in range(joint.nv))


def children_of(parents: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """For each body, those that it carries."""
    carried: list[list[int]] = [[] for _ in parents]
    for i, parent in enumerate(parents):
        if parent != BASE:
            carried[parent].append(i)
    return tuple(tuple(c) for c in carried)
