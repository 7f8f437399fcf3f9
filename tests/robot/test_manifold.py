"""Positions on their manifold: against Pinocchio and MuJoCo, and by the identities of integrate and difference."""

from __future__ import annotations

from dataclasses import replace

import mujoco
import numpy as np
import pinocchio as pin
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mpmath import mp
from tests.mujoco_models import text_of
from tests.robots import any_chain, any_joint_robots, seeds

from linkwise.algebra import diagonal
from linkwise.errors import LinkwiseError
from linkwise.robot import mjcf
from linkwise.robot.joint import Joint, Limits, Mimic
from linkwise.robot.manifold import BASE_VELOCITIES, limits, screwing
from linkwise.robot.model import Link, Robot
from linkwise.robot.quaternions import conjugate, from_xyzw, rotated, to_matrix, to_xyzw

Array = np.ndarray

ways = st.sampled_from(BASE_VELOCITIES)
turns = st.sampled_from([0.0, 1e-300, 1e-160, 1e-12, 1e-8, 1e-4, 0.3, 0.5, 2.0, 3.0, np.pi - 1e-9, np.pi])
"""Angles at which series and formulas are put to the test."""


def on(*types: str) -> Robot:
    """A robot of joints of these types, each standing where the last one does."""
    links = (Link(f"l{i}", i - 1, Joint(f"j{i}", kind), 1.0) for i, kind in enumerate(types))
    return Robot("r", tuple(links))


def direction(rng: np.random.Generator) -> Array:
    u = rng.normal(size=3)
    return u / np.linalg.norm(u)


def same_rotation(p: Array, q: Array) -> bool:
    return min(np.abs(p - q).max(), np.abs(p + q).max()) < 1e-14


FREE, BALL = on("free"), on("spherical")


# Against the engines


def in_pinocchio(q: Array) -> Array:
    return np.concatenate([q[:3], to_xyzw(q[3:])])


@given(seeds, turns)
def test_a_free_joint_in_its_bodys_axes_is_pinocchios(seed, angle):
    rng = np.random.default_rng(seed)
    model = pin.Model()
    model.addJoint(0, pin.JointModelFreeFlyer(), pin.SE3.Identity(), "free")
    q, v = FREE.random(rng), np.concatenate([rng.normal(size=3), angle * direction(rng)])
    there = FREE.integrate(q, v, base_velocity="body")
    expected = pin.integrate(model, in_pinocchio(q), v)
    np.testing.assert_allclose(there[:3], expected[:3], atol=1e-14)
    assert same_rotation(there[3:], from_xyzw(expected[3:]))
    other = FREE.random(rng)
    np.testing.assert_allclose(
        FREE.difference(other, q, base_velocity="body"),
        pin.difference(model, in_pinocchio(q), in_pinocchio(other)),
        atol=1e-12,
    )


@given(seeds, turns)
def test_a_spherical_joint_is_pinocchios(seed, angle):
    rng = np.random.default_rng(seed)
    model = pin.Model()
    model.addJoint(0, pin.JointModelSpherical(), pin.SE3.Identity(), "ball")
    q, other, v = BALL.random(rng), BALL.random(rng), angle * direction(rng)
    assert same_rotation(BALL.integrate(q, v), from_xyzw(pin.integrate(model, to_xyzw(q), v)))
    np.testing.assert_allclose(BALL.difference(other, q), pin.difference(model, to_xyzw(q), to_xyzw(other)), atol=1e-12)


@given(any_joint_robots(kinds=("revolute", "prismatic", "spherical"), mimics=False), seeds, st.booleans())
def test_a_robot_is_integrated_as_in_mujoco(robot, seed, floating):
    text = text_of(on_a_boat(robot) if floating else robot)
    model, robot, rng = mujoco.MjModel.from_xml_string(text), mjcf.read(text), np.random.default_rng(seed)
    q, other, v, dt = robot.random(rng), robot.random(rng), rng.normal(size=robot.nv), rng.uniform(-1.0, 1.0)
    there, way = q.copy(), np.empty(robot.nv)
    mujoco.mj_integratePos(model, there, v, dt)
    np.testing.assert_allclose(robot.integrate(q, v, dt, base_velocity="mujoco"), there, atol=1e-14)
    mujoco.mj_differentiatePos(model, way, dt, q, other)
    np.testing.assert_allclose(robot.difference(other, q, base_velocity="mujoco") / dt, way, rtol=1e-9, atol=1e-9)


def on_a_boat(robot: Robot) -> Robot:
    boat = Link("boat", -1, Joint("boat", "free"), 1.0, inertia=diagonal(1.0, 1.0, 1.0))
    return Robot("afloat", (boat, *(replace(link, parent=link.parent + 1) for link in robot.links)))


# Identities


