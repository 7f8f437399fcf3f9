"""What a robot's functions may be asked to take into account, against Pinocchio and MuJoCo: every formulation of trees.

Wrenches from outside in every reference, the axes that a free base's velocity is told in, drives and losses switched
on and off by name, and payloads. The texts are run on floats; that compiled functions are the same is tested beside.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import numpy as np
import pinocchio as pin
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.engines import MuJoCo, Pinocchio
from tests.robots import State, afloat, any_joint_cases, any_joint_robots, any_state, seeds
from tests.test_any_joint import IN_MUJOCO, formulations, undriven_where_free
from tests.texts import NEWTON_EULER, Text, in_own_coordinates

from linkwise import Dynamics
from linkwise.algebra import Sym, Vec
from linkwise.bench.dense import Array, pose
from linkwise.formulations import FORMULATIONS
from linkwise.robot.manifold import BASE_VELOCITIES
from linkwise.robot.merging import carriers
from linkwise.robot.model import BASE, Robot
from linkwise.robot.quaternions import to_matrix
from linkwise.setting import EFFECTS, REFERENCES, Setting

SOUND = 1e8
"""The largest condition number of the mass matrix at which accelerations are compared."""


def run(function: str, robot: Robot, setting: Setting, *state: object, **more: object) -> Iterator[Array]:
    """By every formulation that has the function for such a robot."""
    for name in formulations(function, robot):
        text = Text(name, function, FORMULATIONS[name].text(function), trees=True)
        yield in_own_coordinates(text, robot, setting)(*state, **more)


def forces_agree(ours: Array, theirs: Array, unit: Array, more: float = 0.0) -> None:
    size = 1.0 + more + np.abs(theirs / unit).max()
    assert np.abs((ours - theirs) / unit).max() <= 1e-10 * size


def accelerations_agree(ours: Array, theirs: Array, M: Array) -> None:
    """To what the condition number of the mass matrix, in units of the joints' own inertias, leaves of the digits."""
    unit = np.sqrt(np.diag(M))
    κ = np.linalg.cond(M / np.outer(unit, unit))
    size = 1.0 + np.abs(theirs * unit).max()
    assert np.abs((ours - theirs) * unit).max() <= (1e-11 + 1e-13 * κ) * size


def is_sound(M: Array) -> bool:
    unit = np.sqrt(np.diag(M))
    return bool(unit.all() and np.linalg.cond(M / np.outer(unit, unit)) < SOUND)


# Wrenches from outside


def poses(engine: Pinocchio, q: object) -> list[tuple[int, pin.SE3, pin.SE3]]:
    """For every link: the joint of Pinocchio's that carries it, the link in that joint's frame, and in the world."""
    pin.forwardKinematics(engine.model, engine.data, *engine._theirs(q))
    found = []
    for i, (carrier, frame) in enumerate(carriers(engine.robot)):
        joint = 0 if carrier == BASE else _last_joint(engine, engine.robot.links[carrier].joint)
        own = pin.SE3.Identity() if carrier == i else pin.SE3(*pose(frame))
        found.append((joint, own, engine.data.oMi[joint] * own))
    return found


def _last_joint(engine: Pinocchio, joint: object) -> int:
    single = joint.kind.nv == 1 or joint.kind.has_quaternion
    return engine.model.getJointId(joint.name if single else f"{joint.name}.{joint.kind.nv - 1}")


def in_link_axes(wrench: Array, reference: str, where: pin.SE3) -> pin.Force:
    """What is told in a reference, in the axes of the link about its origin."""
    told = pin.Force(np.array(wrench))
    if reference == "spatial":
        return where.actInv(told)
    return pin.SE3(where.rotation, np.zeros(3)).actInv(told) if reference == "world_aligned" else told


references = st.sampled_from(REFERENCES)


@given(any_joint_cases(), seeds, references)
def test_wrenches_on_all_links_are_pinocchios(case: tuple[Robot, State], seed: int, reference: str) -> None:
    """On links of fixed joints too; what acts on the ground moves nothing."""
    robot, s = undriven_where_free(case[0]), case[1]
    assume(robot.nv)
    engine = Pinocchio(robot)
    wrenches = np.random.default_rng(seed).normal(size=(len(robot.links), 6))
    theirs = pin.StdVec_Force([pin.Force.Zero()] * engine.model.njoints)
    for wrench, (joint, own, where) in zip(wrenches, poses(engine, s.q), strict=True):
        theirs[joint] += own.act(in_link_axes(wrench, reference, where))
    setting = Setting(engine.base_velocity, engine.effects, f_ext_on=robot.link_names, f_ext_reference=reference)
    given_to = (engine.model, engine.data, *engine._theirs(s.q, s.v, s.a), theirs)
    expected = engine.leads.S.T @ pin.rnea(*given_to)[engine.at_v]
    M = engine.mass_matrix(s.q)
    unit = np.sqrt(np.diag(M))
    for ours in run("inverse_dynamics", robot, setting, s.q, s.v, s.a, f_ext=wrenches):
        forces_agree(ours, expected, unit)
    for ours in run("bias", robot, setting, s.q, s.v, f_ext=wrenches):
        forces_agree(ours, expected - M @ s.a, unit, np.abs(M @ s.a / unit).max())
    if is_sound(M):
        for ours in run("forward_dynamics", robot, setting, s.q, s.v, expected, f_ext=wrenches):
            accelerations_agree(ours, np.array(s.a), M)


