"""Kernels as functions of arrays, of every layout that NumPy knows.

`function` makes them. Arrays that a kernel can read as they are go straight to it in C (`_call.c`). All others come
here, are made into numbers of the kernel's type, and are read wherever they lie: broadcasting is a stride of 0. Without
the C extension everything comes here, and goes to the kernel through ctypes.
"""

from __future__ import annotations

import copyreg
import ctypes
import math
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial, update_wrapper
from importlib import import_module
from inspect import Parameter, Signature
from itertools import product
from operator import mul
from types import FunctionType, ModuleType
from typing import Any, Protocol, cast

import numpy as np

from ..errors import LinkwiseError
from .layout import Array, Shape, arranged, clash, pointer
from .threads import chosen, pieces, share

VARIABLE = "LINKWISE_CALL_LAYER"

WORTH_A_THREAD = 1 << 17
"""Items read and written for which a thread is woken, however many are asked for: fewer would be done before it is up.

That is work of some fifty microseconds, which is what it takes to wake a helper and to be told that it is done.
"""

Check = Callable[[str, str, Any], Array]
"""Makes what was given for an argument of a function into an array (…, *core) of numbers, or says why it is none."""

Run = Callable[[int, tuple[Array, ...], tuple[Shape, ...], Shape, int, int], None]
"""Calls the kernel at an address on arrays, whose strides along the batch axes and their own are given, on a batch of
some shape, for the states of its last axis from one to another."""


class Kernel(Protocol):
    """Compiled code for a batch, what it reads and what it makes; the code lives as long as this does."""

    @property
    def address(self) -> int: ...
    @property
    def cores(self) -> tuple[Shape, ...]: ...
    @property
    def result(self) -> Shape: ...
    @property
    def dtype(self) -> np.dtype[Any]: ...
    @property
    def names(self) -> tuple[str, ...]: ...


def function(
    kernel: Kernel,
    *,
    name: str,
    check: Check,
    doc: str | None = None,
    threads_default: int | None = None,
    around: Callable[[Callable[..., Any], str], Callable[..., Any]] | None = None,
    told: Shape | None = None,
) -> Callable[..., Any]:
    """A kernel as a function of its arguments, by position or name, with `out` and `threads`.

    `around` may put another function around the one that takes arrays of any layout, for arguments of its own. `told`
    is the core of results as callers know it, where that is another than the kernel's.
    """
    default = None if threads_default is None else chosen(threads_default)
    extension, _ = _extension()
    axes = tuple(map(len, (*kernel.cores, kernel.result)))
    run = extension.run if extension else run_by_ctypes
    known = kernel.result if told is None else told
    call = _Call(kernel, name, check, default, run, axes, _items(kernel), _signature(kernel.names), known)

    def called(*given: Any, out: Array | None = None, threads: int | None = None, **named: Any) -> Any:
        return call(given, named, out, threads)

    slow = around(called, name) if around else called
    slow.__name__ = slow.__qualname__ = name
    slow.__doc__ = doc
    vars(slow)["__signature__"] = call.signature
    if extension is None:
        return slow
    shapes, worth_sharing = (kernel.cores, kernel.result), 2 * WORTH_A_THREAD
    direct = extension.Function(kernel.address, *shapes, kernel.dtype, slow, worth_sharing, default == 1)
    return update_wrapper(direct, slow)


def layer() -> str:
    """What calls kernels here, and why if it is not the C extension."""
    extension, why = _extension()
    return "C extension" if extension else f"Python (ctypes): {why}"


def _extension() -> tuple[ModuleType | None, str]:
    """The C extension, or the reason why it is not used."""
    asked = os.environ.get(VARIABLE, "")
    extension, missing = _imported()
    if asked not in ("", "c", "python") or (asked == "c" and extension is None):
        raise LinkwiseError(
            f"{VARIABLE} names no call layer that is here",
            given=f"{VARIABLE}={asked!r}" + (f", {missing}" if missing else ""),
            expected='"c" for the C extension, or "python"',
            mend=f"leave {VARIABLE} out for the better one of those that are here",
        )
    return (None, f"{VARIABLE}=python asks for it") if asked == "python" else (extension, missing)