@given(any_joint_robots(), seeds, ways)
def test_a_difference_leads_from_one_to_the_other(robot, seed, way):
    q1, q0 = robot.random(seed, 2)
    v = robot.difference(q1, q0, base_velocity=way)
    assert_same_place(robot, robot.integrate(q0, v, base_velocity=way), q1)
    assert_same_place(robot, robot.integrate(q1, v, -1.0, base_velocity=way), q0)
    np.testing.assert_allclose(robot.difference(q0, q1, base_velocity=way), -v, atol=1e-12)


def assert_same_place(robot: Robot, one: Array, other: Array) -> None:
    at = 0
    for joint in robot.joints:
        plain = joint.nq - 4 if joint.kind.has_quaternion else joint.nq
        np.testing.assert_allclose(one[at : at + plain], other[at : at + plain], atol=1e-12)
        if joint.kind.has_quaternion:
            p, q = one[at + plain : at + joint.nq], other[at + plain : at + joint.nq]
            np.testing.assert_allclose(to_matrix(p), to_matrix(q), atol=1e-12)
        at += joint.nq


@given(any_joint_robots(), seeds, ways)
def test_two_halves_are_a_whole(robot, seed, way):
    """Whatever is constant in its axes goes on as it began."""
    rng = np.random.default_rng(seed)
    q, v = robot.random(rng), rng.normal(size=robot.nv)
    half = robot.integrate(q, v, 0.5, base_velocity=way)
    assert_same_place(robot, robot.integrate(half, v, 0.5, base_velocity=way), robot.integrate(q, v, base_velocity=way))


@given(seeds, turns)
def test_the_three_ways_to_tell_a_free_velocity_differ_by_the_rotation(seed, angle):
    """In the limit of a short time they lead to one place, told in the axes that each is told in."""
    rng = np.random.default_rng(seed)
    q, v = FREE.random(rng), rng.normal(size=6)
    v[3:] *= angle
    back = conjugate(q[3:])
    in_body = np.concatenate([rotated(back, v[:3]), rotated(back, v[3:])])
    mixed = np.concatenate([v[:3], in_body[3:]])
    h = 1e-6
    places = [
        FREE.integrate(q, u, h, base_velocity=way)
        for way, u in (("world_aligned", v), ("body", in_body), ("mujoco", mixed))
    ]
    for place in places[1:]:
        np.testing.assert_allclose(place, places[0], atol=1e-10)


@given(any_joint_robots(), seeds, ways)
def test_batches_are_their_rows(robot, seed, way):
    rng = np.random.default_rng(seed)
    q, v, dt = robot.random(rng, (3, 1)), rng.normal(size=(2, robot.nv)), np.array([0.1, -0.2])
    there = robot.integrate(q, v, dt, base_velocity=way)
    back = robot.difference(q, there, base_velocity=way)
    assert there.shape == (3, 2, robot.nq)
    assert back.shape == (3, 2, robot.nv)
    for i, j in np.ndindex(3, 2):
        np.testing.assert_array_equal(there[i, j], robot.integrate(q[i, 0], v[j], dt[j], base_velocity=way))
        np.testing.assert_array_equal(back[i, j], robot.difference(q[i, 0], there[i, j], base_velocity=way))


def test_integers_and_lists_are_numbers():
    robot = on("revolute", "prismatic")
    assert robot.integrate([0, 1], [2, 3], 2).tolist() == [4.0, 7.0]
    assert robot.difference([1, 1], [[0, 1], [1, 0]]).tolist() == [[1.0, 0.0], [0.0, 1.0]]


def test_joints_that_mimic_have_no_positions():
    leader, follower = Joint("a", "revolute"), Joint("b", "prismatic", mimic=Mimic("a", 2.0))
    robot = Robot("r", (Link("a", -1, leader), Link("b", 0, follower), Link("c", 1, Joint("c", "free"))))
    assert robot.random(0).shape == robot.neutral().shape == (8,)
    assert robot.integrate(robot.neutral(), np.ones(7)).shape == (8,)


def test_limits_as_wide_as_floats_do_not_overflow():
    joint = Joint("j", "prismatic", limits=Limits(-1.7e308, 1.7e308))
    q = Robot("r", (Link("l", -1, joint),)).random(0, 100)
    assert np.isfinite(q).all()
    assert 20 < np.count_nonzero(q > 0.0) < 80


@given(seeds, turns)
def test_the_screw_is_the_integral_of_turning(seed, angle):
    """To every digit, by 40 digits: V = Σ Kⁿ / (n + 1)!."""
    turn = angle * direction(np.random.default_rng(seed))
    with mp.workdps(40):
        x, y, z = map(mp.mpf, turn.tolist())
        K = mp.matrix([[0, -z, y], [z, 0, -x], [-y, x, 0]])
        total = term = mp.eye(3)
        for n in range(1, 60):
            term = term * K / (n + 1)
            total = total + term
        expected = np.array(total.tolist(), float)
    np.testing.assert_allclose(screwing(turn), expected, rtol=1e-13, atol=4e-16)


