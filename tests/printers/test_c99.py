"""C99 against the reference evaluator, bit by bit, by every compiler that is here."""

from __future__ import annotations

import contextlib
import ctypes
import shutil
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.printers.compilers import COMPILERS, DTYPES, STRICT, compiled, made, run
from tests.robots import any_chain, chain

import linkwise
from linkwise import LinkwiseError
from linkwise.dynamics import Dynamics
from linkwise.export import FUNCTIONS, exported
from linkwise.expr import Graph, Program, evaluate
from linkwise.formulations import FORMULATIONS, QUANTITIES
from linkwise.printers.c99 import Function, comment, header, number, prototype, source
from linkwise.printers.c99_names import identifier, is_identifier

PRECISIONS = ("double", "single")
OPTIONS = ("-O0", "-O2", "-O2 -march=native")

with_each_compiler = pytest.mark.parametrize("cc", COMPILERS)
in_each_precision = pytest.mark.parametrize("precision", PRECISIONS)
with_libm_and_without = pytest.mark.parametrize("libm", [True, False], ids=["libm", "own"])


def same_bits(found: np.ndarray, expected: np.ndarray) -> None:
    """Equal to the sign of nought; a NaN is a NaN."""
    assert found.dtype == expected.dtype
    np.testing.assert_array_equal(found, expected)
    numbers = ~np.isnan(found)
    np.testing.assert_array_equal(np.signbit(found[numbers]), np.signbit(expected[numbers]))


def evaluated(function: Function, states: dict[str, np.ndarray]) -> np.ndarray:
    """What the reference evaluator makes of it, a row for each state."""
    dtype = DTYPES[function.precision]
    columns = evaluate(function.program, {name: x.astype(dtype) for name, x in states.items()})
    shape = np.broadcast_shapes(*(x.shape for x in states.values()))
    return np.stack([np.broadcast_to(np.asarray(x, dtype), shape) for x in columns], axis=-1)


def function_of(outputs: list, names: str, precision: str = "double", libm: bool = True) -> Function:
    return Function("f", {"x": tuple(names)}, Program(tuple(names), tuple(outputs)), precision, libm)


# The operations, one by one

SPECIAL = {
    precision: np.array(
        [*(s * x for s in (1, -1) for x in (0.0, 1.0, 1.5, 3e5, tiny, 3 * tiny, small, big, np.inf)), np.nan], dtype
    )
    for precision, dtype in DTYPES.items()
    for big in [np.finfo(dtype).max]
    for small in [np.finfo(dtype).tiny]
    for tiny in [np.finfo(dtype).smallest_subnormal]
}


def every_operation(precision: str, libm: bool) -> Function:
    bare = (g := Graph()).bare
    x, y, z = (g.input(name) for name in "xyz")
    arguments = {"neg": (x,), "sqrt": (x,), "positive": (x,), **dict.fromkeys(("far_sin", "far_cos"), (x, y))}
    three = ("fma", "quadrant_sin", "quadrant_cos")
    outputs = [bare(op, x, y) for op in ("add", "sub", "mul", "div")]
    outputs += [bare(op, *args) for op, args in arguments.items()] + [bare(op, x, y, z) for op in three]
    return function_of(outputs, "xyz", precision, libm)


@cache
def every_kind_of_number(precision: str):
    """Every triple of special numbers, and what the evaluator makes of it."""
    states = dict(zip("xyz", (x.ravel() for x in np.meshgrid(*[SPECIAL[precision]] * 3)), strict=True))
    return states, evaluated(every_operation(precision, libm=True), states)


@with_each_compiler
@pytest.mark.parametrize("option", OPTIONS)
@in_each_precision
@with_libm_and_without
def test_every_operation_on_every_kind_of_number(cc, option, precision, libm, tmp_path):
    f = every_operation(precision, libm)
    states, expected = every_kind_of_number(precision)
    found = made(f, tmp_path, cc, *STRICT, *option.split())(states)
    if not libm:
        expected = expected.copy()
        expected[np.ix_(~(np.abs(states["x"]) <= 1e5), [7, 8])] = np.nan
    same_bits(found, expected)


