"""A robot from a model that MuJoCo has compiled.

Coordinates are MuJoCo's own: q is qpos and v is qvel (with base_velocity="mujoco"), less the joints that an equality
couples to others. A body with several joints is as many links in a row, massless but for the last, which has the
body's name and frame.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..algebra import IDENTITY, ZERO, Mat, Placement, Rigid, Rotation, Vec, diagonal
from .finding import Finding
from .joint import IN_PLACE, JOINT_TYPES, NO_DRIVE, NO_LIMITS, Drive, Joint, JointType, Limits, Mimic
from .model import BASE, HOME, Configuration, Link, Robot
from .quaternions import exponential, to_matrix

mujoco: Any = import_module("mujoco")

Array = NDArray[np.float64]

FREE, BALL = int(mujoco.mjtJoint.mjJNT_FREE), int(mujoco.mjtJoint.mjJNT_BALL)
SLIDE, HINGE = int(mujoco.mjtJoint.mjJNT_SLIDE), int(mujoco.mjtJoint.mjJNT_HINGE)
ON_JOINTS = (int(mujoco.mjtTrn.mjTRN_JOINT), int(mujoco.mjtTrn.mjTRN_JOINTINPARENT))
COUPLING = int(mujoco.mjtEq.mjEQ_JOINT)
TYPES = {FREE: "free", BALL: "spherical", SLIDE: "prismatic", HINGE: "revolute"}

ROUNDING = 1e-15
"""Of the entries of a rotation by quarter turns that MuJoCo has from sines and cosines."""


def robot_of(model: Any) -> Robot:
    """The robot of an mjModel."""
    parts = _Parts.of(model)
    links: list[Link] = []
    last = {0: BASE}
    for body in range(1, model.nbody):
        links += _links(parts, body, last[model.body_parentid[body]], len(links))
        last[body] = len(links) - 1
    gravity = ZERO if _off(model, "GRAVITY") else Vec(*model.opt.gravity.tolist())
    name = model.names.split(b"\0", 1)[0].decode() or "robot"
    robot = Robot(name, tuple(links), gravity=gravity)
    return replace(robot, configurations=_poses(parts, robot))


@dataclass(frozen=True)
class _Parts:
    """A model with what has to be known of all its joints at once."""

    model: Any
    bodies: tuple[str, ...]
    joints: tuple[str, ...]
    mimics: dict[int, Mimic]
    armature: Array
    damping: Array
    friction: Array

    @classmethod
    def of(cls, model: Any) -> _Parts:
        joints = _names(model.joint, model.njnt, "joint")
        return cls(model, _names(model.body, model.nbody, "body"), joints, _mimics(model, joints), *_losses(model))


def _names(named: Any, count: int, kind: str) -> tuple[str, ...]:
    """The names in a model, and the kind with the index where there is none."""
    told = [named(i).name.strip() for i in range(count)]
    return tuple(name or _new(f"{kind}{i}", told) for i, name in enumerate(told))


def _new(name: str, taken: Sequence[str]) -> str:
    while name in taken:
        name += "'"
    return name


def _losses(model: Any) -> tuple[Array, Array, Array]:
    """Armature, damping and friction of every velocity, with what actuators add by their gears."""
    armature, damping, friction = model.dof_armature.copy(), model.dof_damping.copy(), model.dof_frictionloss.copy()
    for i, dof in _geared(model):
        ratio = model.actuator_gear[i, 0] ** 2
        armature[dof] += ratio * model.actuator_armature[i]
        damping[dof] += ratio * model.actuator_damping[i]
    if _off(model, "DAMPER", "PASSIVE"):
        damping[:] = 0.0
    if _off(model, "FRICTIONLOSS", "CONSTRAINT"):
        friction[:] = 0.0
    return armature, damping, friction


def _geared(model: Any) -> Iterator[tuple[int, int]]:
    """The actuators that work on a joint of one motion and may have inertia, with the index of its velocity."""
    for i in range(len(_field(model, "actuator_armature"))):
        joint = model.actuator_trnid[i, 0]
        if model.actuator_trntype[i] in ON_JOINTS and model.jnt_type[joint] in (SLIDE, HINGE):
            yield i, int(model.jnt_dofadr[joint])


def _off(model: Any, *names: str) -> bool:
    """Whether one of these is switched off; which there are to switch depends on MuJoCo's version."""
    return any(model.opt.disableflags & int(getattr(mujoco.mjtDisableBit, f"mjDSBL_{name}", 0)) for name in names)