# Limits


@given(any_joint_robots(), seeds)
def test_random_and_neutral_positions_are_within_the_limits(robot, seed):
    lower, upper = limits(robot)
    for q in (*robot.random(seed, 20), robot.neutral()):
        assert ((lower <= q) & (q <= upper)).all()
        assert ((np.abs(q) <= np.pi) | np.isfinite(lower) | np.isfinite(upper)).all()


def test_the_neutral_position_is_nought_where_the_limits_leave_it():
    joints = (Limits(0.5, 1.0), Limits(-2.0, -1.0), Limits(-1.0, 1.0), Limits((), -0.25), Limits(-np.inf, 3.0))
    links = tuple(Link(f"l{i}", i - 1, Joint(f"j{i}", "revolute", limits=limit)) for i, limit in enumerate(joints))
    assert Robot("r", links).neutral().tolist() == [0.5, -1.0, 0.0, -0.25, 0.0]
    assert on("free", "spherical").neutral().tolist() == [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]


def test_random_positions_reach_all_that_the_limits_allow():
    robot = Robot("r", (
        Link("a", -1, Joint("a", "revolute", limits=Limits(-1.0, 2.0))),
        Link("b", 0, Joint("b", "revolute", limits=Limits(5.0, ()))),
        Link("c", 1, Joint("c", "prismatic", limits=Limits((), -5.0))),
        Link("d", 2, Joint("d", "continuous", limits=Limits(-0.1, 0.1))),
        Link("e", 3, Joint("e", "prismatic")),
    ))  # fmt: skip
    q = robot.random(1, 2000)
    least = [-1.0, 5.0, -7.0, -np.pi, -1.0]
    most = [2.0, 5.0 + 2 * np.pi, -5.0, np.pi, 1.0]
    np.testing.assert_allclose(q.min(axis=0), least, atol=0.02)
    np.testing.assert_allclose(q.max(axis=0), most, atol=0.02)


def test_random_rotations_are_uniform():
    q = BALL.random(1, 20_000)
    np.testing.assert_allclose(np.linalg.norm(q, axis=-1), 1.0, atol=1e-15)
    np.testing.assert_allclose(np.cov(q.T), np.eye(4) / 4, atol=0.01)


def test_random_positions_are_drawn_again_from_the_same_seed():
    robot = any_chain("free", "universal")
    assert (robot.random(7, (2, 3)) == robot.random(np.random.default_rng(7), (2, 3))).all()
    assert robot.random(7, 4).shape == (4, 9)
    assert robot.random().shape == (9,)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda r: r.integrate([1.0], [0.0] * 6), r"q has the wrong shape(.|\n)*\(…, 7\): j0.x, j0.y, j0.z, j0.qw"),
        (lambda r: r.integrate(r.neutral(), 1.0), r"v has the wrong shape(.|\n)*\(…, 6\): j0.vx, j0.vy"),
        (lambda r: r.difference(r.neutral(), "q"), "q0 is not an array of numbers"),
        (lambda r: r.difference([[1.0], [2.0, 3.0]], r.neutral()), "q1 is not an array of numbers"),
        (lambda r: r.integrate(r.neutral(), [0.0] * 6, "soon"), "dt is not an array of numbers"),
        (lambda r: r.integrate(r.neutral(), [0.0] * 6, base_velocity="world"), "Unknown base_velocity"),
        (lambda r: r.difference(r.neutral(), r.neutral(), "local"), r"Unknown base_velocity(.|\n)*mujoco"),
        (lambda r: r.integrate(np.zeros((2, 7)), np.zeros((3, 6))), r"do not broadcast(.|\n)*= \(2,\), v .* \(3,\)"),
        (lambda r: r.integrate(np.zeros((2, 7)), np.zeros((2, 6)), np.zeros(3)), "do not broadcast"),
        (lambda r: r.difference(np.zeros((2, 7)), np.zeros((3, 7))), "do not broadcast"),
        (lambda r: r.random("seed"), "rng gives no random numbers"),
        (lambda r: r.random(-1), "rng gives no random numbers"),
        (lambda r: r.random(0, -1), "size is no shape"),
        (lambda r: r.random(0, 2.5), "size is no shape"),
    ],
)
def test_bad_input_is_refused(call, message):
    with pytest.raises(LinkwiseError, match=message):
        call(FREE)


def test_a_quaternion_of_any_length_is_a_rotation_and_that_of_none_is_nan():
    q = np.array([1.0, 2.0, 3.0, 2.0, 0.0, 0.0, 2.0])
    there = FREE.integrate(q, np.zeros(6))
    np.testing.assert_allclose(there[3:], np.array([1.0, 0.0, 0.0, 1.0]) / np.sqrt(2.0))
    assert np.isnan(FREE.integrate(np.zeros(7), np.ones(6))[3:]).all()
