"""`Dynamics` as its users meet it: every formulation on arrays of any shape, and errors that can be acted on."""

from __future__ import annotations

import csv
import pickle
import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from mpmath import mp
from tests.engines import Pinocchio, array, dense
from tests.motion import rate, stepped
from tests.robots import Robot, State, cases, chain
from tests.under_wrench import TIP, PinocchioUnderWrench

import linkwise
from linkwise import Dynamics, LinkwiseError
from linkwise.algebra import Force, Vec
from linkwise.bench.subjects import subject
from linkwise.choosing import allowed
from linkwise.counting import counted
from linkwise.formulations import FORMULATIONS
from linkwise.robot.skeleton import skeleton

PUMA = linkwise.load("puma-saha-2001")
REFERENCE = Path(__file__).parent / "reference"


def table(name: str) -> dict[str, np.ndarray]:
    """The columns of a reference file, joint vectors put together."""
    with (REFERENCE / name).open(encoding="utf-8") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    columns = {key: np.array([float(row[key]) for row in rows]) for key in rows[0]}
    return {
        key: np.stack([columns[f"{key}{i}"] for i in range(1, 7) if f"{key}{i}" in columns], axis=-1)
        for key in ("q", "qd", "qdd", "tau", "bias")
        if f"{key}1" in columns
    } | columns


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("planar-3r", "id_planar3.csv"),
        ("stanford-saha-2001", "id_stanford2001.csv"),
        ("puma-saha-2001", "id_puma2001_abs.csv"),
        ("stanford-saha-2001", "states_stanford2001.csv"),
        ("puma-saha-2001", "states_puma2001_abs.csv"),
    ],
)
def test_reference_torques(name: str, file: str) -> None:
    data = table(file)
    for formulation in (f for f, row in FORMULATIONS.items() if row.text("inverse_dynamics")):
        ours = Dynamics(linkwise.load(name), formulation).inverse_dynamics(data["q"], data["qd"], data["qdd"])
        assert np.max(np.abs(ours - data["tau"])) <= 1e-12 * np.max(np.abs(data["tau"]))


@pytest.mark.parametrize("name", ["stanford", "puma"])
def test_reference_mass_matrices_and_biases(name: str) -> None:
    data = table(f"states_{name}2001{'_abs' if name == 'puma' else ''}.csv")
    arm = Dynamics(linkwise.load(f"{name}-saha-2001"))
    upper = np.triu_indices(6)
    M = np.stack([data[f"M{i + 1}{j + 1}"] for i, j in zip(*upper, strict=True)], axis=-1)
    ours = arm.mass_matrix(data["q"])[:, *upper]
    assert np.max(np.abs(ours - M)) <= 1e-13 * np.max(np.abs(M))
    bias = arm.bias(data["q"], data["qd"])
    assert np.max(np.abs(bias - data["bias"])) <= 1e-13 * np.max(np.abs(data["bias"]))


def test_reference_fall() -> None:
    """The whole fall from rest, ten seconds by Runge and Kutta's method: their error is 3e-7 with these steps."""
    data = table("fd_freefall_planar3.csv")
    arm = Dynamics(linkwise.load("planar-3r"))
    falling = rate(arm, np.zeros(3))
    x, h, steps = np.zeros(6), 0.00025, 400
    for q, v in zip(data["q"][1:], data["qd"][1:], strict=True):
        for _ in range(steps):
            x = stepped(falling, x, h)
        assert np.max(np.abs(x - np.concatenate([q, v]))) <= 1e-6
    assert data["t"][-1] == pytest.approx(h * steps * (len(data["t"]) - 1)) == pytest.approx(10.0)


