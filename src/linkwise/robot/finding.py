"""What there is to say of a robot's description: each finding with its place and how to mend it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeVar

from ..errors import LinkwiseError

if TYPE_CHECKING:
    from .model import Robot

Made = TypeVar("Made")

SEVERITIES = ("error", "warning", "note")


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is wrong with a robot's description, or that linkwise does not use of it.

    `severity` is "error" where the robot, or its forward dynamics, has no meaning; "warning" where it has, but can
    hardly be what was meant; and "note" for what is not used.
    """

    severity: str
    what: str
    given: str
    expected: str
    mend: str
    about: str = ""
    """The link or joint that it is about, if there is one: "link 'a'"."""
    value: float | None = None
    """By how much it is wrong, where that is a number."""
    line: int | None = None
    """Where in the file it stands, as far as that is known."""

    def __str__(self) -> str:
        place = f"line {self.line}: " if self.line else ""
        return f"{place}{self.what}: {self.given}"

    @classmethod
    def of(cls, error: LinkwiseError, line: int | None) -> Finding:
        """What an error says, as a finding."""
        return cls("error", error.what, str(error.given), error.expected, error.mend, line=line)

    def error(self, origin: str, others: int = 0) -> LinkwiseError:
        """What a finding says, as an error, with the number of those that are not told."""
        place = f"{origin}, line {self.line}" if self.line else origin
        more = f"; `linkwise check` tells {others} more" if others else ""
        return LinkwiseError(f"{place}: {self.what}", given=self.given, expected=self.expected, mend=self.mend + more)


MOST = 500
"""Errors, after which nobody reads on."""


class TooMany(Exception):
    """There are more errors than anybody reads."""


class Findings:
    """Findings in the making: reading goes on after an error, and what is not used is counted by its kind."""

    def __init__(self) -> None:
        self._made: list[Finding] = []
        self._errors = 0
        self._unused: dict[str, list[int]] = {}

    def tried(self, line: int, otherwise: Made, make: Callable[..., Made], *args: Any) -> Made:
        """What `make` makes of its arguments; where it raises, that is an error of this line."""
        try:
            return make(*args)
        except LinkwiseError as error:
            self.add(Finding.of(error, line))
            return otherwise

    def add(self, finding: Finding) -> None:
        self._made.append(finding)
        self._errors += finding.severity == "error"
        if self._errors > MOST:
            raise TooMany

    def unused(self, kind: str, line: int) -> None:
        self._unused.setdefault(kind, []).append(line)

    @property
    def errors(self) -> tuple[Finding, ...]:
        return tuple(finding for finding in self._made if finding.severity == "error")

    def told(self) -> tuple[Finding, ...]:
        """All findings: errors, warnings and notes, each in the order of their lines."""
        return ordered((*self._made, *(_not_used(kind, lines) for kind, lines in self._unused.items())))


def ordered(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    return tuple(sorted(findings, key=lambda f: (SEVERITIES.index(f.severity), f.line or 0)))


def located(findings: Iterable[Finding], lines: Mapping[str, int]) -> tuple[Finding, ...]:
    """The findings with the lines of the links and joints that they are about."""
    return tuple(replace(f, line=f.line or lines.get(f.about)) for f in findings)


def line_of(words: str, lines: Mapping[str, int]) -> int | None:
    """The line of the joint or, if there is none, of the link that is named in some words."""
    return next((lines[about] for about in reversed(tuple(lines)) if about[1:] in words), None)


def _not_used(kind: str, lines: list[int]) -> Finding:
    times = f"{len(lines)} times, first in line {lines[0]}" if len(lines) > 1 else f"once, in line {lines[0]}"
    return Finding(
        "note", f"{kind} is not used", times, "nothing that dynamics need", "leave it as it is", line=lines[0]
    )


@dataclass(frozen=True)
class Inspection:
    """What a file describes, as far as it can be understood, and all that there is to say of it."""

    robot: Robot | None
    findings: tuple[Finding, ...]
    lines: Mapping[str, int] = field(default_factory=dict[str, int])
    """The lines where "link 'a'" and "joint 'b'" begin."""

    def sound(self, origin: str) -> Robot:
        """The robot, if there is nothing wrong with the file; otherwise its first error is raised."""
        errors = [finding for finding in self.findings if finding.severity == "error"]
        if errors:
            raise errors[0].error(origin, others=len(errors) - 1)
        assert self.robot, "without an error there is a robot"
        return self.robot
