"""Whether two robots are the same machine in joint space, and if not, where they first differ.

Frames, names and the way of telling a robot do not matter, nor does what no joint feels; what counts are the
functions. Joint forces follow from the mass matrix M(q), whose derivatives give the terms of the velocities, from the
weight g(q), and from what drives lose. The entries of M and g are polynomials in slides, in the sines and cosines of
angles and in the entries of rotations: two of them are equal everywhere, or else nowhere but on a set without volume.
So random poses tell.

Where the functions differ, it is asked whether other masses on the axes of the first robot would make them equal. If
not, the axes lie differently, or gravity does; otherwise the masses differ, which is told in base parameters.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import LinkwiseError
from . import given
from .felt import Array, Still, at_rest, mass_matrix_and_weight
from .identified import PARAMETERS, base_parameters, misfit, of_falls, of_rates, solved
from .joint import NO_LIMITS
from .model import BASE, Robot, movers
from .skeleton import Skeleton, skeleton
from .symbols import symbols_of

SEED, POSES = 20, 8

MOST = 120
"""Bodies of a robot whose masses are looked for: the work grows with their cube."""

DIGITS = 1e-3
"""Of the tolerance: what an axis or a mass has of a difference may be less than what the joints feel of it."""

SHARE = 1e-2
"""Of the largest difference between base parameters, in what is felt of them: those that are smaller are its echo."""


@dataclass(frozen=True)
class Comparison:
    """Whether two robots are the same machine, which is also its truth value, and if not, where they first differ."""

    names: tuple[str, str]
    what: str = ""
    """In what they differ; empty if they are the same."""
    values: tuple[Any, ...] = ()
    """What that is in the one and in the other."""
    unit: str = ""
    about: str = ""
    """The link or the joint that it is about, as the first robot calls it: "link 'a'"."""
    q: tuple[float, ...] = field(default=(), repr=False)
    """The positions at which it was found, where it depends on them."""

    def __bool__(self) -> bool:
        return not self.what

    def __str__(self) -> str:
        one, other = map(repr, self.names)
        if self:
            return f"{one} and {other} are the same machine"
        first, second = (f"{value} {self.unit}".rstrip() for value in _shown(*self.values))
        return f"{one} and {other} differ in {self.what}: {first} and {second}"


def _shown(one: Any, other: Any) -> tuple[str, str]:
    """Numbers to as many digits as it takes to see that they are not equal, and some more.

    >>> _shown(1 / 3, 0.33333334), _shown("a turn", "a slide")
    (('0.3333333333', '0.33333334'), ('a turn', 'a slide'))
    """
    for digits in range(4, 18):
        if isinstance(one, float) and f"{one:.{digits}g}" != f"{other:.{digits}g}":
            return f"{one + 0.0:.{digits + 2}g}", f"{other + 0.0:.{digits + 2}g}"
    return str(one), str(other)


def compared(one: Robot, other: Robot, rtol: float) -> Comparison:
    """The first difference that there is, or none."""
    given.instance(other, Robot, "what the robot is compared with")
    _check_tolerance(given.real(rtol, "rtol"))
    for robot in (one, other):
        _refuse_symbols(robot)
    named = Comparison((one.name, other.name))
    found = next(_of_description(one, other, rtol), None)
    if found is None and one.nv:
        pair = _Pair.at(one, other, POSES, rtol)
        found = None if pair.agree else next(_of_functions(pair))
    if found is None:
        return named
    return replace(next(_of_order(one, other), found), names=named.names)


def _check_tolerance(rtol: float) -> None:
    if not 0.0 < rtol < 1.0:
        raise LinkwiseError(
            "rtol is no tolerance", given=repr(rtol), expected="a number between 0 and 1", mend="leave it out for 1e-9"
        )


def _refuse_symbols(robot: Robot) -> None:
    symbols = symbols_of(robot)
    if symbols:
        raise LinkwiseError(
            f"{robot.name!r} has symbols in the place of numbers",
            given=", ".join(symbol.name for symbol in symbols[:5]),
            expected="numbers",
            mend="put numbers in the place of its symbols",
        )


# What the descriptions tell


def _of_order(one: Robot, other: Robot) -> Iterator[Comparison]:
    """Of robots that differ, and have joints of the same names: whether these stand in another order."""
    names = one.velocity_names, other.velocity_names
    if names[0] != names[1] and sorted(names[0]) == sorted(names[1]):
        number = next(i for i, (a, b) in enumerate(zip(*names, strict=True)) if a != b)
        yield _told(f"the order of their joints, of which number {number + 1} is", names[0][number], names[1][number])


def _of_description(one: Robot, other: Robot, rtol: float) -> Iterator[Comparison]:
    names, words = one.velocity_names, (_words(one), _words(other))
    if len(words[0]) != len(words[1]):
        yield _told("how many velocities they have", len(words[0]), len(words[1]))
        return
    for i, (kind, another) in enumerate(zip(*words, strict=True)):
        if kind != another:
            yield _told(f"what coordinate {names[i]!r} is", kind, another, about=_joint(one, i))
            return
    ours, theirs = (_losses(skeleton(robot), robot.nv) for robot in (one, other))
    for effect in ours:
        for i, (a, b) in enumerate(zip(ours[effect].tolist(), theirs[effect].tolist(), strict=True)):
            if abs(a - b) > rtol * max(abs(a), abs(b)):
                yield _told(f"the {effect} of {names[i]!r}", a, b, about=_joint(one, i))


def _told(what: str, one: Any, other: Any, unit: str = "", **more: Any) -> Comparison:
    return Comparison(("", ""), what, (one, other), unit, **more)


def _joint(robot: Robot, i: int) -> str:
    """The joint that a velocity belongs to."""
    return f"joint {movers(robot)[i].name!r}"


def _words(robot: Robot) -> list[str]:
    """What each coordinate is, whatever joint it belongs to."""
    return [
        f"of a {joint.type} joint" if joint.kind.has_quaternion else {"P": "a slide"}.get(motion, "a turn")
        for joint in robot.joints
        for motion in joint.kind.motions
    ]


def _losses(robot: Skeleton, nv: int) -> dict[str, Array]:
    """What drives take at unit rates, and what no mass can stand for.

    That is armature about the axes of a ball, which has no gyroscopic moments: where it is the same about all, neither
    has matter.
    """
    lost = {effect: np.zeros(nv) for effect in ("damping", "friction", "armature beyond its mean")}
    for bone in robot.bones:
        at, by = bone.rate.index, bone.rate.multiplier
        lost["damping"][at] += by * by * bone.damping
        lost["friction"][at] += abs(by) * bone.friction
    for first, _ in robot.mounts:
        turns = robot.bones[first : first + 3]
        mean = sum(bone.rotor for bone in turns) / 3.0
        for bone in turns:
            uneven = any(other.rotor != bone.rotor for other in turns)
            lost["armature beyond its mean"][bone.rate.index] = bone.rotor - mean if uneven else 0.0
    return lost


# What the functions tell


class _Side:
    """A robot in several poses."""

    def __init__(self, robot: Robot, poses: Array) -> None:
        self.robot, self.bones = robot, skeleton(robot)
        self.stills = [at_rest(self.bones, q, robot.nv) for q in poses.tolist()]
        felt = [mass_matrix_and_weight(self.bones, still, robot.nv) for still in self.stills]
        self.M, self.weight = np.array([M for M, _ in felt]), np.array([weight for _, weight in felt])
        if not (np.isfinite(self.M).all() and np.isfinite(self.weight).all()):
            raise _beyond_floats(robot)

    @property
    def own(self) -> list[int]:
        """For each velocity the body whose axis it turns or slides along, and that follows no other."""
        moving = {link.name for link in self.robot.links if link.joint.nv}
        return [bone.index for bone in self.bones.bones if bone.name in moving]

    @property
    def armed(self) -> NDArray[np.bool_]:
        """For each velocity whether it has armature or a rotor."""
        armed = np.zeros(self.robot.nv, bool)
        for bone in self.bones.bones:
            armed[bone.rate.index] |= bone.rotor != 0.0
        return armed

    @property
    def heaviness(self) -> float:
        return math.hypot(*self.bones.gravity) * math.sqrt(sum(abs(bone.mass) for bone in self.bones.bones))


def _beyond_floats(robot: Robot) -> LinkwiseError:
    return LinkwiseError(
        f"What the joints of {robot.name!r} feel is beyond every float",
        given="masses, moments or lengths whose products overflow",
        expected="those of a robot, in kilograms and metres",
        mend="look at it with robot.check(), or with `linkwise check`",
    )


@dataclass(frozen=True)
class _Pair:
    """Two robots in the same poses, and the units in which they are compared."""

    one: _Side
    other: _Side
    poses: Array
    rtol: float
    inertias: Array
    """For each velocity the root of the most inertia that it meets in any of the poses."""
    heaviness: float
    """What no weight is above in these units (by Cauchy and Schwarz)."""

    @classmethod
    def at(cls, one: Robot, other: Robot, count: int, rtol: float) -> _Pair:
        links = (replace(link, joint=replace(link.joint, limits=NO_LIMITS)) for link in one.links)
        poses = replace(one, links=tuple(links)).random(SEED, count)
        with np.errstate(over="ignore", invalid="ignore"):  # which is looked at
            sides = _Side(one, poses), _Side(other, poses)
        most = np.max([np.abs(np.diagonal(side.M, axis1=1, axis2=2)).max(axis=0) for side in sides], axis=0)
        inertias = np.sqrt(np.where(most > 0.0, most, most.max() or 1.0))
        return cls(*sides, poses, rtol, inertias, max(side.heaviness for side in sides) or 1.0)

    def scaled(self, side: _Side) -> tuple[Array, Array]:
        """Mass matrices and weights in units of the joints' own inertias."""
        return side.M / np.outer(self.inertias, self.inertias), side.weight / (self.inertias * self.heaviness)

    @property
    def agree(self) -> bool:
        pairs = zip(self.scaled(self.one), self.scaled(self.other), strict=True)
        return all(bool((np.abs(a - b) <= self.rtol).all()) for a, b in pairs)

    @property
    def q(self) -> tuple[float, ...]:
        return tuple(self.poses[0].tolist())

    @property
    def names(self) -> tuple[str, ...]:
        return self.one.robot.velocity_names


