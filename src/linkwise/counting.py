"""Operation counts of the formulations: as their papers print them, and after our rewriting and the normal form.

The rule of the count is in `linkwise.expr.count`: constants are worked out off-line, signs, sines and cosines are
free. A generic robot has a symbol for every constant; "as printed" is the text in the frames and with the parameters
that the robot is described by, equal subexpressions written once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from .choosing import offering
from .errors import LinkwiseError
from .expr import Count, count, rewritten
from .formulations import FORMULATIONS, QUANTITIES, Text
from .robot import given
from .robot.model import Robot
from .robot.symbols import generic
from .tracing import trace

COUNTED = ("inverse_dynamics", "bias", "mass_matrix", "accelerations", "forward_dynamics", "coriolis_matrix")
"""The functions that are worth a count, in the order of a table."""


@dataclass(frozen=True, slots=True)
class Counted:
    """The operations of one function by one formulation."""

    formulation: str
    function: str
    printed: Count
    rewritten: Count


def counted(robot: Robot, formulation: str, function: str) -> Counted:
    """The operations of a function for a robot, be it generic or not.

    >>> from linkwise import Robot
    >>> counted(Robot.generic("RR", "vertical"), "newton-euler", "inverse_dynamics").rewritten
    Count(M=60, A=45)
    """
    text = _text(robot, formulation, function)
    as_described = trace(text, QUANTITIES[function], robot, normal=False).program
    improved = rewritten(trace(text, QUANTITIES[function], robot, normal=True).program)
    return Counted(formulation, function, count(as_described), count(improved))


def _text(robot: Robot, formulation: str, function: str) -> Text:
    given.one_of(formulation, tuple(FORMULATIONS), "formulation")
    for row in offering(robot, formulation, function):
        if text := row.text(function):
            return text
    raise LinkwiseError(
        f"The formulation {formulation!r} has no {function} for {robot.name!r}",
        given=repr(function),
        expected=f"for {function}, one of " + ", ".join(row.name for row in offering(robot, "auto", function)),
        mend="choose one of these",
    )


def all_counted(robot: Robot) -> list[Counted]:
    """Every function of every formulation that this robot can have."""
    return [counted(robot, row.name, function) for function in COUNTED for row in offering(robot, "auto", function)]


@cache
def generic_counted(joints: str, first_axis: str, formulation: str, function: str) -> Counted:
    """The count for a generic robot, remembered: polynomials ask for the same ones again."""
    return counted(generic(joints, first_axis), formulation, function)


@dataclass(frozen=True, slots=True)
class Polynomial:
    """A polynomial in the number of joints n, lowest power first.

    >>> p = Polynomial.of(-49, "39/2", "23/2")
    >>> print(p, "at n = 6 is", p(6))
    11.5n² + 19.5n - 49 at n = 6 is 482
    """

    coefficients: tuple[Fraction, ...]

    @classmethod
    def of(cls, *coefficients: int | str) -> Polynomial:
        return cls(tuple(Fraction(c) for c in coefficients))

    def __call__(self, n: int) -> Fraction:
        return sum((c * n**power for power, c in enumerate(self.coefficients)), Fraction(0))

    def __str__(self) -> str:
        terms = [(power, c) for power, c in enumerate(self.coefficients) if c]
        written = " ".join(_term(power, c, leading=i == 0) for i, (power, c) in enumerate(reversed(terms)))
        return written or "0"


def _term(power: int, c: Fraction, *, leading: bool) -> str:
    sign = ("-" if leading else "- ") if c < 0 else ("" if leading else "+ ")
    size = "" if abs(c) == 1 and power else _number(abs(c))
    return sign + size + ("", "n", "n²", "n³")[power]


def _number(c: Fraction) -> str:
    """As a decimal number where that is short, as a fraction where it is not."""
    if c.denominator in (1, 2, 4, 5):
        return f"{float(c):g}"
    return f"({c.numerator}/{c.denominator})"


FITTED = range(5, 11)
"""The numbers of joints for which a polynomial must hold; shorter chains lack what the middle of a chain has."""


def polynomial(values: Mapping[int, int]) -> Polynomial | None:
    """The polynomial of the least degree (three at most) through all the values, if there is one.

    >>> print(polynomial({n: 2 * n * n - 3 for n in range(5, 11)}))
    2n² - 3
    """
    n0, n1 = min(values), max(values)
    for degree in range(4):
        found = _interpolated([(n, values[n]) for n in range(n0, n0 + degree + 1)])
        if all(found(n) == values[n] for n in range(n0, n1 + 1)):
            return found
    return None


def _interpolated(points: list[tuple[int, int]]) -> Polynomial:
    """Lagrange's polynomial through the points."""
    total = [Fraction(0)] * len(points)
    for i, (n_i, value) in enumerate(points):
        basis = [Fraction(1)]
        for j, (n_j, _) in enumerate(points):
            if j != i:
                shifted = [Fraction(0), *basis]
                basis = [(a - n_j * b) / (n_i - n_j) for a, b in zip(shifted, [*basis, Fraction(0)], strict=True)]
        total = [t + value * b for t, b in zip(total, basis, strict=True)]
    return Polynomial(tuple(total))


@dataclass(frozen=True, slots=True)
class Law:
    """How the operations of a function grow with the number of revolute joints."""

    M: Polynomial | None
    A: Polynomial | None


def laws(formulation: str, function: str, first_axis: str = "vertical") -> tuple[Law, Law]:
    """The laws of a generic all-revolute robot: as printed, and after rewriting."""
    found = {n: generic_counted("R" * n, first_axis, formulation, function) for n in FITTED}
    printed = {n: c.printed for n, c in found.items()}
    improved = {n: c.rewritten for n, c in found.items()}
    return _law(printed), _law(improved)


def _law(counts: Mapping[int, Count]) -> Law:
    return Law(polynomial({n: c.M for n, c in counts.items()}), polynomial({n: c.A for n, c in counts.items()}))