@cache
def _imported() -> tuple[ModuleType | None, str]:
    try:
        extension = import_module("._call", __package__)
        copyreg.pickle(extension.Function, _origin)
        return extension, ""
    except ImportError as error:
        return None, f"the C extension is not there ({error})"


class InPython:
    """A function in Python that can be pickled and copied, as one of the extension can."""

    def __init__(self, call: Callable[..., Any]) -> None:
        update_wrapper(self, call)
        self._call = call

    def __call__(self, *given: Any, **named: Any) -> Any:
        return self._call(*given, **named)

    def __repr__(self) -> str:
        return repr(self._call)


def made_by(call: Callable[..., Any], maker: Callable[..., Any], *given: Any) -> Callable[..., Any]:
    """The function, which is pickled and copied as what makes it: code in memory is this process's own."""
    known = InPython(call) if isinstance(call, FunctionType) else call
    vars(known)["origin"] = maker, given
    return known


def _origin(call: Callable[..., Any]) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    return vars(call)["origin"]


copyreg.pickle(InPython, _origin)  # pyright: ignore[reportArgumentType] what is typed is less than what is taken


def _signature(names: Sequence[str]) -> Signature:
    arguments = [Parameter(name, Parameter.POSITIONAL_OR_KEYWORD) for name in names]
    options = [Parameter(name, Parameter.KEYWORD_ONLY, default=None) for name in ("out", "threads")]
    return Signature([*arguments, *options])


def _items(kernel: Kernel) -> int:
    """How many numbers a kernel reads and writes a state, by which its work is told roughly."""
    return sum(map(math.prod, (*kernel.cores, kernel.result)))