@pytest.mark.parametrize("formulation", ["auto", *FORMULATIONS])
@settings(max_examples=6)
@given(case=cases((1, 5)))
def test_every_formulation_gives_the_same_answers(formulation: str, case: tuple[Robot, State]) -> None:
    robot, s = case
    arm, engine = Dynamics(robot, formulation), Pinocchio(robot)
    M, τ = engine.mass_matrix(s.q), engine.inverse_dynamics(s.q, s.v, s.a)
    unit = np.sqrt(np.diag(M))
    size = np.max(np.abs(τ) / unit) + np.max(abs(M) @ np.abs(s.a) / unit)
    able = FORMULATIONS.get(formulation)
    if able is None or able.text("inverse_dynamics"):
        assert np.max(np.abs(arm.inverse_dynamics(s.q, s.v, s.a) - τ) / unit) <= 1e-11 * size
    if able is None or able.text("mass_matrix"):
        assert np.max(np.abs(arm.mass_matrix(s.q) - M) / np.outer(unit, unit)) <= 1e-11
    if able is None or able.text("forward_dynamics"):
        κ = np.linalg.cond(M / np.outer(unit, unit))
        error = np.abs(arm.forward_dynamics(s.q, s.v, τ.tolist()) - s.a) * unit
        assert np.max(error) <= max(1e-11, 64 * 2.0**-52 * κ) * size
    bias = engine.inverse_dynamics(s.q, s.v, np.zeros(len(s.q)))
    assert np.max(np.abs(arm.bias(s.q, s.v) - bias) / unit) <= 1e-11 * (size + np.max(np.abs(bias) / unit))


@settings(max_examples=10)
@given(cases((1, 6), tree=True))
def test_the_coriolis_matrix_is_there_for_trees(case: tuple[Robot, State]) -> None:
    robot, s = case
    tree = Dynamics(robot, "composite-body")
    C, v = tree.coriolis_matrix(s.q, s.v), np.array(s.v)
    M = tree.mass_matrix(s.q)
    left = C @ v + tree.gravity_torques(s.q) - tree.bias(s.q, s.v)
    assert np.max(np.abs(left)) <= 1e-11 * (np.max(np.abs(M)) + np.max(np.abs(tree.bias(s.q, s.v))))


def test_arguments_broadcast_as_numpys_do() -> None:
    arm = Dynamics(PUMA)
    rng = np.random.default_rng(0)
    q, v, a = rng.normal(size=(4, 1, 6)), rng.normal(size=(5, 6)), rng.normal(size=6)
    τ = arm.inverse_dynamics(q, v, a)
    assert τ.shape == (4, 5, 6)
    for i, j in np.ndindex(4, 5):
        assert np.array_equal(τ[i, j], arm.inverse_dynamics(q[i, 0].tolist(), v[j], a))
    assert arm.mass_matrix(q).shape == (4, 1, 6, 6)
    assert arm.joint_reactions(q, v, a).shape == (4, 5, 6, 6)
    assert arm.mass_matrix(np.empty((0, 6))).shape == (0, 6, 6)


def test_integers_lists_and_views_are_taken() -> None:
    arm = Dynamics(PUMA)
    whole = arm.gravity_torques([0, 1, 2, 0, 1, 2])
    assert np.array_equal(whole, arm.gravity_torques(np.array([0.0, 9, 1, 9, 2, 9, 0, 9, 1, 9, 2, 9])[::2]))


def test_matrices_that_do_not_depend_on_the_position_have_the_batchs_shape() -> None:
    assert Dynamics(chain("P")).mass_matrix(np.zeros((3, 1))).shape == (3, 1, 1)


def test_a_tip_wrench_counts_in_the_last_links_axes_about_the_tip() -> None:
    robot = chain("RPRR", seed=4)
    arm, engine = Dynamics(robot), Pinocchio(robot)
    rng = np.random.default_rng(2)
    q, v, a, wrench = rng.normal(size=4), rng.normal(size=4), rng.normal(size=4), rng.normal(size=6)
    added = arm.inverse_dynamics(q, v, a, tip_wrench=wrench) - arm.inverse_dynamics(q, v, a)
    about_origin = Force(Vec(*wrench[3:]), Vec(*wrench[:3])).at(robot.tip.position)
    assert np.allclose(added, engine.tip_torques(q, about_origin), rtol=0, atol=1e-13)
    τ = arm.inverse_dynamics(q, v, a, tip_wrench=wrench)
    assert np.allclose(arm.forward_dynamics(q, v, τ, tip_wrench=wrench), a, rtol=0, atol=1e-11)


