"""The cache: what comes back is what was stored, and nothing that anybody else wrote; what hinders it only warns."""

from __future__ import annotations

import errno
import json
import os
import resource
import stat
import subprocess
import sys
import time
import warnings
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkwise.errors import LinkwiseError
from linkwise.kernel import cache, private
from linkwise.kernel.cache import CacheWarning, Entry

KEY = cache.key(robot="r", function="f")
ENTRY = Entry(bytes(range(256)) * 8, {"robot": "r", "function": "f", "formulation": "κ", "count": [1, 2.5, None]})


@pytest.fixture
def where(tmp_path, monkeypatch) -> Path:
    """A cache of its own, not there yet."""
    monkeypatch.setenv("LINKWISE_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("LINKWISE_CACHE_SIZE", raising=False)
    cache._warn_once.cache_clear()
    return tmp_path / "cache"


@pytest.fixture
def file(where) -> Path:
    """The file of one entry in it."""
    cache.store(KEY, ENTRY)
    return where / f"{KEY}.kernel"


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def discarded(match: str) -> None:
    """The entry is refused with a warning and gone, and can be stored anew."""
    with pytest.warns(CacheWarning, match=match):
        assert cache.load(KEY) is None
    assert cache.load(KEY) is None
    cache.store(KEY, ENTRY)
    assert cache.load(KEY) == ENTRY


@contextmanager
def one_warning(match: str):
    """However often the cache is tried in here."""
    with pytest.warns(CacheWarning, match=match) as told:
        yield
    assert len(told) == 1


# What is kept, and where


def test_nothing_is_there_at_first(where):
    assert cache.load(KEY) is None
    assert cache.entries() == ()
    assert cache.clear() == 0
    assert not where.exists()


def test_what_is_stored_comes_back(file):
    assert cache.load(KEY) == ENTRY
    assert cache.load(cache.key(robot="r", function="g")) is None


@given(st.binary(max_size=300), st.dictionaries(st.text(), st.integers() | st.text() | st.none() | st.booleans()))
def test_any_code_and_facts_come_back(tmp_path_factory, code, facts):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LINKWISE_CACHE", str(tmp_path_factory.mktemp("cache")))
        cache.store(KEY, Entry(code, facts))
        assert cache.load(KEY) == Entry(code, facts)


def test_a_later_entry_replaces_an_earlier_one(file):
    cache.store(KEY, Entry(b"later", {}))
    assert cache.load(KEY) == Entry(b"later", {})
    assert len(cache.entries()) == 1


def test_everything_is_private_whatever_the_umask(where):
    before = os.umask(0)
    try:
        cache.store(KEY, ENTRY)
    finally:
        os.umask(before)
    assert mode(where) == 0o700
    assert {mode(path) for path in where.iterdir()} == {0o600}
    assert names(where) == {"secret", f"{KEY}.kernel"}


def test_off(where, monkeypatch):
    monkeypatch.setenv("LINKWISE_CACHE", "off")
    cache.store(KEY, ENTRY)
    assert cache.folder() is None
    assert cache.load(KEY) is None
    assert cache.entries() == ()
    assert cache.clear() == 0
    assert not where.exists()


@pytest.mark.parametrize(
    ("platform", "variables", "expected"),
    [
        ("linux", {"XDG_CACHE_HOME": "/x"}, "/x/linkwise"),
        ("linux", {"XDG_CACHE_HOME": "relative"}, "/h/.cache/linkwise"),
        ("linux", {}, "/h/.cache/linkwise"),
        ("darwin", {"XDG_CACHE_HOME": "/x"}, "/h/Library/Caches/linkwise"),
        ("win32", {"LOCALAPPDATA": "/l"}, "/l/linkwise/Cache"),
        ("win32", {}, "/h/AppData/Local/linkwise/Cache"),
        ("linux", {"LINKWISE_CACHE": "~/mine"}, "/h/mine"),
        ("linux", {"LINKWISE_CACHE": "/mine"}, "/mine"),
    ],
)
def test_the_folder_of_each_platform(monkeypatch, platform, variables, expected):
    for name in ("LINKWISE_CACHE", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in {"HOME": "/h", **variables}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "platform", platform)
    assert cache.folder() == Path(expected)


def test_without_a_home_one_warning(where, monkeypatch):
    def no_home() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("LINKWISE_CACHE")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(Path, "home", no_home)
    with one_warning("no home folder"):
        cache.store(KEY, ENTRY)
        assert cache.load(KEY) is None


# Damage


@pytest.mark.parametrize("length", [0, 1, 7, 8, 15, 16, 17, 40, 47, 48, 49, 60, 100, 1000, -33, -32, -31, -1])
def test_a_truncated_entry_is_discarded(file, length):
    file.write_bytes(file.read_bytes()[:length])
    discarded("no entry of this format|damaged")


@pytest.mark.parametrize("length", [1, 32, 1000])
def test_an_entry_with_something_behind_it_is_discarded(file, length):
    file.write_bytes(file.read_bytes() + bytes(length))
    discarded("damaged")


@given(st.data())
def test_flipped_bits_are_noticed_wherever_they_are(tmp_path_factory, data):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LINKWISE_CACHE", str(tmp_path_factory.mktemp("cache")))
        cache.store(KEY, ENTRY)
        (file,) = cache.folder().glob("*.kernel")
        whole = bytearray(file.read_bytes())
        bits = data.draw(st.sets(st.integers(0, 8 * len(whole) - 1), min_size=1, max_size=4))
        for bit in bits:
            whole[bit // 8] ^= 1 << bit % 8
        file.write_bytes(whole)
        discarded("no entry of this format|damaged")


def test_every_single_bit_counts():
    secret = bytes(32)
    packed = cache._packed(Entry(b"code", {"a": 1}), KEY, secret)
    for bit in range(8 * len(packed)):
        flipped = bytearray(packed)
        flipped[bit // 8] ^= 1 << bit % 8
        with pytest.raises(private.Untrusted):
            cache._unpacked(bytes(flipped), KEY, secret)


def test_nothing_is_read_from_an_entry_before_its_digest_is_checked(file, monkeypatch):
    monkeypatch.setattr(cache.hmac, "compare_digest", lambda a, b: False)
    monkeypatch.setattr(cache.json, "loads", lambda _: pytest.fail("facts were read"))
    with pytest.warns(CacheWarning, match="damaged"):
        assert cache.load(KEY) is None


# What others wrote


def test_an_entry_says_nothing_under_another_key(file):
    other = cache.key(robot="r", function="g")
    file.with_name(f"{other}.kernel").write_bytes(file.read_bytes())
    with pytest.warns(CacheWarning, match="another secret"):
        assert cache.load(other) is None
    assert cache.load(KEY) == ENTRY


def test_an_entry_of_another_user_says_nothing_here(file, tmp_path, monkeypatch):
    monkeypatch.setenv("LINKWISE_CACHE", str(tmp_path / "other"))
    cache.store(KEY, Entry(b"evil", {}))
    file.write_bytes((tmp_path / "other" / file.name).read_bytes())
    monkeypatch.setenv("LINKWISE_CACHE", str(file.parent))
    discarded("another secret")


def test_an_entry_of_another_format_is_discarded(file, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(cache, "VERSION", cache.VERSION + 1)
        cache.store(KEY, ENTRY)
    discarded("no entry of this format")


@pytest.mark.parametrize("bits", [0o020, 0o002])
def test_a_file_that_others_may_write_is_not_trusted(file, bits):
    file.chmod(0o600 | bits)
    discarded("open to others")


@pytest.mark.parametrize("bits", [0o020, 0o002])
def test_a_folder_that_others_may_write_is_not_trusted(file, bits):
    file.parent.chmod(0o700 | bits)
    with one_warning("open to others"):
        assert cache.load(KEY) is None
        cache.store(KEY, ENTRY)
        assert cache.entries() == ()
        assert cache.clear() == 0
    assert file.exists()


def test_a_folder_of_another_user_is_not_trusted(file, monkeypatch):
    me = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: me + 1)
    with one_warning("belongs to another user"):
        assert cache.load(KEY) is None
        cache.store(KEY, ENTRY)
    assert file.exists()


def test_a_file_of_another_user_is_not_trusted(file, monkeypatch):
    really = os.fstat

    def foreign(handle: int) -> os.stat_result:
        found = list(really(handle))
        found[stat.ST_UID] += 1
        return os.stat_result(found)

    with monkeypatch.context() as patch:
        patch.setattr(os, "fstat", foreign)
        with pytest.warns(CacheWarning, match="belongs to another user"):
            assert cache.load(KEY) is None
    cache.store(KEY, ENTRY)
    assert cache.load(KEY) == ENTRY


def test_a_link_in_place_of_an_entry_is_not_followed(file, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    file.rename(elsewhere)
    file.symlink_to(elsewhere)
    discarded("is a link")
    assert elsewhere.exists()
    assert not file.is_symlink()


def test_a_pipe_in_place_of_an_entry_is_not_waited_for(file):
    file.unlink()
    os.mkfifo(file, 0o600)
    discarded("no plain file")


def test_a_folder_may_be_a_link_of_the_same_user(file, monkeypatch):
    link = file.parent.with_name("link")
    link.symlink_to(file.parent)
    monkeypatch.setenv("LINKWISE_CACHE", str(link))
    assert cache.load(KEY) == ENTRY


def test_a_folder_behind_a_link_of_another_user_is_not_trusted(file, monkeypatch):
    really = os.lstat

    def foreign(path) -> os.stat_result:
        found = list(really(path))
        found[stat.ST_UID] += 1
        return os.stat_result(found)

    monkeypatch.setattr(os, "lstat", foreign)
    with pytest.warns(CacheWarning, match="belongs to another user"):
        assert cache.load(KEY) is None


# The secret


def test_the_secret_is_random_and_lasts(file, tmp_path, monkeypatch):
    secret = (file.parent / "secret").read_bytes()
    cache.store(cache.key(n=1), ENTRY)
    cache.clear()
    cache.store(KEY, ENTRY)
    assert (file.parent / "secret").read_bytes() == secret
    monkeypatch.setenv("LINKWISE_CACHE", str(tmp_path / "other"))
    cache.store(KEY, ENTRY)
    other = (tmp_path / "other" / "secret").read_bytes()
    assert len(secret) == len(other) == 32
    assert other != secret


def test_the_secret_is_in_no_entry(file):
    assert (file.parent / "secret").read_bytes() not in file.read_bytes()


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (Path.unlink, "missing"),
        (lambda secret: secret.write_bytes(b"short"), "damaged"),
        (lambda secret: secret.chmod(0o640), "open to others"),
        (lambda secret: secret.chmod(0o604), "open to others"),
        (lambda secret: secret.rename(secret.with_name("s")).chmod(0o600) or secret.symlink_to("s"), "is a link"),
    ],
)
def test_a_secret_that_is_none_any_more_is_made_anew(file, spoil, reason):
    secret = file.parent / "secret"
    before = secret.read_bytes()
    spoil(secret)
    discarded(reason)
    assert secret.read_bytes() != before
    assert mode(secret) == 0o600
    assert not secret.is_symlink()


def test_a_secret_that_another_process_made_meanwhile_is_taken(where, monkeypatch):
    theirs = bytes(range(32))
    really = os.link

    def too_late(part, path) -> None:
        private.write(path, theirs)
        really(part, path)

    monkeypatch.setattr(os, "link", too_late)
    cache.store(KEY, ENTRY)
    assert (where / "secret").read_bytes() == theirs
    assert cache.load(KEY) == ENTRY
    assert names(where) == {"secret", f"{KEY}.kernel"}


def test_a_secret_that_appears_after_the_first_look_is_kept(where, monkeypatch):
    theirs = bytes(range(32))
    really = private.secret

    def looked_too_early(folder: Path) -> bytes:
        monkeypatch.setattr(private, "secret", really)
        private.write(folder / "secret", theirs)
        raise private.NoSecret

    monkeypatch.setattr(private, "secret", looked_too_early)
    cache.store(KEY, ENTRY)
    assert (where / "secret").read_bytes() == theirs
    assert cache.load(KEY) == ENTRY


# What hinders


def failing(monkeypatch, number: int) -> None:
    """No file can be made any more."""
    really = os.open

    def refusing(path, flags, *args, **kwargs) -> int:
        if flags & os.O_CREAT:
            raise OSError(number, os.strerror(number), path)
        return really(path, flags, *args, **kwargs)

    monkeypatch.setattr(os, "open", refusing)


@pytest.mark.parametrize("number", [errno.EROFS, errno.EACCES, errno.ENOSPC, errno.EDQUOT])
def test_where_nothing_can_be_written_there_is_one_warning(file, monkeypatch, number):
    failing(monkeypatch, number)
    with one_warning(os.strerror(number)):
        cache.store(cache.key(n=1), ENTRY)
        cache.store(cache.key(n=2), ENTRY)
    assert cache.load(KEY) == ENTRY


def test_a_read_only_cache_still_serves(file, monkeypatch):
    def read_only(*_: object, **__: object) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    monkeypatch.setattr(os, "utime", read_only)
    monkeypatch.setattr(os, "unlink", read_only)
    assert cache.load(KEY) == ENTRY


def test_a_disk_that_is_full_in_the_middle_leaves_nothing_behind(file, monkeypatch):
    """/dev/full takes an open, and no byte."""
    really = os.open

    def full(path, flags, *args, **kwargs) -> int:
        handle = really(path, flags, *args, **kwargs)
        if flags & os.O_CREAT:
            os.close(handle)
            return really("/dev/full", os.O_WRONLY)
        return handle

    before = names(file.parent)
    with monkeypatch.context() as patch:
        patch.setattr(os, "open", full)
        with pytest.warns(CacheWarning, match=os.strerror(errno.ENOSPC)):
            cache.store(cache.key(n=1), ENTRY)
    assert names(file.parent) == before


def test_a_write_that_stops_half_way_leaves_the_earlier_entry(file):
    """The system itself stops the write, after 1000 bytes."""
    before = names(file.parent)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, hard))
    try:
        with pytest.warns(CacheWarning, match=os.strerror(errno.EFBIG)):
            cache.store(KEY, Entry(bytes(100_000), {}))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert names(file.parent) == before
    assert cache.load(KEY) == ENTRY


