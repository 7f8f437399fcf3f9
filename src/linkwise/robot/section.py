"""A table of a file that was written by anybody: every key is asked for, of the right kind, and none is left over."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..errors import LinkwiseError
from . import given


class Section:
    """A table that knows where in its file it stands and which of its keys nobody has asked for yet."""

    def __init__(self, table: Any, where: str) -> None:
        if not isinstance(table, Mapping):
            raise _wrong_kind(where, table, "a table")
        self.where = where
        self._left: dict[str, Any] = dict(table)  # pyright: ignore[reportUnknownArgumentType]
        self._known: list[str] = []

    def __contains__(self, key: str) -> bool:
        self._known.append(key)
        return key in self._left

    def take(self, key: str, default: Any = ...) -> Any:
        """The value of a key as it stands; the key must be there unless there is a default."""
        self._known.append(key)
        if key not in self._left and default is ...:
            meant = given.near(key, list(self._left))
            raise LinkwiseError(
                f"{self.where} lacks {key!r}",
                given="the further keys " + given.listed(map(repr, self._left)) if self._left else "nothing",
                expected=f"the key {key!r}",
                mend=f"write {key} = …" + (f", or is it {meant[0]!r}?" if meant else ""),
            )
        return self._left.pop(key, default)

    def text(self, key: str, default: Any = ...) -> str:
        value = self.take(key, default)
        if not isinstance(value, str):
            raise _wrong_kind(self.at(key), value, "a text")
        return value

    def number(self, key: str, default: Any = ...) -> float:
        return given.number(self.take(key, default), self.at(key))

    def numbers(self, key: str, default: Any = ...) -> tuple[float, ...]:
        return tuple(given.number(item, self.at(key)) for item in self.list(key, default))

    def texts(self, key: str, default: Any = ...) -> tuple[str, ...]:
        items = self.list(key, default)
        for item in items:
            if not isinstance(item, str):
                raise _wrong_kind(self.at(key), item, "a text")
        return tuple(items)

    def list(self, key: str, default: Any = ...) -> list[Any]:
        value = self.take(key, default)
        if not isinstance(value, list | tuple):
            raise _wrong_kind(self.at(key), value, "a list")
        return list(value)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]

    def section(self, key: str, default: Any = ...) -> Section:
        return Section(self.take(key, default), self.at(key))

    def sections(self, key: str, default: Any = ...) -> tuple[Section, ...]:
        items = self.list(key, default)
        return tuple(Section(item, f"{self.at(key)}, number {i}") for i, item in enumerate(items, 1))

    def __iter__(self) -> Iterator[str]:
        return iter(tuple(self._left))

    def at(self, key: str) -> str:
        return f"{self.where}: {key}"

    def close(self) -> None:
        """Raise if there are keys that nobody asked for: a misspelt one must not be lost."""
        for key in self._left:
            given.one_of(key, list(dict.fromkeys(self._known)), f"key in {self.where}")


def _wrong_kind(where: str, value: Any, expected: str) -> LinkwiseError:
    return LinkwiseError(
        f"{where} is of the wrong kind", given=f"{value!r:.200}", expected=expected, mend=f"write {expected} there"
    )