standing = any_joint_robots(kinds=IN_MUJOCO, mimics=False)


@given(standing | standing.map(afloat), seeds, references)
def test_wrenches_on_all_links_are_mujocos(robot: Robot, seed: int, reference: str) -> None:
    """MuJoCo has them in the world's axes about the centre of mass."""
    assume(robot.nv)
    s = any_state(robot, seed)
    assume(is_sound(next(run("mass_matrix", robot, Setting(), s.q))))
    engine = MuJoCo(robot)
    M = engine.mass_matrix(s.q)
    wrenches = np.random.default_rng(seed).normal(size=(len(robot.links), 6))
    for link, wrench in zip(robot.links, wrenches, strict=True):
        body = engine.model.body(link.name).id
        where = pin.SE3(engine.data.xmat[body].reshape(3, 3), engine.data.xpos[body])
        world = pin.SE3(where.rotation, where.translation - engine.data.xipos[body])
        engine.data.xfrc_applied[body] = world.act(in_link_axes(wrench, reference, where)).vector
    expected = engine.forward_dynamics(s.q, s.v, s.tau)
    setting = Setting(engine.base_velocity, engine.effects, f_ext_on=robot.link_names, f_ext_reference=reference)
    for ours in run("forward_dynamics", robot, setting, s.q, s.v, s.tau, f_ext=wrenches):
        accelerations_agree(ours, expected, M)


# The axes of a free joint's velocity


def to_body(robot: Robot, q: list[float], convention: str) -> Array:
    """What leads from velocities as they are told to those of free joints in the axes of their bodies."""
    X, at_q, at_v = np.eye(robot.nv), 0, 0
    for joint in robot.joints:
        if joint.type == "free":
            R = to_matrix(q[at_q + 3 : at_q + 7])
            turned = {"body": (), "mujoco": (0,), "world_aligned": (0, 3)}[convention]
            for k in turned:
                X[at_v + k : at_v + k + 3, at_v + k : at_v + k + 3] = R.T
        at_q, at_v = at_q + joint.nq, at_v + joint.nv
    return X


def turning(robot: Robot, v: Array, convention: str) -> Array:
    """What to_body leaves out of the body's accelerations: -ω × v of what is told in axes that do not turn with it."""
    left, at = np.zeros(robot.nv), 0
    for joint in robot.joints:
        if joint.type == "free" and convention != "body":
            left[at : at + 3] = -np.cross(v[at + 3 : at + 6], v[at : at + 3])
        at += joint.nv
    return left


@given(any_joint_cases(mimics=False), st.sampled_from(BASE_VELOCITIES))
def test_every_base_velocity_is_pinocchios_told_otherwise(case: tuple[Robot, State], convention: str) -> None:
    robot, s = undriven_where_free(case[0]), case[1]
    assume(robot.nv)
    engine, X = Pinocchio(robot), to_body(robot, s.q, convention)
    v = X @ s.v
    a = X @ s.a + turning(robot, v, convention)
    M = X.T @ engine.mass_matrix(s.q) @ X
    unit = np.sqrt(np.diag(M))
    setting = Setting(convention, engine.effects)
    for ours in run("inverse_dynamics", robot, setting, s.q, s.v, s.a):
        forces_agree(ours, X.T @ engine.inverse_dynamics(s.q, v, a), unit)
    for ours in run("mass_matrix", robot, setting, s.q):
        assert np.abs((ours - M) / np.outer(unit, unit)).max() <= 1e-11
    if is_sound(M):
        theirs = engine.forward_dynamics(s.q, v, np.linalg.solve(X.T, s.tau))
        for ours in run("forward_dynamics", robot, setting, s.q, s.v, s.tau):
            accelerations_agree(ours, np.linalg.solve(X, theirs - turning(robot, v, convention)), M)


# Drives and losses


