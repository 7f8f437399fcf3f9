"""Compiled code on disk. What goes wrong here makes no computation fail: it warns, and the code is compiled anew."""

from __future__ import annotations

import functools
import hashlib
import hmac
import json
import os
import re
import struct
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import LinkwiseError, warn
from . import private
from .keys import key
from .private import Untrusted

__all__ = ["CacheWarning", "Entry", "Kept", "clear", "entries", "folder", "key", "limit", "load", "store"]

SUFFIX = ".kernel"
DEFAULT_LIMIT = "256 MiB"
ABANDONED = 3600.0
"""After so many seconds a file that was being written is not written any more."""

HEADER = struct.Struct("<8sII")
"""Magic, version of the format, length of the facts; facts (JSON), object code and digest follow."""
MAGIC, VERSION = b"linkwise", 1
DIGEST = 32


class CacheWarning(UserWarning):
    """Something is wrong with the cache; results are not."""


@dataclass(frozen=True, slots=True)
class Entry:
    """Compiled code, and what was found out when it was compiled (robot, function, formulation …), fit for JSON."""

    object_code: bytes
    facts: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Kept:
    """What the cache holds under a key: its bytes, its last use in seconds of the epoch, its facts if it is trusted."""

    key: str
    size: int
    used: float
    facts: dict[str, Any] | None


def folder() -> Path | None:
    """Where compiled code is kept; None if nowhere. LINKWISE_CACHE names another folder, or is `off`."""
    chosen = os.environ.get("LINKWISE_CACHE", "")
    if chosen.lower() == "off":
        return None
    try:
        return Path(chosen).expanduser().absolute() if chosen else private.platform_folder()
    except RuntimeError:
        _warn_once("there is no home folder to keep compiled code in; name a folder in LINKWISE_CACHE, or `off`")
        return None


_UNITS = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30}


def limit() -> int:
    """How many bytes are kept: LINKWISE_CACHE_SIZE, such as 100000, 64M or `1 GiB`."""
    given = os.environ.get("LINKWISE_CACHE_SIZE") or DEFAULT_LIMIT
    read = re.fullmatch(r"(\d+)\s*([KMG]?)(?:I?B)?", given.strip().upper())
    if read is None:
        raise LinkwiseError(
            "The size of the cache cannot be understood",
            given=f"LINKWISE_CACHE_SIZE={given!r}",
            expected=f"a number of bytes, KiB, MiB or GiB, such as {DEFAULT_LIMIT!r}",
            mend="correct the environment variable, or leave it out",
        )
    return int(read[1]) * _UNITS[read[2]]


def load(key: str) -> Entry | None:
    """The code of that key, if it is there and nobody but linkwise under this user can have written it."""
    with _without_failing():
        where = _trusted_folder()
        if where is not None:
            return _checked(where, key)
    return None


def _checked(where: Path, key: str) -> Entry | None:
    path = _path(where, key)
    try:
        data = private.read(path)
        entry = _unpacked(data, key, private.secret(where))
    except Untrusted as reason:
        _discard(path)
        _warn(f"compiled code was discarded, and is compiled anew: {reason}")
        return None
    with suppress(OSError):
        os.utime(path)  # used now: others are evicted first
    return entry


def store(key: str, entry: Entry) -> None:
    """Keep the code under that key, and no more than the limit of all."""
    with _without_failing():
        where = _trusted_folder(create=True)
        if where is not None:
            private.write(_path(where, key), _packed(entry, key, private.lasting_secret(where)))
            _evict(where, limit())


def entries() -> tuple[Kept, ...]:
    """All that is kept, what was used last first."""
    with _without_failing():
        where = _trusted_folder()
        if where is not None:
            return tuple(_kept(where, file, used, size) for file, used, size in _files(where, SUFFIX))
    return ()


def _kept(where: Path, path: Path, used: float, size: int) -> Kept:
    try:
        facts = _unpacked(private.read(path), path.stem, private.secret(where)).facts
    except OSError:
        facts = None
    return Kept(path.stem, size, used, facts)


def clear() -> int:
    """Remove all compiled code: the number of entries. The secret stays, for processes that are about to store more."""
    with _without_failing():
        where = _trusted_folder()
        if where is not None:
            found = _files(where, SUFFIX)
            for path, _, _ in (*found, *_files(where, private.PART)):
                _discard(path)
            return len(found)
    return 0


def _path(where: Path, key: str) -> Path:
    return where / f"{key}{SUFFIX}"


def _packed(entry: Entry, key: str, secret: bytes) -> bytes:
    facts = json.dumps(entry.facts).encode()
    body = HEADER.pack(MAGIC, VERSION, len(facts)) + facts + entry.object_code
    return body + _digest(body, key, secret)


def _unpacked(data: bytes, key: str, secret: bytes) -> Entry:
    """The entry in these bytes; the digest is checked before anything else is believed."""
    body, digest = data[:-DIGEST], data[-DIGEST:]
    if len(body) < HEADER.size or HEADER.unpack_from(body)[:2] != (MAGIC, VERSION):
        raise Untrusted(f"{key} is no entry of this format")
    if not hmac.compare_digest(digest, _digest(body, key, secret)):
        raise Untrusted(f"{key} is damaged, or was written with another secret")
    start = HEADER.size + HEADER.unpack_from(body)[2]
    return Entry(body[start:], json.loads(body[HEADER.size : start]))


def _digest(body: bytes, key: str, secret: bytes) -> bytes:
    """Of the key too, so that an entry says nothing under another name."""
    digest = hashlib.blake2b(key.encode(), key=secret, digest_size=DIGEST, person=b"linkwise cache")
    digest.update(body)
    return digest.digest()


def _evict(where: Path, most: int) -> None:
    """Remove what was used longest ago until the rest fits, and files that a process left half written."""
    total = 0
    for path, used, size in _files(where, SUFFIX):
        total += size
        if total > most and _last_used(path) == used:  # or another process has just written it anew
            _discard(path)
    for path, written, _ in _files(where, private.PART):
        if time.time() - written > ABANDONED:
            _discard(path)


def _files(where: Path, suffix: str) -> list[tuple[Path, float, int]]:
    """Path, time and size of the files with that ending, the latest first."""
    found: list[tuple[Path, float, int]] = []
    with os.scandir(where) as items:
        for item in items:
            if item.name.endswith(suffix):
                with suppress(FileNotFoundError):  # another process has just removed it
                    seen = item.stat(follow_symlinks=False)
                    found.append((Path(item.path), seen.st_mtime, seen.st_size))
    return sorted(found, key=lambda file: -file[1])


def _last_used(path: Path) -> float | None:
    try:
        return path.lstat().st_mtime
    except OSError:
        return None


def _discard(path: Path) -> None:
    with suppress(OSError):
        path.unlink()


def _trusted_folder(*, create: bool = False) -> Path | None:
    where = folder()
    if where is not None:
        if create:
            private.make_folder(where)
        private.check_folder(where)
    return where


@contextmanager
def _without_failing() -> Generator[None]:
    """What is not there is no news; what else hinders the cache is told once."""
    try:
        yield
    except FileNotFoundError:
        pass
    except OSError as error:
        reason = f"{folder()}: {error.strerror}" if error.strerror else error
        _warn_once(f"compiled code is not kept: {reason}; set LINKWISE_CACHE to another folder, or to `off`")


@functools.cache
def _warn_once(text: str) -> None:
    _warn(text)


def _warn(text: str) -> None:
    warn(text, CacheWarning)
