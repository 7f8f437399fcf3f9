"""The formulations by name: what each offers, for which robots, and from which paper."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

Text = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Formulation:
    """A row of the registry.

    `functions` maps a function's name to its text; `first_moments` names those that read inertial parameters about
    the frames' origins only, so that a normal form may regroup them.
    """

    name: str
    paper: str
    trees: bool
    functions: Mapping[str, Text]
    first_moments: frozenset[str] = frozenset()
