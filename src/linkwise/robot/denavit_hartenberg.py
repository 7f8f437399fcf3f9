"""Serial robots as tables of Denavit–Hartenberg parameters, in the conventions of the literature, and back.

A row is (a, alpha, b, theta). With X(α, a) the screw along x and Z(θ, b) the screw along z:

==============  =====================  ==========================================================================
convention      from frame to frame    mass properties of link i
==============  =====================  ==========================================================================
``modified``    X(α, a) Z(θ, b)        in frame i, which has joint i's axis as z; a, α are those before the joint
``standard``    Z(θ, b) X(α, a)        in frame i, at the far end of the link; a, α are those after the joint
``saha``        Z(θ, b) X(α, a)        as ``standard``, but r leads from the centre of mass to the frame's origin
``angeles-ma``  X(α, a) Z(θ, -b)       as ``modified``
==============  =====================  ==========================================================================

The joint variable is always the turn about +z or the displacement along +z (in ``angeles-ma`` that is -b).
The link frames of the robot are those on the joints' axes, as in ``modified``; the far frame of the last link is
where its tip is. Any two lines have a common normal, so that any displacement is Z X Z, a screw along the first
line, one along the normal, one along the second: with it the frames of any chain slide and turn into place.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any

from ..algebra import X_AXIS, Z_AXIS, ZERO, Placement, Rotation, Scalar, Screw, Sym, Turn, Vec
from ..errors import LinkwiseError
from . import given
from .angles import angle_of, screw
from .joint import IN_PLACE, NO_DRIVE, NO_LIMITS, Joint, Limits
from .listing import table
from .model import BASE, STANDARD_GRAVITY, Link, Robot
from .skeleton import Bone, skeleton

Row = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Convention:
    """What a table's numbers mean."""

    far: bool
    """Whether a and α lead on from the row's own joint, and mass properties are told in that far frame."""
    offset_sign: float
    """The sign of b along +z."""
    com_sign: float
    """The sign of the centre of mass, seen from the frame's origin."""


CONVENTIONS = {
    "modified": Convention(far=False, offset_sign=1.0, com_sign=1.0),
    "standard": Convention(far=True, offset_sign=1.0, com_sign=1.0),
    "saha": Convention(far=True, offset_sign=1.0, com_sign=-1.0),
    "angeles-ma": Convention(far=False, offset_sign=-1.0, com_sign=1.0),
}

LETTERS = {"R": "revolute", "P": "prismatic"}


@dataclass(frozen=True, repr=False)
class DHTable:
    """The arguments of `Robot.from_dh`, settled: what is left out is filled in. `Robot.from_dh(**table)` takes it."""

    rows: Sequence[Sequence[float]]
    convention: str
    joints: str = ""
    masses: Sequence[Scalar] = ()
    coms: Sequence[Any] = ()
    inertias: Sequence[Any] = ()
    name: str = "robot"
    gravity: Any = STANDARD_GRAVITY
    link_names: Sequence[str] = ()
    joint_names: Sequence[str] = ()
    limits: Sequence[Limits] = ()
    base: Placement = IN_PLACE
    """Where the first frame of the table sits in the robot's base."""
    tip: Placement = IN_PLACE
    """Where the tip sits in the last frame of the table."""
    source: str = ""
    notes: Sequence[str] = ()
    configurations: Any = ()

    def __post_init__(self) -> None:
        rows = given.sequence(self.rows, None, "rows")
        n = len(rows)
        numbers = range(1, n + 1)
        settled = {
            "rows": tuple(_row(row, i) for i, row in enumerate(rows, 1)),
            "convention": given.one_of(self.convention, tuple(CONVENTIONS), "convention"),
            "joints": _letters(self.joints, n),
            "masses": _one_each(self.masses, "masses", [0.0] * n),
            "coms": tuple(given.vector(c, f"com {i}") for i, c in self._numbered("coms", ZERO)),
            "inertias": tuple(given.tensor(t, f"inertia {i}") for i, t in self._numbered("inertias", (0, 0, 0))),
            "link_names": _one_each(self.link_names, "link_names", [f"link{i}" for i in numbers]),
            "joint_names": _one_each(self.joint_names, "joint_names", [f"joint{i}" for i in numbers]),
            "limits": _one_each(self.limits, "limits", [NO_LIMITS] * n),
            "base": given.placement(self.base, "the base"),
            "tip": given.placement(self.tip, "the tip"),
            "notes": given.sequence(self.notes, None, "the notes"),
        }
        given.settle(self, **settled)

    def _numbered(self, field: str, missing: Any) -> Iterator[tuple[int, Any]]:
        return enumerate(_one_each(getattr(self, field), field, [missing] * len(self.rows)), 1)

    def keys(self) -> tuple[str, ...]:
        return tuple(f.name for f in fields(self))

    def __getitem__(self, key: str) -> Any:
        return getattr(self, key)

    def __repr__(self) -> str:
        rows = [
            (i, letter, a, math.degrees(alpha), b, math.degrees(theta), mass, tuple(com))
            for i, (letter, (a, alpha, b, theta), mass, com) in enumerate(
                zip(self.joints, self.rows, self.masses, self.coms, strict=True), 1
            )
        ]
        head = f"DH table of {self.name!r}, convention {self.convention!r}; lengths in metres"
        return head + "\n" + table(("#", "joint", "a", "alpha (deg)", "b", "theta (deg)", "mass", "com"), rows)