@dataclass(frozen=True, slots=True)
class _Call:
    """The calls of a function whose arguments the kernel may not be able to read as they are."""

    kernel: Kernel
    name: str
    check: Check
    threads: int | None
    run: Run
    core_axes: Shape
    items: int
    signature: Signature
    told: Shape

    def __call__(self, given: tuple[Any, ...], named: Mapping[str, Any], out: Array | None, threads: int | None) -> Any:
        inputs = self._inputs(self._bound(given, named))
        batch = self._batch(inputs)
        target = self._target(out, batch + self.kernel.result, inputs)
        self._fill([*inputs, target], batch, threads)
        if out is None:
            return target if target.ndim else target[()]
        if target is not out:
            out[...] = target
        return out

    def _bound(self, given: tuple[Any, ...], named: Mapping[str, Any]) -> tuple[Any, ...]:
        """The values of the arguments in their order."""
        if not named and len(given) == len(self.kernel.names):
            return given
        try:
            return self.signature.bind(*given, **named).args
        except TypeError as error:
            raise TypeError(f"{self.name}: {error}; it takes {', '.join(self.signature.parameters)}") from None

    def _inputs(self, values: tuple[Any, ...]) -> list[Array]:
        return [self._input(*each) for each in zip(self.kernel.names, self.kernel.cores, values, strict=True)]

    def _input(self, argument: str, core: Shape, value: Any) -> Array:
        if self._is_as_the_kernel_reads(value, core):
            return value
        array = self.check(self.name, argument, value)
        if array.shape[array.ndim - len(core) :] != core:
            raise LinkwiseError(
                f"{self.name}: {argument} has the wrong shape",
                given=f"shape {array.shape}",
                expected=f"(…, {', '.join(map(str, core))})",
                mend=f"give {argument} these last axes",
            )
        if array.dtype != self.kernel.dtype or not array.flags.aligned:
            return array.astype(self.kernel.dtype)
        return array

    def _is_as_the_kernel_reads(self, value: Any, core: Shape) -> bool:
        """Whether it is an array about which there is nothing to check, nor to make of it."""
        if type(value) is not np.ndarray or value.dtype != self.kernel.dtype or not value.flags.aligned:
            return False
        return value.ndim >= len(core) and value.shape[value.ndim - len(core) :] == core

    def _batch(self, inputs: Sequence[Array]) -> Shape:
        """The shape that the leading axes broadcast to."""
        shapes = [array.shape[: array.ndim - len(core)] for array, core in zip(inputs, self.kernel.cores, strict=True)]
        if len({*shapes}) == 1:
            return shapes[0]
        try:
            return np.broadcast_shapes(*shapes)
        except ValueError as error:
            leading = dict(zip(self.kernel.names, shapes, strict=True))
            raise LinkwiseError(
                f"{self.name}: the leading axes of the arguments do not broadcast",
                given=", ".join(f"{argument} {shape}" for argument, shape in leading.items()),
                expected="leading axes that are equal, 1 or missing, as NumPy broadcasts",
                mend="give all arguments the same leading axes",
            ) from error

    def _target(self, out: Array | None, shape: Shape, inputs: Sequence[Array]) -> Array:
        """Where the kernel writes: `out` itself, unless an input that shares its memory would be overwritten unread."""
        if out is not None:
            self._check_out(out, shape)
            if out.flags.aligned and not any(clash(out, array) for array in inputs):
                return out
        return np.empty(shape, self.kernel.dtype)

    def _check_out(self, out: Any, shape: Shape) -> None:
        plain = type(out) in (np.ndarray, np.memmap)  # other kinds of array may mean more than their memory
        if plain and out.shape == shape and out.dtype == self.kernel.dtype and out.flags.writeable:
            return
        wanted = self._as_told(shape)
        raise LinkwiseError(
            f"{self.name}: out cannot take the result",
            given=self._described(cast(Array, out)) if isinstance(out, np.ndarray) else f"{out!r:.80}",
            expected=f"an array of shape {wanted} and {self.kernel.dtype} that can be written",
            mend=f"give numpy.empty({wanted}, numpy.{self.kernel.dtype}), or leave out away",
        )

    def _described(self, out: Array) -> str:
        access = "" if out.flags.writeable else ", read-only"
        return f"{type(out).__name__} of shape {self._as_told(out.shape)} and {out.dtype}{access}"

    def _as_told(self, shape: Shape) -> Shape:
        """A shape with the last axes that callers know instead of the kernel's."""
        return shape[: len(shape) - len(self.kernel.result)] + self.told if self.told != self.kernel.result else shape

    def _fill(self, arrays: list[Array], batch: Shape, threads: int | None) -> None:
        most = math.prod(batch) * self.items // WORTH_A_THREAD
        number = min(most, chosen(threads, self.threads)) if threads is not None or most > 1 else 1
        if 0 in batch:
            return
        shape, strides = arranged(arrays, self.core_axes, batch)
        run = partial(self.run, self.kernel.address, tuple(arrays), strides, shape)
        if number < 2:
            run(0, shape[-1])
        else:
            share(run, pieces(shape[-1], number), number)


_PROTOTYPE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_ssize_t)


def run_by_ctypes(
    address: int, arrays: tuple[Array, ...], strides: tuple[Shape, ...], shape: Shape, start: int, stop: int
) -> None:
    """What `run` of the C extension does."""
    kernel = _PROTOTYPE(address)
    last = len(shape) - 1
    inner = [s for each in strides for s in each[last:]]
    steps = (ctypes.c_ssize_t * len(inner))(*inner)
    pointers = [pointer(array) for array in arrays]
    for outer in product(*map(range, shape[:last])):
        state = (*outer, start)
        here = [p + sum(map(mul, state, each)) for p, each in zip(pointers, strides, strict=True)]
        kernel((ctypes.c_void_p * len(here))(*here), steps, stop - start)
