"""The shipped robots: their numbers against the reference files, and what physics says of them."""

from __future__ import annotations

import math
from dataclasses import replace
from importlib.resources import files

import numpy as np
import pytest
from tests.engines import dense
from tests.robot.reference import inverse_dynamics_files, state_files, table

from linkwise.algebra import ZERO_TENSOR, Rotation
from linkwise.errors import LinkwiseError
from linkwise.formulations import composite_body, newton_euler
from linkwise.robot import toml
from linkwise.robot.angles import turn
from linkwise.robot.library import library, load
from linkwise.robot.model import Robot
from linkwise.robot.skeleton import skeleton

NAMES = (
    "industrial-6r-angeles-1988",
    "industrial-6r-angeles-1988-printed",
    "planar-3r",
    "puma-560-armstrong-1986",
    "puma-saha-2001",
    "puma-saha-2001-printed",
    "stanford-angeles-1988",
    "stanford-saha-1999",
    "stanford-saha-2001",
    "two-link-ascher-1997",
)


def torques(robot: Robot, q, v, a):
    return np.array(newton_euler.inverse_dynamics(skeleton(robot), list(q), list(v), list(a), math))


@pytest.mark.parametrize("name", ["", "/", 3, None, "../library/planar-3r"])
def test_what_names_no_robot_is_told_the_names(name):
    with pytest.raises(LinkwiseError, match="one of industrial-6r-angeles-1988"):
        load(name)


def test_the_library_holds_ten_robots():
    assert library() == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_robot_bears_its_own_name_and_tells_its_source(name):
    robot = load(name)
    assert robot.name == name
    assert robot.source
    assert len(robot.home) == robot.nq
    assert repr(robot).startswith(f"Robot {name!r}")


@pytest.mark.parametrize("name", NAMES)
def test_a_robot_carries_its_gravity(name):
    """Along -Z of its base, or along -Y where all axes are along Z."""
    planar = name in ("planar-3r", "two-link-ascher-1997")
    assert tuple(load(name).gravity) == ((0.0, -9.81, 0.0) if planar else (0.0, 0.0, -9.81))


@pytest.mark.parametrize("name", NAMES)
def test_every_shipped_table_names_the_source_of_its_numbers(name):
    lines = (files("linkwise") / "library" / f"{name}.toml").read_text(encoding="utf-8").splitlines()
    starts = ("rows", "masses", "coms", "inertias", "gravity", "home")
    blocks = [i for i, line in enumerate(lines) if line.startswith(starts)]
    unexplained = [lines[i] for i in blocks if "#" not in lines[i] + lines[i + 1]]
    assert unexplained in ([], ["gravity = [0.0, 0.0, -9.81]"])


@pytest.mark.parametrize("name", NAMES)
def test_writing_and_reading_gives_an_equal_robot(name):
    robot = load(name)
    assert toml.read(toml.write(robot)) == robot


@pytest.mark.parametrize(("name", "file"), inverse_dynamics_files)
def test_inverse_dynamics_along_the_papers_trajectories(name, file):
    robot = load(name)
    columns = table(file)
    worst = max(
        np.abs(torques(robot, q, v, a) - tau).max()
        for q, v, a, tau in zip(*(columns[key] for key in ("q", "qd", "qdd", "tau")), strict=True)
    )
    assert worst <= 1e-13 * np.abs(columns["tau"]).max()


@pytest.mark.parametrize(("name", "file"), state_files)
def test_torques_bias_and_mass_matrix_at_random_states(name, file):
    robot = load(name)
    columns = table(file)
    upper = np.triu_indices(robot.nv)
    for q, v, a, tau, bias, M in zip(*(columns[key] for key in ("q", "qd", "qdd", "tau", "bias", "M")), strict=True):
        rest = torques(robot, q, v, np.zeros(robot.nv))
        columns_of_M = [torques(robot, q, v, e) - rest for e in np.eye(robot.nv)]
        scale = np.abs(tau).max()
        assert torques(robot, q, v, a) == pytest.approx(tau, rel=0, abs=1e-13 * scale)
        assert rest == pytest.approx(bias, rel=0, abs=1e-13 * scale)
        assert np.array(columns_of_M)[upper] == pytest.approx(M, rel=0, abs=1e-12 * scale)


def test_the_first_offset_of_the_stanford_arm_has_no_effect():
    columns = table("id_stanford2001.csv")
    for q, v, a, tau in zip(*(columns[key] for key in ("q", "qd", "qdd", "tau")), strict=True):
        assert torques(load("stanford-saha-1999"), q, v, a) == pytest.approx(tau, rel=1e-12, abs=1e-12)


def test_the_stanford_arm_of_1988_is_that_of_2001_but_for_what_the_papers_print_otherwise():
    """Link 5's centre of mass and link 1's moment about its axis differ, and the slide has the other sign of b."""
    ours, theirs = load("stanford-saha-2001"), load("stanford-angeles-1988")
    for one, other in zip(ours.links, theirs.links, strict=True):
        assert one.mass == other.mass
        assert one.joint.placement.position == other.joint.placement.position
        assert one.joint.placement.rotation.matrix == other.joint.placement.rotation.matrix
        same_moments = one.inertia.entries == pytest.approx(other.inertia.entries, rel=1e-12, abs=1e-15)
        assert same_moments is (one.name != "link1")
        assert (tuple(one.com) == tuple(other.com)) is (one.name != "link5")
    q = ours.home
    assert torques(theirs, q, [0] * 6, [0] * 6)[4] == pytest.approx(0.6 * 9.81 * 0.06)  # 0.353 N m, against nought
    assert torques(ours, q, [0] * 6, [0] * 6)[4] == pytest.approx(0.0, abs=1e-15)