def _of_functions(pair: _Pair) -> Iterator[Comparison]:
    """What explains that the functions differ."""
    bodies = len(pair.one.bones.bones)
    if bodies <= MOST:
        enough = max(POSES, 20 * bodies // pair.one.robot.nv)
        wide = _Pair.at(pair.one.robot, pair.other.robot, enough, pair.rtol)
        momenta = _Fit.of_momenta(wide)
        both = momenta.with_rows_of(_Fit.of_weights(wide))
        if both.fits:
            yield both.of_masses(pair.one.bones)
        elif momenta.fits:
            yield from _of_gravity(pair)
        yield from _of_axes(pair)
    yield _of_entries(pair)


@dataclass(frozen=True)
class _Fit:
    """What the joints of both robots feel in all poses, with the first one's columns for masses to be found."""

    Y: Array
    one: Array
    other: Array
    tolerance: float

    @classmethod
    def of_momenta(cls, pair: _Pair) -> _Fit:
        rates = np.random.default_rng(SEED).normal(size=pair.poses.shape[:1] + pair.inertias.shape) / pair.inertias
        armed = pair.one.armed | pair.other.armed
        Y = [of_rates(*each, armed) / pair.inertias[:, None] for each in zip(pair.one.stills, rates, strict=True)]
        felt = [np.einsum("kij,kj->ki", side.M, rates) / pair.inertias for side in (pair.one, pair.other)]
        return cls(np.vstack(Y), felt[0].ravel(), felt[1].ravel(), DIGITS * pair.rtol)

    @classmethod
    def of_weights(cls, pair: _Pair) -> _Fit:
        unit, gravity = pair.inertias * pair.heaviness, pair.one.bones.gravity
        Y = [
            of_falls(still, [body.fall(gravity) for body in still], len(unit)) / unit[:, None]
            for still in pair.one.stills
        ]
        one, other = (pair.scaled(side)[1].ravel() for side in (pair.one, pair.other))
        return cls(np.vstack(Y), one, other, DIGITS * pair.rtol)

    def with_rows_of(self, more: _Fit) -> _Fit:
        one, other = np.append(self.one, more.one), np.append(self.other, more.other)
        return _Fit(np.vstack([self.Y, more.Y]), one, other, self.tolerance)

    @property
    def fits(self) -> bool:
        """Whether there are masses with which the joints of the first would feel what those of the other do."""
        return misfit(self.Y, self.other) <= max(self.tolerance, 1e-12)

    def of_masses(self, bones: Skeleton) -> Comparison:
        """Of the base parameters that differ, the one that is felt most, of the last body that has any."""
        base = base_parameters(self.Y)
        columns = self.Y[:, base]
        values = solved(columns, np.stack([self.one, self.other], axis=1))
        felt = np.abs(values[:, 0] - values[:, 1]) * np.abs(columns).max(axis=0)
        bodies, kinds = np.divmod(base, len(PARAMETERS))
        last = bodies[felt > SHARE * felt.max()].max()
        most = int(np.argmax(np.where(bodies == last, felt, -1.0)))
        name, about = list(PARAMETERS)[int(kinds[most])], f"link {bones.bones[int(last)].name!r}"
        what = f"base parameter {name} of {about} (with what the joints after it do not feel)"
        return _told(what, *values[most].tolist(), unit=PARAMETERS[name], about=about)


def _of_axes(pair: _Pair) -> Iterator[Comparison]:
    """How two axes lie to each other, those that carry each other directly first."""
    one, other = pair.one.stills[0], pair.other.stills[0]
    size = max(float(np.linalg.norm(body.p - one[0].p)) for body in one) or 1.0
    for i, j in _carried(pair.one):
        bodies = [(still[side.own[i]], still[side.own[j]]) for side, still in ((pair.one, one), (pair.other, other))]
        axes = f"the axis of {pair.names[i]!r} to that of {pair.names[j]!r}"
        where = {"about": _joint(pair.one.robot, j), "q": pair.q}
        for what, unit, scale, measure in (("angle", "rad", 1.0, _angle), ("step", "m", size, _step)):
            a, b = (measure(*two) for two in bodies)
            if abs(a - b) > DIGITS * pair.rtol * scale + 1e-12:
                yield _told(f"the {what} from {axes}", a, b, unit, **where)


def _carried(side: _Side) -> list[tuple[int, int]]:
    """Velocities in pairs, of which the one's axis carries the other's: the nearest first."""
    number = {index: i for i, index in enumerate(side.own)}
    pairs: list[tuple[int, int, int]] = []
    for j, index in enumerate(side.own):
        steps, above = 1, side.bones.bones[index].parent
        while above != BASE:
            if above in number:
                pairs.append((steps, number[above], j))
            steps, above = steps + 1, side.bones.bones[above].parent
    return [(i, j) for _, i, j in sorted(pairs)]


def _angle(one: Still, other: Still) -> float:
    return _between(one.axis, other.axis)


def _between(u: Array, v: Array) -> float:
    return math.atan2(float(np.linalg.norm(np.cross(u, v))), float(u @ v))


def _step(one: Still, other: Still) -> float:
    """Along the common normal in the direction of the cross product of the two; nought to a slide, which is nowhere."""
    if one.body.prismatic or other.body.prismatic:
        return 0.0
    way, normal = other.p - one.p, np.cross(one.axis, other.axis)
    sine = float(np.linalg.norm(normal))
    return float(way @ normal) / sine if sine > 1e-6 else float(np.linalg.norm(np.cross(one.axis, way)))


def _of_gravity(pair: _Pair) -> Iterator[Comparison]:
    sides = pair.one, pair.other
    pulls = [np.array(list(side.bones.gravity)) for side in sides]
    a, b = (float(np.linalg.norm(pull)) for pull in pulls)
    if abs(a - b) > pair.rtol * max(a, b):
        yield _told("gravity", a, b, "m/s²")
    for i, name in enumerate(pair.names):
        a, b = (_between(side.stills[0][side.own[i]].axis, pull) for side, pull in zip(sides, pulls, strict=True))
        if abs(a - b) > DIGITS * pair.rtol + 1e-12:
            what = f"the angle between gravity and the axis of {name!r}"
            yield _told(what, a, b, "rad", about=_joint(pair.one.robot, i), q=pair.q)


def _of_entries(pair: _Pair) -> Comparison:
    """The entry of the mass matrix or of the weight that is farthest apart."""
    (M, weight), (M2, weight2) = pair.scaled(pair.one), pair.scaled(pair.other)
    gaps, drops = np.abs(M - M2), np.abs(weight - weight2)
    if gaps.max() >= drops.max():
        pose, i, j = np.unravel_index(int(np.argmax(gaps)), gaps.shape)
        what, values = f"the mass matrix, for {pair.names[i]!r} and {pair.names[j]!r}", (pair.one.M, pair.other.M)
        at = (pose, i, j)
    else:
        pose, i = np.unravel_index(int(np.argmax(drops)), drops.shape)
        what, values, at = f"the weight on {pair.names[i]!r}", (pair.one.weight, pair.other.weight), (pose, i)
    a, b = (float(each[at]) for each in values)
    return _told(what, a, b, about=_joint(pair.one.robot, int(i)), q=tuple(pair.poses[pose].tolist()))