def test_a_file_in_place_of_the_folder(where):
    where.write_text("")
    where.chmod(0o600)
    with one_warning("File exists"):
        cache.store(KEY, ENTRY)
    with one_warning("Not a directory"):
        assert cache.load(KEY) is None


def test_a_warning_that_is_an_error_says_so(file):
    file.write_bytes(b"")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(CacheWarning):
            cache.load(KEY)


# Size


def fill(count: int, size: int = 1000) -> list[str]:
    """Entries that were last used at 1, 2, 3 … seconds of the epoch."""
    keys = [cache.key(n=n) for n in range(count)]
    for age, key in enumerate(keys, 1):
        cache.store(key, Entry(bytes(size), {"n": age}))
        os.utime(cache.folder() / f"{key}.kernel", (age, age))
    return keys


def test_what_was_used_longest_ago_goes_first(where, monkeypatch):
    keys = fill(5)
    assert cache.load(keys[0])
    monkeypatch.setenv("LINKWISE_CACHE_SIZE", "3300")
    cache.store(KEY, Entry(bytes(1000), {}))
    assert {kept.key for kept in cache.entries()} == {KEY, keys[0], keys[4]}
    assert sum(kept.size for kept in cache.entries()) <= 3300


def test_an_entry_larger_than_the_cache_is_not_kept(where, monkeypatch):
    monkeypatch.setenv("LINKWISE_CACHE_SIZE", "1 KiB")
    cache.store(KEY, Entry(bytes(2000), {}))
    assert cache.entries() == ()