@st.composite
def terms(draw: st.DrawFn) -> Setting:
    effects = draw(st.sets(st.sampled_from(EFFECTS)))
    width = draw(st.sampled_from((0.0, 0.1)))
    return Setting(draw(st.sampled_from(BASE_VELOCITIES)), tuple(x for x in EFFECTS if x in effects), width)


@given(any_joint_cases(), terms(), st.booleans())
def test_the_same_model_in_inverse_dynamics_bias_and_forward_dynamics(
    case: tuple[Robot, State], setting: Setting, resting: bool
) -> None:
    """Whatever is switched on, at rest as well, where friction is nought."""
    robot, s = case
    assume(robot.nv)
    v = [0.0 if resting and i % 2 else x for i, x in enumerate(s.v)]
    inverse = partial(in_own_coordinates(NEWTON_EULER, robot, setting), s.q, v)
    tau, rest, M = inverse(s.a), inverse([0.0] * robot.nv), next(run("mass_matrix", robot, setting, s.q))
    unit = np.sqrt(np.maximum(np.diag(M), 1e-12))
    for other in run("inverse_dynamics", robot, setting, s.q, v, s.a):
        forces_agree(other, tau, unit)
    for bias in run("bias", robot, setting, s.q, v):
        forces_agree(bias, rest, unit)
    forces_agree(M @ s.a + rest, tau, unit)
    if is_sound(M):
        for a in run("forward_dynamics", robot, setting, s.q, v, tau):
            accelerations_agree(a, np.array(s.a), M)


@given(any_joint_cases(mimics=False), st.sampled_from((0.0, 0.3)))
def test_drives_add_what_each_is_said_to(case: tuple[Robot, State], width: float) -> None:
    """To the forces of a robot without drives, coordinate by coordinate; a free joint's are told in its body's axes."""
    robot, s = case
    assume(robot.nv)
    v = np.array(s.v)
    share = np.hypot(v, width)
    kinds = {name: np.concatenate([_each(joint, name) for joint in robot.joints]) for name in EFFECTS}
    added = {
        "rotor_inertia": kinds["rotor_inertia"] * s.a,
        "armature": kinds["armature"] * s.a,
        "damping": kinds["damping"] * v,
        "friction": kinds["friction"] * v / np.where(share > 0.0, share, 1.0),
    }
    bare = in_own_coordinates(NEWTON_EULER, robot, Setting("body", ()))(s.q, v, s.a)
    for name, expected in added.items():
        slides = _slides_of_free_joints(robot)
        ours = in_own_coordinates(NEWTON_EULER, robot, Setting("body", (name,), width))(s.q, v, s.a) - bare
        assert np.allclose(ours[~slides], expected[~slides], rtol=0, atol=1e-10 * (1.0 + np.abs(bare).max()))


def _each(joint: object, name: str) -> Array:
    none = (0.0,) * joint.kind.nv
    if name == "rotor_inertia":
        return np.array([joint.drive.rotor_inertia * joint.drive.gear_ratio**2] * joint.kind.nv)
    return np.array(getattr(joint.drive, name) or none)


def _slides_of_free_joints(robot: Robot) -> Array:
    """They are along the axes of the ground, whichever axes the velocity is told in."""
    return np.concatenate([[joint.type == "free" and k < 3 for k in range(joint.kind.nv)] for joint in robot.joints])


# Payloads


@settings(max_examples=8)
@given(any_joint_cases((2, 3)), seeds)
def test_payloads_at_run_time_are_pinocchios_of_another_robot(case: tuple[Robot, State], seed: int) -> None:
    robot, s = undriven_where_free(case[0]), case[1]
    assume(robot.nv)
    rng = np.random.default_rng(seed)
    heavy = replace(
        robot.links[-1],
        mass=float(rng.uniform(1.0, 9.0)),
        com=Vec(*rng.normal(scale=0.1, size=3).tolist()),
        inertia=Sym(0.3, 0.01, -0.02, 0.25, 0.03, 0.2),
    )
    engine = Pinocchio(replace(robot, links=(*robot.links[:-1], heavy)))
    ours = Dynamics(
        robot,
        effects=engine.effects,
        base_velocity=engine.base_velocity,
        parameters=("mass", "com", "inertia"),
        links=[heavy.name],
    )
    payload = {"mass": [heavy.mass], "com": [list(heavy.com)], "inertia": [list(heavy.inertia.entries)]}
    M = engine.mass_matrix(s.q)
    unit = np.sqrt(np.diag(M))
    theirs = engine.inverse_dynamics(s.q, s.v, s.a)
    forces_agree(ours.inverse_dynamics(s.q, s.v, s.a, **payload), theirs, unit)
    if is_sound(M):
        accelerations_agree(ours.forward_dynamics(s.q, s.v, theirs, **payload), np.array(s.a), M)
