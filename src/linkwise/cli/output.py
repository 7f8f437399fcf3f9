"""How commands show what they found: tables for people, JSON for scripts."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from rich.console import Console
from rich.measure import Measurement
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, track
from rich.table import Table
from rich.text import Text

Item = TypeVar("Item")

WIDTH = 120
"""Columns where the output is no terminal's."""

WIDEST = 10_000
"""Columns, more than any table has."""

out = Console(highlight=False, width=None if sys.stdout.isatty() else WIDTH)
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


def in_progress(items: Sequence[Item], doing: str) -> Iterable[Item]:
    """The items one by one, with a bar on stderr where somebody watches."""
    return track(items, description=doing, console=aside, transient=True)


def step_by_step(steps: Iterable[tuple[str, Callable[[], object]]]) -> None:
    """Do what is to be done, its words and how far it is being shown on stderr where somebody watches."""
    with Progress(*COLUMNS, console=aside, transient=True) as progress:
        everything = list(steps)
        task = progress.add_task("", total=len(everything))
        for words, do in everything:
            progress.update(task, description=words)
            do()
            progress.advance(task)


COLUMNS = (
    TextColumn("{task.description}"),
    BarColumn(),
    TextColumn("{task.completed} of {task.total}"),
    TimeElapsedColumn(),
)


def show_table(
    title: str, header: Sequence[str], rows: Iterable[Sequence[Any]], *, left: int = 1, whole: Sequence[int] = (0,)
) -> None:
    """A title and a table of plain text, the first columns to the left, those in `whole` never broken into lines.

    Where all are whole, the table is as wide as it is, on narrow terminals as well: a number cut short is another one.
    """
    shown = Table(box=None, pad_edge=False, header_style="dim")
    for i, name in enumerate(header):
        shown.add_column(Text(name), justify="left" if i < left else "right", no_wrap=i in whole, overflow="fold")
    for row in rows:
        shown.add_row(*(Text(written(cell)) for cell in row))
    if len(whole) == len(header):
        shown.width = Measurement.get(out, out.options.update(max_width=WIDEST), shown).maximum
    out.print()
    out.print(bold(title))
    out.print(shown, crop=False)


def show_named(title: str, header: Sequence[str], rows: Iterable[Sequence[Any]], *, left: int = 1) -> None:
    """A table of numbers behind names; where the screen is too narrow for both, a name has a line of its own."""
    told = [tuple(map(written, row)) for row in rows]
    widths = [max(map(len, column)) for column in zip(header, *told, strict=True)]
    if sum(widths) + 2 * len(widths) <= out.width:
        show_table(title, header, told, left=left, whole=range(len(header)))
        return
    out.print()
    out.print(bold(title))
    for i, (name, *cells) in enumerate((header, *told)):
        adjusted = [f"{cell:{'<' if j < left else '>'}{widths[j]}}" for j, cell in enumerate(cells, 1)]
        lines = f"{name}\n  {'  '.join(adjusted).rstrip()}"
        out.print(Text(lines, style="" if i else "dim"), soft_wrap=True)


def bold(words: str) -> Text:
    """Words as they stand: brackets in them are no markup."""
    return Text(words, style="bold")


def written(cell: Any) -> str:
    return number(cell) if isinstance(cell, float) else str(cell)


def number(value: float) -> str:
    """To five digits, with nought as a mere 0.

    >>> number(0.0), number(-0.4318), number(1e-16)
    ('0', '-0.4318', '1e-16')
    """
    return f"{value + 0.0:.5g}"