@pytest.mark.parametrize(
    ("given", "expected"),
    [("", 2**28), ("0", 0), ("123", 123), ("64M", 2**26), ("1 GiB", 2**30), ("2kb", 2**11), (" 5 MiB ", 5 * 2**20)],
)
def test_the_limit_in_words(monkeypatch, given, expected):
    monkeypatch.setenv("LINKWISE_CACHE_SIZE", given)
    assert cache.limit() == expected


@pytest.mark.parametrize("given", ["lots", "-1", "1.5G", "3 TiB", "M"])
def test_a_limit_that_is_none(monkeypatch, given):
    monkeypatch.setenv("LINKWISE_CACHE_SIZE", given)
    with pytest.raises(LinkwiseError, match="size of the cache"):
        cache.limit()


def test_half_written_files_of_dead_processes_go(file):
    dead, alive = file.with_name("00.part"), file.with_name("01.part")
    for part in (dead, alive):
        part.write_bytes(b"half")
    long_ago = time.time() - 2 * cache.ABANDONED
    os.utime(dead, (long_ago, long_ago))
    cache.store(KEY, ENTRY)
    assert not dead.exists()
    assert alive.exists()


def test_entries_are_listed_the_last_used_first(where):
    keys = fill(3)
    assert [kept.key for kept in cache.entries()] == keys[::-1]
    assert [kept.facts for kept in cache.entries()] == [{"n": 3}, {"n": 2}, {"n": 1}]
    assert [kept.used for kept in cache.entries()] == [3, 2, 1]


