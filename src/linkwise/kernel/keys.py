"""The name of a piece of compiled code: a digest of all that determines it."""

from __future__ import annotations

import functools
import hashlib
import os
import struct
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from operator import attrgetter
from pathlib import Path
from typing import Any, cast


def key(**facts: Any) -> str:
    """A digest of named facts and of linkwise itself, different whenever one of them differs in type or value.

    Facts are None, bool, int, float, str, tuples and dataclasses of facts. Floats count bit by bit: -0.0 is not 0.0.
    """
    named = tuple(sorted(facts.items()))
    return hashlib.sha256(encoded((BUILD, named))).hexdigest()


def encoded(fact: Any) -> bytes:
    """The fact as bytes that no other fact has.

    Each value says its type and where it ends, so that no two sequences of values run together.

    >>> encoded((True, "a", None))
    b'(3:Ts1:aN'
    """
    parts: list[bytes] = []
    _append((fact,), parts)
    return b"".join(parts)


def _append(facts: tuple[Any, ...], parts: list[bytes]) -> None:
    for fact in facts:
        kind = cast(type[Any], type(fact))
        plain = _PLAIN.get(kind)
        if plain is not None:
            parts.append(plain(fact))
        elif kind is tuple:
            parts.append(b"(%d:" % len(fact))
            _append(fact, parts)
        else:
            head, values = _layout(kind)
            parts.append(head)
            _append(values(fact), parts)


_bits = struct.Struct("<d").pack


def _text(text: str) -> bytes:
    data = text.encode("utf-8", "surrogatepass")
    return b"s%d:%s" % (len(data), data)


_PLAIN: dict[type[Any], Callable[[Any], bytes]] = {
    float: lambda x: b"d" + _bits(x),
    str: _text,
    bool: lambda x: b"T" if x else b"F",
    int: lambda x: b"i%d;" % x,
    type(None): lambda _: b"N",
}


@functools.cache
def _layout(kind: type[Any]) -> tuple[bytes, Callable[[Any], tuple[Any, ...]]]:
    """How a dataclass begins: its name with those of its fields; and what picks the values of these."""
    if not is_dataclass(kind):
        raise TypeError(f"{kind.__name__} has no bytes of its own: make it None, bool, int, float, str or a tuple")
    names = tuple(f.name for f in fields(kind))
    return b"D" + encoded((kind.__module__, kind.__qualname__, *names)), _values(names)


def _values(names: tuple[str, ...]) -> Callable[[Any], tuple[Any, ...]]:
    if len(names) > 1:
        return attrgetter(*names)
    return lambda data: tuple(getattr(data, name) for name in names)


def _files(folder: Path | str) -> Iterator[os.DirEntry[str]]:
    with os.scandir(folder) as found:
        for item in sorted(found, key=lambda item: item.name):
            if not item.is_dir():
                yield item
            elif item.name != "__pycache__":
                yield from _files(item.path)


def _digest_of(folder: Path) -> str:
    facts = tuple((f.path, f.stat().st_size, f.stat().st_mtime_ns) for f in _files(folder))
    return hashlib.sha256(encoded(facts)).hexdigest()


BUILD = _digest_of(Path(__file__).parents[1])
"""Linkwise itself: name, size and time of each of its files. So code of a linkwise that was changed since, be it by an
upgrade or in an editor, is never taken for its own. The version alone would say less, and take longer to look up."""
