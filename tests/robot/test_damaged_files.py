"""Files damaged in every way: a robot comes of them, or our error with the line, and nothing else ever.

Real files are taken apart, changed in places and put together again, so that most damage lies deep enough to pass the
first checks. What can still be read is used as people use robots.
"""

from __future__ import annotations

import re
import resource
import signal
import subprocess
import sys
import xml.etree.ElementTree as xml
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from copy import deepcopy
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.mujoco_models import text_of
from tests.pinocchio_models import example_files
from tests.robots import any_chain

from linkwise.errors import LinkwiseError
from linkwise.robot import lint, toml
from linkwise.robot.library import file_of, library, load
from linkwise.robot.merging import merged, reach
from linkwise.robot.model import Robot
from linkwise.robot.skeleton import skeleton

SECONDS = 10.0
"""Of processor time, far more than any of these small files may take."""

NUMBERS = (
    "nan", "inf", "-inf", "1e400", "-1e308", "1e308", "1e154", "1e-200", "5e-324", "0", "-0.0", "-1", "-1e-9",
    "1" * 5000, "1_0", "0x10", "1e999999999", "١٢", "1,5",
)  # fmt: skip
"""What stands where a number should, or is one that no robot has."""

WORDS = ("", " ", "a" * 100_000, "${x}", "$(arg x)", "\U0001f600", "true", "0 0 0", "1e160 1e160 1e160", "1 2 3 4")


# What may come of a file


def is_read_or_refused(path: Path, data: bytes) -> None:
    path.write_bytes(data)
    with at_most(SECONDS):
        robot = read(path)
        lint.inspected(path)
        if robot:
            use(robot)


def read(path: Path) -> Robot | None:
    try:
        return load(path)
    except LinkwiseError as error:
        told = str(error)
    assert LOCATED.search(told) or WHOLE.search(told), told
    return None


LOCATED = re.compile(r"^\S+, line \d+: ")
WHOLE = re.compile(r"too long|recursion|4300 digits")
"""What of a file is wrong in no line, or in one that Python does not tell."""


def use(robot: Robot) -> None:
    assert toml.read(toml.write(robot)) == robot
    assert repr(robot)
    assert len(robot.neutral()) == len(robot.random(1)) == robot.nq
    for function in (skeleton, reach, merged, Robot.with_free_base):
        with np.errstate(all="ignore"), suppress(LinkwiseError):  # it is afloat, or a sum is beyond every float
            function(robot)


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    def too_long(*_: object) -> None:
        raise AssertionError(f"more than {seconds} s")

    before = signal.signal(signal.SIGVTALRM, too_long)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0.0)
        signal.signal(signal.SIGVTALRM, before)


# Damage to bytes


@st.composite
def damaged_bytes(draw: st.DrawFn, data: bytes) -> bytes:
    """Bytes changed, cut off, put in, or in another encoding."""
    kind = draw(st.sampled_from(("none", "none", "none", "changed", "cut", "more", "encoding", "twice")))
    at = draw(st.integers(0, max(len(data) - 1, 0)))
    if kind == "changed":
        return data[:at] + bytes([draw(st.integers(0, 255))]) + data[at + 1 :]
    if kind == "cut":
        return data[:at]
    if kind == "more":
        return data[:at] + draw(st.binary(min_size=1, max_size=8)) + data[at:]
    if kind == "encoding":
        encoding = draw(st.sampled_from(("utf-16", "utf-32", "utf-16-le", "utf-8-sig", "cp037")))
        return data.decode(errors="replace").encode(encoding, "replace")
    return data + data[at:] if kind == "twice" else data


# Damage to XML


def value_changed(draw: st.DrawFn, root: xml.Element) -> None:
    element, key = draw(st.sampled_from(attributes(root)))
    element.set(key, draw(st.sampled_from((*NUMBERS, *WORDS))))


def value_copied(draw: st.DrawFn, root: xml.Element) -> None:
    (element, key), (other, its) = draw(st.tuples(*[st.sampled_from(attributes(root))] * 2))
    element.set(key, other.get(its, ""))


def attribute_dropped(draw: st.DrawFn, root: xml.Element) -> None:
    element, key = draw(st.sampled_from(attributes(root)))
    element.attrib.pop(key, None)


def attribute_added(draw: st.DrawFn, root: xml.Element) -> None:
    (other, key), element = draw(st.tuples(st.sampled_from(attributes(root)), st.sampled_from(list(root.iter()))))
    element.set(key, other.get(key, ""))


def element_dropped(draw: st.DrawFn, root: xml.Element) -> None:
    parent, child = draw(st.sampled_from(children(root)))
    parent.remove(child)


def element_copied(draw: st.DrawFn, root: xml.Element) -> None:
    """To any place, beside itself or in itself too."""
    (_, child), place = draw(st.tuples(st.sampled_from(children(root)), st.sampled_from(list(root.iter()))))
    place.append(deepcopy(child))


