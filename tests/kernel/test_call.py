"""Kernels called on arrays of every layout, by both call layers, against NumPy."""

from __future__ import annotations

import copy
import ctypes
import gc
import inspect
import os
import pickle
import subprocess
import sys
import threading
import tracemalloc
import weakref
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.lib.stride_tricks import as_strided
from tests.kernel.kernels import WIDE, Kernel, expected, patient, sums

from linkwise.errors import LinkwiseError
from linkwise.kernel import call
from linkwise.kernel.layout import arranged

HOME = Path(__file__).parents[2]
C_IS_HERE = call._imported()[0] is not None or os.environ.get(call.VARIABLE) == "c"
LAYERS = [pytest.param("c", marks=pytest.mark.skipif(not C_IS_HERE, reason="no C extension")), "python"]
every_layer = pytest.mark.parametrize("layer", LAYERS)
in_c = pytest.mark.skipif(not C_IS_HERE, reason="no C extension")

KERNELS = [
    sums(((3,), (3,)), (3,)),
    sums(((3,), (2, 2), ()), (3,)),
    sums(((4,),), (4, 4)),
    sums(((2, 3), (2,)), ()),
    sums(((3,), (3,)), (3,), np.float32),
]
THREE = KERNELS[0]


def numbers(function: str, argument: str, value: Any) -> np.ndarray:
    return np.asarray(value)


def only_direct(slow: Callable[..., Any], name: str) -> Callable[..., Any]:
    def called(*given: Any, **named: Any) -> Any:
        raise AssertionError(f"{name} was called in Python")

    return called


def made(kernel: Kernel, layer: str = "c", check: call.Check = numbers, **more: Any) -> Callable[..., Any]:
    with mock.patch.dict(os.environ, {call.VARIABLE: layer}):
        return call.function(kernel, name="sums", check=check, **more)


def filled(shape: tuple[int, ...], dtype: Any = np.float64, seed: int = 0) -> np.ndarray:
    return np.asarray(np.random.default_rng(seed).normal(size=shape), dtype)


TAKEN = filled((5, 3), seed=7)
"""An array that others may share memory with."""

# Layouts


@st.composite
def laid_out(draw: st.DrawFn, shape: tuple[int, ...], dtype: Any, seed: int) -> np.ndarray:
    """An array of a shape somewhere in a larger one, its axes in any order, forwards and backwards, in any steps."""
    steps = draw(st.lists(st.sampled_from([1, 1, 2, -1, -3]), min_size=len(shape), max_size=len(shape)))
    order = draw(st.permutations(range(len(shape))))
    memory = filled(tuple(shape[axis] * abs(steps[axis]) for axis in order), dtype, seed)
    return memory.transpose(np.argsort(order))[(*(slice(None, None, step) for step in steps), ...)]


@st.composite
def broadcasting(draw: st.DrawFn, batch: tuple[int, ...]) -> tuple[int, ...]:
    """A shape that broadcasts to the batch."""
    shape = tuple(draw(st.sampled_from([length, length, 1])) for length in batch)
    return shape[draw(st.integers(0, len(batch))) :]


@st.composite
def arguments(draw: st.DrawFn, kernel: Kernel, batch: tuple[int, ...]) -> list[np.ndarray]:
    shapes = [draw(broadcasting(batch)) for _ in kernel.cores]
    types = st.sampled_from([kernel.dtype, kernel.dtype, np.dtype(np.float64), np.dtype(np.float32), np.dtype(">f8")])
    return [
        draw(laid_out(shape + core, draw(types), seed))
        for seed, (shape, core) in enumerate(zip(shapes, kernel.cores, strict=True))
    ]


batches = st.lists(st.sampled_from([0, 1, 1, 2, 3, 5, 17]), max_size=4).map(tuple)


@every_layer
@given(data=st.data(), kernel=st.sampled_from(KERNELS), batch=batches)
def test_every_layout(layer, data, kernel, batch):
    inputs = data.draw(arguments(kernel, batch))
    result, right = made(kernel, layer)(*inputs), expected(kernel, inputs)
    assert result.shape == right.shape
    assert result.dtype == kernel.dtype
    assert np.array_equal(result, right)


