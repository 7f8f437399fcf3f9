"""Every URDF of the example-robot-data wheel: read as Pinocchio reads it, or refused where it refuses."""

from __future__ import annotations

import numpy as np
import pinocchio as pin
import pytest
from tests.pinocchio_models import Coordinates, example_files, model

from linkwise.bench.dense import Array, array, dense, pose
from linkwise.errors import LinkwiseError
from linkwise.robot import urdf
from linkwise.robot.library import load
from linkwise.robot.model import BASE, Robot

FILES = example_files()
TOLERANCE = 1e-12


WITHOUT_LEADER = "mimics a joint that there is not"


def test_there_are_files():
    assert len(FILES) > 70


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_it_is_read_as_pinocchio_reads_it(path):
    try:
        expected = model(path)
    except ValueError:
        with pytest.raises(LinkwiseError, match=r"line \d+: "):
            load(path)
        return
    mistaken = [finding.what for finding in urdf.inspected(path).findings if finding.severity == "error"]
    if mistaken:
        assert all(WITHOUT_LEADER in what for what in mistaken)
        with pytest.raises(ValueError, match="parent joint of the mimic joint is not in the kinematic tree"):
            pin.buildModelFromUrdf(str(path), mimic=True)
        return
    robot = load(path)
    assert_equal_structure(robot, expected)
    if "free" not in (joint.type for joint in robot.joints):
        assert_equal_structure(robot.with_free_base(), model(path, afloat=True))


def assert_equal_structure(robot: Robot, expected: pin.Model) -> None:
    mimics = sum(link.joint.kind.nv for link in robot.links if link.joint.mimic)
    assert robot.nv + mimics == expected.nv
    assert {link.joint.name for link in robot.links if link.joint.kind.nv} == set(expected.names[1:])
    assert_equal_bodies(robot, expected)
    assert_equal_frames(robot, expected)


def assert_equal_bodies(robot: Robot, expected: pin.Model) -> None:
    """The fixed links of each body merged, and the masses that stand on the ground."""
    carried: dict[int, Array] = {}
    carrier: dict[int, tuple[int, pin.SE3]] = {BASE: (0, pin.SE3.Identity())}
    for i, link in enumerate(robot.links):
        joint, frame = carrier[link.parent]
        frame = frame * pin.SE3(*pose(link.joint.placement))
        if link.joint.kind.nv:
            there = expected.getJointId(link.joint.name)
            assert expected.parents[there] == joint
            np.testing.assert_allclose(expected.jointPlacements[there].homogeneous, frame.homogeneous, atol=TOLERANCE)
            joint, frame = there, pin.SE3.Identity()
        carrier[i] = joint, frame
        about_com = np.block([[link.mass * np.eye(3), np.zeros((3, 3))], [np.zeros((3, 3)), dense(link.inertia)]])
        to_com = (frame * pin.SE3(np.eye(3), array(link.com))).toActionMatrixInverse()
        carried[joint] = carried.get(joint, np.zeros((6, 6))) + to_com.T @ about_com @ to_com
    for joint, inertia in carried.items():
        matrix = expected.inertias[joint].matrix()
        np.testing.assert_allclose(inertia, matrix, atol=TOLERANCE * max(1.0, abs(matrix).max()))


def assert_equal_frames(robot: Robot, expected: pin.Model) -> None:
    """Where every link, on fixed joints too, is when the moving joints are anywhere."""
    q = robot.random(5)
    data = expected.createData()
    pin.framesForwardKinematics(expected, data, Coordinates(robot, expected).q(q))
    placed = {BASE: pin.SE3.Identity()}
    for i, link in enumerate(robot.links):
        joint = expected.getJointId(link.joint.name) if link.joint.kind.nv else 0
        if joint:
            placed[i] = data.oMi[joint]
        else:
            placed[i] = placed[link.parent] * pin.SE3(*pose(link.joint.placement))
        frame = expected.getFrameId(link.name, pin.FrameType.BODY)
        np.testing.assert_allclose(placed[i].homogeneous, data.oMf[frame].homogeneous, atol=1e-11)


def test_all_that_is_not_used_is_told():
    """Together the files have every part of URDF that has nothing to do with dynamics."""
    notes = {note.what for path in FILES for note in urdf.inspected(path).findings if note.severity == "note"}
    for kind in ("<gazebo>", "<material>", "<visual> in <link>", "<collision> in <link>", "<mimic> of fixed joints"):
        assert f"{kind} is not used" in notes
