"""C99: a lowered program as one function in a file of its own, and the header to call it by.

Every node is one statement and is rounded by itself, so that any compiler that keeps to IEEE arithmetic makes code
which computes the bits of the reference evaluator. All inputs are read before anything is written.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from ..expr import Program
from ..expr.schedule import scheduled
from ..expr.trigonometry import FAR
from .c99_names import RESULT
from .c99_parts import CONDITIONS, PARTS


@dataclass(frozen=True, slots=True)
class Real:
    """A floating-point type of C."""

    name: str
    word: str
    suffix: str


REALS = {"double": Real("double", "uint64_t", ""), "single": Real("float", "uint32_t", "f")}


@dataclass(frozen=True, slots=True)
class Function:
    """A C function: its name, the inputs that each of its array arguments holds, and its lowered program.

    Without `libm` it needs no library: roots and fused products are then C as well, and angles beyond the reach of
    the program's own sine and cosine give NaN.
    """

    name: str
    arguments: Mapping[str, tuple[str, ...]]
    program: Program
    precision: str = "double"
    libm: bool = True

    @property
    def real(self) -> Real:
        return REALS[self.precision]


def source(function: Function, about: str = "") -> str:
    """The file that holds the function, which includes nothing but standard headers; `about` is its first comment."""
    pieces = (
        comment(about),
        "#include <float.h>\n#include <math.h>\n#include <stdint.h>\n",
        CONDITIONS,
        *parts(function),
        prototype(function) + ";\n",
        definition(function),
    )
    return "\n".join(piece for piece in pieces if piece)


def header(function: Function, about: str = "") -> str:
    """The file that callers include, be they C or C++."""
    guard = f"LINKWISE_{function.name}_H"
    pieces = (
        comment(about),
        f"#ifndef {guard}\n#define {guard}\n",
        '#ifdef __cplusplus\nextern "C" {\n#endif\n',
        prototype(function) + ";\n",
        "#ifdef __cplusplus\n}\n#endif\n",
        "#endif\n",
    )
    return "\n".join(piece for piece in pieces if piece)


def prototype(function: Function) -> str:
    real = function.real.name
    taken = [f"const {real} {name}[{len(inputs)}]" for name, inputs in function.arguments.items()]
    return f"void {function.name}({', '.join(taken)}, {real} {RESULT}[{len(function.program.outputs)}])"


def definition(function: Function) -> str:
    return "\n".join([prototype(function), "{", *("    " + line for line in statements(function)), "}", ""])


def statements(function: Function) -> Iterator[str]:
    """A constant for every node, then the outputs."""
    spell = spellings(function)
    places = {x: f"{name}[{i}]" for name, inputs in function.arguments.items() for i, x in enumerate(inputs)}
    nodes = scheduled(function.program)
    read = {node.value for node in nodes if node.op == "input"}
    yield from (f"(void){name};" for name, inputs in function.arguments.items() if read.isdisjoint(inputs))
    names = {node: number(node.value, function.real) for node in nodes if node.op == "const"}
    for i, node in enumerate(node for node in nodes if node.op != "const"):
        value = places[node.value] if node.op == "input" else spell[node.op].format(*(names[a] for a in node.args))
        names[node] = f"t{i}"
        yield f"const {function.real.name} t{i} = {value};"
    yield from (f"{RESULT}[{i}] = {names[node]};" for i, node in enumerate(function.program.outputs))


OPERATORS = {"add": "{} + {}", "sub": "{} - {}", "mul": "{} * {}", "div": "{} / {}", "neg": "-{}"}


def spellings(function: Function) -> dict[str, str]:
    """How each operation is written."""
    ours, nan = "" if function.libm else "linkwise_", number(math.nan, function.real)
    return OPERATORS | {
        "positive": f"{{0}} > {number(0.0, function.real)} ? {{0}} : {nan}",
        "sign": "{{0}} > {0} ? {1} : {{0}} < {0} ? -{1} : {{0}}".format(
            *(number(x, function.real) for x in (0.0, 1.0))
        ),
        "sqrt": f"{ours}sqrt{function.real.suffix}({{}})",
        "fma": f"{ours}fma{function.real.suffix}({{}}, {{}}, {{}})",
        "quadrant_sin": "linkwise_quadrant_sin({}, {}, {})",
        "quadrant_cos": "linkwise_quadrant_cos({}, {}, {})",
        "far_sin": "linkwise_far_sin({}, {})",
        "far_cos": "linkwise_far_cos({}, {})",
    }


def parts(function: Function) -> list[str]:
    """The C that the function's operations need, each piece before those that use it."""
    used = {node.op for node in function.program.nodes()}
    wanted = [op for op in ("quadrant_sin", "quadrant_cos", "far_sin", "far_cos") if op in used]
    if not function.libm:
        wanted += [op + function.real.suffix for op in ("sqrt", "fma") if op in used]
    found: dict[str, None] = {}
    for name in wanted:
        _require(name, found)
    return [_spelled(PARTS[name].text, name, function) for name in found]


def _require(name: str, found: dict[str, None]) -> None:
    for needed in PARTS[name].needs:
        _require(needed, found)
    found[name] = None


def _spelled(text: str, name: str, function: Function) -> str:
    real = function.real
    known = {"REAL": real.name, "WORD": real.word, "LIMIT": number(FAR, real), "BEYOND": _beyond(name, function)}
    return re.sub("|".join(known), lambda found: known[found[0]], text)


def _beyond(name: str, function: Function) -> str:
    """The sine or cosine of a far angle x."""
    if not function.libm:
        return f"({function.real.name})NAN"
    library = name.removeprefix("far_")
    return f"(float){library}((double)x)" if function.precision == "single" else f"{library}(x)"


def number(value: float, real: Real) -> str:
    """A number to its last bit.

    >>> [number(x, REALS["double"]) for x in (0.1, -3.0, 0.0, float("inf"))]
    ['0x1.999999999999ap-4', '(-0x1.8p+1)', '0x0p+0', '(double)INFINITY']
    >>> number(0.1, REALS["single"])
    '0x1.99999ap-4f'
    """
    if real.suffix:
        with np.errstate(over="ignore"):
            value = float(np.float32(value))
    if math.isnan(value):
        return f"({real.name})NAN"
    size = re.sub(r"\.?0*p", "p", abs(value).hex()) + real.suffix if math.isfinite(value) else f"({real.name})INFINITY"
    return f"(-{size})" if math.copysign(1.0, value) < 0 else size


def comment(text: str) -> str:
    """The text as a comment, its lines kept, whatever would end or disturb a comment broken up.

    >>> print(comment("an arm */"), end="")
    /*
     * an arm * /
     */
    """
    if not text:
        return ""
    lines = [" * " + _harmless(line) for line in text.splitlines()]
    return "\n".join(["/*", *map(str.rstrip, lines), " */", ""])


def _harmless(line: str) -> str:
    shown = "".join(c if c.isprintable() else f"U+{ord(c):04X}" for c in line)
    return re.sub(r"(?<=\*)(?=/)|(?<=/)(?=\*)|(?<=\?)(?=/)", " ", shown)
