"""Models for MuJoCo: drawn ones that use what MJCF has for joints, and our robots written as MJCF.

Only what MuJoCo has can be written: no helical joints, no mimics but as soft constraints, and free joints that stand on
the ground. A joint of several motions is several joints of one body.
"""

from __future__ import annotations

import xml.etree.ElementTree as xml
from collections.abc import Iterator

import mujoco
import numpy as np
from hypothesis import strategies as st
from tests.robots import seeds

from linkwise.algebra import Placement
from linkwise.bench.dense import dense, pose
from linkwise.robot.joint import Joint
from linkwise.robot.model import BASE, Link, Robot
from linkwise.robot.quaternions import from_matrix
from linkwise.robot.skeleton import skeleton

MOTIONS = {"R": "hinge", "P": "slide"}
SPECK = 1e-15
"""Of a massless link: MuJoCo wants more than 1e-15 kg and kg m² where a joint moves it."""


# Drawn models


several = st.lists(st.sampled_from(("hinge", "slide")), max_size=3)
in_a_row = several | several.map(lambda kinds: [*kinds, "ball"])
"""The joints of a body; MuJoCo has no turn after a ball."""


@st.composite
def texts(draw: st.DrawFn, most: int = 4) -> str:
    """Trees of bodies, each welded or on up to three joints of any type, with anchors, references and losses."""
    rng = np.random.default_rng(draw(seeds))
    root = xml.Element("mujoco", model="drawn")
    xml.SubElement(root, "compiler", angle="radian")
    xml.SubElement(root, "option", gravity=_words(rng.normal(scale=6.0, size=3)))
    bodies = [xml.SubElement(root, "worldbody")]
    for i in range(draw(st.integers(1, most))):
        parent = draw(st.integers(0, len(bodies) - 1))
        body = xml.SubElement(bodies[parent], "body", pos=_words(rng.normal(scale=0.2, size=3)), quat=_turn(rng))
        if draw(st.booleans()):
            body.set("name", f"limb{i}")
        _add_inertia(body, rng)
        free = parent == 0 and draw(st.integers(0, 3)) == 3
        kinds = ["free"] if free else draw(in_a_row)
        for k, kind in enumerate(kinds):
            _add_joint(body, kind, f"limb{i}-joint{k}" if draw(st.booleans()) else "", draw(st.booleans()), rng)
        bodies.append(body)
    return xml.tostring(root, encoding="unicode")


def _words(numbers: object) -> str:
    return " ".join(repr(float(x)) for x in np.atleast_1d(numbers))  # type: ignore[call-overload]


def _turn(rng: np.random.Generator) -> str:
    return _words(rng.normal(size=4))


def _add_inertia(body: xml.Element, rng: np.random.Generator) -> None:
    spread = rng.uniform(0.04, 0.15, 3) ** 2
    mass = rng.uniform(0.5, 5.0)
    moments = mass * (spread.sum() - spread)
    told = {"pos": rng.normal(scale=0.1, size=3), "mass": mass, "diaginertia": moments}
    xml.SubElement(body, "inertial", {key: _words(x) for key, x in told.items()}, quat=_turn(rng))


def _add_joint(body: xml.Element, kind: str, name: str, lossy: bool, rng: np.random.Generator) -> None:
    joint = xml.SubElement(body, "joint", type=kind)
    if name:
        joint.set("name", name)
    if kind != "free":
        joint.set("pos", _words(rng.normal(scale=0.2, size=3)))
    if kind in ("hinge", "slide"):
        lower = rng.uniform(-2.0, 0.0)
        joint.set("axis", _words(rng.normal(size=3)))
        joint.set("ref", _words(rng.uniform(-1.0, 1.0)))
        joint.set("range", _words([lower, lower + 3.0]))
    if lossy:
        for key in ("armature", "damping", "frictionloss"):
            joint.set(key, _words(rng.uniform(0.1, 1.0)))


# Our robots as models


def text_of(robot: Robot) -> str:
    """The robot as MJCF, link by link."""
    root = xml.Element("mujoco", model=robot.name)
    xml.SubElement(root, "compiler", angle="radian", balanceinertia="true", boundmass=str(SPECK))
    xml.SubElement(root, "option", gravity=_words(list(robot.gravity)))
    bodies = {BASE: xml.SubElement(root, "worldbody")}
    for i, link in enumerate(robot.links):
        bodies[i] = _body(link, bodies[link.parent])
    return xml.tostring(root, encoding="unicode")


def _body(link: Link, parent: xml.Element) -> xml.Element:
    R, p = pose(link.joint.placement)
    name = link.name if link.name != "world" else "world'"  # which is MuJoCo's own name for the base
    body = xml.SubElement(parent, "body", name=name, pos=_words(p), quat=_words(from_matrix(R)))
    principal, axes = np.linalg.eigh(dense(link.inertia))
    axes = axes * np.linalg.det(axes)
    xml.SubElement(
        body, "inertial", pos=_words(list(link.com)), mass=repr(link.mass or SPECK), quat=_words(from_matrix(axes)),
        diaginertia=_words(np.maximum(principal, SPECK)),
    )  # fmt: skip
    for joint in _joints(link.joint):
        xml.SubElement(body, "joint", joint)
    return body


def _joints(joint: Joint) -> Iterator[dict[str, str]]:
    """The attributes of a joint, or of as many as it has motions."""
    losses = joint.reflected_inertia, joint.drive.damping, joint.drive.friction
    named = dict(zip(("armature", "damping", "frictionloss"), losses, strict=True))
    if joint.kind.has_quaternion:
        kind = "free" if joint.type == "free" else "ball"
        yield {"name": joint.name, "type": kind, **{key: _words(x[0]) for key, x in named.items() if x}}
        return
    for k, (motion, axis) in enumerate(zip(joint.kind.motions, joint.axes, strict=True)):
        name = joint.name if joint.kind.nv == 1 else f"{joint.name}.{joint.kind.positions[k]}"
        told = {key: _words(x[k]) for key, x in named.items() if x}
        yield {"name": name, "type": MOTIONS[motion], "axis": _words(list(axis)), **told}


# Where links are


def placements(robot: Robot, q: list[float], fn: object) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """The rotation and the position in the world of every link, by way of the skeleton."""
    bones = skeleton(robot)
    reached: list[tuple[np.ndarray, np.ndarray]] = []
    found: dict[str, tuple[np.ndarray, np.ndarray]] = {}
    for body in bones.at(q, fn):
        R, p = reached[body.parent] if body.parent != BASE else pose(bones.base)
        reached.append((R @ dense(body.R.matrix), p + R @ np.array(list(body.p))))
        if body.bone.carries:
            found[body.name] = _then(reached[-1], body.bone.own_frame)
    for link in robot.links:  # those on fixed joints are in no bone of their own
        if link.name not in found:
            parent = (np.eye(3), np.zeros(3)) if link.parent == BASE else found[robot.links[link.parent].name]
            found[link.name] = _then(parent, link.joint.placement)
    return found


def _then(frame: tuple[np.ndarray, np.ndarray], placement: Placement) -> tuple[np.ndarray, np.ndarray]:
    (R, p), (turn, shift) = frame, pose(placement)
    return R @ turn, p + R @ shift


def model_of(robot: Robot) -> mujoco.MjModel:
    return mujoco.MjModel.from_xml_string(text_of(robot))