def test_facts_of_a_damaged_entry_are_not_listed(file):
    file.write_bytes(file.read_bytes().replace(b'"robot": "r"', b'"robot": "s"'))
    (kept,) = cache.entries()
    assert (kept.key, kept.facts) == (KEY, None)


def test_clear_leaves_what_is_not_ours(file):
    stranger = file.with_name("notes.txt")
    stranger.write_text("mine")
    file.with_name("00.part").write_bytes(b"half")
    assert cache.clear() == 1
    assert names(file.parent) == {"secret", "notes.txt"}


# Many processes


def test_what_another_process_has_just_used_is_not_evicted(where, monkeypatch):
    """Between looking at the folder and removing what was used longest ago."""
    keys = [cache.key(n=n) for n in range(4)]
    for n, key in enumerate(keys):
        cache.store(key, Entry(bytes(20000), {"n": n}))
        os.utime(where / f"{key}{cache.SUFFIX}", (n, n))
    look = cache._files

    def look_late(folder, suffix):
        seen = look(folder, suffix)
        os.utime(where / f"{keys[0]}{cache.SUFFIX}")
        return seen

    with monkeypatch.context() as patch:
        patch.setattr(cache, "_files", look_late)
        cache._evict(where, 70000)
    assert {entry.key for entry in cache.entries()} == set(keys)
    cache._evict(where, 70000)
    assert {entry.key for entry in cache.entries()} == {keys[0], keys[2], keys[3]}


