"""From a lowered program to a kernel that can be called: machine code, made or read, and put into memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from .layout import Shape
from .machine import Machine, llvm, target_machine

if TYPE_CHECKING:
    from ..expr import Program

PRECISIONS = {"double": np.dtype(np.float64), "single": np.dtype(np.float32)}
LLVM_NAMES = {"double": "double", "single": "float"}


@dataclass(frozen=True, slots=True)
class Signature:
    """What a kernel takes and gives: its arguments' names and core shapes, its result's core shape, the format."""

    names: tuple[str, ...]
    cores: tuple[Shape, ...]
    result: Shape
    precision: str

    @property
    def dtype(self) -> np.dtype[Any]:
        return PRECISIONS[self.precision]


@dataclass(frozen=True, slots=True)
class Kernel:
    """Machine code in memory, at its address; `keep` holds the memory."""

    address: int
    cores: tuple[Shape, ...]
    result: Shape
    dtype: np.dtype[Any]
    names: tuple[str, ...]
    keep: object


def object_code(program: Program, signature: Signature, machine: Machine) -> bytes:
    """The machine code of a lowered program, as the object file that a linker would get."""
    from ..printers.llvm import Format, kernel  # what a warm start has no use for

    fmt = Format(LLVM_NAMES[signature.precision], machine.width(signature.precision))
    module = llvm().parse_assembly(kernel(program, signature.cores, signature.result, fmt))
    module.triple = machine.triple
    return target_machine(machine).emit_object(module)


def loaded(code: bytes, signature: Signature, machine: Machine) -> Kernel:
    """The kernel of an object file, ready to be called.

    JITLink puts its code and constants side by side, as addresses relative to the code need it.
    """
    jit = llvm().create_lljit_compiler(target_machine(machine), use_jit_link=True)
    library = llvm().JITLibraryBuilder().add_object_img(code).add_current_process().export_symbol("kernel")
    linked = library.link(jit, "kernels")
    return Kernel(
        linked["kernel"], signature.cores, signature.result, signature.dtype, signature.names, keep=(linked, jit)
    )
