"""Robots with joints of every kind, mimics and drives, against Pinocchio and MuJoCo, and against themselves.

What is compared is measured in the units of `tests.test_parity`, in which every joint's own inertia is one.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pinocchio as pin
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.engines import ENGINES, MuJoCo, Pinocchio
from tests.mujoco_models import placements
from tests.robots import KINDS, State, any_chain, any_joint_cases, any_state

from linkwise import Drive, Dynamics, Joint, Link, LinkwiseError, Mimic, Robot
from linkwise.algebra import Vec
from linkwise.formulations import FORMULATIONS
from linkwise.robot.joint import NO_DRIVE
from linkwise.robot.manifold import BASE_VELOCITIES
from linkwise.setting import EFFECTS

TREES = tuple(name for name, row in FORMULATIONS.items() if row.trees)
IN_MUJOCO = tuple(kind for kind in KINDS if kind not in ("helical", "free"))
TOLERANCE = 1e-11


def formulations(function: str, robot: Robot) -> list[str]:
    """Those that have the function for any joint; accelerations with mimics are one formulation's."""
    found = [name for name in TREES if FORMULATIONS[name].text(function)]
    mimics = any(link.joint.mimic for link in robot.links)
    return ["composite-body"] if mimics and function == "forward_dynamics" else found


class Compared:
    """A robot by an engine and by us, in units of the joints' own inertias."""

    def __init__(self, engine: Pinocchio | MuJoCo, s: State) -> None:
        self.engine, self.s = engine, s
        self.M = engine.mass_matrix(s.q)
        self.unit = np.sqrt(np.diag(self.M))
        self.κ = float(np.linalg.cond(self.M / np.outer(self.unit, self.unit)))

    def by(self, formulation: str) -> Dynamics:
        return Dynamics(
            self.engine.robot, formulation, effects=self.engine.effects, base_velocity=self.engine.base_velocity
        )

    def forces_agree(self, ours: np.ndarray, theirs: np.ndarray) -> None:
        size = (
            np.abs(theirs / self.unit).max()
            + np.abs(self.engine.inverse_dynamics(self.s.q, self.s.v, 0 * self.unit)).max()
        )
        assert np.abs((ours - theirs) / self.unit).max() <= TOLERANCE * (1.0 + size)

    def accelerations_agree(self, ours: np.ndarray, theirs: np.ndarray) -> None:
        size = 1.0 + np.abs(theirs * self.unit).max()
        assert np.abs((ours - theirs) * self.unit).max() <= 1e-13 * self.κ * size + TOLERANCE * size


def undriven_where_free(robot: Robot) -> Robot:
    """The engines tell a free joint's armature in the axes of its velocity, whichever these are."""
    links = (
        replace(link, joint=replace(link.joint, drive=NO_DRIVE)) if link.joint.type == "free" else link
        for link in robot.links
    )
    return replace(robot, links=tuple(links))


def parity(engine: str, case: tuple[Robot, State]) -> None:
    robot, s = undriven_where_free(case[0]), case[1]
    assume(robot.nv)
    them = Compared(ENGINES[engine](robot), s)
    assume(them.κ < 1e8)
    for name in formulations("inverse_dynamics", robot):
        them.forces_agree(them.by(name).inverse_dynamics(s.q, s.v, s.a), them.engine.inverse_dynamics(s.q, s.v, s.a))
    for name in formulations("mass_matrix", robot):
        ours = them.by(name).mass_matrix(s.q)
        assert np.abs((ours - them.M) / np.outer(them.unit, them.unit)).max() <= TOLERANCE
    for name in formulations("forward_dynamics", robot):
        ours = them.by(name).forward_dynamics(s.q, s.v, s.tau)
        them.accelerations_agree(ours, them.engine.forward_dynamics(s.q, s.v, s.tau))


@settings(max_examples=40)
@given(any_joint_cases())
def test_pinocchio_agrees(case: tuple[Robot, State]) -> None:
    parity("pinocchio", case)


@settings(max_examples=25)
@given(any_joint_cases(kinds=IN_MUJOCO))
def test_mujoco_agrees(case: tuple[Robot, State]) -> None:
    parity("mujoco", case)


conventions = st.sampled_from(BASE_VELOCITIES)


