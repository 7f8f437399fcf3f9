"""Inertial parameters that are given anew with every call: payloads, identification, randomised robots."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Any

import numpy as np

from .algebra import Scalar, Sym, Vec
from .arguments import Array, numbers
from .errors import LinkwiseError
from .robot import given
from .robot.model import Link, Robot

AXES = {"mass": (), "com": (3,), "inertia": (6,)}
"""What may vary, and how many numbers a link has of it: inertia is xx, xy, xz, yy, yz, zz about the centre of mass."""


@dataclass(frozen=True, slots=True)
class Varying:
    """Which parameters of which links are arguments of every function; the arrays have an entry a link."""

    parameters: tuple[str, ...] = ()
    links: tuple[int, ...] = ()

    def core(self, parameter: str) -> tuple[int, ...]:
        return (len(self.links), *AXES[parameter])

    @property
    def inputs(self) -> Iterator[str]:
        """The names of all numbers, in the order of the arrays."""
        for parameter in self.parameters:
            yield from (f"{parameter}[{i}]" for i in range(prod(self.core(parameter))))

    def put(self, robot: Robot, given: Sequence[Scalar]) -> Robot:
        """The robot with these scalars in the place of its own."""
        left = iter(given)
        links = list(robot.links)
        for parameter in self.parameters:
            for i in self.links:
                numbers = [next(left) for _ in range(prod(AXES[parameter]))]
                links[i] = replace(links[i], **{parameter: _data(parameter, numbers)})
        return replace(robot, links=tuple(links))

    def own(self, robot: Robot, parameter: str) -> Array:
        """The robot's own values."""
        return np.array([_numbers(robot.links[i], parameter) for i in self.links]).reshape(self.core(parameter))

    def checked(self, robot: Robot, function: str, parameter: str, given: Any) -> Array:
        """What a caller gives for a parameter, as an array."""
        array, core = numbers(function, parameter, given), self.core(parameter)
        if array.shape[max(0, array.ndim - len(core)) :] != core:
            names = ", ".join(robot.links[i].name for i in self.links)
            raise LinkwiseError(
                f"{function}: {parameter} has the wrong shape for {robot.name!r}",
                given=f"shape {array.shape}",
                expected=f"(…, {', '.join(map(str, core))}), one entry for each link: {names}",
                mend=f"put the links on the axis of {parameter} that counts {len(self.links)}",
            )
        return array


NOTHING_VARIES = Varying()


def varying(robot: Robot, parameters: Sequence[str], links: Sequence[str] | None) -> Varying:
    """The parameters that a user names, of the links that he names, or of all."""
    known = given.some_of(parameters, tuple(AXES), "parameters")
    if not known:
        return _nothing(links)
    named = robot.link_names if links is None else given.some_of(links, robot.link_names, "links")
    if len({*named}) < len(named):
        raise LinkwiseError(
            "A link has the same parameters twice",
            given=f"links={list(named)}",
            expected="every link once",
            mend="leave out what is there already",
        )
    return Varying(tuple(p for p in AXES if p in known), tuple(map(robot.link_names.index, named)))


def _nothing(links: Sequence[str] | None) -> Varying:
    if links is not None:
        raise LinkwiseError(
            "Links are named, and no parameters of theirs that vary",
            given=f"links={links!r}",
            expected=f"parameters, some of {', '.join(AXES)}",
            mend='name some, such as parameters=("mass",), or leave out links',
        )
    return NOTHING_VARIES


def _data(parameter: str, numbers: list[Scalar]) -> Any:
    if parameter == "mass":
        return numbers[0]
    return Vec(*numbers) if parameter == "com" else Sym(*numbers)


def _numbers(link: Link, parameter: str) -> list[Scalar]:
    if parameter == "mass":
        return [link.mass]
    return list(link.com) if parameter == "com" else list(link.inertia.entries)