def _row(row: Any, i: int) -> tuple[float, ...]:
    entries = given.sequence(row, (4,), f"row {i} (a, alpha, b, theta)")
    return tuple(
        given.real(x, f"{name} of row {i}") for name, x in zip(("a", "alpha", "b", "theta"), entries, strict=True)
    )


def _letters(joints: Any, n: int) -> str:
    word = joints or "R" * n
    if not isinstance(word, str) or len(word) != n or set(word) - set(LETTERS):
        raise LinkwiseError(
            "The joints do not fit the rows",
            given=repr(joints),
            expected=f"a word of {n} letters, R for revolute or P for prismatic: one a row",
            mend=f'write for example joints="{"R" * n}"',
        )
    return word


def _one_each(items: Any, what: str, missing: Sequence[Any]) -> tuple[Any, ...]:
    """One item a row; if none is given at all, those that stand for it."""
    return given.sequence(items, (len(missing), 0), what) or tuple(missing)


# From a table to a robot


def robot_of(dh: DHTable) -> Robot:
    """The robot that a table describes."""
    rule = CONVENTIONS[dh.convention]
    normals = [screw("x", alpha, a) for a, alpha, _, _ in dh.rows]
    before = [Placement((x,)) for x in normals]
    beyond = [IN_PLACE] * len(before)
    if rule.far:
        before, beyond = [IN_PLACE, *before][: len(before)], before
    links = tuple(_link(dh, i, rule, *around) for i, around in enumerate(zip(before, beyond, strict=True)))
    return Robot(
        name=dh.name,
        links=links,
        gravity=dh.gravity,
        tip=beyond[-1].then(dh.tip) if beyond else dh.tip,
        source=dh.source,
        notes=tuple(dh.notes),
        configurations=dh.configurations,
    )


def _link(dh: DHTable, i: int, rule: Convention, before: Placement, beyond: Placement) -> Link:
    _, _, b, theta = dh.rows[i]
    placement = before.then(Placement((screw("z", theta, rule.offset_sign * b),)))
    return Link(
        name=dh.link_names[i],
        parent=i - 1,
        joint=Joint(
            dh.joint_names[i],
            LETTERS[dh.joints[i]],
            dh.base.then(placement) if i == 0 else placement,
            limits=dh.limits[i],
        ),
        mass=dh.masses[i],
        com=beyond.position + (beyond.rotation @ (dh.coms[i] * rule.com_sign)),
        inertia=beyond.rotation.matrix.similar(dh.inertias[i]),
    )


# From a robot to a table

PARALLEL = 1e-14
"""Below this sine two axes are parallel but for rounding."""
FARTHEST = 1e3
"""How many times the robot's size a common normal may be away before too many digits are lost there."""


def table_of(robot: Robot, convention: str) -> DHTable:
    """The robot as a table, or an error that names the link and why there is none."""
    rule = CONVENTIONS[given.one_of(convention, tuple(CONVENTIONS), "convention")]
    _refuse_what_has_no_table(robot)
    bones = skeleton(robot).bones
    normals = _common_normals(bones)
    end, tip = _end(bones[-1].own_frame.then(robot.tip), rule)
    rows, coms, inertias = zip(
        *(_row_of(*around, rule) for around in zip(bones, normals, (*normals[1:], end), strict=True)), strict=True
    )
    return DHTable(
        rows=rows,
        convention=convention,
        joints="".join("P" if bone.prismatic else "R" for bone in bones),
        masses=tuple(bone.mass for bone in bones),
        coms=coms,
        inertias=inertias,
        name=robot.name,
        gravity=robot.gravity,
        link_names=robot.link_names,
        joint_names=robot.joint_names,
        limits=tuple(joint.limits for joint in robot.joints),
        base=_start(normals[0], rule),
        tip=tip,
        source=robot.source,
        notes=robot.notes,
        configurations=robot.configurations,
    )


@dataclass(frozen=True, slots=True)
class CommonNormal:
    """A displacement as Z(γ, δ) X(α, a) Z(φ, ε): along one axis, along the normal, along the other axis."""

    γ: float
    δ: float
    α: float
    a: float
    φ: float
    ε: float