def element_renamed(draw: st.DrawFn, root: xml.Element) -> None:
    element = draw(st.sampled_from(list(root.iter())))
    names = ("link", "joint", "mimic", "inertial", "origin", "transmission", "actuator", "dynamics", "x", "xacro:if")
    element.tag = draw(st.sampled_from(names))


def text_put_in(draw: st.DrawFn, root: xml.Element) -> None:
    draw(st.sampled_from(list(root.iter()))).text = draw(st.sampled_from((*NUMBERS, *WORDS)))


def attributes(root: xml.Element) -> list[tuple[xml.Element, str]]:
    return [(element, key) for element in root.iter() for key in element.attrib] or [(root, "name")]


def children(root: xml.Element) -> list[tuple[xml.Element, xml.Element]]:
    return [(parent, child) for parent in root.iter() for child in parent] or [(root, xml.SubElement(root, "x"))]


XML_CHANGES: tuple[Callable[[st.DrawFn, xml.Element], None], ...] = (
    value_changed, value_changed, value_copied, attribute_dropped, attribute_added, element_dropped, element_copied,
    element_renamed, text_put_in,
)  # fmt: skip

SMALL = 40_000
"""Bytes of the files that are damaged: of the larger ones a part is like the others."""

URDFS = [path.read_bytes() for path in example_files() if path.stat().st_size < SMALL]


MJCF = text_of(any_chain("free", "spherical", "universal", "cylindrical", "planar", seed=2, driven=True)).encode()


@st.composite
def damaged_xml(draw: st.DrawFn, files: Sequence[bytes]) -> bytes:
    root = xml.fromstring(draw(st.sampled_from(files)))
    for change in draw(st.lists(st.sampled_from(XML_CHANGES), min_size=1, max_size=6)):
        if root.attrib or len(root):
            change(draw, root)
    return draw(damaged_bytes(xml.tostring(root)))


# Damage to TOML

VALUES = (
    *NUMBERS, '""', '"x"', '"free"', '"fixed"', '"revolute"', '"\\u0000"', f'"{"a" * 10_000}"', "true", "1979-05-27",
    "07:32:00", "[]", "{}", "[[1.0]]", "[1, 2, 3]", "[1, 2, 3, 4]", "{ a = 1 }", "[nan, 0, 0]", "[{}]", '["a"]',
    "[{ xyz = [0, 0, 0] }]", "[" * 200 + "]" * 200, "{ x = " * 50 + "1" + " }" * 50,
)  # fmt: skip
HEADERS = ("[link]", "[[link]]", "[link.joint]", "[[link.joint]]", "[link.joint.limits]", "[dh]", "[configurations]")
NUMBER, VALUE, KEY = (re.compile(p, re.M) for p in (r"-?\d+\.?\d*(e-?\d+)?", r"(?<== ).+$", r"\b[a-z_]+(?= =)"))


def replaced(pattern: re.Pattern[str], words: tuple[str, ...]) -> Callable[[st.DrawFn, str], str]:
    def change(draw: st.DrawFn, text: str) -> str:
        found = list(pattern.finditer(text))
        if not found:
            return text
        there = draw(st.sampled_from(found))
        return text[: there.start()] + draw(st.sampled_from(words)) + text[there.end() :]

    return change


def line_dropped(draw: st.DrawFn, text: str) -> str:
    lines = text.split("\n")
    del lines[draw(st.integers(0, len(lines) - 1))]
    return "\n".join(lines)


def line_copied(draw: st.DrawFn, text: str) -> str:
    lines = text.split("\n")
    line, place = draw(st.tuples(*[st.integers(0, len(lines) - 1)] * 2))
    return "\n".join((*lines[:place], lines[line], *lines[place:]))


def header_put_in(draw: st.DrawFn, text: str) -> str:
    lines = text.split("\n")
    lines.insert(draw(st.integers(0, len(lines))), draw(st.sampled_from(HEADERS)))
    return "\n".join(lines)


KEYS = ("x", '"a key"', "a.b.c", "name", "parent", "joint", "mass", "mimic", "limits", "rows", "tip", "placement")
TOML_CHANGES = (
    replaced(NUMBER, VALUES), replaced(NUMBER, VALUES), replaced(VALUE, VALUES), replaced(KEY, KEYS),
    line_dropped, line_copied, header_put_in,
)  # fmt: skip


def shipped(name: str) -> str:
    with file_of(name) as path:
        return path.read_text(encoding="utf-8")


OF_ALL_KINDS = any_chain(
    "free", "universal", "spherical", "planar", "helical", "cylindrical", seed=1, driven=True, limited=True
)
TOMLS = [toml.write(OF_ALL_KINDS), *map(shipped, library())]


@st.composite
def damaged_toml(draw: st.DrawFn) -> bytes:
    text = draw(st.sampled_from(TOMLS))
    for change in draw(st.lists(st.sampled_from(TOML_CHANGES), min_size=1, max_size=6)):
        text = change(draw, text)
    return draw(damaged_bytes(text.encode()))


# The tests

few, many = settings(max_examples=150), settings(max_examples=15_000)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("damaged")


