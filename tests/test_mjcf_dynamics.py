"""Dynamics of robots from MJCF against MuJoCo's own: armature, damping and friction included, in its coordinates.

MuJoCo's dry friction is a soft constraint, which slips as Coulomb's does once a joint moves fast enough; that limit is
put so low here that every joint slips.
"""

from __future__ import annotations

import xml.etree.ElementTree as xml
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import mujoco
import numpy as np
import pytest
from hypothesis import given
from tests.mujoco_models import text_of, texts
from tests.pinocchio_models import example_files
from tests.robots import drive, seeds
from tests.texts import COMPOSITE_BODY, NEWTON_EULER, in_own_coordinates, named

from linkwise import Dynamics
from linkwise.errors import LinkwiseError
from linkwise.robot import mjcf
from linkwise.robot.library import load
from linkwise.robot.model import Robot
from linkwise.setting import Setting

MATRICES, INVERSE = (
    (COMPOSITE_BODY, named("operators.mass_matrix")),
    (NEWTON_EULER, named("operators.inverse_dynamics")),
)
FORWARD = tuple(named(f"{name}.forward_dynamics") for name in ("composite-body", "articulated-body", "operators"))
IN_MUJOCOS = Setting(base_velocity="mujoco")
TOLERANCE = 1e-10


class MuJoCo:
    """MuJoCo's answers at a state, all of its own."""

    def __init__(self, text: str) -> None:
        self.model = model = mujoco.MjModel.from_xml_string(text)
        model.opt.timestep, model.dof_solref[:, 0] = 1e-6, 2e-6
        model.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_LIMIT)
        model.opt.tolerance, model.opt.iterations = 0.0, 200
        self.data = mujoco.MjData(model)

    def inverse_dynamics(self, q: np.ndarray, v: np.ndarray, a: np.ndarray) -> np.ndarray:
        self.data.qpos[:], self.data.qvel[:], self.data.qacc[:] = q, v, a
        mujoco.mj_inverse(self.model, self.data)
        return self.data.qfrc_inverse

    def forward_dynamics(self, q: np.ndarray, v: np.ndarray, tau: np.ndarray) -> np.ndarray:
        self.data.qpos[:], self.data.qvel[:], self.data.qfrc_applied[:] = q, v, tau
        mujoco.mj_forward(self.model, self.data)
        return self.data.qacc

    def mass_matrix(self, q: np.ndarray) -> np.ndarray:
        self.data.qpos[:] = q
        mujoco.mj_fwdPosition(self.model, self.data)
        M = np.zeros((self.model.nv, self.model.nv))
        mujoco.mj_fullM(self.model, self.data, M)
        return M


def assert_same(ours: np.ndarray, theirs: np.ndarray) -> None:
    assert np.abs(ours - theirs).max() <= TOLERANCE * max(1.0, np.abs(theirs).max())


def assert_same_dynamics(text: str, seed: int) -> None:
    robot, engine = mjcf.read(text), MuJoCo(text)
    if not robot.nv:
        return
    rng = np.random.default_rng(seed)
    q, v = robot.random(rng), rng.choice((-1.0, 1.0), robot.nv) * rng.uniform(0.1, 2.0, robot.nv)
    a = rng.normal(size=robot.nv)
    M = engine.mass_matrix(q)
    tau = engine.inverse_dynamics(q, v, a).copy() + 10.0 * np.sqrt(np.diag(M)) * rng.normal(size=robot.nv)
    for text in MATRICES:
        assert_same(in_own_coordinates(text, robot, IN_MUJOCOS)(q), M)
    for text in INVERSE:
        assert_same(in_own_coordinates(text, robot, IN_MUJOCOS)(q, v, a), engine.inverse_dynamics(q, v, a))
    for text in FORWARD:
        assert_same(in_own_coordinates(text, robot, IN_MUJOCOS)(q, v, tau), engine.forward_dynamics(q, v, tau))


@given(texts(), seeds)
def test_drawn_models(text, seed):
    assert_same_dynamics(text, seed)


@pytest.mark.parametrize("path", example_files(), ids=lambda path: path.stem)
def test_the_robots_of_every_urdf(path: Path):
    """Each with armature, damping and friction at every joint, standing and afloat; mimics move by themselves."""
    try:
        robot = load(path)
    except LinkwiseError:
        return  # tested where URDF is read
    rng = np.random.default_rng(len(robot.links))
    joints = [replace(link.joint, drive=drive(link.joint.kind, rng), mimic=None) for link in robot.links]
    links = tuple(replace(link, joint=joint) for link, joint in zip(robot.links, joints, strict=True))
    assert_same_dynamics(text_of(Robot(robot.name, links)), 1)
    assert_same_dynamics(text_of(Robot(robot.name, links).with_free_base()), 1)


@pytest.fixture
def unlogged() -> Iterator[None]:
    """MuJoCo's warnings go nowhere; otherwise they go to a file."""
    earlier = mujoco.get_mju_user_warning()
    mujoco.set_mju_user_warning(lambda _: None)
    yield
    mujoco.set_mju_user_warning(earlier)


@pytest.mark.usefixtures("unlogged")
@pytest.mark.parametrize("path", example_files(), ids=lambda path: path.stem)
def test_what_mujoco_makes_of_every_urdf(path: Path):
    """Its own MJCF of each file, without meshes, which are not there, and with mimics that move by themselves."""
    text = mujocos_own(path)
    if text is None:
        assert refused_or_doubtful(path)
    elif text:
        assert_same_dynamics(text, 2)


def refused_or_doubtful(path: Path) -> bool:
    try:
        return bool(load(path).check())
    except LinkwiseError:
        return True


def mujocos_own(path: Path) -> str | None:
    """What MuJoCo writes down after it has read a URDF; none if it refuses it, nothing if nothing moves in it."""
    urdf = xml.parse(path).getroot()
    for link in urdf.iter("link"):
        for shape in [*link.findall("visual"), *link.findall("collision")]:
            link.remove(shape)
    lenient = {"balanceinertia": "true", "boundmass": "1e-6", "boundinertia": "1e-9"}
    xml.SubElement(xml.SubElement(urdf, "mujoco"), "compiler", lenient)
    try:
        spec = mujoco.MjSpec.from_string(xml.tostring(urdf, encoding="unicode"))
        for equality in spec.equalities:
            spec.delete(equality)
        moves = spec.compile().nv
    except ValueError:
        return None
    if not moves:
        return ""
    written = xml.fromstring(spec.to_xml())  # with six digits, so that moments may need to be balanced again
    written.find("compiler").attrib.update(lenient)
    return xml.tostring(written, encoding="unicode")


def test_compiled_functions_in_mujocos_coordinates():
    text = """<mujoco><worldbody><body><freejoint/><geom size="0.1"/>
        <body pos="0.2 0 0"><joint type="ball" pos="0 0 0.1" damping="1"/><geom type="box" size="0.1 0.2 0.3"/></body>
    </body></worldbody></mujoco>"""
    robot, engine = mjcf.read(text), MuJoCo(text)
    dynamics = Dynamics(robot, base_velocity="mujoco")
    rng = np.random.default_rng(3)
    q, (v, a) = robot.random(rng), rng.normal(size=(2, robot.nv))
    assert_same(dynamics.inverse_dynamics(q, v, a), engine.inverse_dynamics(q, v, a))
    assert_same(dynamics.forward_dynamics(q, v, a), engine.forward_dynamics(q, v, a))
    assert_same(dynamics.mass_matrix(q), engine.mass_matrix(q))