@settings(max_examples=12)
@given(case=cases((2, 4)))
def test_accelerations_and_reactions_are_told_in_the_links_own_axes(case: tuple[Robot, State]) -> None:
    """Linear before angular, force before moment; the tip and its wrench in the axes of the last link that moves."""
    robot, s = case
    arm, there, bodies = Dynamics(robot, "operators"), PinocchioUnderWrench(robot, s), skeleton(robot)
    own = [dense(bone.own_frame.rotation.matrix).T for bone in bodies.bones]
    wrench = TIP.at(-bodies.tip)
    given_ = (s.q, s.v, s.tau)
    load = {"tip_wrench": np.concatenate([own[-1] @ array(wrench.force), own[-1] @ array(wrench.moment)])}
    κ = np.linalg.cond(arm.mass_matrix(s.q))
    for ours, theirs in (
        (
            arm.link_accelerations(*given_, **load),
            [told_in(R, α) for R, α in zip(own, there.accelerations(), strict=True)],
        ),
        (arm.tip_acceleration(*given_, **load), told_in(own[-1], there.tip_acceleration())),
        (arm.joint_reactions(*given_, **load), [told_in(R, f) for R, f in zip(own, there.f, strict=True)]),
    ):
        assert np.max(np.abs(ours - theirs)) <= max(1e-12, 64 * 2.0**-52 * κ) * max(1.0, np.max(np.abs(theirs)))


def told_in(R: np.ndarray, turning_first: np.ndarray) -> np.ndarray:
    """Six numbers in other axes, what shifts before what turns."""
    return np.concatenate([R @ turning_first[3:], R @ turning_first[:3]])


def test_it_can_be_pickled() -> None:
    arm = Dynamics(PUMA, "denoc")
    again = pickle.loads(pickle.dumps(arm))
    q = np.linspace(-1, 1, 6)
    assert repr(again) == repr(arm)
    assert np.array_equal(again.mass_matrix(q), arm.mass_matrix(q))


def test_it_says_what_it_is_of() -> None:
    arm = Dynamics(linkwise.load("planar-3r"), "denoc")
    assert repr(arm) == "Dynamics('planar-3r', formulation='denoc', joints=['joint1', 'joint2', 'joint3'])"
    assert (arm.robot.nq, arm.robot.nv) == (3, 3)
    assert (arm.robot.joint_names[0], arm.robot.link_names[2]) == ("joint1", "link3")


def test_a_text_runs_on_any_scalars() -> None:
    q = [0.3, -1.2, 0.4, 0.1, 0.5, -0.2]
    U, D = (np.array(x) for x in Dynamics(PUMA, "denoc").run_text("udu_factors", q))
    assert np.allclose(U * D @ U.T, Dynamics(PUMA).mass_matrix(q), rtol=0, atol=1e-14)
    with mp.workdps(50):
        M = np.array(Dynamics(PUMA).run_text("mass_matrix", [mp.mpf(x) for x in q], fn=mp))
    assert np.max(abs(M - Dynamics(PUMA).mass_matrix(q))) <= 1e-14


