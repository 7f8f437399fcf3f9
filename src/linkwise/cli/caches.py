"""What the cache of compiled code holds, as data and as a table."""

from __future__ import annotations

import time
from typing import Any

from ..kernel import cache
from .output import out, show_table

FACTS = ("robot", "function", "formulation", "precision")
"""Of those that were stored with the code, the ones that are shown."""

NOTHING = "No compiled code is kept."


def contents() -> dict[str, Any]:
    """Everything, for a script to read. A fact that is not known, or not to be trusted, is null."""
    where, now = cache.folder(), time.time()
    kept = cache.entries()
    return {
        "folder": where and str(where),
        "limit": cache.limit(),
        "size": sum(entry.size for entry in kept),
        "entries": [_entry(entry, now) for entry in kept],
    }


def _entry(kept: cache.Kept, now: float) -> dict[str, Any]:
    known = kept.facts or {}
    return {
        **{name: known.get(name) for name in FACTS},
        "size": kept.size,
        "age": max(0.0, now - kept.used),
        "trusted": kept.facts is not None,
        "key": kept.key,
    }


def show() -> None:
    found = contents()
    if found["folder"] is None:
        out.print(NOTHING)
        return
    out.print(f"Compiled code is kept in {found['folder']}", markup=False, soft_wrap=True)
    if found["entries"]:
        show_table("Compiled code", (*FACTS, "size", "last used"), map(_row, found["entries"]), left=len(FACTS))
    out.print(f"\n{_counted(len(found['entries']))}, {size(found['size'])} of {size(found['limit'])}")


def _row(entry: dict[str, Any]) -> tuple[str, ...]:
    names = (
        [str(entry[name] or "") for name in FACTS]
        if entry["trusted"]
        else ["damaged or foreign", *[""] * (len(FACTS) - 1)]
    )
    return (*names, size(entry["size"]), f"{age(entry['age'])} ago")


def _counted(entries: int) -> str:
    return f"{entries} {'entry' if entries == 1 else 'entries'}"


def clear() -> dict[str, Any]:
    where = cache.folder()
    return {"folder": where and str(where), "removed": cache.clear()}


def show_cleared() -> None:
    done = clear()
    out.print(f"{_counted(done['removed'])} removed." if done["folder"] else NOTHING)


def size(count: int) -> str:
    """A number of bytes in the unit that suits it.

    >>> size(512), size(40_000), size(2**28)
    ('512 B', '39.1 KiB', '256.0 MiB')
    """
    for unit, bytes_of_it in (("GiB", 2**30), ("MiB", 2**20), ("KiB", 2**10)):
        if count >= bytes_of_it:
            return f"{count / bytes_of_it:.1f} {unit}"
    return f"{count} B"


def age(seconds: float) -> str:
    """A span of time in the largest unit that fits into it.

    >>> age(0.2), age(200), age(90_000), age(172_800)
    ('0 s', '3 min', '1 d', '2 d')
    """
    for unit, seconds_of_it in (("d", 86400), ("h", 3600), ("min", 60)):
        if seconds >= seconds_of_it:
            return f"{seconds // seconds_of_it:.0f} {unit}"
    return f"{seconds:.0f} s"
