"""Small kernels to call, in LLVM's assembly, and what they compute, in NumPy."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, reduce
from itertools import count, product
from typing import Any

import llvmlite.binding as llvm
import numpy as np

Shape = tuple[int, ...]
TYPES = {np.dtype(np.float64): "double", np.dtype(np.float32): "float"}


@dataclass(frozen=True)
class Kernel:
    """What the call layer asks of a kernel, as linkwise.kernel.compile has it."""

    address: int
    cores: tuple[Shape, ...]
    result: Shape
    dtype: np.dtype[Any]
    names: tuple[str, ...]
    keep: object


@cache
def sums(cores: tuple[Shape, ...], result: Shape, dtype: type = np.float64) -> Kernel:
    """Item k of the result is the sum over the inputs j of their item k + j, counted round.

    So the items of a state are mixed, and a result that is written before all are read shows.
    """
    axes = [len(core) for core in (*cores, result)]
    engine = _compiled(_over_states(axes, _sums(cores, result, TYPES[np.dtype(dtype)])))
    names = tuple(f"x{j}" for j in range(len(cores)))
    return Kernel(engine.get_function_address("kernel"), cores, result, np.dtype(dtype), names, engine)


def expected(kernel: Kernel, inputs: Sequence[Any]) -> np.ndarray:
    """What `sums` computes, of inputs that broadcast."""
    arrays = [np.asarray(x).astype(kernel.dtype) for x in inputs]
    batches = [x.shape[: x.ndim - len(core)] for x, core in zip(arrays, kernel.cores, strict=True)]
    rows = [x.reshape(*batch, math.prod(core)) for x, batch, core in zip(arrays, batches, kernel.cores, strict=True)]
    whole = np.broadcast_shapes(*batches)
    result = np.empty((*whole, math.prod(kernel.result)), kernel.dtype)
    for k in range(result.shape[-1]):
        result[..., k] = reduce(np.add, [row[..., (k + j) % row.shape[-1]] for j, row in enumerate(rows)])
    return result.reshape((*whole, *kernel.result))


def patient() -> Kernel:
    """Waits until its one input is not 0, but not for ever, and returns what it has seen last."""
    body = [
        "  br label %wait",
        "wait:",
        "  %turn = phi i64 [0, %state], [%next, %wait]",
        "  %seen = load volatile double, ptr %a0",
        "  %next = add i64 %turn, 1",
        "  %open = fcmp une double %seen, 0.0",
        "  %late = icmp eq i64 %next, 3000000000",
        "  %enough = or i1 %open, %late",
        "  br i1 %enough, label %write, label %wait",
        "write:",
        "  store double %seen, ptr %a1",
    ]
    engine = _compiled(_over_states([1, 1], body, last="write"))
    address = engine.get_function_address("kernel")
    return Kernel(address, ((WIDE,),), (WIDE,), np.dtype(np.float64), ("x",), engine)


WIDE = 4096
"""Items of the patient kernel's input, so that a state is work for which the GIL is released."""


def _compiled(text: str) -> Any:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    module = llvm.parse_assembly(text)
    engine = llvm.create_mcjit_compiler(module, llvm.Target.from_default_triple().create_target_machine())
    engine.finalize_object()
    return engine


def _over_states(axes: Sequence[int], body: Iterable[str], last: str = "state") -> str:
    """A kernel that does the body for each state, of arrays with so many core axes.

    %a0, %a1 … point to the state's items in each array; %s0_1 is the stride of the first core axis of the first array.
    """
    return "\n".join(
        [
            "define void @kernel(ptr %args, ptr %strides, i64 %count) {",
            "entry:",
            "  %some = icmp sgt i64 %count, 0",
            "  br i1 %some, label %state, label %end",
            "state:",
            f"  %i = phi i64 [0, %entry], [%i1, %{last}]",
            *_places(axes),
            *body,
            "  %i1 = add i64 %i, 1",
            "  %more = icmp slt i64 %i1, %count",
            "  br i1 %more, label %state, label %end",
            "end:",
            "  ret void",
            "}",
        ]
    )


def _places(axes: Sequence[int]) -> Iterator[str]:
    at = count()
    for j, own in enumerate(axes):
        for axis in range(1 + own):
            yield f"  %at{j}_{axis} = getelementptr i64, ptr %strides, i64 {next(at)}"
            yield f"  %s{j}_{axis} = load i64, ptr %at{j}_{axis}"
        yield f"  %slot{j} = getelementptr ptr, ptr %args, i64 {j}"
        yield f"  %base{j} = load ptr, ptr %slot{j}"
        yield f"  %offset{j} = mul i64 %i, %s{j}_0"
        yield f"  %a{j} = getelementptr i8, ptr %base{j}, i64 %offset{j}"


def _sums(cores: Sequence[Shape], result: Shape, number: str) -> Iterator[str]:
    for j, core in enumerate(cores):
        for k, index in enumerate(product(*map(range, core))):
            yield from _item(f"p{j}_{k}", j, index)
            yield f"  %x{j}_{k} = load {number}, ptr %p{j}_{k}"
    for k in range(math.prod(result)):
        yield f"  %sum{k}_0 = fadd {number} -0.0, %x0_{k % math.prod(cores[0])}"
        for j, core in enumerate(cores[1:], 1):
            yield f"  %sum{k}_{j} = fadd {number} %sum{k}_{j - 1}, %x{j}_{(k + j) % math.prod(core)}"
    for k, index in enumerate(product(*map(range, result))):
        yield from _item(f"r{k}", len(cores), index)
        yield f"  store {number} %sum{k}_{len(cores) - 1}, ptr %r{k}"


def _item(name: str, array: int, index: Sequence[int]) -> Iterator[str]:
    """A pointer to one item of a state."""
    place = f"%a{array}"
    for axis, i in enumerate(index, 1):
        yield f"  %{name}_o{axis} = mul i64 {i}, %s{array}_{axis}"
        yield f"  %{name}_{axis} = getelementptr i8, ptr {place}, i64 %{name}_o{axis}"
        place = f"%{name}_{axis}"
    yield f"  %{name} = getelementptr i8, ptr {place}, i64 0"