def common_normal(R: Rotation, p: Vec, size: float) -> CommonNormal:
    """The common normal from the z axis to the z axis of a frame at R, p: the one whose x is nearest the old x.

    Of the normals of parallel axes it is the one through the first frame's origin.
    """
    x, u = R @ X_AXIS, R @ Z_AXIS
    sine, apart = math.hypot(u.x, u.y), math.hypot(p.x, p.y)
    parallel = sine <= PARALLEL
    if parallel:
        u = Vec(0.0, 0.0, math.copysign(1.0, u.z))
        n = Vec(p.x / apart, p.y / apart, 0.0) if apart > PARALLEL * size else X_AXIS
    else:
        n = Vec(-u.y / sine, u.x / sine, 0.0)
    n = -n if n.x < 0.0 else n
    across = Z_AXIS.cross(n)
    ε = p.z * u.z if parallel else p.dot(across) / u.dot(across)
    return CommonNormal(
        γ=angle_of(Turn("z", n.x, n.y)),
        δ=0.0 if parallel else p.z - ε * u.z,
        α=angle_of(Turn("x", u.z, -u.dot(across))),
        a=p.dot(n),
        φ=angle_of(Turn("z", x.dot(n), x.dot(u.cross(n)))),
        ε=ε,
    )


def _common_normals(bones: Sequence[Bone]) -> list[CommonNormal]:
    """The common normals before the joints, each from the axis (or the base) before."""
    size = sum(math.hypot(*bone.offset, bone.slide) for bone in bones)
    normals = [common_normal(bone.before, bone.offset, size) for bone in bones]
    for bone, normal in zip(bones, normals, strict=True):
        if math.hypot(normal.δ, normal.ε) > FARTHEST * size:
            raise LinkwiseError(
                f"Link {bone.name!r} has no Denavit–Hartenberg row that keeps its digits",
                given=f"a joint axis {abs(math.sin(normal.α)):.3g} rad off parallel to the axis before",
                expected=f"axes that are parallel, or whose common normal is within {FARTHEST:g} times the robot's"
                f" size, not {math.hypot(normal.δ, normal.ε):.3g} m away",
                mend="make the axes exactly parallel, if they are meant to be; otherwise keep the robot as it is",
            )
    return normals


def _row_of(bone: Bone, normal: CommonNormal, after: CommonNormal, rule: Convention) -> tuple[Row, Vec, Sym]:
    """The row, centre of mass and inertia of a body whose frame moves along its axis to the normal after it."""
    frame = Placement((screw("z", after.γ, after.δ),))
    if rule.far:
        frame = frame.then(Placement((screw("x", after.α, after.a),)))
    across = after if rule.far else normal
    b = normal.ε + bone.slide + after.δ
    theta = _within_a_turn(normal.φ + angle_of(bone.zero) + after.γ)
    back = frame.rotation.T
    com = (back @ (bone.com - frame.position)) * rule.com_sign
    return (across.a, across.α, rule.offset_sign * b, theta), com, back.matrix.similar(bone.inertia)


def _start(normal: CommonNormal, rule: Convention) -> Placement:
    """What of the way from the base to the first axis no row can tell."""
    screws = [screw("z", normal.γ, normal.δ), *([screw("x", normal.α, normal.a)] if rule.far else [])]
    return Placement(tuple(s for s in screws if s != screw(s.turn.axis, 0.0, 0.0)))


def _end(tip: Placement, rule: Convention) -> tuple[CommonNormal, Placement]:
    """The screw along x that the last row can tell of the tip's placement, and what is left of it."""
    first = tip.factors[0] if tip.factors else None
    if rule.far and isinstance(first, Screw) and first.turn.axis == "x":
        return CommonNormal(0.0, 0.0, angle_of(first.turn), first.slide, 0.0, 0.0), Placement(tip.factors[1:])
    return CommonNormal(0.0, 0.0, 0.0, 0.0, 0.0, 0.0), tip


def _within_a_turn(angle: float) -> float:
    return angle if -math.pi < angle <= math.pi else math.remainder(angle, 2.0 * math.pi)


def _refuse_what_has_no_table(robot: Robot) -> None:
    for i, link in enumerate(robot.links):
        if link.parent != i - 1:
            carrier = "the base" if link.parent == BASE else f"link {robot.links[link.parent].name!r}"
            raise _no_table(link, f"it branches off from {carrier}", "a chain, in which every link carries the next")
        if link.joint.type not in LETTERS.values():
            raise _no_table(link, f"its joint is {link.joint.type}", "revolute and prismatic joints only")
        if link.joint.mimic or link.joint.drive != NO_DRIVE:
            raise _no_table(link, "its joint mimics another or has a drive", "joints of their own without drives")
        if not all(isinstance(x, float) for x in _scalars(link)):
            raise _no_table(link, "it has symbols in the place of numbers", "numbers")


def _scalars(link: Link) -> Iterator[Scalar]:
    yield from (link.mass, *link.com, *link.inertia.entries, *link.joint.axis)
    for step in link.joint.placement.factors:
        yield from step.position
        yield from (
            (step.turn.c, step.turn.s) if isinstance(step, Screw) else (*step.matrix.x, *step.matrix.y, *step.matrix.z)
        )


def _no_table(link: Link, reason: str, expected: str) -> LinkwiseError:
    return LinkwiseError(
        f"Link {link.name!r} has no row in a Denavit–Hartenberg table",
        given=reason,
        expected=expected,
        mend="keep the robot as it is, or give a robot without this link (a fixed link's mass goes to its parent)",
    )