AT_THE_START = [*np.radians([0.0, 68.90886754, -134.59801462, 92.78914708, 90.0, 90.0])]
"""The pose of the hand at (1.33, 0, 1.80) m, solved from the printed angles with theta_4 corrected."""


@pytest.mark.parametrize(
    ("name", "torque"), [("industrial-6r-angeles-1988", 2837), ("industrial-6r-angeles-1988-printed", 730)]
)
def test_the_two_readings_of_the_industrial_robot(name, torque):
    robot = load(name)
    still = [0.0] * 6
    assert tip_position(robot, AT_THE_START) == pytest.approx((1.33, 0.0, 1.80), abs=1e-8)
    assert abs(torques(robot, AT_THE_START, still, still)[1]) == pytest.approx(torque, abs=0.5)


@pytest.mark.parametrize(
    ("name", "x", "z"),
    [("industrial-6r-angeles-1988", 1.324, 1.792), ("industrial-6r-angeles-1988-printed", 1.325, 1.238)],
)
def test_the_hand_at_the_printed_and_at_the_corrected_angles(name, x, z):
    robot = load(name)
    assert tip_position(robot, robot.home) == pytest.approx((x, 0.0, z), abs=5e-4)


def tip_position(robot: Robot, q):
    bodies = skeleton(robot).at(q, math)
    reached = skeleton(robot).tip
    for body in reversed(bodies):
        reached = body.p + (body.R @ reached)
    return tuple(reached)


def mass_matrices(name: str, poses: int) -> np.ndarray:
    """Those of random poses, all at once: arrays as components."""
    q = np.random.default_rng(1).uniform(-np.pi, np.pi, (load(name).nq, poses))
    M = composite_body.mass_matrix(skeleton(load(name)), list(q), np)
    return np.moveaxis([[np.broadcast_to(x, poses) for x in row] for row in M], -1, 0)


def test_the_mass_matrix_of_the_industrial_robot_is_definite_all_the_same():
    """Its first link is no body, but the least eigenvalue is 0.5 or more."""
    assert np.linalg.eigvalsh(mass_matrices("industrial-6r-angeles-1988", 1000)).min() >= 0.5


def test_the_printed_moments_of_the_puma_make_an_indefinite_mass_matrix_in_every_pose():
    assert np.linalg.eigvalsh(mass_matrices("puma-saha-2001-printed", 2000)).min(axis=-1).max() < 0
    assert np.linalg.eigvalsh(mass_matrices("puma-saha-2001", 2000)).min() > 0


def test_the_printed_moments_of_the_puma_were_turned_as_if_they_were_a_vector():
    """What is turned back by alpha, as a vector, is positive; as a tensor it is what stands in the corrected robot."""
    printed, right = (load(name).to_dh("saha") for name in ("puma-saha-2001-printed", "puma-saha-2001"))
    for (_, alpha, *_), wrong, tensor in zip(printed.rows, printed.inertias, right.inertias, strict=True):
        R = dense(Rotation((turn("x", alpha),)).matrix)
        moments = R @ np.diag(dense(wrong))
        assert np.all(moments > 0)
        assert dense(tensor) == pytest.approx(R.T @ np.diag(moments) @ R, rel=1e-12)


def test_the_moment_of_62_never_acts_where_it_is_printed():
    """Read at the joint, I_1 = diag(0, 62, 0) has no part about the first axis."""
    printed, right = load("industrial-6r-angeles-1988-printed"), load("industrial-6r-angeles-1988")
    q, v, a = np.random.default_rng(2).normal(size=(3, 6))
    for robot, acts in ((printed, False), (right, True)):
        first, *others = robot.links
        without = replace(robot, links=(replace(first, inertia=ZERO_TENSOR), *others))
        changed = np.abs(torques(without, q, v, a) - torques(robot, q, v, a)).max()
        assert changed == (pytest.approx(62 * abs(a[0]), rel=1e-9) if acts else 0.0)


def test_the_two_bars_are_ill_conditioned_as_published():
    """Condition numbers of 1.3e4 to 5.4e4, and joint 1 falls at about -491 rad/s²."""
    robot = load("two-link-ascher-1997")
    conditions, falls = [], []
    for angle in np.radians(np.arange(2, 361, 2)):
        rest = torques(robot, [0, angle], [0, 0], [0, 0])
        M = np.array([torques(robot, [0, angle], [0, 0], e) - rest for e in np.eye(2)])
        conditions.append(np.linalg.cond(M))
        falls.append(np.linalg.solve(M, -rest)[0])
    assert min(conditions) == pytest.approx(1.3e4, rel=0.05)
    assert max(conditions) == pytest.approx(5.4e4, rel=0.05)
    assert np.mean(falls) == pytest.approx(-491, rel=0.01)


def test_an_unknown_name_is_answered_with_near_ones():
    with pytest.raises(LinkwiseError, match=r"did you mean planar-3r"):
        load("planar-3R")


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(LinkwiseError, match=r"gone\.toml cannot be read"):
        load(tmp_path / "gone.toml")


def test_a_file_is_loaded_like_a_shipped_robot(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(toml.write(load("planar-3r")), encoding="utf-8")
    assert load(path) == load(str(path)) == load("planar-3r")
