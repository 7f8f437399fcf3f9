"""Files that only this user may have written: the folder of the cache, its entries and its secret."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

SECRET_SIZE = 32
PART = ".part"
"""Ends the name of a file that is being written."""

_WRITABLE_BY_OTHERS = stat.S_IWGRP | stat.S_IWOTH
_OPEN_TO_OTHERS = stat.S_IRWXG | stat.S_IRWXO


class Untrusted(PermissionError):
    """Somebody else may have written what was found."""


class NoSecret(Untrusted):
    """There is no secret, so that nothing can be trusted."""


def platform_folder() -> Path:
    """Where this system keeps what may be lost; raises RuntimeError if there is no home."""
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA")
        return (Path(local) if local else Path.home() / "AppData" / "Local") / "linkwise" / "Cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "linkwise"
    chosen = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return (chosen if chosen.is_absolute() else Path.home() / ".cache") / "linkwise"


def make_folder(folder: Path) -> None:
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)


def check_folder(folder: Path) -> None:
    """Raise unless the folder, and a link that leads to it, belong to this user, and nobody else may write there."""
    _check(os.lstat(folder), folder, forbidden=0)
    _check(os.stat(folder), folder, forbidden=_WRITABLE_BY_OTHERS)


def _check(found: os.stat_result, path: Path, forbidden: int) -> None:
    if sys.platform == "win32":  # files have no such owner and mode there; the folder lies in the user's profile
        return
    if found.st_uid != os.geteuid():
        raise Untrusted(f"{path} belongs to another user")
    if found.st_mode & forbidden and not stat.S_ISLNK(found.st_mode):
        raise Untrusted(f"{path} is open to others (mode {stat.S_IMODE(found.st_mode):04o})")


def read(path: Path, *, forbidden: int = _WRITABLE_BY_OTHERS) -> bytes:
    """The bytes of a regular file of this user; owner and mode are those of the very file that is read."""
    with open(path, "rb", buffering=0, opener=_open_as_it_is) as file:
        found = os.fstat(file.fileno())
        if not stat.S_ISREG(found.st_mode):
            raise Untrusted(f"{path} is no plain file")
        _check(found, path, forbidden)
        return file.readall()


def _open_as_it_is(path: str, flags: int) -> int:
    """Neither follow a link nor wait for a pipe."""
    try:
        return os.open(path, flags | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    except OSError as error:
        if os.path.islink(path):
            raise Untrusted(f"{path} is a link") from error
        raise


def write(path: Path, data: bytes) -> None:
    """Put the bytes there at once: whoever reads meets the file from before or the whole new one."""
    with _aside(path, data) as part:
        os.replace(part, path)


@contextmanager
def _aside(path: Path, data: bytes) -> Generator[Path]:
    """A private file with the bytes, in the same folder, for as long as nobody moves it elsewhere."""
    part = path.with_name(os.urandom(8).hex() + PART)
    try:
        with open(part, "xb", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
            file.write(data)
        yield part
    finally:
        with suppress(OSError):
            os.unlink(part)


def secret(folder: Path) -> bytes:
    """The user's secret, which nobody else can have read or written."""
    path = _place_of_secret(folder)
    try:
        found = read(path, forbidden=_OPEN_TO_OTHERS)
    except FileNotFoundError as error:
        raise NoSecret(f"{path} is missing") from error
    if len(found) != SECRET_SIZE:
        raise Untrusted(f"{path} is damaged")
    return found


def lasting_secret(folder: Path) -> bytes:
    """The user's secret, made now if there is none to be trusted."""
    try:
        return secret(folder)
    except NoSecret:
        pass
    except Untrusted:
        _place_of_secret(folder).unlink(missing_ok=True)
    _make_secret(_place_of_secret(folder))
    return secret(folder)


def _make_secret(path: Path) -> None:
    """Unlike a replacement, a link fails where another process was faster: all end with the same secret."""
    with _aside(path, os.urandom(SECRET_SIZE)) as part, suppress(FileExistsError):
        os.link(part, path)


def _place_of_secret(folder: Path) -> Path:
    return folder / "secret"