def any_numbers(precision: str, seed: int, n: int = 20_000) -> np.ndarray:
    """Half of them bit patterns of all kinds, half of them of ordinary size."""
    dtype = DTYPES[precision]
    rng = np.random.default_rng(seed)
    wild = rng.integers(0, 256, (n, np.dtype(dtype).itemsize), dtype=np.uint8).view(dtype)[:, 0]
    ordinary = (rng.normal(size=n) * 2.0 ** rng.integers(-30, 30, n)).astype(dtype)
    return np.where(rng.random(n) < 0.5, wild, ordinary)


def cancelling(x, y, z, rng, info):
    """c is -a b to a few units in the last place."""
    return x, y, -(x * y) * (1 + rng.integers(-3, 4, x.size) * info.eps).astype(x.dtype)


def underflowing(x, y, z, rng, info):
    """a b and c are subnormal numbers, or less."""
    small, size = info.smallest_subnormal, x.size
    y = (rng.normal(size=size) * small * 2.0 ** rng.integers(0, 40, size)).astype(x.dtype)
    return (
        (x.dtype.type(1) + rng.random(size).astype(x.dtype)) / 2,
        y,
        rng.integers(-9, 10, size).astype(x.dtype) * small,
    )


def halfway(x, y, z, rng, info):
    """a b is half a unit in the last place of c, or a trifle more or less."""
    size, eps = x.size, info.eps
    power = x.dtype.type(2) ** rng.integers(-20, 20, size).astype(x.dtype)
    half = eps / 2 / power * (1 + eps * rng.integers(-1, 2, size)).astype(x.dtype)
    return power, half, 1 + eps * rng.integers(0, 8, size).astype(x.dtype)


@pytest.mark.skipif(not COMPILERS, reason="no C compiler")
@in_each_precision
@pytest.mark.parametrize("regime", [None, cancelling, underflowing, halfway])
def test_our_own_fma_rounds_once(precision, regime, tmp_path):
    g = Graph()
    f = function_of([g.bare("fma", *(g.input(name) for name in "xyz"))], "xyz", precision, libm=False)
    numbers = tuple(any_numbers(precision, seed) for seed in range(3))
    if regime is not None:
        with np.errstate(all="ignore"):
            numbers = regime(*numbers, np.random.default_rng(9), np.finfo(DTYPES[precision]))
    assert all(x.dtype == DTYPES[precision] for x in numbers)
    states = dict(zip("xyz", numbers, strict=True))
    same_bits(made(f, tmp_path, COMPILERS[0], *STRICT, "-O1")(states), evaluated(f, states))


@pytest.mark.skipif(not COMPILERS, reason="no C compiler")
@in_each_precision
def test_our_own_root_rounds_once(precision, tmp_path):
    g = Graph()
    f = function_of([g.bare("sqrt", g.input("x"))], "x", precision, libm=False)
    states = {"x": np.abs(any_numbers(precision, 4))}
    same_bits(made(f, tmp_path, COMPILERS[0], *STRICT, "-O1")(states), evaluated(f, states))


@with_each_compiler
@in_each_precision
@pytest.mark.parametrize("option", ["-O2 -march=native", "-O3 -march=native", "-O3 -march=native -std=gnu99"])
def test_no_compiler_fuses_a_product_and_a_sum(cc, precision, option, tmp_path):
    """Neither one by one nor as a vector that adds in one place and subtracts in the other."""
    bare = (g := Graph()).bare
    a, b, c, d, e, f = (g.input(name) for name in "abcdef")
    outputs = [bare("sub", bare("mul", a, b), e), bare("add", bare("mul", c, d), f)]
    states = dict(zip("abcdef", np.random.default_rng(5).normal(size=(6, 500)).astype(DTYPES[precision]), strict=True))
    function = function_of(outputs, "abcdef", precision)
    same_bits(made(function, tmp_path, cc, *STRICT, *option.split())(states), evaluated(function, states))


