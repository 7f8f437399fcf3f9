"""Kinematics, momentum and energy against Pinocchio and MuJoCo, and against their own definitions."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import mujoco
import numpy as np
import pinocchio as pin
import pytest
from hypothesis import assume, given, settings
from tests.engines import MuJoCo, Pinocchio
from tests.pinocchio_models import IN_PINOCCHIO
from tests.robots import KINDS, State, any_chain, any_joint_cases, any_state, chain

import linkwise
from linkwise import Dynamics, Kinematics, LinkwiseError, Robot
from linkwise.algebra import Placement, Screw, Turn
from linkwise.bench.dense import Array
from linkwise.coordinates import told
from linkwise.formulations import KINEMATICS, TABLE
from linkwise.quantities import ABOUT, QUANTITIES, REFERENCES
from linkwise.robot.joint import NO_DRIVE
from linkwise.robot.normal_form import khalil_craig
from linkwise.robot.skeleton import skeleton
from linkwise.setting import Setting

IN_MUJOCO = tuple(kind for kind in KINDS if kind not in ("helical", "free"))
MOVING = any_joint_cases((1, 5)).filter(lambda case: case[0].nv > 0)


def close(ours: Array, theirs: Array, size: float = 0.0) -> None:
    """Equal to rounding beside the largest, or beside what they are differences of."""
    assert ours.shape == theirs.shape
    assert np.abs(ours - theirs).max(initial=0.0) <= 1e-12 * (1.0 + np.abs(theirs).max(initial=0.0) + size)


def undriven(robot: Robot) -> Robot:
    links = (replace(link, joint=replace(link.joint, drive=NO_DRIVE)) for link in robot.links)
    return replace(robot, links=tuple(links))


class InPinocchio:
    """A robot at a state in Pinocchio, and how its rates are led by ours."""

    def __init__(self, robot: Robot, s: State) -> None:
        self.engine = Pinocchio(robot)
        self.model, self.data, S = self.engine.model, self.engine.data, self.engine.leads.S
        self.q, self.v, self.a = self.engine._theirs(s.q, s.v, s.a)
        self.S = np.zeros_like(S)
        self.S[self.engine.at_v] = S
        pin.forwardKinematics(self.model, self.data, self.q, self.v, self.a)
        pin.updateFramePlacements(self.model, self.data)
        pin.computeJointJacobiansTimeVariation(self.model, self.data, self.q, self.v)

    def id(self, frame: str) -> int:
        return self.model.getFrameId(frame, pin.FrameType.BODY)

    def pose(self, frame: str) -> Array:
        return self.data.oMf[self.id(frame)].homogeneous

    def jacobian(self, frame: str, reference: str) -> Array:
        J = pin.getFrameJacobian(self.model, self.data, self.id(frame), IN_PINOCCHIO[reference])
        return J.reshape(6, -1) @ self.S

    def jacobian_rate(self, frame: str, reference: str) -> Array:
        rate = pin.getFrameJacobianTimeVariation(self.model, self.data, self.id(frame), IN_PINOCCHIO[reference])
        return rate.reshape(6, -1) @ self.S

    def velocity(self, frame: str, reference: str) -> Array:
        return pin.getFrameVelocity(self.model, self.data, self.id(frame), IN_PINOCCHIO[reference]).vector

    def acceleration(self, frame: str, reference: str) -> Array:
        """The rate of the velocity's components: about a moving point in the world's axes, the classical one."""
        classical = reference == "world_aligned"
        by = pin.getFrameClassicalAcceleration if classical else pin.getFrameAcceleration
        return by(self.model, self.data, self.id(frame), IN_PINOCCHIO[reference]).vector


class ByText:
    """The functions of a robot as its texts give them on floats, in the frames that are compiled from."""

    def __init__(self, robot: Robot, base_velocity: str = "world_aligned") -> None:
        self.robot, self.setting = robot, Setting(base_velocity)
        self.bodies = khalil_craig(skeleton(robot))

    def __call__(self, function: str, *state: Sequence[float], by: str = KINEMATICS.name, **aim: Any) -> Array:
        text = told(TABLE[by].text(function), QUANTITIES[function], self.setting, self.bodies, self.robot.nv)
        result = text(self.bodies, *(list(map(float, x)) for x in state), math, **aim)
        return np.array([getattr(x, "components", x) for x in result] if isinstance(result, list) else as_row(result))


def as_row(result: Any) -> Any:
    return getattr(result, "components", result)


def in_pinocchios_terms(robot: Robot) -> ByText:
    return ByText(robot, Pinocchio.base_velocity)


@settings(max_examples=30)
@given(case=MOVING)
def test_frames_are_where_pinocchio_has_them(case: tuple[Robot, State]) -> None:
    robot, s = case
    them, us = InPinocchio(robot, s), in_pinocchios_terms(robot)
    close(
        us("forward_kinematics", s.q, frames=robot.link_names), np.array([them.pose(name) for name in robot.link_names])
    )


@settings(max_examples=30)
@given(case=MOVING)
@pytest.mark.parametrize("reference", REFERENCES)
def test_frames_move_as_pinocchio_has_them(reference: str, case: tuple[Robot, State]) -> None:
    robot, s = case
    them, us = InPinocchio(robot, s), in_pinocchios_terms(robot)
    velocities = np.array([them.velocity(name, reference) for name in robot.link_names])
    accelerations = np.array([them.acceleration(name, reference) for name in robot.link_names])
    aim = {"frames": robot.link_names, "reference": reference}
    close(us("frame_velocities", s.q, s.v, **aim), velocities)
    size = float((1.0 + np.abs(velocities).max()) ** 2)
    close(us("frame_accelerations", s.q, s.v, s.a, **aim), accelerations, size)


@settings(max_examples=15)
@given(case=MOVING)
@pytest.mark.parametrize("reference", REFERENCES)
def test_jacobians_and_their_rates_are_pinocchios(reference: str, case: tuple[Robot, State]) -> None:
    robot, s = case
    them, us = InPinocchio(robot, s), in_pinocchios_terms(robot)
    for name in {robot.link_names[-1], robot.link_names[len(robot.links) // 2]}:
        aim = {"frames": (name,), "reference": reference}
        close(us("jacobian", s.q, **aim), them.jacobian(name, reference))
        speed = float(np.abs(them.velocity(name, reference)).max())
        close(us("jacobian_rate", s.q, s.v, **aim), them.jacobian_rate(name, reference), size=speed)


@settings(max_examples=20)
@given(case=MOVING)
@pytest.mark.parametrize("base_velocity", ["world_aligned", "body", "mujoco"])
@pytest.mark.parametrize("reference", REFERENCES)
def test_jacobians_map_rates_to_motions(reference: str, base_velocity: str, case: tuple[Robot, State]) -> None:
    """J v is the velocity, J a + dJ/dt v the acceleration, in whatever coordinates."""
    robot, s = case
    us, aim = ByText(robot, base_velocity), {"frames": robot.link_names[-1:], "reference": reference}
    J = us("jacobian", s.q, **aim)
    close(J @ s.v, us("frame_velocities", s.q, s.v, **aim)[0])
    terms = J @ s.a, us("jacobian_rate", s.q, s.v, **aim) @ s.v
    close(sum(terms), us("frame_accelerations", s.q, s.v, s.a, **aim)[0], size=float(np.abs(terms).max()))


@settings(max_examples=20)
@given(case=MOVING)
@pytest.mark.parametrize("reference", REFERENCES)
def test_the_rate_of_a_jacobian_is_its_derivative(reference: str, case: tuple[Robot, State]) -> None:
    """Between two positions that the robot passes a short time apart."""
    robot, s = case
    us, aim, h = ByText(robot), {"frames": robot.link_names[-1:], "reference": reference}, 1e-5
    ahead, behind = (us("jacobian", robot.integrate(s.q, s.v, dt), **aim) for dt in (h, -h))
    rate = us("jacobian_rate", s.q, s.v, **aim)
    assert np.abs((ahead - behind) / (2 * h) - rate).max() <= 1e-7 * (1.0 + np.abs(ahead).max() + np.abs(rate).max())


@settings(max_examples=30)
@given(case=MOVING)
def test_the_robot_as_one_mass_is_pinocchios(case: tuple[Robot, State]) -> None:
    robot, s = undriven(case[0]), case[1]
    assume(any(link.mass for link in robot.links))
    them, us = InPinocchio(robot, s), in_pinocchios_terms(robot)
    assume(pin.computeTotalMass(them.model, them.data) > 0.0)
    close(us("com", s.q), pin.centerOfMass(them.model, them.data, them.q))
    close(us("com_jacobian", s.q), pin.jacobianCenterOfMass(them.model, them.data, them.q).reshape(3, -1) @ them.S)
    momentum = pin.computeCentroidalMomentum(them.model, them.data, them.q, them.v).vector
    close(us("momentum", s.q, s.v, reference="com"), momentum)
    by_rates = pin.computeCentroidalMap(them.model, them.data, them.q).reshape(6, -1) @ them.S
    close(us("momentum_matrix", s.q, reference="com"), by_rates)
    kinetic = pin.computeKineticEnergy(them.model, them.data, them.q, them.v)
    close(us("kinetic_energy", s.q, s.v), np.asarray(kinetic))
    potential = pin.computePotentialEnergy(them.model, them.data, them.q)
    close(us("potential_energy", s.q), np.asarray(potential), size=100.0)


@settings(max_examples=20)
@given(case=any_joint_cases((1, 5), kinds=IN_MUJOCO).filter(lambda case: case[0].nv > 0))
def test_mujoco_agrees(case: tuple[Robot, State]) -> None:
    robot, s = case
    engine, us = MuJoCo(robot), ByText(robot, MuJoCo.base_velocity)
    engine._set(s.q, qvel=s.v)
    mujoco.mj_forward(engine.model, engine.data)
    poses = us("forward_kinematics", s.q, frames=robot.link_names)
    for name, pose in zip(robot.link_names, poses, strict=True):
        body = engine.data.body(name)
        close(pose[:3], np.column_stack([body.xmat.reshape(3, 3), body.xpos]))
    last = robot.link_names[-1]
    linear, angular = np.zeros((3, engine.model.nv)), np.zeros((3, engine.model.nv))
    mujoco.mj_jacBody(engine.model, engine.data, linear, angular, engine.model.body(last).id)
    theirs = np.vstack([linear, angular])[:, engine.at_v] @ engine.leads.S
    close(us("jacobian", s.q, frames=(last,), reference="world_aligned"), theirs)


@settings(max_examples=20)
@given(case=MOVING)
def test_energy_and_momentum_by_their_definitions(case: tuple[Robot, State]) -> None:
    """T = ½ vᵀMv with every rotor, g = ∂V/∂q along a way, and momenta about two points that differ by c × p."""
    robot, s = case
    assume(any(link.mass for link in robot.links[-1:]))
    us = ByText(robot)
    M = us("mass_matrix", s.q, by="composite-body")
    close(us("kinetic_energy", s.q, s.v), np.asarray(0.5 * np.dot(s.v, M @ s.v)))
    h = 1e-5
    ahead, behind = (us("potential_energy", robot.integrate(s.q, s.v, dt)) for dt in (h, -h))
    power = us("gravity_torques", s.q, by="newton-euler") @ s.v
    assert abs((ahead - behind) / (2 * h) - power) <= 1e-6 * (1.0 + abs(power) + abs(ahead))
    about_com, about_world = (us("momentum", s.q, s.v, reference=about) for about in ABOUT)
    assert about_com[:3] == pytest.approx(about_world[:3], rel=1e-12, abs=1e-12)
    shift = np.cross(us("com", s.q), about_com[:3])
    close(about_com[3:] + shift, about_world[3:], size=float(np.abs(shift).max()))
    for about, momentum in zip(ABOUT, (about_com, about_world), strict=True):
        close(us("momentum_matrix", s.q, reference=about) @ s.v, momentum, size=float(np.abs(shift).max()))


def test_potential_energy_in_another_gravity():
    robot, q = chain("RPR"), [0.3, 0.2, -0.7]
    elsewhere = replace(robot, gravity=linkwise.load("planar-3r").gravity)
    ours = Kinematics(robot).potential_energy(q, gravity=list(elsewhere.gravity))
    assert ours == pytest.approx(Kinematics(elsewhere).potential_energy(q), rel=1e-13)


# Operational space


@settings(max_examples=20)
@given(case=MOVING)
@pytest.mark.parametrize("reference", REFERENCES)
def test_mobility_is_that_of_its_definition(reference: str, case: tuple[Robot, State]) -> None:
    robot, s = case
    us = ByText(robot)
    M = us("mass_matrix", s.q, by="composite-body")
    unit = np.sqrt(np.diag(M))
    κ = np.linalg.cond(M / np.outer(unit, unit))
    assume(κ < 1e6)
    mimics = any(link.joint.mimic for link in robot.links)
    for name in {robot.link_names[-1], robot.link_names[0]}:
        aim = {"frames": (name,), "reference": reference}
        J = us("jacobian", s.q, **aim)
        by_definition = J @ np.linalg.solve(M, J.T)
        for formulation in ("composite-body",) if mimics else ("composite-body", "operators"):
            ours = us("operational_space_mobility", s.q, by=formulation, **aim)
            assert np.abs(ours - by_definition).max() <= 1e-13 * κ * (1.0 + np.abs(by_definition).max())


@pytest.mark.parametrize("formulation", ["auto", "operators", "composite-body", "kane"])
@pytest.mark.parametrize("reference", REFERENCES)
def test_inertia_is_the_inverse_of_the_mobility(formulation: str, reference: str) -> None:
    robot = linkwise.load("stanford-saha-2001")
    us, q = Dynamics(robot, formulation), robot.random(3)
    name = robot.link_names[-1]
    Λ, Ω = (f(q, name, reference=reference) for f in (us.operational_space_inertia, us.operational_space_mobility))
    np.testing.assert_allclose(Λ @ Ω, np.eye(6), atol=1e-8)
    np.testing.assert_array_equal(Λ, Λ.T)


def test_the_recursion_of_the_report_is_of_order_n():
    """Its operations grow in proportion to the joints, those of J M⁻¹ Jᵀ with their cube."""

    def operations(formulation: str, n: int) -> int:
        us = Dynamics(chain("R" * n), formulation)
        us.operational_space_mobility(np.zeros(n), us.robot.link_names[-1])
        (facts,) = us.explain().functions
        return facts.M + facts.A

    by_recursion = [operations("operators", n) for n in (6, 12, 18)]
    assert by_recursion[2] - by_recursion[1] == pytest.approx(by_recursion[1] - by_recursion[0], rel=0.1)
    assert operations("composite-body", 18) > 1.5 * by_recursion[2]


def test_a_frame_that_cannot_move_freely_has_no_inertia():
    arm = Dynamics(linkwise.load("planar-3r"))
    with pytest.raises(LinkwiseError, match=r"cannot move in all six directions") as caught:
        arm.operational_space_inertia([0.1, 0.2, 0.3], "link3")
    assert "operational_space_mobility" in str(caught.value)


# The manipulability


def test_manipulability():
    arm = Kinematics(linkwise.load("puma-560-armstrong-1986"))
    q = arm.robot.random(5, 20)
    J = arm.jacobian(q, "link6")
    np.testing.assert_allclose(arm.manipulability(q, "link6"), np.abs(np.linalg.det(J)), rtol=1e-9)
    linear = np.sqrt(np.linalg.det(J[:, :3] @ J[:, :3].transpose(0, 2, 1)))
    np.testing.assert_allclose(arm.manipulability(q, "link6", axes="linear"), linear, rtol=1e-9)
    straight_wrist = np.where(np.arange(6) == 4, 0.0, q[0])
    assert arm.manipulability(straight_wrist, "link6") < 1e-12
    with pytest.raises(LinkwiseError, match="axes"):
        arm.manipulability(q, "link6", axes="sideways")


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_manipulability_of_what_is_no_number_is_none(dtype: type):
    arm = Kinematics(linkwise.load("puma-560-armstrong-1986"), dtype=dtype)
    q = arm.robot.random(5, 4).astype(dtype)
    whole = arm.manipulability(q, "link6")
    assert whole.dtype == dtype
    q[1, 2], q[2, 4] = np.nan, np.inf
    np.testing.assert_array_equal(arm.manipulability(q, "link6"), np.where([1, 0, 0, 1], whole, np.nan))
    assert np.isnan(arm.manipulability(q[1], "link6"))


# Arrays, names and mistakes


def calls(us: Kinematics, frame: str) -> Iterator[tuple[Callable[..., Array], tuple[int, ...]]]:
    """Every function of kinematics on as many vectors as it is given, and the shape of a state's result."""
    n = us.robot.nv
    yield lambda q, v, **o: us.forward_kinematics(q, frame, **o), (4, 4)
    yield lambda q, v, **o: us.forward_kinematics(q, [frame, us.robot.link_names[0]], **o), (2, 4, 4)
    yield lambda q, v, **o: us.jacobian(q, frame, **o), (6, n)
    yield lambda q, v, **o: us.jacobian_rate(q, v, frame, **o), (6, n)
    yield lambda q, v, **o: us.frame_velocities(q, v, frame, **o), (6,)
    yield lambda q, v, **o: us.frame_velocities(q, v, **o), (len(us.robot.frame_names), 6)
    yield lambda q, v, **o: us.frame_accelerations(q, v, v, frame, **o), (6,)
    yield lambda q, v, **o: us.com(q, **o), (3,)
    yield lambda q, v, **o: us.com_jacobian(q, **o), (3, n)
    yield lambda q, v, **o: us.momentum(q, v, **o), (6,)
    yield lambda q, v, **o: us.momentum_matrix(q, **o), (6, n)
    yield lambda q, v, **o: us.kinetic_energy(q, v, **o), ()
    yield lambda q, v, **o: us.potential_energy(q, **o), ()
    yield lambda q, v, **o: us.operational_space_mobility(q, frame, **o), (6, 6)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_batches_layouts_and_out(dtype: type) -> None:
    """A batch has the bits of its states one by one, whatever its layout and wherever it is written."""
    robot = linkwise.load("stanford-saha-2001")
    us = Kinematics(robot, dtype=dtype)
    rng = np.random.default_rng(0)
    q, v = (rng.normal(size=(4, 5, 6)).astype(dtype) for _ in range(2))
    for call, core in calls(us, robot.link_names[-1]):
        batch = call(q, v)
        assert batch.shape == (4, 5, *core)
        assert batch.dtype == dtype
        np.testing.assert_array_equal(batch[2, 3], call(q[2, 3], v[2, 3]))
        np.testing.assert_array_equal(call(q.transpose(1, 0, 2), v.transpose(1, 0, 2)), np.swapaxes(batch, 0, 1))
        np.testing.assert_array_equal(call(q[:, :1].tolist(), v[:1, 2:3].astype(float))[1, 0], call(q[1, 0], v[0, 2]))
        out = np.empty((4, 5, *core), dtype)
        assert call(q, v, out=out) is out
        np.testing.assert_array_equal(out, batch)
        strided = np.empty((*core, 4, 5), dtype)
        call(q, v, out=np.moveaxis(strided, (-2, -1), (0, 1)), threads=2)
        np.testing.assert_array_equal(np.moveaxis(strided, (-2, -1), (0, 1)), batch)
        with pytest.raises(LinkwiseError, match="out cannot take the result"):
            call(q, v, out=np.empty((4, 5, *core, 2), dtype))