def _field(model: Any, name: str) -> Array:
    """A field of the model, empty where MuJoCo's version does not know it."""
    return np.asarray(getattr(model, name, ()))


# Couplings


def _equalities(model: Any) -> Iterator[int]:
    """The constraints that hold."""
    if not _off(model, "EQUALITY", "CONSTRAINT"):
        yield from np.flatnonzero(model.eq_active0).tolist()


def _is_coupling(model: Any, i: int) -> bool:
    """Whether a constraint makes one joint a linear function of another, as the first such of that joint."""
    ours, theirs, higher = model.eq_obj1id[i], model.eq_obj2id[i], model.eq_data[i, 2:5]
    linear = model.eq_type[i] == COUPLING and theirs >= 0 and not higher.any()
    earlier = (j for j in _equalities(model) if j < i and model.eq_type[j] == model.eq_type[i])
    return bool(linear) and all(model.eq_obj1id[j] != ours for j in earlier)


def _mimics(model: Any, joints: Sequence[str]) -> dict[int, Mimic]:
    """For the joints that are coupled to others, how; MuJoCo tells it from the positions of the model's own pose."""
    mimics: dict[int, Mimic] = {}
    for i in filter(lambda i: _is_coupling(model, i), _equalities(model)):
        ours, theirs = int(model.eq_obj1id[i]), int(model.eq_obj2id[i])
        offset, multiplier = model.eq_data[i, :2].tolist()
        at, of = (model.qpos0[model.jnt_qposadr[j]].item() for j in (ours, theirs))
        mimics[ours] = Mimic(joints[theirs], multiplier, at + offset - multiplier * of)
    return mimics


# Bodies and joints


def _links(parts: _Parts, body: int, parent: int, index: int) -> Iterator[Link]:
    """The links of a body, of which the first has this index."""
    model, name = parts.model, parts.bodies[body]
    *between, joint = _chain(parts, body)
    for made in between:
        yield Link(_new(f"{name}/{made.name}", parts.bodies), parent, made)
        parent, index = index, index + 1
    axes = _rotation(model.body_iquat[body])
    inertia = Rotation((axes,)).similar(diagonal(*model.body_inertia[body].tolist()))
    yield Link(name, parent, joint, model.body_mass[body].item(), Vec(*model.body_ipos[body].tolist()), inertia)


def _chain(parts: _Parts, body: int) -> Iterator[Joint]:
    """The joints of a body, the last of which leads to its frame."""
    model = parts.model
    reached = _placed(to_matrix(model.body_quat[body]), model.body_pos[body])
    first, count = model.body_jntadr[body], model.body_jntnum[body]
    for i in range(first, first + count):
        anchor = model.jnt_pos[i] if model.jnt_type[i] in (HINGE, BALL) else np.zeros(3)
        yield _joint(parts, i, _united(reached, _placed(np.eye(3), anchor)))
        reached = _placed(np.eye(3), -anchor)
    if count == 0 or reached.factors:
        yield Joint(_new(f"{parts.bodies[body]}/fixed", parts.joints), "fixed", reached)


def _kind(model: Any, i: int) -> JointType:
    return JOINT_TYPES[TYPES[model.jnt_type[i]]]


