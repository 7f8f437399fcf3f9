"""Compiled functions: the evaluator's bits for every function, formulation, type, layout, place and thread count."""

from __future__ import annotations

import ast
import copy
import multiprocessing
import pickle
import subprocess
import sys
import threading
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.robots import Robot, State, cases, chain

import linkwise
from linkwise import Dynamics, LinkwiseError
from linkwise.compiled import Request, compiled
from linkwise.expr import evaluate
from linkwise.expr.lower import lowered
from linkwise.formulations import FORMULATIONS, KINEMATICS, QUANTITIES
from linkwise.kernel import call
from linkwise.making import choice
from linkwise.quantities import PER_LINK
from linkwise.varying import Varying

PUBLIC = [name for name in QUANTITIES if hasattr(Dynamics, name)]
OWN = [(row.name, f) for row in FORMULATIONS.values() for f in PUBLIC if row.text(f)]
OWN += [("auto", f) for f in KINEMATICS.functions]
DTYPES = (np.float64, np.float32)
ARM = chain("RPRR", seed=11)
SIX = chain("RPRRRR", seed=11)
"""Joints enough for a frame to move in every direction."""


def frame(function: str) -> str | None:
    """The last link's, if it has to be said of which the function is asked."""
    return SIX.link_names[-1] if QUANTITIES[function].of_frames == "one" else None


def arguments(robot: Robot, function: str, count: int, dtype: type = np.float64) -> list[np.ndarray]:
    rng = np.random.default_rng(7)
    return [rng.normal(size=(count, robot.nv)).astype(dtype) for _ in QUANTITIES[function].arguments]


def expected(robot: Robot, formulation: str, function: str, arrays: list[np.ndarray]) -> np.ndarray:
    """What the reference evaluator makes of the same lowered program."""
    precision = "double" if arrays[0].dtype == np.float64 else "single"
    traced = choice(Dynamics(robot, formulation, dtype=arrays[0].dtype).request(function, (), frame(function)))[1]
    program = lowered(traced.program, precision)
    values = evaluate(program, dict(zip(program.inputs, np.concatenate(arrays, axis=1).T, strict=True)))
    stacked = np.stack([np.broadcast_to(v, len(arrays[0])) for v in values], axis=-1)
    return stacked.astype(arrays[0].dtype).reshape(-1, *traced.shape)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(("formulation", "function"), OWN, ids=lambda name: name)
def test_every_function_has_the_evaluators_bits(formulation: str, function: str, dtype: type) -> None:
    arrays = arguments(SIX, function, 21, dtype)
    ours = Dynamics(SIX, formulation, dtype=dtype).compile(function, frame(function))(*arrays)
    assert ours.dtype == dtype
    assert np.array_equal(ours, expected(SIX, formulation, function, arrays))


@pytest.mark.parametrize("function", PUBLIC)
def test_the_layout_does_not_matter(function: str) -> None:
    f, arrays = Dynamics(SIX).compile(function, frame(function)), arguments(SIX, function, 37)
    whole = f(*arrays)
    assert np.array_equal(f(*map(np.asfortranarray, arrays)), whole)
    assert np.array_equal(f(*(a[::-1] for a in arrays)), whole[::-1])
    assert np.array_equal(f(*(np.repeat(a, 2, axis=1)[:, ::2] for a in arrays)), whole)
    assert np.array_equal(f(*(a.tolist() for a in arrays)), whole)
    assert np.array_equal(f(*(a.reshape(1, 37, 1, -1) for a in arrays)).reshape(whole.shape), whole)
    out = np.empty_like(whole)
    assert f(*arrays, out=out) is out
    assert np.array_equal(out, whole)


@settings(max_examples=20)
@given(st.integers(1, 70), st.integers(0, 69), st.integers(1, 5))
def test_neither_do_place_length_nor_threads(count: int, place: int, threads: int) -> None:
    arm = Dynamics(ARM)
    arrays = arguments(ARM, "forward_dynamics", count)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(call, "WORTH_A_THREAD", 1)
        whole = arm.forward_dynamics(*arrays, threads=threads)
    i = place % count
    assert np.array_equal(whole[i], arm.forward_dynamics(*(a[i] for a in arrays)))


def test_large_batches_are_the_same_on_all_threads() -> None:
    arm = Dynamics(ARM)
    arrays = arguments(ARM, "forward_dynamics", 100_003)
    one, many = (arm.forward_dynamics(*arrays, threads=n) for n in (1, 2))
    assert np.array_equal(one, many)
    assert np.array_equal(one, arm.forward_dynamics(*arrays))