def test_texts_run_on_other_scalars_by_name():
    us, q = Dynamics(linkwise.load("planar-3r")), [0.1, 0.2, 0.3]
    by_text = us.run_text("jacobian", q, frames="tip", reference="local")
    np.testing.assert_allclose(by_text, us.jacobian(q, "tip", reference="local"), atol=1e-15)
    assert us.run_text("kinetic_energy", q, q) == pytest.approx(us.kinetic_energy(q, q))


def test_frames_may_be_given_by_what_is_gone_over_once():
    us, q = Kinematics(linkwise.load("planar-3r")), [0.1, 0.2, 0.3]
    frames = ["link3", "link1"]
    np.testing.assert_array_equal(us.forward_kinematics(q, iter(frames)), us.forward_kinematics(q, frames))


@pytest.mark.parametrize(
    ("out", "words"),
    [
        (np.empty((5, 3, 4)), r"shape \(5, 3, 4\)(.|\n)*last axes are \(4, 4, 4\)"),
        (np.empty((3, 4, 4, 4)), r"shape \(3, 4, 4, 4\) and float64\n.*shape \(5, 4, 4, 4\) and float64"),
        (np.empty((5, 4, 4, 4), np.float32), r"shape \(5, 4, 4, 4\) and float32\n.*shape \(5, 4, 4, 4\) and float64"),
        (np.broadcast_to(np.empty((4, 4)), (5, 4, 4, 4)), "read-only"),
        (np.ma.zeros((5, 4, 4, 4)), r"MaskedArray of shape \(5, 4, 4, 4\)"),
        ([0.0], r"given: \[0.0\]"),
    ],
    ids=["axes", "batch", "type", "read-only", "masked", "list"],
)
def test_what_cannot_take_the_result_is_told_in_the_callers_shapes(out: object, words: str) -> None:
    us = Kinematics(linkwise.load("planar-3r"))
    with pytest.raises(LinkwiseError, match=words):
        us.forward_kinematics(np.zeros((5, 3)), out=out)  # pyright: ignore[reportArgumentType]