def _joint(parts: _Parts, i: int, placement: Placement) -> Joint:
    model, kind = parts.model, _kind(parts.model, i)
    if kind.name == "free":
        placement = IN_PLACE  # its position is told in the world
    ours = slice(model.jnt_dofadr[i], model.jnt_dofadr[i] + kind.nv)
    axis = _axis(model, i)
    return Joint(
        parts.joints[i],
        kind.name,
        _united(placement, _at_nought(model, i, axis)),
        axis=Vec(*axis.tolist()),
        limits=_limits(model, i),
        mimic=parts.mimics.get(i),
        drive=_drive(parts.armature[ours], parts.damping[ours], parts.friction[ours]),
    )


def _axis(model: Any, i: int) -> Array:
    """That of a slide or a hinge; a ball or a free joint has none, whatever is written."""
    if model.jnt_type[i] not in (SLIDE, HINGE):
        return np.array([0.0, 0.0, 1.0])
    axis = model.jnt_axis[i]
    return axis / (np.linalg.norm(axis) or 1.0)  # one of no length, which MuJoCo makes of 1e160, is refused later


def _at_nought(model: Any, i: int, axis: Array) -> Placement:
    """Where the joint is at position nought: not where it was placed, if the position there is another."""
    ref = model.qpos0[model.jnt_qposadr[i]]
    if model.jnt_type[i] == HINGE:
        return _placed(to_matrix(exponential(-ref * axis)), np.zeros(3))
    return _placed(np.eye(3), -ref * axis) if model.jnt_type[i] == SLIDE else IN_PLACE


def _limits(model: Any, i: int) -> Limits:
    if model.jnt_type[i] not in (SLIDE, HINGE):
        return NO_LIMITS
    lower, upper = model.jnt_range[i].tolist() if model.jnt_limited[i] else ((), ())
    least, most = model.jnt_actfrcrange[i].tolist()
    return Limits(lower, upper, effort=most if model.jnt_actfrclimited[i] and -least == most else ())


def _drive(armature: Array, damping: Array, friction: Array) -> Drive:
    told = (tuple(felt.tolist()) if felt.any() else () for felt in (armature, damping, friction))
    drive = Drive(0.0, 1.0, *told)
    return NO_DRIVE if drive == NO_DRIVE else drive


def _placed(R: Array, p: Array) -> Placement:
    """A placement, quarter turns exactly."""
    matrix, position = _exact(R), Vec(*p.tolist())
    return IN_PLACE if matrix == IDENTITY and position == ZERO else Placement((Rigid(matrix, position),))


def _united(one: Placement, other: Placement) -> Placement:
    """One after the other, as a single displacement."""
    if not (one.factors and other.factors):
        return one.then(other)
    whole = one.then(other)
    return Placement((Rigid(whole.rotation.matrix, whole.position),))


def _rotation(quaternion: Array) -> Mat:
    return _exact(to_matrix(quaternion))


def _exact(R: Array) -> Mat:
    quarters = np.round(R) + 0.0
    nearest = quarters if np.abs(R - quarters).max() < ROUNDING else R
    return Mat(*(Vec(*row) for row in nearest.tolist()))


# Poses


def _poses(parts: _Parts, robot: Robot) -> tuple[Configuration, ...]:
    """The keyframes, and as home the model's own pose, unless a keyframe is called so or the pose is neutral."""
    model = parts.model
    own = [i for i in range(model.njnt) if i not in parts.mimics]
    at = [model.jnt_qposadr[i] + k for i in own for k in range(_kind(model, i).nq)]
    names = _names(model.key, model.nkey, "key")
    poses = [Configuration(name, tuple(q[at].tolist())) for name, q in zip(names, model.key_qpos, strict=True)]
    start = Configuration(HOME, tuple(model.qpos0[at].tolist()))
    return tuple(poses) if HOME in names or start.q == robot.home else (*poses, start)


# What linkwise does not have


def lost(model: Any) -> tuple[Finding, ...]:
    """What of a model's mechanics its robot lacks: constraints are errors, forces warnings, and bounds notes."""
    return (*_constraints(model), *_forces(model), *_bounds(model))


