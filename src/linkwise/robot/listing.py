"""Tables of text for people: columns under each other, numbers as short as they are exact enough to be read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..errors import LinkwiseError


def table(header: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """Columns as wide as their widest entry, indented by two.

    >>> print(table(("a", "mass"), [(1, 0.5), ("tool", 12.0)]))
      a     mass
      1     0.5
      tool  12
    """
    cells = [[shown(cell) for cell in row] for row in (header, *rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return "\n".join("  " + "  ".join(map(str.ljust, line, widths)).rstrip() for line in cells)


def shown(value: Any) -> str:
    """A number to six digits, and everything else as it prints itself."""
    if isinstance(value, float):
        return f"{value + 0.0:.6g}"
    return "(" + ", ".join(map(shown, value)) + ")" if isinstance(value, tuple) else str(value)  # pyright: ignore


def numeral(value: Any) -> str:
    """A number with all its digits.

    >>> numeral(0.1 + 0.2)
    '0.30000000000000004'
    """
    if isinstance(value, float):
        return repr(value)
    raise LinkwiseError(
        "A robot with symbols cannot be written down",
        given=repr(value),
        expected="numbers only",
        mend="put numbers in the place of its symbols",
    )