def test_frames_that_stand_still_and_the_tip():
    """What no joint moves has its place in the world; a tip beyond the last link is a frame of its own."""
    robot = any_chain("fixed", "revolute", seed=2)
    tip = Placement((Screw(Turn("x", 0.6, 0.8), 0.5),))
    us = Kinematics(replace(robot, tip=tip))
    assert us.robot.frame_names == (*robot.link_names, "tip")
    poses = us.forward_kinematics([0.3])
    first = robot.links[0].joint.placement
    assert poses[0, :3, 3] == pytest.approx(list(first.position))
    np.testing.assert_allclose(poses[1] @ homogeneous(tip), poses[2], atol=1e-15)
    for reference in REFERENCES:
        assert not us.frame_velocities([0.3], [1.0], robot.link_names[0], reference=reference).any()
        assert not us.jacobian([0.3], robot.link_names[0], reference=reference).any()
        assert not us.operational_space_mobility([0.3], robot.link_names[0], reference=reference).any()


def homogeneous(placement: Placement) -> Array:
    made = np.eye(4)
    made[:3, :3] = [list(row) for row in placement.rotation.matrix]
    made[:3, 3] = list(placement.position)
    return made


def test_a_tip_wrench_is_taken_by_the_jacobian_of_the_tip():
    """What the tip exerts costs Jᵀ w, both told in the last moving link's axes about the tip."""
    robot = replace(chain("RPR"), tip=Placement((Screw(Turn("z", 1.0, 0.0), 0.4), Screw(Turn("x", 1.0, 0.0), 0.3))))
    us, q, w = Dynamics(robot), np.array([0.2, 0.5, -1.0]), np.arange(1.0, 7.0)
    told = us.bias(q, 0 * q, tip_wrench=w) - us.bias(q, 0 * q)
    np.testing.assert_allclose(us.jacobian(q, "tip", reference="local").T @ w, told, atol=1e-12)