def _constraints(model: Any) -> Iterator[Finding]:
    for i in _equalities(model):
        if not _is_coupling(model, i):
            kind, name = mujoco.mjtEq(model.eq_type[i]).name.removeprefix("mjEQ_").lower(), model.equality(i).name
            yield Finding(
                "error",
                "A constraint between bodies or joints cannot be kept",
                f"{kind} {name!r}",
                "a tree, in which a joint at most follows one other by a polynomial of first degree",
                'leave it out, or give it active="false", for the robot without it',
                about=f"equality {name!r}",
            )


def _forces(model: Any) -> Iterator[Finding]:
    joints, bodies, tendons, actuators = (
        _names(getattr(model, kind), count, kind)
        for kind, count in (
            ("joint", model.njnt), ("body", model.nbody), ("tendon", model.ntendon), ("actuator", model.nu),
        )
    )  # fmt: skip
    springs = () if _off(model, "SPRING", "PASSIVE") else ("jnt_stiffness", "jnt_stiffnesspoly")
    for i in _where(model, *springs):
        yield _lacking(f"joint {joints[i]!r}", "has a spring", f"stiffness {model.jnt_stiffness[i]:g}")
    dampers = () if _off(model, "DAMPER", "PASSIVE") else ("dof_dampingpoly",)
    for i in sorted({int(model.dof_jntid[dof]) for dof in _where(model, *dampers)}):
        yield _lacking(f"joint {joints[i]!r}", "has damping that is not linear", "further coefficients")
    for i in _where(model, "body_gravcomp"):
        yield _lacking(f"link {bodies[i]!r}", "has its weight carried", f"gravcomp {model.body_gravcomp[i]:g}")
    for i in _where(model, *(f"tendon_{name}" for name in ("stiffness", "damping", "frictionloss", "armature"))):
        yield _lacking(f"tendon {tendons[i]!r}", "has forces", "stiffness, damping, friction or armature")
    linear = {i for i, _ in _geared(model) if not _field(model, "actuator_dampingpoly")[i].any()}
    for i in {*_where(model, "actuator_armature", "actuator_damping", "actuator_dampingpoly")} - linear:
        told = "not linear, or not at a hinge or a slide"
        yield _lacking(f"actuator {actuators[i]!r}", "has armature or damping", told)
    if model.opt.density > 0.0 or model.opt.viscosity > 0.0:
        told = f"density {model.opt.density:g}, viscosity {model.opt.viscosity:g}"
        yield _lacking("the robot", "moves in a fluid", told)
    if _field(model, "nflex").any() or (_field(model, "body_plugin") >= 0).any():
        yield _lacking("the robot", "has soft bodies or plugins", "flex or plugin")


def _where(model: Any, *fields: str) -> list[int]:
    """Where any of these fields has an entry that is not nought."""
    arrays = [_field(model, name) for name in fields]
    return sorted({int(i) for array in arrays for i in np.argwhere(array)[:, 0]})


def _lacking(about: str, has: str, told: str) -> Finding:
    expected = "weight, inertia, armature, linear damping and friction: the robot lacks all other forces"
    mend = "add it to the forces that you hand in, or take it out of the file"
    return Finding("warning", f"{about[0].upper()}{about[1:]} {has}", told, expected, mend, about=about)


def _bounds(model: Any) -> Iterator[Finding]:
    """What limits say beyond what ours can."""
    joints = _names(model.joint, model.njnt, "joint")
    for i in range(model.njnt):
        cone = model.jnt_type[i] == BALL and model.jnt_limited[i]
        if cone or (model.jnt_actfrclimited[i] and not _limits(model, i).effort):
            told = f"range {model.jnt_range[i]}" if cone else f"actuatorfrcrange {model.jnt_actfrcrange[i]}"
            about = f"joint {joints[i]!r}"
            yield Finding(
                "note", f"A limit of {about} is not used", told, "nothing that dynamics need", "leave it as it is",
                about=about,
            )  # fmt: skip
