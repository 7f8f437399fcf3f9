"""What a robot is: links, each with the joint that carries it, as frozen data."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..algebra import ZERO, ZERO_TENSOR, Motion, Placement, Scalar, Sym, Vec

BASE = -1

STANDARD_GRAVITY = Vec(0.0, 0.0, -9.81)


@dataclass(frozen=True, slots=True)
class JointType:
    """A kind of joint: how many numbers place it, and how many move it."""

    name: str
    nq: int
    nv: int
    turns: bool
    slides: bool


JOINT_TYPES = {
    kind.name: kind
    for kind in (
        JointType("revolute", 1, 1, turns=True, slides=False),
        JointType("prismatic", 1, 1, turns=False, slides=True),
        JointType("fixed", 0, 0, turns=False, slides=False),
    )
}


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of a joint; infinite where nothing is said."""

    lower: float = -float("inf")
    upper: float = float("inf")
    velocity: float = float("inf")
    effort: float = float("inf")


@dataclass(frozen=True, slots=True)
class Joint:
    """The joint that carries a link: where it sits in the parent link's frame, and how it moves.

    The link's frame is the joint's frame after the motion: `placement`, then a turn about or a slide along `axis`.
    """

    name: str
    type: str
    placement: Placement = Placement()
    axis: Vec = Vec(0.0, 0.0, 1.0)
    limits: Limits = Limits()

    @property
    def kind(self) -> JointType:
        return JOINT_TYPES[self.type]

    @property
    def nq(self) -> int:
        return self.kind.nq

    @property
    def nv(self) -> int:
        return self.kind.nv

    @property
    def subspace(self) -> tuple[Motion, ...]:
        """The motions that the joint allows, a column for each of its velocities, in the link's axes."""
        if self.kind.turns:
            return (Motion(self.axis, ZERO),)
        return (Motion(ZERO, self.axis),) if self.kind.slides else ()


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


@dataclass(frozen=True)
class Robot:
    """A tree of links, parents first, with the gravity that it stands in."""

    name: str
    links: tuple[Link, ...]
    gravity: Vec = STANDARD_GRAVITY
    tip: Placement = Placement()
    """Where the tip sits in the last link's frame."""
    source: str = ""
    notes: tuple[str, ...] = field(default=())

    @property
    def link_names(self) -> tuple[str, ...]:
        return tuple(link.name for link in self.links)

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


def children_of(parents: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """For each body, those that it carries."""
    carried: list[list[int]] = [[] for _ in parents]
    for i, parent in enumerate(parents):
        if parent != BASE:
            carried[parent].append(i)
    return tuple(tuple(c) for c in carried)


