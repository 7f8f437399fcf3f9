"""The axes of the joints as the links that they carry see them: what partial velocities are made of."""

from __future__ import annotations

from dataclasses import dataclass

from ..algebra import ZERO, Vec
from ..robot.skeleton import Body


@dataclass(frozen=True, slots=True)
class Axis:
    """A joint's axis e and the vector s from the joint's origin to that of the link which looks, in its axes."""

    prismatic: bool
    e: Vec
    s: Vec

    def seen_from(self, link: Body) -> Axis:
        """The same axis, one link further out, each part of p added in the axes where it is constant."""
        return Axis(self.prismatic, link.R.T @ self.e, (link.R.T @ (self.s + link.offset)) + link.along)


def axes_below(link: Body, parent: tuple[Axis, ...]) -> tuple[Axis, ...]:
    """Outward step: the axes of all the joints from the base to this link, its own the last."""
    return (*(axis.seen_from(link) for axis in parent), Axis(link.prismatic, link.e, ZERO))
