"""`linkwise bench` and `linkwise race`: that they measure what they say, and say what they measured."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib.metadata import PackageNotFoundError
from typing import Any

import numpy as np
import pytest

import linkwise
from linkwise import Drive, Joint, Link, LinkwiseError, Mimic, Robot
from linkwise.algebra import Placement, Screw, Turn
from linkwise.bench import in_pinocchio, measuring, race, subjects, targets, timing
from linkwise.bench.compiling import Compiled
from linkwise.bench.contenders import FUNCTIONS, LOOP, MUJOCO, POOL, Case
from linkwise.bench.measuring import BATCH
from linkwise.bench.report import Report, Speed
from linkwise.bench.tables import page, size
from linkwise.bench.timing import Contender, best
from linkwise.bench.truth import Truth
from linkwise.cli import benches, main, races
from linkwise.compiled import Facts
from linkwise.counting import counted
from linkwise.dynamics import Dynamics
from linkwise.formulations import FORMULATIONS
from linkwise.kernel.machine import host

ROBOT = "planar-3r"


@pytest.fixture(scope="module")
def report() -> Report:
    plan = measuring.Plan((ROBOT,), (1, BATCH), attempts=1, rounds=2, slice=1e-4)
    with measuring.bench(plan) as running:
        for _, do in running.steps():
            do()
        return running.report()


@pytest.fixture(scope="module")
def raced() -> dict[str, list[race.Result]]:
    return races.run(linkwise.load(ROBOT), quick=True)


def test_everybody_is_timed_on_the_same_states(report):
    by = {(s.function, s.batch, s.by) for s in report.speeds}
    for function in FUNCTIONS:
        assert {(function, 1, LOOP), (function, BATCH, LOOP), (function, BATCH, "peak")} <= by
    assert ("forward_dynamics", BATCH, POOL) in by
    assert ("inverse_dynamics", BATCH, MUJOCO) in by
    assert all(s.ns > 0 for s in report.speeds)
    assert {(a.function, a.by) for a in report.agreements} >= {(function, LOOP) for function in FUNCTIONS}
    assert {a.by for a in report.agreements} == {LOOP, POOL}  # for MuJoCo, flat links are none
    assert all(a.differs < 1e-11 for a in report.agreements)


def test_what_is_compiled_is_found_again_on_disk(report):
    code = report.code(ROBOT, "forward_dynamics", "double")
    assert 0 < code.warm < code.cold
    assert 0.5 < code.at_best <= 1.0
    assert code.facts.robot == ROBOT
    assert not code.facts.from_cache


def test_scripts_and_pages_are_told_the_same(report):
    told = json.loads(json.dumps(benches.data(report)))
    assert told["machine"]["doubles in a vector"] == host().doubles
    assert {c["robot"] for c in told["compiled"]} == {ROBOT}
    own = [s for s in told["speeds"] if s["by"] == "linkwise" and s["batch"] == BATCH]
    assert all(s["share"] > 0 and s["gflops"] > 0 for s in own)
    assert all(s["share"] < 1 for s in own if s["threads"] == 1)  # on a busy machine, two threads have no peak to tell
    text = page(report)
    for title in ("Reached and asked", "Forward dynamics on one core", "Compilation", "Agreement", "Measured on"):
        assert f"### {title}\n" in text


def test_rows_of_a_table_have_a_cell_for_every_column(report):
    for lines in page(report).split("\n\n"):
        bars = {line.count("|") for line in lines.splitlines()}
        assert len(bars) == 1


def test_saved_tables_are_those_of_the_report(report, tmp_path, capsys):
    benches.save(report, tmp_path / "new" / "tables.md")
    assert (tmp_path / "new" / "tables.md").read_text("utf-8") == page(report)
    benches.show(report)
    shown = capsys.readouterr().out
    assert "Reached and asked" in shown
    assert size(report.ns(ROBOT, "mass_matrix", BATCH)) in shown


ARM = subjects.SIX_AXES[0]


def test_targets_are_ratios_of_one_run():
    """A loop of 700 ns over a batch of 10 ns is 70 times slower: enough, and half of it is on half the width."""

    def speed(by: str, ns: float, batch: int = BATCH, precision: str = "double", threads: int = 1) -> Speed:
        return Speed(ARM, 6, "forward_dynamics", batch, by, precision, threads, ns)

    speeds = (
        speed("linkwise", 10.0),
        speed(LOOP, 700.0),
        speed(POOL, 400.0),
        speed("linkwise", 8.0, precision="single"),
    )
    facts = Facts(ARM, "forward_dynamics", "composite-body", 1, 1, "double", 8, (6,), 0.2, 1024, 10, 15)
    found = Report(0.1, (Compiled(ARM, 6, facts, 0.3, 0.1, 0.004),), speeds, ())
    told = {v.what: v for v in targets.verdicts(found)}
    share = host().doubles / 8
    assert told["batch 4,096, over a loop on pin.aba"].reached == 70.0
    assert told["batch 4,096, over a loop on pin.aba"].asked == 70.0 * share
    assert told["batch 4,096, over a loop on pin.aba"].met
    assert told["batch 4,096, over abaInParallel on one thread"].met == (share <= 0.8)
    assert not told["batch 4,096, float32 over float64"].met
    assert not told["traced, rewritten, compiled"].met
    assert told["found on disk"].met
    assert told["import linkwise"].met
    assert "batch 10⁶, two threads over one" not in told  # it was not measured


def test_the_best_slice_counts():
    fast, slow = (Contender(name, "sum(range(n))", {"n": n}) for name, n in (("fast", 1), ("slow", 2000)))
    times = best([fast, slow], rounds=2, slice=1e-4)
    assert 0 < times[0] < times[1] < 1e-2


def test_long_runs_are_few(monkeypatch):
    monkeypatch.setattr(timing, "ENOUGH", 0.0)
    runs = []
    best([Contender("long", "runs.append(0)", {"runs": runs})], rounds=1000, slice=0.0)
    assert len(runs) == 2 + timing.LEAST  # two to see how long it takes


def test_engines_that_are_not_there_are_left_out(monkeypatch, capsys):
    monkeypatch.setattr("linkwise.bench.contenders.find_spec", lambda module: None)
    assert {c.name for c in Case(linkwise.load(ROBOT), "mass_matrix", 1).contenders()} == {"linkwise"}
    benches.measured(measuring.Plan((), ()))
    assert "pinocchio is not installed, and left out" in capsys.readouterr().err


def odd(**more: Any) -> Robot:
    joint = Joint(**{"name": "odd", "type": "revolute", **more})
    return Robot("odd", (Link("arm", -1, joint, mass=1.0, inertia=(0.1, 0.1, 0.1)),))


@pytest.mark.parametrize(
    "more", [{"type": "helical", "pitch": 0.01}, {"type": "free", "drive": Drive(armature=(0.1,) * 6)}]
)
def test_what_engines_are_not_given_they_are_not_compared_with(more):
    robot = odd(**more)
    assert subjects.beyond_engines(robot) is robot.links[0].joint
    assert subjects.beyond_engines(afloat()).mimic
    assert subjects.beyond_engines(linkwise.load(ROBOT)) is None


def test_nobody_is_timed_with_losses():
    drive = Drive(rotor_inertia=0.1, gear_ratio=2.0, armature=(0.3,), damping=(0.5,), friction=(0.2,))
    (kept,) = (link.joint.drive for link in subjects.lossless(odd(drive=drive)).links)
    assert kept == Drive(rotor_inertia=0.1, gear_ratio=2.0, armature=(0.3,))


def manifold() -> Robot:
    """A robot afloat with a ball, rotors and branches, which engines number otherwise than it is told."""
    base = Link("base", -1, Joint("root", "free"), mass=5.0, inertia=(0.1, 0.2, 0.15), com=(0.1, 0.0, -0.1))
    geared = Drive(rotor_inertia=1e-3, gear_ratio=10.0)
    across = Placement((Screw(Turn("x", 0.6, 0.8), 0.1), Screw(Turn("z", 0.8, -0.6), 0.2)))
    hip, ball = Joint("hip", "continuous", across, drive=geared), Joint("ball", "spherical", across.then(across))
    slide = Joint("slide", "prismatic", axis=(0.6, 0.0, 0.8))
    body = {"mass": 1.0, "com": (0.1, -0.2, 0.3), "inertia": (0.1, 0.2, 0.15)}
    links = (Link("z", 0, hip, **body), Link("a", 0, ball, **body), Link("m", 1, slide, **body))
    return Robot("manifold", (base, *links))


@pytest.mark.parametrize("function", FUNCTIONS)
def test_engines_agree_in_their_own_coordinates(function):
    case = Case(manifold(), function, 50)
    results = {}
    for contender in (c for c in case.contenders() if c.results and c.precision == "double"):
        contender.timer.timeit(1)
        results.setdefault(contender.name, contender.results())
    ours = results.pop("linkwise")
    assert set(results) == {LOOP} | ({POOL, MUJOCO} if function != "mass_matrix" else set())
    for theirs in results.values():
        np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-11 * np.abs(ours).max())


def test_pinocchio_has_the_joints_that_take_it_least_time():
    made = in_pinocchio.model(linkwise.load(ROBOT))
    assert {joint.shortname() for joint in made.joints[1:]} == {"JointModelRZ"}
    aslant = in_pinocchio.model(odd(axis=(0.6, 0.0, 0.8)))
    assert aslant.joints[1].shortname() == "JointModelRevoluteUnaligned"


def test_examples_are_those_that_were_meant():
    free = {name: subjects.subject(name).joints[0].type == "free" for name in subjects.EXAMPLES}
    assert free == {"ur5": False, "panda": False, "anymal-c": True, "talos": True}
    assert {name: subjects.subject(name).nv for name in free} == {"ur5": 6, "panda": 7, "anymal-c": 18, "talos": 38}
    assert not any(subjects.beyond_engines(subjects.subject(name)) for name in free)


def test_examples_that_are_not_there_are_left_out(monkeypatch, capsys):
    def gone(name: str) -> None:
        raise PackageNotFoundError(name)

    monkeypatch.setattr("linkwise.bench.subjects.distribution", gone)
    chosen = benches.plan([], quick=False)
    assert not set(chosen.robots) & set(subjects.EXAMPLES)
    assert subjects.LONGEST in chosen.robots
    benches.measured(replace(chosen, robots=()))
    assert "example-robot-data is not installed: ur5, panda, anymal-c, talos left out" in capsys.readouterr().err
    with pytest.raises(LinkwiseError, match=r"linkwise\[bench\]"):
        benches.plan(["ur5"], quick=False)


def test_positions_are_such_as_the_robot_can_have():
    robot = linkwise.load(ROBOT).with_free_base()
    q = subjects.random_rows(robot, "q", 5, np.random.default_rng(0))
    assert q.shape == (5, robot.nq)
    np.testing.assert_allclose(np.linalg.norm(q[:, 3:7], axis=1), 1.0)
    assert subjects.random_rows(robot, "tau", 5, np.random.default_rng(0)).shape == (5, robot.nv)


def test_generic_chains_are_always_the_same():
    assert subjects.subject("generic-4r") == subjects.subject("generic-4r")
    assert subjects.subject("generic-4r").check() == ()
    assert subjects.subject(ROBOT) == linkwise.load(ROBOT)


def test_every_formulation_races(raced):
    for function, results in raced.items():
        names = [name for name, row in FORMULATIONS.items() if row.text(function)]
        assert [r.formulation for r in results] == names
        for r in results:
            assert r.operations == counted(linkwise.load(ROBOT), r.formulation, function).rewritten
            assert 0 < r.error["double"] < 1e-13 < r.error["single"] < 1e-4


def test_the_least_wins(raced):
    told = json.loads(json.dumps(races.data(raced)))
    for function, results in raced.items():
        for what, measure in race.MEASURES.items():
            least = min(measure(r) for r in results)
            winners = [r.formulation for r in results if measure(r) == least]
            assert told[function]["winners"][what] == winners


def test_a_race_is_shown_with_its_winners(raced, capsys):
    races.show(linkwise.load(ROBOT), raced)
    shown = capsys.readouterr().out
    least = min((r for r in raced["mass_matrix"]), key=lambda r: r.operations.M + r.operations.A)
    assert f"• {least.operations}" in shown
    assert all(name in shown for name in FORMULATIONS)


def test_errors_are_told_as_shares_of_the_truth():
    robot = linkwise.load(ROBOT)
    states = race.states(robot, "mass_matrix", 2)

    class Off:
        """A tenth too large, everywhere."""

        def mass_matrix(self, q):
            return 1.1 * Dynamics(robot).mass_matrix(q)

    assert Truth(robot, "mass_matrix", states).error(Off()) == pytest.approx(0.1)


def afloat() -> Robot:
    """An arm on a body that floats, its last joint led by the one before."""
    base = Link("base", -1, Joint("root", "free"), mass=5.0, inertia=(0.1, 0.2, 0.15))
    arm = [replace(link, parent=link.parent + 1) for link in linkwise.load(ROBOT).links]
    led = replace(arm[2].joint, mimic=Mimic(arm[1].joint.name, 0.5, 0.1))
    return Robot("afloat", (base, *arm[:2], replace(arm[2], joint=led)))


def test_errors_are_those_of_the_robots_own_coordinates():
    robot = afloat()
    states = race.states(robot, "forward_dynamics", 3)
    assert [rows.shape[1] for rows in states] == [robot.nq, robot.nv, robot.nv]
    assert Truth(robot, "forward_dynamics", states).error(Dynamics(robot)) < 1e-13


def test_only_who_can_takes_part():
    runners = race.Race(afloat(), race.QUICK)
    assert runners.names("inverse_dynamics") == ["newton-euler", "operators"]
    assert runners.names("forward_dynamics") == ["composite-body"]


@pytest.mark.parametrize("command", ["bench", "race"])
@pytest.mark.parametrize("robot", ["planar-4r", "generic-0r", "nowhere.toml"])
def test_robots_that_there_are_not_are_refused_at_once(command, robot, capsys):
    with pytest.raises(SystemExit) as ended:
        main([command, robot])
    assert ended.value.code == 2
    assert "to mend it: " in capsys.readouterr().err


def test_masses_that_no_body_has_are_refused_before_anything_is_measured():
    with pytest.raises(LinkwiseError, match="link3"):
        benches.plan(["puma-saha-2001-printed"], quick=True)
    with pytest.raises(LinkwiseError, match="link3"):
        races.run(linkwise.load("puma-saha-2001-printed"), quick=True)


def test_tables_that_cannot_be_saved_are_told_with_the_reason(report, tmp_path):
    with pytest.raises(LinkwiseError, match="directory"):
        benches.save(report, tmp_path)
