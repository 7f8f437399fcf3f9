"""Where in the text of a TOML file its links and joints begin, which TOML's own reader does not tell."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def lines_of(text: str, file: Mapping[str, Any]) -> dict[str, int]:
    """The lines of the headers [[link]] and [link.joint], by what they begin; none if it is not clear which."""
    links = _tables(file.get("link"))
    joints = _tables([link.get("joint") for link in links])
    return _paired("link", links, text, "[[link]]") | _paired("joint", joints, text, "[link.joint]")


def _tables(items: Any) -> list[dict[str, Any]]:
    return [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []  # pyright: ignore


def _paired(what: str, tables: list[dict[str, Any]], text: str, header: str) -> dict[str, int]:
    lines = [i for i, line in enumerate(text.splitlines(), 1) if "".join(line.split("#")[0].split()) == header]
    if len(lines) != len(tables):
        return {}
    return {f"{what} {table.get('name')!r}": line for table, line in zip(tables, lines, strict=True)}
