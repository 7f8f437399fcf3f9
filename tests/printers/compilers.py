"""The C compilers of this machine, and functions that they made, run on many states at once."""

from __future__ import annotations

import ctypes
import itertools
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from linkwise.printers.c99 import Function, source

COMPILERS = tuple(name for name in ("gcc", "clang") if shutil.which(name))
STRICT = (
    *("-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-Wconversion", "-Wsign-conversion", "-Wshadow"),
    *("-Wundef", "-Wdouble-promotion", "-Wmissing-prototypes", "-Wcast-qual"),
)
DTYPES = {"double": np.float64, "single": np.float32}

_numbers = itertools.count()


def run(*command: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*map(str, command)], capture_output=True, text=True, check=False, timeout=300)


def compiled(text: str, folder: Path, *command: str, suffix: str = ".c") -> Path:
    """The shared library of a source text, made with a command that the paths are added to."""
    path = folder / f"made{next(_numbers)}{suffix}"
    path.write_text(text, encoding="utf-8")
    library = path.with_suffix(".so")
    done = run(*command, "-shared", "-fPIC", path, "-o", library, *(() if "-nostdlib" in command else ("-lm",)))
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    return library


LOOP = """
void many(const REAL *in, REAL *out, long count);
void many(const REAL *in, REAL *out, long count)
{
    for (long i = 0; i < count; ++i, in += IN, out += OUT) {
        NAME(ARGUMENTS, out);
    }
}
"""


@dataclass(frozen=True)
class Made:
    """A printed function with a loop around it."""

    function: Function
    library: Path

    def __call__(self, given: Mapping[str, np.ndarray]) -> np.ndarray:
        """Its results, a row for each state."""
        dtype = DTYPES[self.function.precision]
        rows = np.ascontiguousarray(np.stack([given[x] for x in _inputs(self.function)], axis=-1), dtype=dtype)
        result = np.full((len(rows), len(self.function.program.outputs)), 0.5, dtype)
        many = ctypes.CDLL(str(self.library)).many
        many(ctypes.c_void_p(rows.ctypes.data), ctypes.c_void_p(result.ctypes.data), ctypes.c_long(len(rows)))
        return result


def made(function: Function, folder: Path, *command: str) -> Made:
    starts = itertools.accumulate((len(x) for x in function.arguments.values()), initial=0)
    words = {
        "ARGUMENTS": ", ".join(f"in + {start}" for start, _ in zip(starts, function.arguments, strict=False)),
        "REAL": function.real.name,
        "IN": str(len(_inputs(function))),
        "OUT": str(len(function.program.outputs)),
        "NAME": function.name,
    }
    loop = LOOP
    for word, value in words.items():
        loop = loop.replace(word, value)
    return Made(function, compiled(source(function) + loop, folder, *command))


def _inputs(function: Function) -> Sequence[str]:
    return [x for inputs in function.arguments.values() for x in inputs]