WRITER = """
import sys, warnings
warnings.simplefilter("error")
from linkwise.kernel import cache
from linkwise.kernel.cache import Entry
keys = [cache.key(n=n) for n in range(5)]
print("ready", flush=True)
sys.stdin.readline()
for round in range(20):
    for n, key in enumerate(keys):
        cache.store(key, Entry(bytes([n]) * 20000, {"n": n}))
        entry = cache.load(key)
        assert entry is None or entry == Entry(bytes([n]) * 20000, {"n": n}), entry
"""


@pytest.mark.parametrize("size", ["1 MiB", "70000"])
def test_processes_do_not_clash(where, monkeypatch, size):
    """They start from no folder at once and write the same keys, with room for all entries or for three."""
    monkeypatch.setenv("LINKWISE_CACHE_SIZE", size)
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    writers = [subprocess.Popen([sys.executable, "-c", WRITER], text=True, **pipes) for _ in range(4)]
    assert [writer.stdout.readline() for writer in writers] == ["ready\n"] * 4
    for writer in writers:
        writer.stdin.write("go\n")
        writer.stdin.flush()
    complaints = [writer.communicate()[1] for writer in writers]
    assert complaints == [""] * 4
    assert [writer.returncode for writer in writers] == [0] * 4
    room = 5 if size == "1 MiB" else 3
    kept = cache.entries()
    assert all(entry.facts for entry in kept)
    assert len(kept) == room
    for n in range(5):
        cache.store(cache.key(n=n), Entry(bytes([n]) * 20000, {"n": n}))
    assert len(cache.entries()) == room
    assert not list(where.glob("*.part"))


# The command line


@pytest.fixture
def run(capsys, monkeypatch):
    from linkwise.cli import main

    monkeypatch.setenv("COLUMNS", "120")

    def running(*args: str) -> str:
        with pytest.raises(SystemExit) as ended:
            main(("cache", *args))
        assert ended.value.code == 0
        return capsys.readouterr().out

    return running


def test_the_command_shows_what_is_kept(file, run):
    shown = run()
    for word in (str(file.parent), "r", "f", "κ", "1 entry", "256.0 MiB", " s ago"):
        assert word in shown


def test_the_command_shows_damage(file, run):
    file.write_bytes(b"?")
    assert "damaged or foreign" in run()
    assert json.loads(run("--json"))["entries"][0]["trusted"] is False


def test_the_command_as_json(file, run):
    found = json.loads(run("--json"))
    (entry,) = found.pop("entries")
    size = file.stat().st_size
    assert found == {"folder": str(file.parent), "limit": 2**28, "size": size}
    assert 0 <= entry.pop("age") < 60
    facts = {"robot": "r", "function": "f", "formulation": "κ", "precision": None}
    assert entry == {**facts, "size": size, "trusted": True, "key": KEY}


def test_the_command_clears(file, run):
    assert json.loads(run("clear", "--json")) == {"folder": str(file.parent), "removed": 1}
    assert run("clear") == "0 entries removed.\n"
    assert cache.entries() == ()


def test_the_command_when_off(where, run, monkeypatch):
    monkeypatch.setenv("LINKWISE_CACHE", "off")
    assert run() == run("clear") == "No compiled code is kept.\n"
    assert json.loads(run("--json")) == {"folder": None, "limit": 2**28, "size": 0, "entries": []}
