"""What the machine can do at most: fused products that wait for nothing, as many at once as there are registers for."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache

import numpy as np

from ..kernel.compile import LLVM_NAMES, Signature, loaded
from ..kernel.machine import host, llvm, target_machine
from ..printers.llvm_rows import Format

CHAINS = 12
"""Fused products under way at once: more than units and latency of a processor ask for, few enough for 16 registers."""

TURNS = 500_000


def flops(precision: str, threads: int = 1) -> int:
    """The floating-point operations of one run."""
    return 2 * CHAINS * TURNS * host().width(precision) * threads


@cache
def run_on(threads: int, precision: str) -> Callable[[], None]:
    """One run on each of so many threads."""
    once = _run(precision)
    if threads == 1:
        return once
    pool = ThreadPoolExecutor(threads)

    def together() -> None:
        for done in [pool.submit(once) for _ in range(threads)]:
            done.result()

    return together


def _run(precision: str) -> Callable[[], None]:
    machine = host()
    fmt = Format(LLVM_NAMES[precision], machine.width(precision))
    module = llvm().parse_assembly("\n".join(_loop(fmt)))
    module.triple = machine.triple
    code = target_machine(machine).emit_object(module)
    kernel = loaded(code, Signature((), (), (fmt.width,), precision), machine)
    call = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_ssize_t)(kernel.address)

    def once() -> None:
        factor, result = np.full(fmt.width, 0.5, kernel.dtype), np.empty(fmt.width, kernel.dtype)
        call(factor.ctypes.data, result.ctypes.data, TURNS)

    return once


def _loop(fmt: Format) -> Iterator[str]:
    """x ← x a + a in chains that begin differently; their sum is stored, or LLVM could leave all of it out."""
    v, chains = fmt.vector, range(CHAINS)
    yield f"declare {v} @llvm.fma.{fmt.suffix}({v}, {v}, {v})"
    yield f"define void @kernel(ptr %in, ptr %out, i64 %turns) {{\nentry:\n  %a = load {v}, ptr %in, align {fmt.bytes}"
    yield "  br label %turn\nturn:\n  %i = phi i64 [0, %entry], [%next, %turn]"
    for k in chains:
        begin = ", ".join([f"{fmt.name} {k}.0"] * fmt.width)
        yield f"  %x{k} = phi {v} [<{begin}>, %entry], [%y{k}, %turn]"
    for k in chains:
        yield f"  %y{k} = call {v} @llvm.fma.{fmt.suffix}({v} %x{k}, {v} %a, {v} %a)"
    yield "  %next = add i64 %i, 1\n  %more = icmp slt i64 %next, %turns"
    yield f"  br i1 %more, label %turn, label %end\nend:\n  %s0 = fadd {v} %y0, %a"
    for k in chains[1:]:
        yield f"  %s{k} = fadd {v} %s{k - 1}, %y{k}"
    yield f"  store {v} %s{CHAINS - 1}, ptr %out, align {fmt.bytes}\n  ret void\n}}"
