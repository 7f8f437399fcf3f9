"""Operation counts side by side: published, of the text as its paper prints it, and after our rewriting."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ..choosing import offering
from ..counting import COUNTED, Counted, Law, Polynomial, generic_counted, laws
from ..expr import Count
from ..formulations import FORMULATIONS
from ..published import PUBLISHED, Published
from ..robot import given
from ..robot.model import Robot
from ..robot.symbols import generic

SIZES = (6, 10)
"""The numbers of joints that a table gives beside the law."""

GENERIC = generic("R")
"""A robot that every formulation will do for."""

PRINTED = "as printed"
REWRITTEN = "rewritten"


@dataclass(frozen=True, slots=True)
class Line:
    """One count of one algorithm: as a law in the number of joints n, and at some numbers of joints."""

    algorithm: str
    counted: str
    law: Law | None
    at: Mapping[int, Count | None]

    @property
    def data(self) -> dict[str, Any]:
        return {
            "algorithm": self.algorithm,
            "counted": self.counted,
            "law": self.law and {"M": _written(self.law.M), "A": _written(self.law.A)},
            "at": {str(n): c and {"M": c.M, "A": c.A} for n, c in self.at.items()},
        }


def law_in_words(law: Law | None) -> tuple[str, ...]:
    """The laws of products and of sums, where there are such.

    >>> law_in_words(Law(Polynomial.of(-22, 137), Polynomial.of(-11, 101)))
    ('137n - 22 M', '101n - 11 A')
    """
    found = ((law.M, "M"), (law.A, "A")) if law else ()
    return tuple(f"{polynomial} {unit}" for polynomial, unit in found if polynomial)


def at_sizes(line: Line) -> tuple[str, ...]:
    return tuple(str(line.at[n] or "") for n in SIZES)


def _written(polynomial: Polynomial | None) -> str | None:
    return polynomial and str(polynomial)


def asked(formulation: str | None, function: str | None, robot: Robot = GENERIC) -> list[tuple[str, str]]:
    """The functions with the formulations that are asked for, of those that the robot can have."""
    if formulation is not None:
        given.one_of(formulation, tuple(FORMULATIONS), "formulation")
    offers = {name: offering(robot, formulation or "auto", name) for name in COUNTED}
    offered = [name for name, rows in offers.items() if rows]
    functions = offered if function is None else [given.one_of(function, offered, "function")]
    return [(name, row.name) for name in functions for row in offers[name]]


def lines(function: str, formulation: str, first_axis: str) -> Iterator[Line]:
    """All counts of one text on the generic robot: those of papers first."""
    for published in PUBLISHED:
        if (published.function, published.formulation) == (function, formulation):
            yield of_paper(published)
    yield from of_text(function, formulation, first_axis)


def others(function: str) -> list[Line]:
    """The published counts of algorithms that are none of our texts."""
    return [of_paper(p) for p in PUBLISHED if p.function == function and p.formulation is None]


def of_paper(published: Published) -> Line:
    M, A = published.M, published.A
    law = Law(M, A) if isinstance(M, Polynomial) and isinstance(A, Polynomial) else None
    return Line(published.algorithm, published.table, law, {n: _published_at(published, n) for n in SIZES})


def _published_at(published: Published, n: int) -> Count | None:
    found = published.at(n)
    return found and Count(*(round(x) for x in found))


def of_text(function: str, formulation: str, first_axis: str) -> tuple[Line, Line]:
    printed, improved = laws(formulation, function, first_axis)
    at = {n: generic_counted("R" * n, first_axis, formulation, function) for n in SIZES}
    return (
        Line(formulation, PRINTED, printed, {n: c.printed for n, c in at.items()}),
        Line(formulation, REWRITTEN, improved, {n: c.rewritten for n, c in at.items()}),
    )


def row(counted: Counted) -> tuple[str, ...]:
    """A line of the table of one robot."""
    return (counted.function, counted.formulation, str(counted.printed), str(counted.rewritten))


def data(counted: Counted) -> dict[str, Any]:
    return {
        "function": counted.function,
        "formulation": counted.formulation,
        "printed": {"M": counted.printed.M, "A": counted.printed.A},
        "rewritten": {"M": counted.rewritten.M, "A": counted.rewritten.A},
    }