@pytest.mark.parametrize(
    ("function", "state", "words"),
    [
        ("lagrangian", ([0.0] * 6,), "Unknown function"),
        (None, ([0.0] * 6,), "Unknown function"),
        ("mass_matrix", ([0.0] * 5,), r"given: 5 entries(.|\n)*q of 6 entries"),
        ("mass_matrix", ([0.0] * 7,), "given: 7 entries"),
        ("mass_matrix", (0.0,), "given: no vector"),
        ("inverse_dynamics", ([0.0] * 6, [0.0] * 6), "q of 6 entries, v of 6 entries, a of 6 entries"),
        ("udu_factors", ([0.0] * 6, [0.0] * 6), "given: 6 entries, 6 entries"),
        ("forward_dynamics_fd1", (), r"given: nothing(.|\n)*τ of 6 entries"),
    ],
)
def test_a_text_is_given_what_it_wants_or_nothing(function: str, state: tuple, words: str) -> None:
    with pytest.raises(LinkwiseError, match=words):
        Dynamics(PUMA).run_text(function, *state)


def test_auto_names_what_it_picked() -> None:
    assert Dynamics(PUMA).chosen("inverse_dynamics") == "newton-euler"
    assert Dynamics(PUMA).chosen("forward_dynamics") == "composite-body"
    assert Dynamics(PUMA).chosen("joint_reactions") == "operators"
    assert Dynamics(chain("R" * 12)).chosen("forward_dynamics") == "operators"


@pytest.mark.parametrize("name", ["generic-9r", "panda", "anymal-c", "talos"])
def test_auto_is_the_cheapest_of_all_that_there_are(name: str) -> None:
    """Arms, a quadruped and a humanoid: nobody has fewer operations than what the law of operations left over."""
    robot = subject(name)
    able = [row.name for row in allowed(robot, "auto") if row.text("forward_dynamics")]
    costs = {by: counted(robot, by, "forward_dynamics").rewritten for by in able}
    assert {"composite-body", "operators", "articulated-body"} <= set(costs)
    chosen = Dynamics(robot).chosen("forward_dynamics")
    assert costs[chosen].M + costs[chosen].A == min(cost.M + cost.A for cost in costs.values())


def test_robots_that_no_bodies_make_have_no_forward_dynamics() -> None:
    arm = Dynamics(linkwise.load("puma-saha-2001-printed"))
    assert arm.inverse_dynamics(np.zeros(6), np.zeros(6), np.zeros(6)).shape == (6,)
    with pytest.raises(LinkwiseError, match=r"principal moment of link .* is negative"):
        arm.forward_dynamics(np.zeros(6), np.zeros(6), np.zeros(6))


