"""The processor that kernels are made for, as LLVM sees it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any


@cache
def llvm() -> Any:
    """LLVM, imported when the first kernel is needed; llvmlite has no types to tell."""
    binding = import_module("llvmlite.binding")
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    return binding


@dataclass(frozen=True, slots=True)
class Machine:
    """A processor's name and abilities, and how many doubles one of its vectors holds."""

    cpu: str
    features: str
    triple: str
    llvm: str
    doubles: int

    def width(self, precision: str) -> int:
        return self.doubles if precision == "double" else 2 * self.doubles


@cache
def host() -> Machine:
    """This processor."""
    binding = llvm()
    features = binding.get_host_cpu_features()
    return Machine(
        cpu=binding.get_host_cpu_name(),
        features=features.flatten(),
        triple=binding.get_default_triple(),
        llvm=".".join(map(str, binding.llvm_version_info)),
        doubles=doubles(features),
    )


def doubles(abilities: Mapping[str, bool]) -> int:
    """How many doubles fit a vector: AVX-512, AVX with fused products, or what SSE2 and NEON have in common."""
    if abilities.get("avx512f") and abilities.get("avx512dq") and abilities.get("avx512vl"):
        return 8
    return 4 if abilities.get("avx2") and abilities.get("fma") else 2


def target_machine(machine: Machine) -> Any:
    """LLVM's code generator for a processor; a new one, since threads must not share it.

    The small code model reads constants where they stand, as operands of instructions.
    """
    target = llvm().Target.from_triple(machine.triple)
    return target.create_target_machine(
        cpu=machine.cpu, features=machine.features, opt=1, reloc="pic", codemodel="small", jit=True
    )
