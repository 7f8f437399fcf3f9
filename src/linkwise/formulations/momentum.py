"""A robot as one mass: its centre, momentum and energy. Any tree.

Only what moves is counted: links that are fixed to the ground have no part in it. Momenta are told in the world's
axes, linear before angular, about the centre of mass ("com") or the world's origin ("world").
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..algebra import NO_FORCE, RIGIDLY_AT_REST, ZERO, ZERO_TENSOR, Force, Inertia, Motion, Scalar, Vec
from ..robot.model import BASE
from ..robot.skeleton import Body, Skeleton
from ..sweep import Bodies, each, inward, outward
from .articulated_body import velocity
from .composite_body import inertia_to_parent, unit_acceleration
from .kinematics import Pose, in_rows, poses
from .newton_euler import to_parent

Scalars = Sequence[Scalar]
Rows = list[list[Scalar]]

NOTHING = Inertia(0.0, ZERO, ZERO_TENSOR)


def com(robot: Skeleton, q: Scalars, fn: Any) -> list[Scalar]:
    """The centre of mass, in the world."""
    links = robot.at(q, fn)
    return list(centre(whole(robot, links, composites(links))))


def com_jacobian(robot: Skeleton, q: Scalars, fn: Any) -> Rows:
    """J with J q̇ the velocity of the centre of mass: the momentum by unit rates, a unit of mass at a time."""
    links = robot.at(q, fn)
    composite = composites(links)
    share = 1.0 / whole(robot, links, composite).mass
    return [[p * share for p in row] for row in momenta(robot, links, composite, ZERO)[:3]]


def momentum(robot: Skeleton, q: Scalars, q̇: Scalars, fn: Any, reference: str) -> Force:
    """That of all links together: the wrench that would stop them within a unit of time."""
    links = robot.at(q, fn)
    own = each(links, own_momentum, outward(links, velocity, RIGIDLY_AT_REST, q̇))
    total = at_base(links, to_parent, inward(links, to_parent, own), NO_FORCE)
    in_world = total.turned(robot.base.rotation).at(robot.base.position)
    return in_world.at(-pole(robot, links, composites(links), reference))


def momentum_matrix(robot: Skeleton, q: Scalars, fn: Any, reference: str) -> Rows:
    """A with A q̇ the momentum."""
    links = robot.at(q, fn)
    composite = composites(links)
    return momenta(robot, links, composite, pole(robot, links, composite, reference))


def kinetic_energy(robot: Skeleton, q: Scalars, q̇: Scalars, fn: Any) -> Scalar:
    """½ q̇ᵀ M q̇, rotors included."""
    links = robot.at(q, fn)
    v = outward(links, velocity, RIGIDLY_AT_REST, q̇)
    twice = [h.dot(v_i) for h, v_i in zip(each(links, own_momentum, v), v, strict=True)]
    spun = [link.rotor * (rate * rate) for link, rate in zip(links, q̇, strict=True) if link.rotor != 0.0]
    return 0.5 * sum([*twice[1:], *spun], twice[0])


def potential_energy(robot: Skeleton, q: Scalars, fn: Any) -> Scalar:
    """-Σ m g·r, which is nought where the centre of mass is level with the world's origin."""
    links = robot.at(q, fn)
    return -(robot.base.rotation @ robot.gravity).dot(whole(robot, links, composites(links)).moment)


def composites(links: Bodies) -> list[Inertia]:
    """Each body with all beyond it, as one."""
    return inward(links, inertia_to_parent, [link.spatial_inertia for link in links])


def whole(robot: Skeleton, links: Bodies, composite: Sequence[Inertia]) -> Inertia:
    """All that moves as one body, in the world."""
    return at_base(links, inertia_to_parent, composite, NOTHING).turned(robot.base.rotation).at(robot.base.position)


def at_base(links: Bodies, to_parent: Callable[..., Any], totals: Sequence[Any], nothing: Any) -> Any:
    """What the bodies that the base carries bring to it."""
    return sum((to_parent(link, x) for link, x in zip(links, totals, strict=True) if link.parent == BASE), nothing)


def centre(body: Inertia) -> Vec:
    return body.moment * (1.0 / body.mass)


def pole(robot: Skeleton, links: Bodies, composite: Sequence[Inertia], reference: str) -> Vec:
    """The point that moments of momentum are told about."""
    return ZERO if reference == "world" else centre(whole(robot, links, composite))


def own_momentum(link: Body, v: Motion) -> Force:
    return link.spatial_inertia @ v


def momenta(robot: Skeleton, links: Bodies, composite: Sequence[Inertia], about: Vec) -> Rows:
    """A column a joint: the momentum of all beyond it that its unit rate gives."""
    columns = each(links, unit_acceleration, composite)
    told = [seen(f, body, about) for f, body in zip(columns, poses(robot, links), strict=True)]
    return in_rows(robot, zip(links, told, strict=True))


def seen(momentum: Force, body: Pose, about: Vec) -> Force:
    """A body's momentum about its own origin, told in the world about a point."""
    return momentum.turned(body.R).at(body.p - about)
