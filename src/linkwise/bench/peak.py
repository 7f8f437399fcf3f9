"""What the machine can do at most: fused products that wait for nothing, as many at once as there are registers for."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial

from ..kernel.compile import LLVM_NAMES, Signature, loaded
from ..kernel.machine import host, llvm, target_machine
from ..printers.llvm_rows import Format

CHAINS = 12
"""Fused products under way at once: more than any processor's units and latency ask for, few enough for 16 registers."""

TURNS = 100_000
FLOPS_A_LANE = 2 * CHAINS * TURNS


def flops(precision: str) -> int:
    """The floating-point operations of one run on one thread."""
    return FLOPS_A_LANE * host().width(precision)


@cache
def run(precision: str) -> Callable[[], None]:
    """One run of the fused products, on the thread that calls it."""
    machine = host()
    fmt = Format(LLVM_NAMES[precision], machine.width(precision))
    module = llvm().parse_assembly("\n".join(_loop(fmt)))
    module.triple = machine.triple
    code = target_machine(machine).emit_object(module)
    kernel = loaded(code, Signature((), (), (fmt.width,), precision), machine)
    result = (ctypes.c_char * (fmt.width * fmt.bytes))()
    function = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_ssize_t)(kernel.address)

    def once() -> None:
        assert kernel.keep, "the code lives as long as this function does"
        function(ctypes.addressof(result), TURNS)

    return once


def run_on_threads(precision: str, threads: int) -> Callable[[], None]:
    """One run on each of several threads."""
    once, pool = run(precision), ThreadPoolExecutor(threads)

    def together() -> None:
        for done in [pool.submit(once) for _ in range(threads)]:
            done.result()

    return together


def _loop(fmt: Format) -> Iterator[str]:
    """x ← x a + b, in chains that know nothing of each other; their sum is stored, or LLVM would leave all of it out."""
    v, chains = fmt.vector, range(CHAINS)
    yield f"declare {v} @llvm.fma.{fmt.suffix}({v}, {v}, {v})"
    yield f"define void @kernel(ptr %out, i64 %turns) {{\nentry:\n  %a = load {v}, ptr %out, align {fmt.bytes}"
    yield "  br label %turn\nturn:\n  %i = phi i64 [0, %entry], [%next, %turn]"
    for k in chains:
        yield f"  %x{k} = phi {v} [%a, %entry], [%y{k}, %turn]"
    for k in chains:
        yield f"  %y{k} = call {v} @llvm.fma.{fmt.suffix}({v} %x{k}, {v} %a, {v} %a)"
    yield "  %next = add i64 %i, 1\n  %more = icmp slt i64 %next, %turns"
    yield f"  br i1 %more, label %turn, label %end\nend:\n  %s0 = fadd {v} %y0, %a"
    for k in chains[1:]:
        yield f"  %s{k} = fadd {v} %s{k - 1}, %y{k}"
    yield f"  store {v} %s{CHAINS - 1}, ptr %out, align {fmt.bytes}\n  ret void\n}}"