def test_masses_at_run_time_move_the_centre():
    robot = linkwise.load("planar-3r")
    us = Kinematics(robot, parameters=("mass",), links=["link3"])
    q = [0.1, 0.2, 0.3]
    heavier = replace(robot, links=(*robot.links[:-1], replace(robot.links[-1], mass=9.0)))
    np.testing.assert_allclose(us.com(q, mass=[9.0]), Kinematics(heavier).com(q), rtol=1e-14)
    np.testing.assert_allclose(us.com(q), Kinematics(robot).com(q), rtol=1e-14)
    np.testing.assert_allclose(us.momentum(q, q, mass=[9.0]), Kinematics(heavier).momentum(q, q), atol=1e-14)
    assert us.jacobian(q, "link3").shape == (6, 3)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda us: us.jacobian([0, 0, 0], "hand"), "'hand'"),
        (lambda us: us.jacobian([0, 0, 0], ["link3"]), "jacobian is of one frame"),
        (lambda us: us.jacobian([0, 0, 0], None), "jacobian is of one frame"),
        (lambda us: us.jacobian([0, 0, 0], "link3", reference="body"), "reference"),
        (lambda us: us.forward_kinematics([0, 0, 0], ["link3", "hand"]), "'hand'"),
        (lambda us: us.forward_kinematics([0, 0, 0], []), "No frame is named"),
        (lambda us: us.forward_kinematics([0, 0, 0], 3), "frames should be a sequence of names"),
        (lambda us: us.forward_kinematics([0, 0, 0], [["link3"]]), r"given: \['link3'\]"),
        (lambda us: us.jacobian([0, 0, 0], "link3", reference=["local"]), "reference"),
        (lambda us: us.forward_kinematics([0, 0], "link3"), "q has the wrong shape"),
        (lambda us: us.momentum([0, 0, 0], [0, 0, 0], about="base"), "reference"),
        (lambda us: us.compile("poses"), "no such function"),
    ],
)
def test_mistakes_are_told(call: Callable[[Kinematics], object], words: str) -> None:
    with pytest.raises(LinkwiseError, match=words):
        call(Kinematics(linkwise.load("planar-3r")))


