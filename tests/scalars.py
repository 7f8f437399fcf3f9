"""Scalars that tests put through the texts: numbers with units, and numbers with fifty digits."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from mpmath import mp

from linkwise.algebra import Placement, Rigid, Screw
from linkwise.robot.exact import exact as exact_robot
from linkwise.robot.joint import Joint
from linkwise.robot.model import Link, Robot
from linkwise.robot.symbols import with_scalars


@dataclass(frozen=True)
class Unit:
    """Powers of kilogram, metre and second; radians are pure numbers."""

    kg: Fraction = Fraction(0)
    m: Fraction = Fraction(0)
    s: Fraction = Fraction(0)

    def __mul__(self, other: Unit) -> Unit:
        return Unit(self.kg + other.kg, self.m + other.m, self.s + other.s)

    def __pow__(self, power: Fraction | int) -> Unit:
        return Unit(self.kg * power, self.m * power, self.s * power)

    def __truediv__(self, other: Unit) -> Unit:
        return self * other**-1


PURE = Unit()
KG, METRE, SECOND = Unit(kg=Fraction(1)), Unit(m=Fraction(1)), Unit(s=Fraction(1))
NEWTON = KG * METRE / SECOND**2
JOULE = NEWTON * METRE


@dataclass(frozen=True)
class Quantity:
    """A number with a unit. Sums of unlike units raise; a literal nought goes with every unit and stays literal."""

    value: float
    unit: Unit

    def __add__(self, other: Any) -> Quantity:
        return self if is_nought(other) else Quantity(self.value + same_unit(self, other).value, self.unit)

    __radd__ = __add__

    def __neg__(self) -> Quantity:
        return Quantity(-self.value, self.unit)

    def __sub__(self, other: Any) -> Quantity:
        return self + -other

    def __rsub__(self, other: Any) -> Quantity:
        return -self + other

    def __mul__(self, other: Any) -> Any:
        if is_nought(other):
            return 0.0
        other = quantity(other)
        return Quantity(self.value * other.value, self.unit * other.unit)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Quantity:
        other = quantity(other)
        return Quantity(self.value / other.value, self.unit / other.unit)

    def __rtruediv__(self, other: Any) -> Any:
        return 0.0 if is_nought(other) else quantity(other) / self

    def __bool__(self) -> bool:
        raise TypeError("a text may branch on structure, never on values")


def is_nought(x: Any) -> bool:
    return not isinstance(x, Quantity) and x == 0


def quantity(x: Any) -> Quantity:
    return x if isinstance(x, Quantity) else Quantity(float(x), PURE)


def unit_of(x: Any) -> Unit:
    return quantity(x).unit


def same_unit(a: Any, b: Any) -> Quantity:
    if unit_of(a) != unit_of(b):
        raise TypeError(f"unlike units: {unit_of(a)} and {unit_of(b)}")
    return quantity(b)


class units:
    """The namespace of quantities: angles are pure, a root halves the unit."""

    @staticmethod
    def sin(x: Any) -> Quantity:
        return Quantity(math.sin(same_unit(1.0, x).value), PURE)

    @staticmethod
    def cos(x: Any) -> Quantity:
        return Quantity(math.cos(same_unit(1.0, x).value), PURE)

    @staticmethod
    def sqrt(x: Any) -> Quantity:
        return Quantity(math.sqrt(quantity(x).value), unit_of(x) ** Fraction(1, 2))


def measured(data: Any, unit: Unit) -> Any:
    """The same data with its numbers in this unit; noughts stay literal."""
    return with_scalars(data, lambda x: Quantity(x, unit) if x else 0.0)


def with_units(robot: Robot) -> Robot:
    """The robot with its masses, lengths, moments and gravity in SI units."""
    return replace(
        robot,
        links=tuple(_link_with_units(link) for link in robot.links),
        gravity=measured(robot.gravity, METRE / SECOND**2),
        tip=_placement_with_units(robot.tip),
    )


def _link_with_units(link: Link) -> Link:
    return replace(
        link,
        joint=replace(link.joint, placement=_placement_with_units(link.joint.placement)),
        mass=measured(link.mass, KG),
        com=measured(link.com, METRE),
        inertia=measured(link.inertia, KG * METRE**2),
    )


def _placement_with_units(placement: Placement) -> Placement:
    def length(factor: Screw | Rigid) -> Screw | Rigid:
        name = "slide" if isinstance(factor, Screw) else "position"
        return replace(factor, **{name: measured(getattr(factor, name), METRE)})

    return Placement(tuple(length(factor) for factor in placement.factors))


def coordinate_unit(joint: Joint) -> Unit:
    return PURE if any(joint.kind.turns) else METRE


def exact(robot: Robot) -> Robot:
    """The robot in numbers of mpmath's precision."""
    return exact_robot(robot, mp.mpf, mp.sqrt)