# Whole functions


def states_of(robot, precision: str, n: int = 64) -> dict[str, np.ndarray]:
    """Ordinary states, then some with far angles, infinities and NaN."""
    rng = np.random.default_rng(robot.nv)
    names = {"q": 3.0, "v": 2.0, "a": 5.0, "tau": 20.0}
    found = {f"{k}[{i}]": size * rng.normal(size=n) for k, size in names.items() for i in range(robot.nv)}
    found |= {f"tip_wrench[{i}]": rng.normal(size=n) for i in range(6)}
    found[f"q[{robot.nv - 1}]"][:8] *= 1e7
    found["q[0]"][8], found["v[0]"][9], found["q[0]"][10], found["q[0]"][11] = np.nan, np.inf, -np.inf, -0.0
    return {name: x.astype(DTYPES[precision]) for name, x in found.items()}


def asked(function: Function, states: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    return {x: states[x] for inputs in function.arguments.values() for x in inputs}


ROBOTS = {
    "planar-3r": lambda: linkwise.load("planar-3r"),
    "stanford": lambda: linkwise.load("stanford-saha-2001"),
    "industrial": lambda: linkwise.load("industrial-6r-angeles-1988"),
    "seven": lambda: chain("RRRRRRR", 7),
    "slides": lambda: chain("PP", 1),
}


@with_each_compiler
@pytest.mark.parametrize("robot", ["planar-3r", "stanford", "seven", "slides"])
@pytest.mark.filterwarnings("ignore::linkwise.PhysicalWarning")
def test_every_function_of_a_robot_has_the_evaluators_bits(cc, robot, tmp_path):
    fully_free = ROBOTS[robot]().nv >= 6
    for i, function in enumerate(f for f in FUNCTIONS if fully_free or f != "operational_space_inertia"):
        f, states, expected = known(robot, function, PRECISIONS[i % 2])
        libm, option = bool(i % 4), OPTIONS[i % 3]
        ordinary = np.s_[:] if libm else np.s_[12:]
        found = made(replace(f, libm=libm), tmp_path, cc, *STRICT, *option.split())(states)
        same_bits(found[ordinary], expected[ordinary])


@cache
def known(robot: str, function: str, precision: str, tip_wrench: bool = False):
    """A function, states, and what the evaluator says of them."""
    dynamics = Dynamics(ROBOTS[robot](), dtype=DTYPES[precision])
    aim = frame(dynamics.robot, function)
    f = exported(dynamics, function, extras=("tip_wrench",) if tip_wrench else (), frames=aim).function
    states = asked(f, states_of(dynamics.robot, precision))
    return f, states, evaluated(f, states)


def frame(robot, function: str) -> str | None:
    """The last link's, if it has to be said of which the function is asked."""
    return robot.link_names[-1] if QUANTITIES[function].of_frames == "one" else None


@with_each_compiler
@in_each_precision
@pytest.mark.parametrize("option", OPTIONS)
@pytest.mark.filterwarnings("ignore::linkwise.PhysicalWarning")
def test_forward_dynamics_by_every_means(cc, precision, option, tmp_path):
    f, states, expected = known("industrial", "forward_dynamics", precision, tip_wrench=True)
    same_bits(made(f, tmp_path, cc, *STRICT, *option.split())(states), expected)
    same_bits(made(f, tmp_path, cc, "-std=gnu99", *option.split())(states), expected)
    with_none = made(replace(f, libm=False), tmp_path, cc, *STRICT, *option.split())(states)
    far = np.abs(states["q[5]"]) > 1e5
    assert 0 < far.sum() < 12
    assert np.isnan(with_none[far]).any(axis=1).all()
    same_bits(with_none[~far], expected[~far])


@pytest.mark.skipif(not COMPILERS, reason="no C compiler")
@in_each_precision
@pytest.mark.parametrize("function", ["forward_dynamics", "mass_matrix", "joint_reactions"])
def test_it_has_the_bits_of_dynamics(precision, function, tmp_path):
    """Parameters that are arguments included."""
    robot = chain("RPRRR", 3)
    for parameters in ((), ("mass", "com", "inertia")):
        links = ["link2", "link4"] if parameters else None
        dynamics = Dynamics(robot, dtype=DTYPES[precision], parameters=parameters, links=links)
        f = exported(dynamics, function).function
        states = states_of(robot, precision) | own_parameters(robot, (2, 4), DTYPES[precision])
        arrays = {x: np.stack([states[y] for y in inputs], axis=-1) for x, inputs in f.arguments.items()}
        shaped = {x: a.reshape(len(a), 2, -1) if x in ("com", "inertia") else a for x, a in arrays.items()}
        expected = getattr(dynamics, function)(**shaped)
        found = made(f, tmp_path, COMPILERS[0], *STRICT, "-O2")(asked(f, states))
        same_bits(found, expected.reshape(found.shape))
        assert np.isfinite(found[12:]).all()


OF_EVERY_KIND = any_chain("free", "spherical", "universal", "helical", "planar", seed=6, driven=True)
TERMS = {
    "forward_dynamics": {"f_ext_reference": "spatial", "f_ext_on": ["link1", "link4"]},
    "inverse_dynamics": {"base_velocity": "body", "friction_width": 0.1, "f_ext_on": ["link4", "link0"]},
    "bias": {"base_velocity": "mujoco", "effects": ("friction",), "f_ext_reference": "local", "f_ext_on": ["link2"]},
}


@pytest.mark.skipif(not COMPILERS, reason="no C compiler")
@pytest.mark.parametrize(("function", "terms"), TERMS.items())
def test_it_has_the_bits_of_dynamics_for_joints_of_every_kind(function, terms, tmp_path):
    """With drives, friction at rest too, wrenches from outside and gravity of its own."""
    dynamics, rng = Dynamics(OF_EVERY_KIND, **terms), np.random.default_rng(7)
    f = exported(dynamics, function, extras=("f_ext", "gravity")).function
    q, (v, a) = OF_EVERY_KIND.random(rng, 32), rng.normal(size=(2, 32, OF_EVERY_KIND.nv))
    v[:8, ::2] = 0.0
    vectors = [q, v, a][: 2 if function == "bias" else 3]
    loads, gravity = rng.normal(size=(32, len(terms["f_ext_on"]), 6)), rng.normal(scale=6.0, size=(32, 3))
    every = [*vectors, loads.reshape(32, -1), gravity]
    named = zip(f.arguments.values(), every, strict=True)
    columns = {x: column for inputs, rows in named for x, column in zip(inputs, rows.T, strict=True)}
    expected = getattr(dynamics, function)(*vectors, f_ext=loads, gravity=gravity)
    assert np.isfinite(expected).all()
    same_bits(made(f, tmp_path, COMPILERS[0], *STRICT, "-O2")(columns), expected)


@pytest.mark.slow
@pytest.mark.skipif(not COMPILERS, reason="no C compiler")
@in_each_precision
@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.filterwarnings("ignore::linkwise.PhysicalWarning")
def test_every_formulation_has_the_bits_of_dynamics(precision, formulation, tmp_path):
    dynamics = Dynamics(linkwise.load("stanford-saha-2001"), formulation, dtype=DTYPES[precision])
    for i, function in enumerate(FUNCTIONS):
        with contextlib.suppress(LinkwiseError):  # what a formulation does not have
            aim = frame(dynamics.robot, function)
            f = exported(dynamics, function, frames=aim).function
            states = asked(f, states_of(dynamics.robot, precision))
            vectors = [np.stack([states[x] for x in inputs], axis=-1) for inputs in f.arguments.values()]
            found = made(f, tmp_path, COMPILERS[i % len(COMPILERS)], *STRICT, "-O2", "-march=native")(states)
            same_bits(found, dynamics.compile(function, aim)(*vectors).reshape(found.shape))


def own_parameters(robot, links, dtype, n: int = 64) -> dict[str, np.ndarray]:
    """The inertial parameters of the links, a little changed from state to state."""
    numbers = {
        "mass": [robot.links[i].mass for i in links],
        "com": [x for i in links for x in robot.links[i].com],
        "inertia": [x for i in links for x in robot.links[i].inertia.entries],
    }
    change = (1 + 0.05 * np.random.default_rng(2).random(n)).astype(dtype)
    return {f"{p}[{i}]": (x * change).astype(dtype) for p, xs in numbers.items() for i, x in enumerate(xs)}


# What it is called with, and what it needs


@with_each_compiler
def test_the_result_may_be_written_over_an_input(cc, tmp_path):
    robot = linkwise.load("planar-3r")
    f = exported(Dynamics(robot), "inverse_dynamics", name="id").function
    library = ctypes.CDLL(str(compiled(source(f), tmp_path, cc, *STRICT, "-O2")))
    q, v, a, tau = (np.array(x) for x in ([0.1, 0.2, 0.3], [1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [0.0, 0.0, 0.0]))
    pointers = [ctypes.c_void_p(x.ctypes.data) for x in (q, v, a, tau)]
    library.id(*pointers)
    for i, given_array in enumerate((q, v, a)):
        kept = given_array.copy()
        library.id(*pointers[:3], pointers[i])
        same_bits(given_array, tau)
        given_array[:] = kept


@with_each_compiler
@in_each_precision
@pytest.mark.parametrize("option", ["-O0", "-O2"])
def test_with_its_own_sincos_it_needs_no_library_at_all(cc, precision, option, tmp_path):
    for f in (
        every_operation(precision, False),
        exported(Dynamics(linkwise.load("planar-3r")), "forward_dynamics", libm=False),
    ):
        text = source(f if isinstance(f, Function) else f.function)
        compiled(text, tmp_path, cc, *STRICT, option, "-nostdlib", "-Wl,-z,defs")


@with_each_compiler
def test_it_refuses_a_compiler_that_reorders(cc, tmp_path):
    (tmp_path / "f.c").write_text(source(every_operation("double", True)))
    done = run(cc, "-std=c99", "-O2", "-ffast-math", "-c", tmp_path / "f.c", "-o", tmp_path / "f.o")
    assert done.returncode
    assert "compile without -ffast-math" in done.stderr


CALLER = """
#include "fd.h"
#include "fd.h"
int main(void)
{
    double q[3] = {0.0, 0.0, 0.0};
    NAME(q, q);
    return !(q[0] > 44.1 && q[0] < 44.2);
}
"""


@with_each_compiler
@pytest.mark.parametrize("language", ["c", "c++"])
def test_the_header_serves_c_and_cxx(cc, language, tmp_path):
    cxx = {"gcc": "g++", "clang": "clang++"}[cc] if language == "c++" else cc
    if not shutil.which(cxx):
        pytest.skip(f"no {cxx}")
    found = exported(Dynamics(linkwise.load("planar-3r")), "gravity_torques")
    path, beside = found.write(tmp_path / "fd.c")
    assert (path.name, beside.name) == ("fd.c", "fd.h")
    caller = tmp_path / ("caller.c" if language == "c" else "caller.cpp")
    caller.write_text(CALLER.replace("NAME", found.name))
    made_object, program = tmp_path / "fd.o", tmp_path / "program"
    done = run(cc, *STRICT, "-include", beside, "-c", path, "-o", made_object)
    assert (done.returncode, done.stderr) == (0, "")
    done = run(cxx, "-Wall", "-Wextra", "-Werror", "-pedantic", caller, made_object, "-lm", "-o", program)
    assert (done.returncode, done.stderr) == (0, "")
    assert run(program).returncode == 0


@pytest.mark.skipif(not COMPILERS, reason="no C compiler")
def test_constants_of_every_kind_are_written_to_the_last_bit(tmp_path):
    values = [0.1, -0.1, 1e300, 1e-310, 5e-324, -0.0, np.inf, -np.inf, np.nan, np.pi, 2.0**60, 3.4e38, 3.5e38, 1e-46]
    for precision, dtype in DTYPES.items():
        g = Graph()
        x = g.input("x")
        outputs = [g.bare(op, x, g._node("const", (), value, True)) for value in values for op in ("mul", "sub")]
        f = function_of([*outputs, g.constant(0.1)], "x", precision)
        found = made(f, tmp_path, COMPILERS[0], *STRICT, "-O1")({"x": np.array([1.0], dtype)})
        with np.errstate(over="ignore", under="ignore"):
            rounded = np.array(values).astype(dtype)
        same_bits(found[0, 0:-1:2], rounded)
        same_bits(found[0, 1:-1:2], 1 - rounded)
        assert found[0, -1] == dtype(0.1)


def test_a_number_says_its_type():
    single = every_operation("single", True).real
    assert number(0.5, single) == "0x1p-1f"
    assert number(1e300, single) == "(float)INFINITY"


# Names and comments

ODD_NAMES = ["", "int", "class", "sin", "fmaf", "main", "result", "t5", "linkwise_fma", "7dof", "_x", "a__b", "*/", "β"]


@given(st.one_of(st.text(), st.sampled_from(ODD_NAMES)))
@example("\ud800")
@example("x\n")
def test_any_text_becomes_an_identifier(text):
    name = identifier(text)
    assert is_identifier(name)
    assert name.isascii()
    assert identifier(name) == name


@with_each_compiler
def test_names_made_safe_are_functions_to_compilers(cc, tmp_path):
    texts = ["", "int", "class", "sin", "fmaf", "main", "result", "7dof", "β-arm", "机械臂", "a b", "t5", "template"]
    names = [identifier(text) for text in texts]
    assert len(set(names)) == len(names)
    g = Graph()
    functions = [Function(name, {"q": ("q[0]",)}, Program(("q[0]",), (g.input("q[0]"),))) for name in names]
    prototypes = "#include <math.h>\n" + "".join(prototype(f) + ";\n" for f in functions)
    compiled(prototypes, tmp_path, cc, *STRICT)
    if shutil.which("g++"):
        compiled("".join(map(header, functions)), tmp_path, "g++", "-Wall", "-Werror", "-pedantic", suffix=".cpp")


def test_a_name_that_is_given_is_taken_as_it_is_or_refused():
    robot = linkwise.load("planar-3r")
    assert exported(Dynamics(robot), "bias", name="arm_bias").name == "arm_bias"
    for name in ("int", "", "2r", "a b", "sin", "t1", "result", "linkwise_sqrt", "class", "ä", "bias\n"):
        with pytest.raises(LinkwiseError, match="can have this name"):
            exported(Dynamics(robot), "bias", name=name)


@given(st.text(alphabet=st.one_of(st.characters(), st.sampled_from("*/\\?\n")), min_size=1))
def test_a_comment_ends_where_it_should(text):
    written = comment(text)
    assert written.startswith("/*\n")
    assert written.endswith(" */\n")
    assert written.count("*/") == 1
    assert written.count("/*") == 1
    assert "?/" not in written
    assert all(c.isprintable() or c == "\n" for c in written)
    written.encode("utf-8")


@with_each_compiler
def test_whatever_a_robot_is_called_its_files_compile(cc, tmp_path):
    odd = "*/ int x; /* \\\n ??/\n \u202e Ω ' \" % {} \x00"
    robot = replace(linkwise.load("planar-3r"), name=odd, source=odd * 9)
    found = exported(Dynamics(robot), "bias")
    assert found.name == "int_x_u202e_u03a9_bias"
    compiled(found.source + found.header, tmp_path, cc, *STRICT)
