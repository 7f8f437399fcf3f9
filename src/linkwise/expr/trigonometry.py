"""Sine and cosine as expressions of sums, products and fused products, both from one reduction.

x = n π/2 + r with |r| ≤ π/4, where n is found by adding 1.5·2ᵐ (which leaves an integer in the low mantissa bits), and
r is kept as a sum of two numbers after Cody and Waite, π/2 being split in three. The polynomials in r² have the least
largest relative error on |r| ≤ π/4 (Remez); they stay below 2⁻⁵⁷ in double precision and 2⁻³⁷ in single. Beyond
|x| = 10⁵ the splitting of π/2 is too short: the `far` operations ask the C library there.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce

from .node import Node

FAR = 1e5
"""Beyond this angle, in radians, the library's own sine and cosine serve."""


@dataclass(frozen=True, slots=True)
class Precision:
    """The constants of a floating-point format."""

    turns: float
    """2/π."""
    magic: float
    """1.5 times the number from which on all numbers are integers."""
    quarter: tuple[float, float, float]
    """π/2 in three parts, the first of which leaves x - n π/2 exact."""
    sine: tuple[float, ...]
    """(sin r - r) / r³ in powers of r²."""
    cosine: tuple[float, ...]
    """(cos r - 1 + r²/2) / r⁴ in powers of r²."""


PRECISIONS = {
    "double": Precision(
        turns=0.6366197723675814,
        magic=1.5 * 2.0**52,
        quarter=(1.5707963267948966, 6.123233995736766e-17, -1.4973849048591698e-33),
        sine=(
            -0.1666666666666663,
            0.008333333333322108,
            -0.00019841269829580166,
            2.7557313618017424e-06,
            -2.5050747218202267e-08,
            1.5896197635834104e-10,
        ),
        cosine=(
            0.041666666666666595,
            -0.001388888888887304,
            2.4801587288841377e-05,
            -2.75573141762335e-07,
            2.087570041524503e-09,
            -1.1358513910113587e-11,
        ),
    ),
    "single": Precision(
        turns=0.63661975,
        magic=1.5 * 2.0**23,
        quarter=(1.5707963705062866, -4.371138828673793e-08, -1.7151245100058819e-15),
        sine=(-0.1666666664077619, 0.008333329302413307, -0.00019839311484440365, 2.718114110273205e-06),
        cosine=(0.0416666666194537, -0.0013888883496856708, 2.4799459309283645e-05, -2.720568456427032e-07),
    ),
}


def sine_and_cosine(x: Node, p: Precision) -> tuple[Node, Node]:
    """sin x and cos x within one unit in the last place."""
    bare = x.graph.bare
    j, r, rest = reduced(x, p)
    s, c = sine(r, rest, p), cosine(r, rest, p)
    return bare("far_sin", x, bare("quadrant_sin", j, s, c)), bare("far_cos", x, bare("quadrant_cos", j, s, c))


def reduced(x: Node, p: Precision) -> tuple[Node, Node, Node]:
    """n in the low bits of the first, and r as the sum of the other two."""
    k = x.graph.constant
    j = fma(x, k(p.turns), k(p.magic))
    n = -(j - k(p.magic))
    first, second, third = map(k, p.quarter)
    r1 = fma(n, first, x)
    less = n * second
    r = r1 + less
    lost = fma(n, second, -less) - ((r - r1) - less)
    return j, r, fma(n, third, lost)


def sine(r: Node, rest: Node, p: Precision) -> Node:
    """sin(r + rest) = r + (r³ S(r²) + rest cos r), of cos r no more than 1 - r²/2 being needed."""
    z = r * r
    small = fma(-(0.5 * z), rest, rest)
    return r + fma(r * z, polynomial(z, p.sine), small)


def cosine(r: Node, rest: Node, p: Precision) -> Node:
    """cos(r + rest) = 1 - r²/2 + (r⁴ C(r²) - r rest), with what 1 - r²/2 loses in rounding added again."""
    z = r * r
    half = 0.5 * z
    main = 1.0 - half
    lost = (1.0 - main) - half
    return main + fma(z * z, polynomial(z, p.cosine), fma(-r, rest, lost))


def polynomial(z: Node, coefficients: tuple[float, ...]) -> Node:
    """Horner's scheme, coefficients from the lowest power on."""
    highest, *lower = (z.graph.constant(c) for c in reversed(coefficients))
    return reduce(lambda value, c: fma(value, z, c), lower, highest)


def fma(a: Node, b: Node, c: Node) -> Node:
    return a.graph.bare("fma", a, b, c)