@few
@given(data=damaged_xml(URDFS))
def test_damaged_urdf(folder: Path, data: bytes) -> None:
    is_read_or_refused(folder / "robot.urdf", data)


@few
@given(data=damaged_xml([MJCF]))
@pytest.mark.filterwarnings("ignore::linkwise.robot.mjcf.MJCFWarning")
def test_damaged_mjcf(folder: Path, data: bytes) -> None:
    """MuJoCo reads it first, and does not tell the line of all that it refuses."""
    path = folder / "robot.mjcf"
    path.write_bytes(data)
    with at_most(SECONDS), suppress(LinkwiseError):
        use(load(path))


@few
@given(data=damaged_toml())
def test_damaged_toml(folder: Path, data: bytes) -> None:
    is_read_or_refused(folder / "robot.toml", data)


@pytest.mark.slow
@many
@given(data=damaged_xml(URDFS))
def test_urdf_damaged_at_length(folder: Path, data: bytes) -> None:
    is_read_or_refused(folder / "robot.urdf", data)


@pytest.mark.slow
@many
@given(data=damaged_toml())
def test_toml_damaged_at_length(folder: Path, data: bytes) -> None:
    is_read_or_refused(folder / "robot.toml", data)


# Files that are too much


def urdf(body: str) -> str:
    return f'<robot name="r">{body}</robot>'


def joints(count: int, inside: str = "", parent: str = "l{}", shift: int = 1) -> str:
    """A joint on every link but the first, in which {} stands for its number."""
    told = '<joint name="j{}" type="continuous"><parent link="{}"/><child link="l{}"/>{}</joint>\n'
    return "".join(
        told.format(i, parent.format((i - shift) % count), i, inside.format(i % (count - 1) + 1))
        for i in range(1, count)
    )


def links(count: int, before: str = "l") -> str:
    return "".join(f'<link name="{before}{i}"/>' for i in range(count))


def counted(count: int, told: str) -> str:
    """A text again and again, in which {} stands for its number."""
    return "".join(told.replace("{}", str(i)) for i in range(count))


NAMED = "name = 'r'\n"

TOO_MUCH = {
    "attributes.urdf": lambda: urdf(f"<link {counted(1_500_000, 'a{}=[] ')}/>".replace("[]", '""')),
    "tags.urdf": lambda: urdf(links(1) + counted(190_000, "<t{}/>")),
    "no_parents.urdf": lambda: urdf(links(5_000) + joints(5_000, parent="k{}")),
    "no_leaders.urdf": lambda: urdf(links(5_000) + joints(5_000, '<mimic joint="k{}"/>')),
    "circle_of_mimics.urdf": lambda: urdf(links(5_000) + joints(5_000, '<mimic joint="j{}"/>')),
    "circle.urdf": lambda: urdf(links(5_000) + joints(5_000, shift=-1)),
    "a_long_chain.urdf": lambda: urdf(links(5_000) + joints(5_000)),
    "long_names.urdf": lambda: urdf(links(5_000, "x" * 3_000)),
    "twins.urdf": lambda: urdf(links(1) * 90_000),
    "nested.urdf": lambda: "<robot>" * 2_000_000,
    "links.toml": lambda: NAMED + counted(90_000, "[[link]]\nname = 'l{}'\n"),
    "inline.toml": lambda: NAMED + f"link = [{counted(90_000, '{ name = [] },').replace('[]', repr('l'))}]\n",
    "keys.toml": lambda: NAMED + counted(300_000, "k{} = 1\n"),
    "numbers.toml": lambda: NAMED + f"link = [{'1,' * 1_000_000}]\n",
    "nested.toml": lambda: NAMED + f"link = {'[' * 1_900_000}\n",
    "dots.toml": lambda: f"a{'.a' * 1_900_000} = 1\n",
    "rows.toml": lambda: NAMED + f"[dh]\nconvention = 'saha'\nrows = [{'[0,0,0,0],' * 300_000}]\n",
    "digits.toml": lambda: f"x = {'1' * 3_900_000}\n",
}
"""Of their kind about the largest that are not refused for their length alone."""

READ = """
import sys
from linkwise import LinkwiseError, load
try:
    load(sys.argv[1])
except LinkwiseError as error:
    sys.exit(f"refused: {len(str(error))}")
"""


@pytest.mark.parametrize("name", TOO_MUCH)
def test_files_that_are_too_much_cost_little(name: str, tmp_path: Path) -> None:
    """Within a gigabyte and some seconds of processor time each, and in few words."""
    path = tmp_path / name
    path.write_text(TOO_MUCH[name](), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", READ, str(path)], preexec_fn=bounded, capture_output=True, text=True, check=False
    )
    told = re.fullmatch(r"refused: (\d+)\n", done.stderr)
    assert (done.returncode == 0 and not done.stderr) or (told and int(told[1]) < 20_000), done.stderr


def bounded() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (2**30, 2**30))
    resource.setrlimit(resource.RLIMIT_CPU, (20, 20))