@settings(max_examples=25)
@given(any_joint_cases(), conventions)
def test_forward_dynamics_undoes_inverse_dynamics_with_every_effect(case: tuple[Robot, State], convention: str) -> None:
    robot, s = case
    assume(robot.nv)
    ours = Dynamics(robot, base_velocity=convention)
    M = ours.mass_matrix(s.q)
    unit = np.sqrt(np.diag(M))
    κ = np.linalg.cond(M / np.outer(unit, unit))
    assume(κ < 1e8)
    tau = ours.inverse_dynamics(s.q, s.v, s.a)
    size = 1.0 + np.abs(np.array(s.a) * unit).max() + np.abs(tau / unit).max()
    assert np.abs((ours.forward_dynamics(s.q, s.v, tau) - s.a) * unit).max() <= 1e-13 * κ * size


@settings(max_examples=25)
@given(any_joint_cases(), conventions)
def test_the_parts_of_inverse_dynamics_add_up(case: tuple[Robot, State], convention: str) -> None:
    robot, s = case
    assume(robot.nv)
    ours = Dynamics(robot, base_velocity=convention, effects=("rotor_inertia", "armature"))
    tau, C = ours.inverse_dynamics(s.q, s.v, s.a), ours.coriolis_matrix(s.q, s.v)
    parts = ours.mass_matrix(s.q) @ s.a + C @ s.v + ours.gravity_torques(s.q)
    assert np.allclose(tau, parts, rtol=0, atol=1e-11 * (1 + np.abs(parts).max()))
    assert np.allclose(
        ours.bias(s.q, s.v), C @ s.v + ours.gravity_torques(s.q), rtol=0, atol=1e-11 * (1 + np.abs(parts).max())
    )


@settings(max_examples=25)
@given(any_joint_cases(), conventions)
def test_the_mass_matrix_changes_by_twice_the_coriolis_matrix_and_a_skew_one(
    case: tuple[Robot, State], convention: str
) -> None:
    """Along the way that the robot goes on the manifold of its positions, by differences of fourth order."""
    robot, s = case
    assume(robot.nv)
    ours, h = Dynamics(robot, base_velocity=convention), 1e-3
    there = robot.integrate(s.q, s.v, h * np.array([-2.0, -1.0, 1.0, 2.0]), base_velocity=convention)
    M_dot = np.tensordot([1.0, -8.0, 8.0, -1.0], ours.mass_matrix(there), 1) / (12.0 * h)
    N = M_dot - 2.0 * ours.coriolis_matrix(s.q, s.v)
    assert np.allclose(N, -N.T, rtol=0, atol=1e-7 * (1.0 + np.abs(M_dot).max() + np.abs(N).max()))


@settings(max_examples=20)
@given(any_joint_cases(mimics=False), st.integers(0, 2**32 - 1))
def test_wrenches_from_outside_are_pinocchios(case: tuple[Robot, State], seed: int) -> None:
    """Pinocchio has them in the axes of the joints, which are those of the links that move with them."""
    robot, s = undriven_where_free(case[0]), case[1]
    assume(robot.nv)
    engine, rng = Pinocchio(robot), np.random.default_rng(seed)
    moving = [link for link in robot.links if link.joint.nv]
    wrenches = rng.normal(size=(len(moving), 6))
    theirs = pin.StdVec_Force([pin.Force.Zero()] * engine.model.njoints)
    for link, wrench in zip(moving, wrenches, strict=True):
        theirs[_last_joint(engine, link.joint)] = pin.Force(wrench)
    ours = Dynamics(
        robot,
        effects=engine.effects,
        base_velocity=engine.base_velocity,
        f_ext_on=[link.name for link in moving],
        f_ext_reference="local",
    )
    expected = pin.rnea(engine.model, engine.data, *engine._theirs(s.q, s.v, s.a), theirs)[engine.at_v]
    size = 1.0 + np.abs(expected).max()
    assert np.allclose(ours.inverse_dynamics(s.q, s.v, s.a, f_ext=wrenches), expected, rtol=0, atol=1e-11 * size)
    tau = ours.bias(s.q, s.v, f_ext=wrenches)
    held = ours.forward_dynamics(s.q, s.v, tau, f_ext=wrenches)
    assert np.allclose(ours.mass_matrix(s.q) @ held, 0.0, atol=1e-10 * size)


