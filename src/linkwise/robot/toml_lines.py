"""Where in the text of a TOML file its tables and keys stand, which TOML's own reader does not tell."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from ..errors import LinkwiseError

FILE = "the file"
_NAME = r"""[\w-]+|"[^"\n]*"|'[^'\n]*'"""
_PATH = rf"\s*((?:{_NAME})(?:\s*\.\s*(?:{_NAME}))*)\s*"
_HEADER = re.compile(rf"\s*\[\[?{_PATH}\]\]?\s*(?:#.*)?")
_KEY = re.compile(_PATH + "=")

DEEPEST = 32
"""Names in a key that leads from table to table; Python takes a time that grows with the square of them."""

_DEEP = re.compile(rf"""(?<![\w"'-])(?:(?:{_NAME})[ \t]*+\.[ \t]*+){{{DEEPEST}}}""")

Path = tuple[str, ...]


def lines_of(text: str, file: Mapping[str, Any]) -> dict[str, int]:
    """The lines of tables and keys by what errors call them; none of links if it is not clear which is which."""
    links = _tables(file.get("link"))
    lines, begun = {FILE: 1}, 0
    for number, path, is_header in _places(text):
        begun += is_header and path == ("link",)
        link = links[begun - 1] if 0 < begun <= len(links) else {}
        lines |= dict.fromkeys(_calls(path, begun, link), number)
    return lines if begun == len(links) else {call: line for call, line in lines.items() if call.startswith(FILE)}


def too_deep(text: str) -> int | None:
    """Where a key, or what looks like one, goes on through too many tables."""
    found = _DEEP.search(text)
    return text.count("\n", 0, found.start()) + 1 if found else None


def _tables(items: Any) -> list[dict[str, Any]]:
    return [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []  # pyright: ignore


def _places(text: str) -> Iterator[tuple[int, Path, bool]]:
    """Every line that is a header or begins with a key: its number, what it begins, and whether it is a header."""
    table: Path = ()
    for number, line in enumerate(text.split("\n"), 1):
        if header := _HEADER.fullmatch(line):
            table = _words(header[1])
            yield number, table, True
        elif key := _KEY.match(line):
            yield number, (*table, *_words(key[1])), False


def _words(path: str) -> Path:
    return tuple(word.strip("\"'") for word in re.findall(_NAME, path))


def _calls(path: Path, count: int, link: Mapping[str, Any]) -> Iterator[str]:
    """What errors call a table or a key, which is that of a link if it is in the table of one."""
    if path[0] != "link" or not count:
        yield ": ".join((FILE, *path))
        if path[0] == "dh":
            yield path[-1]  # as the readers of Denavit–Hartenberg tables call it
        return
    yield ": ".join((f"link {link.get('name')!r}", *path[1:]))
    yield ": ".join((f"{FILE}: link, number {count}", *path[1:]))
    if path[1:2] == ("joint",):
        yield from (": ".join((f"joint {joint.get('name')!r}", *path[2:])) for joint in _tables([link.get("joint")]))


def line_for(error: LinkwiseError, lines: Mapping[str, int]) -> int:
    """The line of what an error names; where it names nothing, that at which the robot begins to be told."""
    what = error.what[:1].lower() + error.what[1:]
    named = [call for call in lines if call in what] or [call for call in lines if _is_given(call, error)]
    if not named:
        return lines.get(f"{FILE}: dh", lines.get(f"{FILE}: link", 1))
    closest = max(named, key=len)
    return lines.get(f"{closest}: {str(error.given).strip(chr(39))}", lines[closest])


def _is_given(call: str, error: LinkwiseError) -> bool:
    """Whether it is a link or a joint that an error about several of them names."""
    kind, _, name = call.partition(" ")
    return kind in ("link", "joint") and kind in error.what.lower() and name in str(error.given)
