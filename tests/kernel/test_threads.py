"""How work is split over threads, and that it is done once, wherever and however often it is asked for."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.kernel.kernels import expected, sums

from linkwise.errors import LinkwiseError
from linkwise.kernel import call, threads
from linkwise.kernel.call import function

HOME = Path(__file__).parents[2]
KERNEL = sums(((3,), (3,)), (3,))
x = np.arange(6000.0).reshape(2000, 3)
RIGHT = expected(KERNEL, [x, x])


def shared() -> bool:
    """Whether a call on several threads comes out right."""
    f = function(KERNEL, name="sums", check=lambda _function, _argument, value: np.asarray(value))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(call, "WORTH_A_THREAD", 1)
        return np.array_equal(f(x, x, threads=3), RIGHT)


# How many


def test_default_is_what_the_process_may_use(monkeypatch):
    monkeypatch.delenv(threads.VARIABLE, raising=False)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 3, 5}, raising=False)
    monkeypatch.setattr(threads, "_quota", lambda _: 1024)
    assert threads.chosen(None) == 3
    monkeypatch.setattr(threads, "_quota", lambda _: 2)
    assert threads.chosen(None) == 2
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert threads.chosen(None) == 1


def test_what_is_asked_for_goes_before_the_default(monkeypatch):
    monkeypatch.setenv(threads.VARIABLE, " 7 ")
    assert threads.chosen(None) == 7
    assert threads.chosen(None, default=5) == 5
    assert threads.chosen(np.int32(2), default=5) == 2


@pytest.mark.parametrize(
    ("limit", "cpus"),
    [("max 100000", 1024), ("200000 100000", 2), ("150000 100000", 2), ("20000 100000", 1), ("nonsense", 1024)],
)
def test_quota_of_a_container(tmp_path, limit, cpus):
    (tmp_path / "cpu.max").write_text(limit + "\n")
    assert threads._quota(tmp_path / "cpu.max") == cpus


def test_no_quota(tmp_path):
    assert threads._quota(tmp_path / "cpu.max") == threads.MOST


@pytest.mark.parametrize("given_", ["0", "-2", "two", "1.5", "", "1025"])
def test_wrong_numbers_in_the_environment(monkeypatch, given_):
    monkeypatch.setenv(threads.VARIABLE, given_)
    with pytest.raises(LinkwiseError, match=f"LINKWISE_NUM_THREADS is no number of threads\n  given: .*{given_!r}"):
        threads.chosen(None)
    assert threads.chosen(3) == 3


# Pieces


@given(st.integers(1, 10_000), st.integers(1, 40))
def test_pieces_are_the_whole_at_multiples_of_a_block(count, number):
    cut = threads.pieces(count, number)
    assert [state for piece in cut for state in range(*piece)] == list(range(count))
    assert all(start % threads.BLOCK == 0 for start, _ in cut)
    assert len(cut) <= threads.PIECES_A_THREAD * number
    assert all(stop > start for start, stop in cut)


# Sharing


@pytest.mark.parametrize("number", [1, 2, 5, 50])
def test_every_piece_is_done_once(number):
    done: Counter[tuple[int, int]] = Counter()
    cut = threads.pieces(5000, number)
    threads.share(lambda *piece: done.update([piece]), cut, number)
    assert done == Counter(cut)


def test_helpers_do_their_share():
    """Two pieces that wait for one another can only be done by two threads."""
    both = threading.Barrier(2, timeout=20)
    workers: list[int] = []

    def work(start: int, stop: int) -> None:
        both.wait()
        workers.append(threading.get_ident())

    threads.share(work, [(0, 1), (1, 2)], 2)
    assert len({*workers}) == 2
    assert threading.get_ident() in workers


def test_helpers_that_are_busy_are_not_waited_for():
    let_go, begun = threading.Event(), threading.Semaphore(0)

    def busy() -> None:
        begun.release()
        let_go.wait(20)

    helpers = threads.Helpers()
    helpers.start(busy, 2)
    assert begun.acquire(timeout=20)
    done: list[int] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(threads, "_helpers", helpers)
        threads.share(lambda start, stop: done.append(start), threads.pieces(400, 2), 2)
    assert sorted(done) == [start for start, _ in threads.pieces(400, 2)]
    assert not let_go.is_set()
    let_go.set()


def test_no_threads_to_be_had(monkeypatch):
    def refuse(self: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threads, "_helpers", threads.Helpers())
    monkeypatch.setattr(threading.Thread, "start", refuse)
    assert shared()


def test_failures_are_raised():
    def work(start: int, stop: int) -> None:
        if start:
            raise MemoryError(start)

    with pytest.raises(MemoryError):
        threads.share(work, threads.pieces(200, 3), 3)
    assert shared()


def test_more_helpers_take_the_place_of_fewer():
    helpers = threads.Helpers()
    first, second = threading.Semaphore(0), threading.Semaphore(0)
    helpers.start(first.release, 1)
    helpers.start(second.release, 4)
    assert all(semaphore.acquire(timeout=20) for semaphore in (first, *[second] * 4))


# Other processes


def other_process() -> None:
    assert shared()


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")  # that is what is tested
@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_after_fork():
    assert shared()
    child = os.fork()
    if child == 0:
        os._exit(0 if shared() else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert shared()


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_fork_while_the_lock_is_held():
    with threads._helpers._lock:
        child = os.fork()
        if child == 0:
            os._exit(0 if shared() else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_multiprocessing():
    assert shared()
    processes = [multiprocessing.get_context("fork").Process(target=other_process) for _ in range(3)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
        assert process.exitcode == 0


def test_a_call_at_the_end_of_the_interpreter():
    """When threads can be begun no more."""
    script = "import atexit, tests.kernel.test_threads as t; t.shared(); atexit.register(lambda: print(t.shared()))"
    said = subprocess.run([sys.executable, "-W", "error", "-c", script], cwd=HOME, capture_output=True, text=True)
    assert (said.stdout, said.stderr) == ("True\n", "")
