"""Keys: equal for equal facts, different for whatever differs in type or value."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass, fields, is_dataclass, replace
from struct import pack

import pytest
from hypothesis import given
from hypothesis import strategies as st

import linkwise
from linkwise.kernel import keys
from linkwise.kernel.keys import encoded, key


@dataclass(frozen=True)
class Pair:
    a: object
    b: object


@dataclass(frozen=True)
class Other:
    a: object
    b: object


@dataclass(frozen=True)
class One:
    a: object


@dataclass(frozen=True)
class Empty:
    pass


LEAVES = st.none() | st.booleans() | st.integers(-2, 2) | st.integers() | st.floats() | st.text(max_size=3)
LEAVES |= st.sampled_from([0, 0.0, -0.0, False, "", "0", 1, 1.0, True, "1", (), float("nan"), Empty()])


def nested(items: st.SearchStrategy) -> st.SearchStrategy:
    return st.one_of(
        st.lists(items, max_size=3).map(tuple),
        st.builds(Pair, items, items),
        st.builds(Other, items, items),
        st.builds(One, items),
    )


FACTS = st.recursive(LEAVES, nested, max_leaves=6)


def same(x: object, y: object) -> bool:
    """Whether two facts agree in type and value, floats bit by bit: written without any encoding."""
    if type(x) is not type(y):
        return False
    if isinstance(x, float):
        return pack("d", x) == pack("d", y)
    if isinstance(x, tuple):
        return len(x) == len(y) and all(map(same, x, y))
    if is_dataclass(x):
        return all(same(getattr(x, f.name), getattr(y, f.name)) for f in fields(x))
    return x == y


@given(FACTS, FACTS)
def test_equal_bytes_mean_equal_facts(x, y):
    assert (encoded(x) == encoded(y)) == same(x, y)
    assert (key(fact=x) == key(fact=y)) == same(x, y)


@given(st.lists(FACTS, max_size=4), st.lists(FACTS, max_size=4))
def test_a_sequence_of_facts_can_be_told_apart_item_by_item(x, y):
    """No encoding begins with another: only so is one behind the other unambiguous."""
    joined = [b"".join(map(encoded, facts)) for facts in (x, y)]
    assert (joined[0] == joined[1]) == same(tuple(x), tuple(y))


ALIKE = [0, 0.0, -0.0, False, None, "", "0", "None", (), (0,), ((),), (None,), "()", 1, 1.0, True, "1", 2**70, 5e-324]
ALIKE += [("a", "b"), ("ab",), ("a", ("b",)), ("ab", ""), ("", "ab"), "s1:a", ("1:a",), float("inf"), float("nan")]
ALIKE += [Pair(1, 2), Other(1, 2), Pair(2, 1), Pair(1.0, 2), One((1, 2)), One(1), (1, 2), Empty(), (Empty(),)]


def test_facts_that_look_alike_have_keys_of_their_own():
    assert len({key(fact=fact) for fact in ALIKE}) == len(ALIKE)


def test_names_of_facts_count_and_their_order_does_not():
    assert key(a=1, b=2) == key(b=2, a=1)
    assert len({key(), key(a=1), key(b=1), key(a=1, b=1), key(ab=1)}) == 5


@pytest.mark.parametrize("fact", [[1], {"a": 1}, {1}, b"x", 1j, object(), os.path, float])
def test_what_has_no_bytes_of_its_own_is_refused(fact):
    with pytest.raises(TypeError, match="no bytes of its own"):
        key(fact=(1, fact))


def test_a_robot_has_the_same_bytes_in_every_process():
    robot = "linkwise.load('planar-3r')"
    script = f"import linkwise; from linkwise.kernel.keys import encoded; print(encoded({robot}).hex())"
    start = [sys.executable, "-c", script]
    for seed in "12":
        done = subprocess.run(
            start, capture_output=True, text=True, check=True, env={**os.environ, "PYTHONHASHSEED": seed}
        )
        assert bytes.fromhex(done.stdout) == encoded(linkwise.load("planar-3r"))


def changed(data):
    """The frozen data, with one number after the other moved by the least possible."""
    import math

    if isinstance(data, float):
        yield math.nextafter(data, math.inf)
    elif isinstance(data, tuple):
        for i, item in enumerate(data):
            yield from ((*data[:i], other, *data[i + 1 :]) for other in changed(item))
    elif is_dataclass(data):
        for f in fields(data):
            yield from (copy(data, f.name, other) for other in changed(getattr(data, f.name)))


def copy(data, name, value):
    """Like `replace`, without the checks of physical sense."""
    other = object.__new__(type(data))
    for f in fields(data):
        object.__setattr__(other, f.name, value if f.name == name else getattr(data, f.name))
    return other


def test_every_number_of_a_robot_counts_to_its_last_bit():
    robot = linkwise.load("puma-560-armstrong-1986")
    others = list(changed(robot))
    assert len(others) > 100
    assert len({key(robot=other) for other in (robot, *others)}) == len(others) + 1


def test_every_name_of_a_robot_counts():
    robot = linkwise.load("planar-3r")
    link = replace(robot.links[0], name="other")
    others = [replace(robot, name="other"), replace(robot, links=(link, *robot.links[1:]))]
    assert len({key(robot=r) for r in (robot, *others)}) == 3


# Linkwise itself


def test_a_changed_linkwise_has_other_keys(monkeypatch):
    before = key(a=1)
    monkeypatch.setattr(keys, "BUILD", "other")
    assert key(a=1) != before


def test_every_file_counts_by_name_size_and_time(tmp_path):
    (tmp_path / "room").mkdir()
    file = tmp_path / "room" / "text.py"
    seen = []

    def look() -> None:
        seen.append(keys._digest_of(tmp_path))

    look()
    file.write_text("a")
    os.utime(file, ns=(1, 1))
    look()
    os.utime(file, ns=(1, 2))
    look()
    file.write_text("ab")
    os.utime(file, ns=(1, 2))
    look()
    file.rename(tmp_path / "room" / "other.py")
    look()
    assert len(set(seen)) == len(seen)


def test_bytecode_does_not_count(tmp_path):
    before = keys._digest_of(tmp_path)
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "__pycache__" / "text.pyc").write_bytes(b"x")
    assert keys._digest_of(tmp_path) == before