def _last_joint(engine: Pinocchio, joint: Joint) -> int:
    single = joint.kind.nv == 1 or joint.kind.has_quaternion
    return engine.model.getJointId(joint.name if single else f"{joint.name}.{joint.kind.nv - 1}")


@pytest.mark.parametrize("reference", ["world_aligned", "spatial"])
def test_a_wrench_is_the_same_in_every_reference(reference: str) -> None:
    robot = any_chain("free", "universal", "cylindrical", "spherical", seed=4)
    s = any_state(robot, 5)
    wrench, frame = np.array([1.0, -2.0, 0.5, 0.3, 0.7, -0.4]), "link2"
    R, p = placements(robot, s.q, math)[frame]
    told = np.concatenate([R @ wrench[:3], R @ wrench[3:]])
    if reference == "spatial":
        told[3:] += np.cross(p, told[:3])
    local = Dynamics(robot, f_ext_on=[frame], f_ext_reference="local")
    other = Dynamics(robot, f_ext_on=[frame], f_ext_reference=reference)
    expected = local.inverse_dynamics(s.q, s.v, s.a, f_ext=wrench[None])
    assert not np.allclose(expected, local.inverse_dynamics(s.q, s.v, s.a))
    assert np.allclose(other.inverse_dynamics(s.q, s.v, s.a, f_ext=told[None]), expected, rtol=0, atol=1e-12)


def test_reactions_hold_what_loads_put_on_links() -> None:
    """A joint's reaction and the loads of all beyond it give the same motion as the forces do."""
    robot = any_chain("revolute", "revolute", "prismatic", seed=8)
    s = any_state(robot, 9)
    loads = np.zeros((3, 6))
    loads[2] = [3.0, -1.0, 2.0, 0.4, 0.1, -0.2]
    ours = Dynamics(robot, f_ext_reference="local", effects=())
    tau = ours.inverse_dynamics(s.q, s.v, s.a, f_ext=loads)
    own = ours.joint_reactions(s.q, s.v, ours.inverse_dynamics(s.q, s.v, s.a))[2]
    held = ours.joint_reactions(s.q, s.v, tau, f_ext=loads)[2]
    assert np.allclose(held, own - loads[2], rtol=0, atol=1e-11)


@settings(max_examples=10)
@given(any_joint_cases())
def test_gravity_may_be_given_anew(case: tuple[Robot, State]) -> None:
    robot, s = case
    assume(robot.nv)
    g = np.array([0.3, -1.6, 0.2])
    moon = Dynamics(replace(robot, gravity=Vec(*g.tolist())))
    ours = Dynamics(robot)
    size = 1.0 + np.abs(moon.bias(s.q, s.v)).max()
    assert np.allclose(ours.bias(s.q, s.v, gravity=g), moon.bias(s.q, s.v), rtol=0, atol=1e-11 * size)
    assert np.allclose(ours.gravity_torques(s.q, gravity=g), moon.gravity_torques(s.q), rtol=0, atol=1e-11 * size)


def test_drives_add_what_they_are_said_to() -> None:
    drive = Drive(rotor_inertia=1e-4, gear_ratio=50.0, armature=(0.1,), damping=(0.2,), friction=(0.3,))
    link = Link("link", -1, Joint("joint", "revolute", drive=drive), 1.0, Vec(0.1, 0.0, 0.0))
    robot = Robot("pendulum", (link,))
    bare = Dynamics(robot, effects=())
    q, v, a = [[0.4]] * 5, np.array([[-2.0], [-1e-300], [0.0], [1e-300], [2.0]]), [[3.0]] * 5

    def added(*effects: str, **more: float) -> np.ndarray:
        ours = Dynamics(robot, effects=effects, **more)
        return (ours.inverse_dynamics(q, v, a) - bare.inverse_dynamics(q, v, a))[:, 0]

    assert np.allclose(added("rotor_inertia"), 1e-4 * 50.0**2 * 3.0, rtol=1e-12)
    assert np.allclose(added("armature"), 0.1 * 3.0, rtol=1e-12)
    assert np.allclose(added("damping"), 0.2 * v[:, 0], rtol=1e-12)
    assert np.allclose(added("friction"), 0.3 * np.sign(v[:, 0]), rtol=1e-12)
    assert np.allclose(added("friction", friction_width=0.5), 0.3 * v[:, 0] / np.hypot(v[:, 0], 0.5), rtol=1e-12)
    every = added("rotor_inertia", "armature") + added("damping", "friction")
    assert np.allclose(added(*EFFECTS), every, rtol=1e-12)
    assert np.allclose(Dynamics(robot).bias(q, v) - bare.bias(q, v), added("damping", "friction")[:, None], rtol=1e-12)