def test_many_threads_may_compile_and_call_at_once() -> None:
    arm = Dynamics(chain("RRR", seed=3))
    q = np.linspace(0, 1, 3)
    found: list[np.ndarray] = []
    workers = [threading.Thread(target=lambda: found.append(arm.mass_matrix(q))) for _ in range(8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert len(found) == 8
    assert all(np.array_equal(M, found[0]) for M in found)


@settings(max_examples=8)
@given(cases((1, 5)))
def test_single_precision_loses_what_rounding_loses(case: tuple[Robot, State]) -> None:
    robot, s = case
    double, single = (Dynamics(robot, dtype=dtype) for dtype in DTYPES)
    M, M32 = double.mass_matrix(s.q), single.mass_matrix(s.q)
    scale = np.sqrt(np.outer(np.diag(M), np.diag(M)))
    assert M32.dtype == np.float32
    assert np.max(np.abs(M32 - M) / scale) <= 1e-4


VARYING = [("mass",), ("com",), ("inertia",), ("mass", "com", "inertia")]


@pytest.mark.parametrize("parameters", VARYING, ids="+".join)
@pytest.mark.parametrize("function", ["inverse_dynamics", "forward_dynamics", "mass_matrix", "coriolis_matrix"])
def test_parameters_that_vary_are_as_if_the_robot_had_them(function: str, parameters: tuple[str, ...]) -> None:
    robot, other = chain("RPRR", seed=11, after_fixed=True), chain("RPRR", seed=12, after_fixed=True)
    links = tuple(
        replace(mine, **{p: getattr(theirs, p) for p in parameters})
        for mine, theirs in zip(robot.links, other.links, strict=True)
    )
    changed = replace(robot, links=links)
    arm, arrays = Dynamics(robot, parameters=parameters), arguments(robot, function, 5)
    varying = Varying(parameters, tuple(range(len(links))))
    values = {p: varying.own(other, p) for p in parameters}
    there = getattr(Dynamics(changed), function)(*arrays)
    size = np.max(np.abs(there))
    assert np.max(np.abs(getattr(arm, function)(*arrays, **values) - there)) <= 1e-11 * size
    assert np.max(np.abs(getattr(arm, function)(*arrays, *values.values()) - there)) <= 1e-11 * size
    own = getattr(Dynamics(robot), function)(*arrays)
    assert np.max(np.abs(getattr(arm, function)(*arrays) - own)) <= 1e-11 * np.max(np.abs(own))


def test_parameters_have_a_batch_of_their_own() -> None:
    arm = Dynamics(ARM, parameters=("mass",), links=["link3"])
    q = np.linspace(0, 1, 4)
    M = arm.mass_matrix(q, mass=np.linspace(1.0, 3.0, 5)[:, None])
    assert M.shape == (5, 4, 4)
    assert np.allclose(np.diff(M, n=2, axis=0), 0.0, atol=1e-12)


def test_a_tip_wrench_goes_with_varying_parameters() -> None:
    arm, plain = Dynamics(ARM, parameters=("mass",)), Dynamics(ARM)
    state, wrench = [a[0] for a in arguments(ARM, "inverse_dynamics", 1)], np.arange(6.0)
    ours = arm.inverse_dynamics(*state, tip_wrench=wrench)
    assert np.allclose(ours, plain.inverse_dynamics(*state, tip_wrench=wrench), rtol=0, atol=1e-12)


def test_a_pivot_that_is_not_positive_gives_nan_in_its_state_alone() -> None:
    arm = Dynamics(ARM, parameters=("mass", "inertia"))
    mass = np.ones((3, 4))
    mass[1] = -1.0
    mass[2] = 0.0
    inertia = np.zeros((4, 6))
    found = arm.forward_dynamics(*(a[0] for a in arguments(ARM, "forward_dynamics", 1)), mass=mass, inertia=inertia)
    assert np.isnan(found[1:]).all()


def in_fractions(robot: Robot) -> Robot:
    return replace(robot, links=tuple(replace(link, mass=Fraction(link.mass)) for link in robot.links))


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: Dynamics(ARM, parameters=("weight",)), "one of mass, com, inertia"),
        (lambda: Dynamics(ARM, parameters="mass"), r"parameters should be a sequence of names(.|\n)*\['mass'\]"),
        (lambda: Dynamics(ARM, parameters=3), "parameters should be a sequence of names"),
        (lambda: Dynamics(ARM, parameters=("mass",), links=["hand"]), "one of link0"),
        (lambda: Dynamics(ARM, parameters=("mass",), links=["link1", "link1"]), "the same parameters twice"),
        (lambda: Dynamics(ARM, links=["link1"]), "no parameters of theirs that vary"),
        (lambda: Dynamics(ARM, f_ext_on="link1"), "f_ext_on should be a sequence of names"),
        (lambda: Dynamics(ARM, threads=0), "number of threads"),
        (lambda: Dynamics(in_fractions(ARM)).mass_matrix(np.zeros(4)), "given: Fraction has no bytes(.|\\n)*floats"),
        (lambda: Dynamics(ARM, dtype=np.int64), "float64 or float32"),
        (lambda: Dynamics(ARM, dtype="real"), "float64 or float32"),
        (
            lambda: Dynamics(ARM, parameters=("mass",)).mass_matrix(np.zeros(4), mass=np.ones(3)),
            "one entry for each link",
        ),
        (lambda: Dynamics(ARM).explain("mass"), "one of inverse_dynamics"),
        (lambda: Dynamics(ARM).mass_matrix(np.zeros(4), threads=0), "number of threads"),
        (lambda: Dynamics(ARM).mass_matrix(np.zeros(4), out=np.zeros(4)), "out cannot take the result"),
        (lambda: Dynamics(ARM).mass_matrix(np.ma.array(np.zeros(4), mask=[0, 0, 1, 0])), "some are masked"),
    ],
)
def test_errors_say_what_was_expected(call, words: str) -> None:
    with pytest.raises(LinkwiseError, match=words):
        call()