@every_layer
@given(data=st.data(), kernel=st.sampled_from(KERNELS), batch=batches)
def test_into_every_layout(layer, data, kernel, batch):
    inputs = data.draw(arguments(kernel, batch))
    right = expected(kernel, inputs)
    out = data.draw(laid_out(right.shape, kernel.dtype, 9))
    assert made(kernel, layer)(*inputs, out=out) is out
    assert np.array_equal(out, right)


without_overlap = st.sampled_from([(3, 1), (6, 2), (-3, 1), (3, -1), (1, 40)])
read_twice = st.sampled_from([(1, 3), (1, 1), (0, 1), (3, 0)])


@every_layer
@given(
    starts=st.tuples(*[st.integers(0, 20)] * 3),
    strides=st.tuples(without_overlap | read_twice, without_overlap | read_twice, without_overlap),
    count=st.integers(0, 40),
)
def test_results_over_what_is_read(layer, starts, strides, count):
    """Wherever in one piece of memory inputs and result lie, the result is as if all had been read before."""
    memory = filled((800,))
    x, y, out = (
        as_strided(memory[300 + start :], (count, 3), [8 * s for s in steps])
        for start, steps in zip(starts, strides, strict=True)
    )
    right = expected(THREE, [x.copy(), y.copy()])
    made(THREE, layer)(x, y, out=out)
    assert np.array_equal(out, right)


@every_layer
@given(batch=batches)
def test_many_axes_in_a_row(layer, batch):
    x, y = filled((*batch, 3)), filled((*batch, 3), seed=1)
    assert np.array_equal(made(THREE, layer)(x, y), expected(THREE, [x, y]))


@pytest.mark.parametrize(
    ("shapes", "batch", "gone_over"),
    [
        ([(3,), (3,)], (), (1,)),
        ([(4, 5, 3), (4, 5, 3)], (4, 5), (20,)),
        ([(4, 5, 3), (3,)], (4, 5), (20,)),
        ([(9, 4, 5, 3), (4, 5, 3)], (9, 4, 5), (9, 20)),
        ([(4, 1, 5, 1, 3), (1, 5, 1, 3)], (4, 1, 5, 1), (4, 5)),
        ([(7, 5, 3), (5, 3)], (7, 5), (5, 7)),
        ([(1, 1, 3), (1, 3)], (1, 1), (1,)),
    ],
)
def test_as_few_axes_as_can_be(shapes, batch, gone_over):
    """The longest last, along which kernels go."""
    arrays = [filled(shape) for shape in shapes] + [np.empty((*batch, 3))]
    assert arranged(arrays, [1, 1, 1], batch)[0] == gone_over


@every_layer
@pytest.mark.parametrize("count", range(41))
def test_every_length(layer, count):
    x, y = filled((count, 3)), filled((count, 3), seed=1)
    assert np.array_equal(made(THREE, layer)(x, y), expected(THREE, [x, y]))


@every_layer
def test_in_place_needs_no_copy(layer):
    x, y = filled((100, 3)), filled((100, 3), seed=1)
    right = expected(THREE, [x, y])
    with mock.patch.object(np, "empty", side_effect=AssertionError("memory was asked for")):
        made(THREE, layer)(x, y, out=x)
    assert np.array_equal(x, right)


@every_layer
def test_lists_and_other_numbers(layer):
    f = made(THREE, layer)
    right = expected(THREE, [[1, 2, 3], [4, 5, 6]])
    for given_ in ([1, 2, 3], (1.0, 2.0, 3.0), np.array([1, 2, 3]), np.array([1, 2, 3], np.float16)):
        result = f(given_, np.array([4.0, 5.0, 6.0]))
        assert result.dtype == np.float64
        assert np.array_equal(result, right)


