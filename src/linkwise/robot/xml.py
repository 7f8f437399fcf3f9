"""XML from anybody: a tree of elements that know their lines, and nothing but that.

The parser is expat, told to refuse document types, so that no entity is ever declared, expanded or fetched; the size,
the depth and the number of elements are bounded.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.parsers import expat

from ..errors import LinkwiseError
from . import given
from .finding import Finding

LARGEST = 20_000_000
"""Bytes."""
DEEPEST = 64
MOST = 200_000
"""Elements and attributes. A humanoid with all its meshes and sensors has ten thousand."""
LONGEST = 1_000
"""Characters of what is to be numbers: more are none, and long runs of digits would take long to look at."""

_NUMBER = re.compile(r"[+-]?(\d++\.?\d*|\.\d+)(e[+-]?\d+)?|[+-]?inf(inity)?", re.ASCII | re.IGNORECASE)


@dataclass(slots=True)
class Element:
    """A tag with its attributes, the elements and the text in it, and the line where it begins."""

    tag: str
    attributes: dict[str, str]
    line: int
    children: list[Element] = field(default_factory=list["Element"])
    text: str = ""

    def __str__(self) -> str:
        name = self.attributes.get("name")
        return f"<{self.tag}>" if name is None else f"<{self.tag}> {name!r}"

    def all(self, tag: str) -> Iterator[Element]:
        return (child for child in self.children if child.tag == tag)

    def one(self, tag: str) -> Element | None:
        """The only child of a tag, if there is any."""
        first, *others = (*self.all(tag), None)
        if first and others[0]:
            raise LinkwiseError(
                f"{self} has <{tag}> more than once",
                given=f"in the lines {first.line} and {others[0].line}",
                expected="one of them",
                mend="leave out the other",
            )
        return first

    def needed(self, tag: str) -> Element:
        child = self.one(tag)
        if child is None:
            raise LinkwiseError(
                f"{self} lacks <{tag}>",
                given=given.listed(dict.fromkeys(f"<{c.tag}>" for c in self.children)) or "nothing in it",
                expected=f"<{tag}> in it",
                mend="add it",
            )
        return child

    def word(self, key: str) -> str:
        """An attribute that must be there and must not be empty."""
        if not self.attributes.get(key, "").strip():
            raise LinkwiseError(
                f"{self} lacks {key!r}",
                given=" ".join(f'{k}="{v:.50}"' for k, v in self.attributes.items()) or "no attributes",
                expected=f'{key}="…"',
                mend="add it",
            )
        if "${" in self.attributes[key] or "$(" in self.attributes[key]:
            raise unexpanded(f"{key!r} of {self}", self.attributes[key])
        return self.attributes[key]

    def numbers(self, key: str, count: int, default: tuple[float, ...] | None = None) -> tuple[float, ...]:
        """An attribute of so many finite numbers, with blanks between."""
        if key not in self.attributes and default is not None:
            return default
        what = f"{key!r} of {self}"
        return tuple(given.number(x, what) for x in _floats(self.word(key), what, count))

    def number(self, key: str, default: float | None = None) -> float:
        return self.numbers(key, 1, None if default is None else (default,))[0]

    def bound(self, key: str) -> tuple[float, ...]:
        """A number that may be infinite, or nothing if it is left out."""
        return _floats(self.word(key), f"{key!r} of {self}", 1) if key in self.attributes else ()

    def number_inside(self) -> float:
        """The finite number that is all the text in it."""
        return given.number(_floats(self.text, f"what is in {self}", 1)[0], f"what is in {self}")


def _floats(text: str, what: str, count: int) -> tuple[float, ...]:
    words = text.split() if len(text) <= LONGEST else []
    if len(words) != count or not all(map(_NUMBER.fullmatch, words)):
        raise _no_numbers(what, text, count)
    return tuple(map(float, words))


def unexpanded(what: str, text: str) -> LinkwiseError:
    return LinkwiseError(
        f"{what} is for xacro",
        given=f"{text!r:.100}",
        expected="what xacro makes of it",
        mend="run xacro on the file first: xacro robot.urdf.xacro > robot.urdf",
    )


def _no_numbers(what: str, text: str, count: int) -> LinkwiseError:
    return LinkwiseError(
        f"{what} cannot be read",
        given=f"{text!r:.100}",
        expected="a number" if count == 1 else f"{count} numbers with blanks between",
        mend="write it in digits, with a point",
    )


def content(path: str | os.PathLike[str]) -> bytes:
    """What is in a file, unless it is too large."""
    try:
        with Path(path).open("rb") as file:
            data = file.read(LARGEST + 1)
    except (OSError, ValueError) as error:
        raise LinkwiseError(
            f"{path} cannot be read", given=str(error), expected="a file", mend="check the path"
        ) from error
    return _bounded(data)


def _bounded(data: bytes) -> bytes:
    if len(data) > LARGEST:
        raise LinkwiseError(
            "The file is too long for a robot",
            given=f"more than {LARGEST:,} bytes",
            expected="fewer",
            mend="check that this is the file you meant",
        )
    return data


def parsed(data: bytes) -> Element | Finding:
    """The outermost element of a document, or what is wrong with it."""
    reader = _Reader()
    try:
        reader.feed(_bounded(data))
    except LinkwiseError as error:
        return Finding.of(error, reader.line)
    return reader.document.children[0]


def root_tag(data: bytes) -> str:
    """The tag of the outermost element, whatever follows; empty if this is no XML."""
    reader = _Reader(deepest=1)
    with suppress(LinkwiseError):  # what is wrong is for the reader of that kind of file to say
        reader.feed(data)
    return next((child.tag for child in reader.document.children), "")


class _Reader:
    """The handlers of expat, and the elements that are open."""

    def __init__(self, deepest: int = DEEPEST) -> None:
        self.document = Element("", {}, 0)
        self._open = [self.document]
        self._count = 0
        self._deepest = deepest
        self._expat = expat.ParserCreate()
        self._expat.buffer_text = True
        self._expat.StartElementHandler = self._start
        self._expat.EndElementHandler = self._end
        self._expat.CharacterDataHandler = self._characters
        self._expat.StartDoctypeDeclHandler = self._doctype

    @property
    def line(self) -> int:
        return self._expat.CurrentLineNumber

    def feed(self, data: bytes) -> None:
        try:
            self._expat.Parse(data, True)
        except expat.ExpatError as error:
            reason = f"{expat.ErrorString(error.code)}, in column {error.offset + 1}"
            raise _error("This is no XML", reason, "well-formed XML") from error
        except LinkwiseError:
            raise  # from a handler
        except (LookupError, ValueError) as error:  # an encoding that Python does not have, or expat does not take
            raise _error("This is no XML", str(error), "XML in UTF-8") from error

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        self._count += 1 + len(attributes)
        if self._count > MOST:
            raise _error("There are too many elements and attributes for a robot", f"more than {MOST:,}", "fewer")
        if len(self._open) > self._deepest:
            raise _error("Elements are too deep in each other", f"more than {self._deepest} levels", "fewer")
        element = Element(tag, attributes, self.line)
        self._open[-1].children.append(element)
        self._open.append(element)

    def _end(self, _: str) -> None:
        self._open.pop()

    def _characters(self, text: str) -> None:
        if len(self._open[-1].text) < LONGEST:
            self._open[-1].text += text[:LONGEST]

    def _doctype(self, name: str, *_: Any) -> None:
        why = "none: it could have entities expanded and other files fetched"
        raise _error("A document type is declared", f"<!DOCTYPE {name:.50}", why)


def _error(what: str, told: str, expected: str) -> LinkwiseError:
    return LinkwiseError(what, given=told, expected=expected, mend="mend it there")
