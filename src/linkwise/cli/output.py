"""How commands show what they found: tables for people, JSON for scripts."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

out = Console(highlight=False)
aside = Console(stderr=True, highlight=False)
"""For progress, so that what a script reads stays clean."""


def as_json(data: Any) -> None:
    print(json.dumps(finite(data), ensure_ascii=False, indent=2))


def finite(data: Any) -> Any:
    """The same data with null for numbers that JSON does not have."""
    if isinstance(data, float):
        return data if math.isfinite(data) else None
    if isinstance(data, Mapping):
        return {key: finite(value) for key, value in data.items()}  # pyright: ignore[reportUnknownVariableType]
    if isinstance(data, list | tuple):
        return [finite(item) for item in data]  # pyright: ignore[reportUnknownVariableType]
    return data


def table(title: str, header: Sequence[str], rows: Iterable[Sequence[Any]], left: int = 1) -> Table:
    """A table of plain text, the first columns aligned to the left and the others to the right."""
    shown = Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False, header_style="dim")
    for i, name in enumerate(header):
        shown.add_column(Text(name), justify="left" if i < left else "right", no_wrap=i == 0)
    for row in rows:
        shown.add_row(*(Text(number(cell) if isinstance(cell, float) else str(cell)) for cell in row))
    return shown


def number(value: float) -> str:
    """To five digits, with nought as a mere 0.

    >>> number(0.0), number(-0.4318), number(1e-16)
    ('0', '-0.4318', '1e-16')
    """
    return f"{value + 0.0:.5g}"