@every_layer
def test_unaligned_and_read_only(layer):
    bytes_ = np.zeros(1 + 24, np.uint8)
    unaligned = bytes_[1:].view(np.float64)
    assert not unaligned.flags.aligned
    unaligned[...] = (1, 2, 3)
    fixed = filled((3,))
    fixed.flags.writeable = False
    right = expected(THREE, [unaligned, fixed])
    assert np.array_equal(made(THREE, layer)(unaligned, fixed), right)
    assert np.array_equal(made(THREE, layer)(fixed.copy(), fixed, out=unaligned), expected(THREE, [fixed, fixed]))
    assert not fixed.flags.writeable


@every_layer
def test_a_result_without_axes_is_a_number(layer):
    kernel = KERNELS[3]
    f, x, y = made(kernel, layer), filled((2, 3)), filled((2,))
    result = f(x, y)
    assert type(result) is np.float64
    assert result == expected(kernel, [x, y])
    assert f(list(x), y) == result
    out = np.empty(())
    assert f(x, y, out=out) is out
    assert out == result


@every_layer
def test_arguments_by_name(layer):
    f, x, y = made(THREE, layer), filled((3,)), filled((3,), seed=1)
    right = expected(THREE, [x, y])
    assert np.array_equal(f(x1=y, x0=x), right)
    assert np.array_equal(f(x, x1=y), right)


# What goes straight to the kernel


@in_c
@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("batch", [(), (0,), (1,), (100,)])
def test_plain_arrays_take_no_work_in_python(kernel, batch):
    inputs = [filled(batch + core, kernel.dtype, j) for j, core in enumerate(kernel.cores)]
    f, right, out = (
        made(kernel, around=only_direct),
        expected(kernel, inputs),
        np.empty(batch + kernel.result, kernel.dtype),
    )
    assert np.array_equal(f(*inputs), right)
    assert np.array_equal(f(*inputs, threads=1), right)
    for threads in (1, 2, 64):
        out[...] = 0
        assert f(*inputs, threads=threads, out=out) is out
        assert np.array_equal(out, right)
    assert np.array_equal(f(*inputs, out=None, threads=None), right)


@in_c
@pytest.mark.parametrize(
    "x",
    [
        [1.0, 2.0, 3.0],
        filled((3,)).view(np.matrix),
        filled((3,), np.float32),
        filled((3,), ">f8"),
        filled((6,))[::2],
        filled((3, 100)).T,
        filled((2, 2, 3)),
        filled((5, 3)),
        filled((4,)),
        None,
    ],
    ids=str,
)
def test_all_others_go_through_python(x):
    with pytest.raises(AssertionError, match="called in Python"):
        made(THREE, around=only_direct)(x, filled((4, 3)))


@in_c
@pytest.mark.parametrize(
    "options",
    [
        {"threads": 0},
        {"threads": -1},
        {"threads": 65},
        {"threads": np.int64(1)},
        {"threads": True},
        {"threads": 2**70},
        {"threads": "1"},
        {"out": TAKEN},
        {"out": TAKEN[1:5]},
        {"out": filled((4, 3), np.float32)},
        {"out": filled((4, 6))[:, ::2]},
        {"out": filled((3,))},
        {"out": filled((5, 3))},
        {"out": [[0.0] * 3] * 4},
        {"out": filled((4, 3)), "x1": filled((3,))},
    ],
    ids=repr,
)
def test_so_do_options_that_need_thought(options):
    with pytest.raises(AssertionError, match="called in Python"):
        made(THREE, around=only_direct)(TAKEN[:4], filled((4, 3)), **options)


@in_c
def test_what_cannot_be_written_is_not():
    out = filled((4, 3))
    out.flags.writeable = False
    with pytest.raises(AssertionError, match="called in Python"):
        made(THREE, around=only_direct)(TAKEN[:4], TAKEN[:4], out=out)