@pytest.mark.parametrize("formulation", [name for name, row in FORMULATIONS.items() if row.text("forward_dynamics")])
def test_motions_that_no_mass_resists_have_no_forward_dynamics(formulation: str) -> None:
    mass, none = (1.0, (0.3, 0.1, 0.2), (0.1, 0.1, 0.15)), (0.0, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    idle_hand = links_of([mass, none], [0.0, 0.0])
    with pytest.raises(LinkwiseError, match="no mass resists joint 'joint2'"):
        Dynamics(idle_hand, formulation).forward_dynamics([0, 1], [0, 0], [0, 0])
    idle_wrist = links_of([none, none, none, mass], [0.0, 0.7, -0.7, 0.3])  # four turns about one point
    with pytest.raises(LinkwiseError, match="a motion in which joint"):
        Dynamics(idle_wrist, formulation).forward_dynamics([0] * 4, [0] * 4, [0] * 4)
    wrist = links_of([none, none, mass], [0.0, 0.7, -0.7])
    assert np.isfinite(Dynamics(wrist, formulation).forward_dynamics([0, 1, 1], [0] * 3, [1] * 3)).all()


def links_of(bodies: list[tuple], alphas: list[float]) -> Robot:
    """A chain whose axes all go through one point."""
    masses, coms, inertias = zip(*bodies, strict=True)
    rows = [(0.0, alpha, 0.0, 0.0) for alpha in alphas]
    return Robot.from_dh(rows, convention="modified", masses=masses, coms=coms, inertias=inertias)


def test_a_failing_triangle_inequality_warns_once() -> None:
    """Whichever functions need sound masses, and however often."""
    arm, zero = Dynamics(linkwise.load("puma-560-armstrong-1986")), np.zeros(6)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        for _ in range(2):
            assert np.isfinite(arm.forward_dynamics(zero, zero, zero)).all()
            arm.joint_reactions(zero, zero, zero)
            arm.forward_dynamics(zero, zero, zero, gravity=[0.0, 0.0, 0.0])
    (warning,) = told
    assert warning.category is linkwise.PhysicalWarning
    assert warning.filename == __file__  # where it is called, not somewhere within
    assert "link1" in str(warning.message)


def test_what_is_warned_of_stays_an_error_where_warnings_are() -> None:
    arm, zero = Dynamics(linkwise.load("puma-560-armstrong-1986")), np.zeros(6)
    for _ in range(2):
        with pytest.raises(linkwise.PhysicalWarning):
            arm.forward_dynamics(zero, zero, zero)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: Dynamics("puma"), "load one by its name"),
        (lambda: Dynamics(PUMA, "lagrange"), "one of newton-euler, kane"),
        (lambda: Dynamics(PUMA, ["kane"]), "one of newton-euler, kane"),
        (lambda: Dynamics(PUMA).chosen("lagrangian"), "one of inverse_dynamics, forward_dynamics"),
        (lambda: Dynamics(Robot.generic("RR")), "symbols in the place of numbers"),
        (lambda: Dynamics(PUMA, "kane").mass_matrix(np.zeros(6)), "one of natural-complement, denoc"),
        (lambda: Dynamics(PUMA).mass_matrix(np.zeros(5)), "one entry for each joint: joint1, joint2"),
        (lambda: Dynamics(PUMA).mass_matrix(0.0), r"shape \(\)"),
        (lambda: Dynamics(PUMA).mass_matrix("upright"), "is not an array of numbers"),
        (lambda: Dynamics(PUMA).mass_matrix([[0.0] * 6, [0.0] * 5]), "is not an array of numbers"),
        (lambda: Dynamics(PUMA).mass_matrix(np.zeros(6) * 1j), "is not an array of numbers"),
        (lambda: Dynamics(PUMA).bias(np.zeros((2, 6)), np.zeros((3, 6))), "do not broadcast"),
        (lambda: Dynamics(PUMA).bias(np.zeros(6), np.zeros(6), tip_wrench=np.zeros(3)), "three forces, then three"),
    ],
)
def test_errors_say_what_was_expected(call, words: str) -> None:
    with pytest.raises(LinkwiseError, match=words):
        call()


@pytest.mark.parametrize("formulation", ["kane", "natural-complement", "denoc", "gibbs-appell"])
def test_formulations_for_chains_refuse_trees_by_name(formulation: str) -> None:
    with pytest.raises(LinkwiseError, match=rf"'{formulation}' is for serial chains.*branches at link 'link0'"):
        Dynamics(forked(), formulation)


def test_a_tree_has_no_tip() -> None:
    tree = forked()
    with pytest.raises(LinkwiseError, match="no one tip"):
        Dynamics(tree).bias(np.zeros(3), np.zeros(3), tip_wrench=np.zeros(6))
    with pytest.raises(LinkwiseError, match="no one tip"):
        Dynamics(tree).tip_acceleration(np.zeros(3), np.zeros(3), np.zeros(3))
    assert Dynamics(tree).forward_dynamics(np.zeros(3), np.zeros(3), np.zeros(3)).shape == (3,)


def forked() -> Robot:
    """A link that carries two."""
    stem, left, right = chain("RRR", seed=6).links
    return Robot("forked", (stem, left, replace(right, parent=0)))


def test_nan_stays_in_its_own_state() -> None:
    arm = Dynamics(PUMA)
    q = np.zeros((3, 6))
    q[1, 2] = np.nan
    finite = np.isfinite(arm.forward_dynamics(q, np.zeros(6), np.ones(6))).all(axis=-1)
    assert finite.tolist() == [True, False, True]