@settings(max_examples=15)
@given(any_joint_cases(), conventions)
def test_compiled_functions_are_the_texts_run_on_floats(case: tuple[Robot, State], convention: str) -> None:
    robot, s = case
    assume(robot.nv)
    ours = Dynamics(robot, base_velocity=convention, friction_width=0.1)
    tau = ours.run_text("inverse_dynamics", s.q, s.v, s.a)
    assert np.allclose(ours.inverse_dynamics(s.q, s.v, s.a), tau, rtol=0, atol=1e-11 * (1.0 + np.abs(tau).max()))


@pytest.mark.parametrize(
    ("formulation", "robot", "words"),
    [
        (
            "kane",
            any_chain("revolute", "helical"),
            "'kane' is for serial chains of plain joints.* a helical joint, 'link1-joint'",
        ),
        ("denoc", any_chain("free"), "a free joint"),
        ("gibbs-appell", any_chain("revolute", driven=True), "a joint with a rotor"),
    ],
)
def test_formulations_of_chains_say_which_joint_they_are_not_for(formulation: str, robot: Robot, words: str) -> None:
    with pytest.raises(LinkwiseError, match=words):
        Dynamics(robot, formulation)


def test_with_mimics_accelerations_are_for_composite_bodies() -> None:
    lead = Link("a", -1, Joint("a", "revolute"), 1.0, Vec(0.1, 0.0, 0.0))
    follow = Link("b", 0, Joint("b", "revolute", mimic=Mimic("a", 2.0)), 1.0, Vec(0.1, 0.0, 0.0))
    robot = Robot("pair", (lead, follow))
    assert Dynamics(robot).chosen("forward_dynamics") == "composite-body"
    with pytest.raises(LinkwiseError, match="has no forward_dynamics for 'pair'"):
        Dynamics(robot, "articulated-body").forward_dynamics([0.0], [0.0], [1.0])


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda robot: Dynamics(robot, base_velocity="world"), "base_velocity"),
        (lambda robot: Dynamics(robot, effects="damping"), "effects should be a sequence of names"),
        (lambda robot: Dynamics(robot, effects=["drag"]), "Unknown name in effects"),
        (lambda robot: Dynamics(robot, friction_width=-1.0), "friction_width is negative"),
        (lambda robot: Dynamics(robot, f_ext_on=["hand"]), "Unknown name in f_ext_on"),
        (lambda robot: Dynamics(robot, f_ext_on="link0"), "f_ext_on should be a sequence of names"),
        (lambda robot: Dynamics(robot, f_ext_reference="body"), "f_ext_reference"),
        (lambda robot: Dynamics(robot).bias(robot.home, np.zeros(6)[:5]), "link0-joint.wz"),
        (lambda robot: Dynamics(robot).bias(np.zeros(6), np.zeros(6)), r"\(…, 7\).*link0-joint.qz"),
        (lambda robot: Dynamics(robot).bias(robot.home, np.zeros(6), f_ext=np.zeros(6)), "f_ext has the wrong shape"),
        (lambda robot: Dynamics(robot).bias(robot.home, np.zeros(6), gravity=9.81), "gravity has the wrong shape"),
    ],
)
def test_errors_say_what_was_expected(call: Callable[[Robot], object], words: str) -> None:
    with pytest.raises(LinkwiseError, match=words):
        call(any_chain("free"))


def test_a_quaternion_of_nought_gives_no_numbers_and_a_long_one_is_a_rotation_all_the_same() -> None:
    robot = any_chain("spherical", seed=3)
    ours = Dynamics(robot)
    q = np.array(robot.random(1))
    assert np.allclose(ours.gravity_torques(3.0 * q), ours.gravity_torques(q), rtol=0, atol=1e-12)
    assert np.isnan(ours.gravity_torques(np.zeros(4))).all()