@in_c
def test_batches_that_are_worth_it_are_shared():
    x = filled((2 * call.WORTH_A_THREAD // 9 + 1, 3))
    with pytest.raises(AssertionError, match="called in Python"):
        made(THREE, around=only_direct)(x, x)
    right = expected(THREE, [x, x])
    assert np.array_equal(made(THREE, around=only_direct)(x, x, threads=1), right)
    assert np.array_equal(made(THREE, around=only_direct, threads_default=1)(x, x), right)
    with pytest.raises(AssertionError, match="called in Python"):
        made(THREE, around=only_direct, threads_default=1)(x, x, threads=2)


# Threads


@pytest.fixture
def shared_however_short(monkeypatch):
    monkeypatch.setattr(call, "WORTH_A_THREAD", 1)


def test_no_thread_is_woken_for_less_than_it_is_worth(monkeypatch):
    asked: list[int] = []
    monkeypatch.setattr(call, "share", lambda run, pieces, number: asked.append(number))
    for worth in (0.5, 1.9, 2, 2.9, 3, 9):
        x = filled((int(worth * call.WORTH_A_THREAD / 9) + 1, 3))
        made(THREE)(x, x, threads=3)
    assert asked == [2, 2, 3, 3]


@every_layer
@pytest.mark.usefixtures("shared_however_short")
def test_the_same_on_any_number_of_threads(layer):
    f, x, y = made(THREE, layer), filled((7, 301, 3)), filled((301, 3), seed=1)
    right = expected(THREE, [x, y])
    for threads in (1, 2, 3, 8, np.int64(2)):
        assert np.array_equal(f(x, y, threads=threads), right)
        inout = x.copy()
        f(inout, y, out=inout, threads=threads)
        assert np.array_equal(inout, right)


@every_layer
@pytest.mark.usefixtures("shared_however_short")
def test_calls_from_many_threads_at_once(layer):
    f, x = made(THREE, layer), filled((2000, 3))
    right = expected(THREE, [x, x])
    wrong: list[int] = []

    def call_often(number: int) -> None:
        results = [f(x, x), f(x[::2], x[::2], threads=2), f(x, x[0]), f(x[0], x[0])]
        if not np.array_equal(results[0], right) or not np.array_equal(results[1], right[::2]):
            wrong.append(number)

    threads = [threading.Thread(target=lambda n=n: [call_often(n) for _ in range(20)]) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


@every_layer
@pytest.mark.parametrize("in_python", [False, True])
def test_other_threads_run_meanwhile(layer, in_python):
    """The kernel ends early if another thread sets what it waits for, which takes the GIL."""
    f, x = made(patient(), layer), np.zeros(WIDE)
    setter = threading.Timer(0.05, lambda: x.__setitem__(0, 1.0))
    setter.start()
    result = f(x=x) if in_python else f(x)
    setter.join()
    assert result[0] == 1.0


# What a function is


@every_layer
def test_it_tells_what_it_is(layer):
    f = made(THREE, layer, doc="Sums.")
    assert f.__name__ == f.__qualname__ == "sums"
    assert f.__doc__ == "Sums."
    assert str(inspect.signature(f)) == "(x0, x1, *, out=None, threads=None)"
    assert "sums" in repr(f)


@every_layer
def test_it_is_pickled_and_copied_as_what_makes_it(layer):
    f = call.made_by(made(THREE, layer), np.add, 1, 2)
    assert f(filled((3,)), filled((3,))).shape == (3,)
    assert "sums" in repr(f)
    assert f.__doc__ is None
    assert str(inspect.signature(f)) == "(x0, x1, *, out=None, threads=None)"
    for again in (lambda f: pickle.loads(pickle.dumps(f)), copy.copy, copy.deepcopy):
        assert again(f) == 3


@every_layer
def test_it_holds_its_kernel_and_no_longer_than_it_lives(layer):
    class Memory:
        pass

    memory = Memory()
    kernel = replace(THREE, keep=memory)
    there = weakref.ref(memory)
    f = made(kernel, layer)
    del memory, kernel
    gc.collect()
    assert there() is not None
    vars(f)["itself"] = f  # a cycle, which only the collector can free
    gone = weakref.ref(f)
    del f
    gc.collect()
    assert gone() is None
    assert there() is None


@in_c
def test_calls_leave_nothing_behind():
    f, x, X, listed = made(THREE), filled((3,)), filled((50, 3)), [1.0, 2.0, 3.0]
    out = np.empty(3)

    def calls() -> None:
        f(x, x), f(X, X), f(listed, x), f(X, x), f(x, x1=x), f(x, x, out=out)
        for wrong in [(x,), (x, x, x), (x, X[:, :2]), (X, X[:7])]:
            with pytest.raises((TypeError, LinkwiseError)):
                f(*wrong)

    calls()
    gc.collect()
    held = [f, x, X, listed, out, THREE, x.dtype, f.__wrapped__]
    before = list(map(sys.getrefcount, held))
    tracemalloc.start()
    calls()
    gc.collect()
    start = tracemalloc.get_traced_memory()[0]
    for _ in range(200):
        f(x, x), f(X, X), f(listed, x), f(X, x), f(x, x, out=out)
    gc.collect()
    grown = tracemalloc.get_traced_memory()[0] - start
    tracemalloc.stop()
    assert grown < 5000
    assert list(map(sys.getrefcount, held)) == before


def test_the_layer_says_what_it_is(monkeypatch):
    monkeypatch.setenv(call.VARIABLE, "python")
    assert call.layer() == "Python (ctypes): LINKWISE_CALL_LAYER=python asks for it"
    monkeypatch.delenv(call.VARIABLE)
    monkeypatch.setattr(call, "_imported", lambda: (None, "the C extension is not there (as a test)"))
    assert call.layer() == "Python (ctypes): the C extension is not there (as a test)"
    monkeypatch.setenv(call.VARIABLE, "c")
    with pytest.raises(LinkwiseError, match="is not there"):
        call.layer()
    monkeypatch.setenv(call.VARIABLE, "fortran")
    with pytest.raises(LinkwiseError, match="'fortran'"):
        call.layer()


@in_c
def test_the_c_extension_is_used_where_it_is(monkeypatch):
    monkeypatch.delenv(call.VARIABLE, raising=False)
    assert call.layer() == "C extension"


# What cannot be done


@every_layer
def test_wrong_shapes(layer):
    f = made(THREE, layer)
    with pytest.raises(LinkwiseError, match=r"sums: x1 has the wrong shape\n  given: shape \(5, 2\)"):
        f(filled((5, 3)), filled((5, 2)))
    with pytest.raises(LinkwiseError, match=r"given: shape \(\)"):
        f(1.0, filled((3,)))
    with pytest.raises(LinkwiseError, match=r"given: x0 \(4,\), x1 \(5,\)"):
        f(filled((4, 3)), filled((5, 3)))


@every_layer
@pytest.mark.parametrize(
    ("out", "given_"),
    [
        (np.empty((5, 3), np.float32), r"ndarray of shape \(5, 3\) and float32"),
        (np.empty((5, 3), ">f8"), r"ndarray of shape \(5, 3\) and >f8"),
        (np.empty((1, 5, 3)), r"shape \(1, 5, 3\)"),
        (np.empty(3), r"shape \(3,\)"),
        (np.broadcast_to(np.empty(3), (5, 3)), "read-only"),
        (np.ma.array(np.zeros((5, 3))), r"MaskedArray of shape \(5, 3\)"),
        ([0.0] * 3, r"\[0.0, 0.0, 0.0\]"),
    ],
    ids=["type", "byte order", "axes", "shape", "read-only", "masked", "list"],
)
def test_wrong_out(layer, out, given_):
    with pytest.raises(LinkwiseError, match=rf"sums: out cannot take the result\n  given: .*{given_}"):
        made(THREE, layer)(filled((5, 3)), filled((3,)), out=out)


@every_layer
@pytest.mark.parametrize("threads", [0, -1, 1.5, "2", True, 1025])
def test_wrong_threads(layer, threads):
    f = made(THREE, layer)
    with pytest.raises(LinkwiseError, match=r"threads is no number of threads\n  given: threads="):
        f(filled((0, 3)), filled((3,)), threads=threads)
    with pytest.raises(LinkwiseError, match="threads"):
        made(THREE, layer, threads_default=threads)


@every_layer
def test_wrong_calls(layer):
    f, x = made(THREE, layer), filled((3,))
    with pytest.raises(TypeError, match="sums: missing a required argument: 'x1'"):
        f(x)
    with pytest.raises(TypeError, match="sums: too many positional arguments"):
        f(x, x, x)
    with pytest.raises(TypeError, match="sums: multiple values for argument 'x0'"):
        f(x, x0=x)
    with pytest.raises(
        TypeError, match=r"sums: got an unexpected keyword argument 'y'; it takes x0, x1, .*out, threads"
    ):
        f(x, x, y=x)


@in_c
@pytest.mark.parametrize(
    ("cores", "result", "error"),
    [
        (((3,), 3), (3,), ValueError),
        (((3,), (-1,)), (3,), ValueError),
        (((3,), ("3",)), (3,), TypeError),
        (((1,) * 5,), (3,), ValueError),
        (((3,),) * 32, (3,), ValueError),
        (((3,),), [3], ValueError),
        ([(3,)], (3,), TypeError),
    ],
)
def test_the_extension_refuses_what_no_kernel_is(cores, result, error):
    from linkwise.kernel import _call

    with pytest.raises(error):
        _call.Function(THREE.address, cores, result, np.dtype(float), print, 1, False)


@in_c
@pytest.mark.parametrize(
    ("arrays", "strides", "shape", "error"),
    [
        ((np.zeros(3),), (), (1,), ValueError),
        ((np.zeros(3),), ((8,),), (), ValueError),
        ((np.zeros(3),), ((),), (1,), ValueError),
        ((np.zeros(3),), ((8,) * 6,), (1,), ValueError),
        ((np.zeros(3),), (8,), (1,), ValueError),
        ((np.zeros(3),), (("8",),), (1,), TypeError),
        (([0.0],), ((8,),), (1,), TypeError),
        ((np.zeros(3),) * 33, ((8,),) * 33, (1,), ValueError),
    ],
)
def test_run_refuses_what_does_not_fit(arrays, strides, shape, error):
    from linkwise.kernel import _call

    with pytest.raises(error):
        _call.run(THREE.address, arrays, strides, shape, 0, 1)


def calling(python: Callable[[Any, Any, int], None]) -> Kernel:
    """A kernel from a vector of two to another that is Python itself."""
    code = ctypes.CFUNCTYPE(None, ctypes.POINTER(ctypes.c_size_t), ctypes.c_void_p, ctypes.c_ssize_t)(python)
    address = ctypes.cast(code, ctypes.c_void_p).value
    assert address
    return Kernel(address, ((2,),), (2,), np.dtype(float), ("x",), code)


@every_layer
def test_a_kernel_may_be_python_itself(layer):
    """What is called with the GIL in hand may take it again."""
    seen: list[int] = []
    f = made(calling(lambda args, strides, count: seen.append(count)), layer)
    f(np.zeros(2)), f(np.zeros((5, 2))), f([[1, 2]] * 3), f(np.zeros((2, 7, 4))[..., ::2])
    assert seen == [1, 5, 3, 14]


@every_layer
def test_kernels_see_aligned_memory_only(layer):
    seen: list[int] = []
    f = made(calling(lambda args, strides, count: seen.extend(args[0:2])), layer)
    unaligned = np.zeros(17, np.uint8)[1:].view(np.float64)
    f(unaligned), f(np.zeros(2), out=unaligned)
    assert [address % 8 for address in seen] == [0] * 4


# Installing


@pytest.mark.slow
def test_installing_without_a_compiler(tmp_path):
    """Of what is committed: a build in the folder at hand would take the extension that lies there."""
    environment = {name: value for name, value in os.environ.items() if name != call.VARIABLE} | {"CC": "false"}
    copy, there = tmp_path / "copy", tmp_path / "there"
    subprocess.run(["git", "clone", "-q", HOME, copy], check=True)
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", there, copy]
    subprocess.run(pip, env=environment, check=True)
    say = "import linkwise, linkwise.kernel.call as c; print(linkwise.__file__, len(linkwise.library()), c.layer())"
    said = subprocess.check_output([sys.executable, "-c", say], env=environment | {"PYTHONPATH": str(there)}, text=True)
    file, robots, layer = said.split(maxsplit=2)
    assert Path(file).is_relative_to(there)
    assert int(robots) > 0
    assert layer.startswith("Python (ctypes): the C extension is not there")
