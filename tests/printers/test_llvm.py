"""Kernels from LLVM against the reference evaluator, bit by bit, for vectors of every width."""

from __future__ import annotations

import ctypes
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.robots import Robot, State, cases, chain

from linkwise.expr import Graph, Program, evaluate, rewritten, sin, sqrt
from linkwise.expr.lower import lowered
from linkwise.formulations import FORMULATIONS, QUANTITIES
from linkwise.kernel.compile import Kernel, Signature, loaded, object_code
from linkwise.kernel.machine import doubles, host
from linkwise.tracing import trace

WIDTHS = [width for width in (2, 4, 8) if width <= host().doubles]
PRECISIONS = ("double", "single")


def compiled(program: Program, signature: Signature, width: int) -> Kernel:
    machine = replace(host(), doubles=width)
    return loaded(object_code(program, signature, machine), signature, machine)


def run(kernel: Kernel, arrays: list[np.ndarray], out: np.ndarray) -> np.ndarray:
    """The kernel called by its bare interface."""
    everything = [*arrays, out]
    pointers = (ctypes.c_void_p * len(everything))(*(a.ctypes.data for a in everything))
    strides = [s for a in everything for s in a.strides]
    entry = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_ssize_t)(kernel.address)
    entry(pointers, (ctypes.c_ssize_t * len(strides))(*strides), len(out))
    return out


def expected(program: Program, arrays: list[np.ndarray], shape: tuple[int, ...]) -> np.ndarray:
    """Every output as the evaluator has it."""
    batch = len(arrays[0])
    columns = np.concatenate([a.reshape(batch, -1) for a in arrays], axis=1)
    values = evaluate(program, dict(zip(program.inputs, columns.T, strict=True)))
    stacked = np.stack([np.broadcast_to(v, batch) for v in values], axis=-1)
    return stacked.astype(arrays[0].dtype).reshape(batch, *shape)


def dynamics(robot: Robot, formulation: str, function: str, precision: str) -> tuple[Program, Signature]:
    quantity = QUANTITIES[function]
    traced = trace(FORMULATIONS[formulation].text(function), quantity, robot, normal=True)
    cores = ((robot.nv,),) * len(quantity.arguments)
    signature = Signature(quantity.arguments, cores, traced.shape, precision)
    return lowered(rewritten(traced.program), precision), signature


FUNCTIONS = [
    ("newton-euler", "inverse_dynamics"),
    ("composite-body", "mass_matrix"),
    ("operators", "forward_dynamics"),
    ("newton-euler", "coriolis_matrix"),
]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("precision", PRECISIONS)
@pytest.mark.parametrize(("formulation", "function"), FUNCTIONS)
def test_the_bits_are_the_evaluators(width: int, precision: str, formulation: str, function: str) -> None:
    robot = chain("RPRRRPRRRR"[: 4 + width], seed=width)
    program, signature = dynamics(robot, formulation, function, precision)
    kernel = compiled(program, signature, width)
    rng = np.random.default_rng(1)
    for count in (1, width - 1, 2 * width, 4 * width + 1):
        arrays = [rng.normal(size=(count, *core)).astype(signature.dtype) for core in signature.cores]
        out = run(kernel, arrays, np.empty((count, *signature.result), signature.dtype))
        assert np.array_equal(out, expected(program, arrays, signature.result))


@given(cases((1, 4), tree=True), st.sampled_from(FUNCTIONS))
@settings(max_examples=8)
def test_trees_of_every_kind(case: tuple[Robot, State], which: tuple[str, str]) -> None:
    robot, s = case
    program, signature = dynamics(robot, *which, "double")
    arrays = [np.array([v]) for v in (s.q, s.v, s.a)[: len(signature.cores)]]
    kernel = compiled(program, signature, host().doubles)
    out = run(kernel, arrays, np.empty((1, *signature.result)))
    assert np.array_equal(out, expected(program, arrays, signature.result))


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("precision", PRECISIONS)
@pytest.mark.parametrize("size", [(1,), (3,), (8,), (17,), (2, 3), (3, 8), (5, 9)])
def test_arrays_are_read_and_written_by_their_strides(width: int, precision: str, size: tuple[int, ...]) -> None:
    """Transposed, reversed, spread and broadcast: every place of a core is read once, and written once."""
    g = Graph()
    n = int(np.prod(size))
    names = tuple(f"x{i}" for i in range(n))
    program = Program(names, tuple(g.input(name) * (i + 1.0) for i, name in enumerate(names)))
    kernel = compiled(program, Signature(("x",), (size,), size, precision), width)
    rng, dtype = np.random.default_rng(0), kernel.dtype
    scale = np.arange(1.0, n + 1, dtype=dtype).reshape(size)
    whole = rng.normal(size=(19, *size)).astype(dtype)
    spread = rng.normal(size=(38, *(2 * k for k in size))).astype(dtype)[::2]
    for x in (
        whole,
        whole[::-1],
        np.asfortranarray(whole),
        spread[(slice(None), *(slice(None, None, 2) for _ in size))],
        spread[(slice(None), *(slice(None, None, -2) for _ in size))],
        np.broadcast_to(whole[0], whole.shape),
    ):
        for out in (
            np.empty_like(whole),
            np.empty((38, *size), dtype)[::2],
            np.empty((*size, 19), dtype).transpose(-1, *range(len(size))),
        ):
            for count in (1, 19):
                assert np.array_equal(run(kernel, [x[:count]], out[:count]), x[:count] * scale)


@pytest.mark.parametrize("precision", PRECISIONS)
def test_far_angles_and_nan_stay_in_their_lane(precision: str) -> None:
    x = Graph().input("x")
    program = lowered(Program(("x",), (sin(x), sqrt(x))), precision)
    kernel = compiled(program, Signature(("x",), ((1,),), (2,), precision), host().doubles)
    dtype = kernel.dtype
    angles = np.linspace(0.1, 3.0, 64, dtype=dtype)[:, None].copy()
    calm = run(kernel, [angles], np.empty((64, 2), dtype))
    for lane, odd in enumerate((1e5, 1.1e5, 1e22, np.inf, -np.inf, np.nan, -3e8)):
        angles[7 * lane, 0] = odd
    out = run(kernel, [angles], np.empty((64, 2), dtype))
    with np.errstate(invalid="ignore"):
        assert np.array_equal(out, expected(program, [angles], (2,)), equal_nan=True)
    others = [i for i in range(64) if i % 7 or i >= 49]
    assert np.array_equal(out[others], calm[others])


def test_nothing_is_done_for_no_states() -> None:
    x = Graph().input("x")
    kernel = compiled(Program(("x",), (x + 1.0,)), Signature(("x",), ((1,),), (1,), "double"), host().doubles)
    assert run(kernel, [np.empty((0, 1))], np.empty((0, 1))).shape == (0, 1)


def test_vectors_are_as_wide_as_the_processor_allows() -> None:
    assert doubles({"avx512f": True, "avx512dq": True, "avx512vl": True, "avx2": True, "fma": True}) == 8
    assert doubles({"avx2": True, "fma": True}) == 4
    assert doubles({"sse2": True}) == doubles({"neon": True}) == 2