def test_what_was_compiled_is_told() -> None:
    arm = Dynamics(ARM)
    assert "nothing is compiled yet" in str(arm.explain())
    told = str(arm.explain("forward_dynamics"))
    assert "composite-body" in told
    assert "LLVM" in told


def test_a_second_time_it_comes_from_the_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    robot = chain("RRP", seed=99)
    request = Request(robot, "bias")
    first, second = (compiled(request, lambda: None)[1] for _ in range(2))
    assert not first.from_cache
    assert second.from_cache
    assert replace(second, from_cache=False) == first
    monkeypatch.setattr("linkwise.making.trace", None)  # neither traced
    monkeypatch.setattr("linkwise.making.rewritten", None)  # nor rewritten
    q = np.linspace(0, 1, 3)
    assert Dynamics(robot).bias(q, q).shape == (3,)


def test_what_compiles_is_not_even_imported_then() -> None:
    """The graph, its rules and printers, the texts: a process that finds code on disk has no use for them."""
    rooms = {"expr", "printers", "formulations", "making", "tracing", "choosing", "coordinates"}
    say = (
        "import sys, linkwise; arm = linkwise.Dynamics(linkwise.load('planar-3r')); arm.bias([0] * 3, [0] * 3); "
        "arm.jacobian([0] * 3, 'tip'); print({m.split('.')[1] for m in sys.modules if m.startswith('linkwise.')})"
    )
    cold, warm = (ast.literal_eval(subprocess.check_output([sys.executable, "-c", say], text=True)) for _ in range(2))
    assert rooms <= cold
    assert not rooms & warm


def test_checks_come_before_anything_is_made_and_not_again() -> None:
    asked: list[str] = []
    request = Request(chain("RP", seed=5), "gravity_torques")
    for _ in range(2):
        compiled(request, lambda: asked.append("once"))
    assert asked == ["once"]


def test_an_array_of_which_nothing_is_masked_is_an_array() -> None:
    (q,) = arguments(ARM, "mass_matrix", 3)
    assert np.array_equal(Dynamics(ARM).mass_matrix(np.ma.array(q)), Dynamics(ARM).mass_matrix(q))


@pytest.mark.parametrize("layer", ["", "python"])
def test_functions_can_be_pickled_and_copied(monkeypatch: pytest.MonkeyPatch, layer: str) -> None:
    """As what makes them again; what is copied along with a Dynamics belongs to its copy."""
    monkeypatch.setenv(call.VARIABLE, layer)
    arm = Dynamics(ARM, "denoc", parameters=(p for p in ("mass",)), links=(link for link in ["link2"]), threads=1)
    jacobian = arm.aimed("jacobian", "link3", "local")
    (q,), mass = arguments(ARM, "mass_matrix", 3), np.array([7.0])
    for again in (lambda f: pickle.loads(pickle.dumps(f)), copy.copy, copy.deepcopy):
        assert np.array_equal(again(arm.mass_matrix)(q, mass=mass), arm.mass_matrix(q, mass=mass))
        assert np.array_equal(again(arm.potential_energy)(q), arm.potential_energy(q))
        assert np.array_equal(again(jacobian)(q), jacobian(q))
        assert repr(again(arm)) == repr(arm)
    assert copy.copy(jacobian) is jacobian
    other, function = copy.deepcopy((arm, arm.mass_matrix))
    assert function is other.mass_matrix
    assert function is not arm.mass_matrix


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_functions_go_to_other_processes() -> None:
    arm = Dynamics(ARM)
    (q,) = arguments(ARM, "mass_matrix", 6)
    with multiprocessing.get_context("forkserver").Pool(2) as pool:
        assert np.array_equal(pool.map(arm.mass_matrix, q), arm.mass_matrix(q))


def test_functions_are_the_call_layers_own() -> None:
    arm = Dynamics(linkwise.load("planar-3r"))
    assert type(arm.mass_matrix).__name__ in ("Function", "InPython")
    assert arm.mass_matrix is arm.mass_matrix
    assert arm.mass_matrix.__doc__ == Dynamics.mass_matrix.__doc__
    assert PER_LINK <= set(QUANTITIES)