def test_what_has_no_mass_has_no_centre():
    robot = chain("RR")
    massless = replace(robot, links=tuple(replace(link, mass=0.0, inertia=(0.0,) * 6) for link in robot.links))
    with pytest.raises(LinkwiseError, match="has no mass"):
        Kinematics(massless).com([0.0, 0.0])


@pytest.mark.parametrize("kinds", [("free", "revolute", "prismatic"), ("universal", "spherical", "helical")])
def test_what_is_compiled_is_the_text(kinds: tuple[str, ...]) -> None:
    """Through normal form, rewriting and the compiler, in dynamics as in kinematics."""
    robot = any_chain(*kinds, seed=3)
    s, us, text, name = any_state(robot, 0), Dynamics(robot), ByText(robot), robot.link_names[-1]
    close(us.forward_kinematics(s.q), text("forward_kinematics", s.q, frames=robot.frame_names))
    rate = text("jacobian_rate", s.q, s.v, frames=(name,), reference="local")
    close(us.jacobian_rate(s.q, s.v, name, reference="local"), rate)
    close(us.momentum(s.q, s.v, about="world"), text("momentum", s.q, s.v, reference="world"))
    close(np.asarray(us.kinetic_energy(s.q, s.v)), text("kinetic_energy", s.q, s.v))
