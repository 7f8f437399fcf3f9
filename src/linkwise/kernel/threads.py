"""Work split over threads: how many, in which pieces, and the threads themselves, which wait for the next call.

The thread that calls works too, and takes pieces from the same heap as its helpers. It waits for pieces, not for
helpers: where these are busy with somebody else's, or are none, it does all pieces itself.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from itertools import pairwise
from operator import index
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from ..errors import LinkwiseError

VARIABLE = "LINKWISE_NUM_THREADS"
MOST = 1024
BLOCK = 16
"""States that the widest kernel takes at once: pieces start at multiples of it."""

PIECES_A_THREAD = 4
"""So that a thread which is held up leaves its share to the others."""

Piece = tuple[int, int]
"""First state, and the one after the last."""


def chosen(threads: object, default: int | None = None) -> int:
    """The number of threads: what a call asks for, else its function's own default, else the environment's."""
    if threads is not None:
        return _checked("threads", threads, threads)
    return default or available()


def available() -> int:
    """The number of threads where none is asked for: LINKWISE_NUM_THREADS, else the CPUs that the process may use."""
    given = os.environ.get(VARIABLE)
    if given is None:
        return _cpus()
    return _checked(VARIABLE, given, int(given) if given.strip().isdecimal() else None)


def _checked(name: str, given: object, number: Any) -> int:
    with suppress(TypeError):
        if not isinstance(number, bool) and 1 <= index(number) <= MOST:
            return index(number)
    raise LinkwiseError(
        f"{name} is no number of threads",
        given=f"{name}={given!r}",
        expected=f"a whole number from 1 to {MOST}",
        mend=f"give one, or leave {name} out for all CPUs that the process may use",
    )


def _cpus() -> int:
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(allowed, _quota(Path("/sys/fs/cgroup/cpu.max")), MOST)


@cache
def _quota(limit: Path) -> int:
    """The CPUs whose time a container may use (Linux, cgroup v2)."""
    try:
        time, period = limit.read_text().split()
        return MOST if time == "max" else max(1, round(int(time) / int(period)))
    except (OSError, ValueError):
        return MOST


def pieces(count: int, threads: int) -> list[Piece]:
    """All of `count` states, in some more pieces than there are threads."""
    blocks = -(-count // BLOCK)
    wanted = 1 if threads == 1 else min(blocks, PIECES_A_THREAD * threads)
    ends = [BLOCK * (blocks * i // wanted) for i in range(wanted)]
    return list(pairwise([*ends, count]))


def share(work: Callable[[int, int], None], heap: list[Piece], threads: int) -> None:
    """Do every piece of work, in this thread and as many helpers as there is use for."""
    left: deque[Piece] = deque(heap)
    done: SimpleQueue[Exception | None] = SimpleQueue()

    def take() -> None:
        with suppress(IndexError):  # nothing is left
            while True:
                done.put(_failure(work, left.popleft()))

    _helpers.start(take, min(threads, len(heap)) - 1)
    try:
        take()
        failures = [done.get() for _ in heap]
    finally:
        left.clear()  # where this thread was interrupted, no further piece is begun
    for failure in filter(None, failures):
        raise failure


def _failure(work: Callable[[int, int], None], piece: Piece) -> Exception | None:
    try:
        work(*piece)
    except Exception as error:
        return error
    return None


class Helpers:
    """Threads that are there when first needed, as many as ever were asked for at once."""

    def __init__(self) -> None:
        self._forget()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._forget)

    def _forget(self) -> None:
        """Threads do not live on in a forked process, nor will anybody there let go of the lock."""
        self._lock = threading.Lock()
        self._tasks: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._size = 0

    def start(self, task: Callable[[], None], number: int) -> None:
        """Have a task begun, sooner or later, by a number of threads; by fewer where the system has no more to give."""
        with self._lock, suppress(RuntimeError):
            while self._size < number:
                threading.Thread(target=_serve, args=(self._tasks,), name="linkwise", daemon=True).start()
                self._size += 1
        for _ in range(min(number, self._size)):
            self._tasks.put(task)


def _serve(tasks: SimpleQueue[Callable[[], None]]) -> None:
    while True:
        tasks.get()()


_helpers = Helpers()
