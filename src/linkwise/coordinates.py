"""The texts in a robot's own coordinates.

A text speaks of the rates θ̇ of its bodies' axes, their accelerations θ̈ and the forces τ along them; a robot of its
velocities v, their derivatives a and the forces tau that do work on them:

    θ̇ = S(q) v        θ̈ = S a + Ṡ v        tau = Sᵀ τ

For a plain joint S is one. An axis that mimics another has its multiplier there. A joint with a quaternion stands at
nought on three axes of its own, x, y, z one after the other, on which its body's angular velocity ω has the components
θ̇; but these axes turn each other, so that θ̈ = dω/dt - Ė θ̇ with Ė θ̇ = (ω_y ω_z, -ω_x ω_z, ω_x ω_y). A free joint's
v may be told in other axes (`base_velocity`), between which and its own ones the joint's rotation leads. Without
mimics S is orthogonal, S⁻¹ = Sᵀ.

What drives lose, damping θ̇ and friction sign(θ̇), is taken off or added here, for every text alike.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from .algebra import ZERO, Force, Mat, Motion, Scalar, Vec, skew, solve_udu, udu
from .formulations.composite_body import mass_matrix
from .formulations.kinematics import jacobian
from .formulations.newton_euler import inverse_dynamics, to_parent
from .formulations.operational_space import inverse, through_joints
from .formulations.registry import Text
from .loads import joint_forces, on_bodies
from .quantities import Quantity
from .robot.skeleton import Place, Skeleton
from .setting import Setting
from .sweep import Bodies, inward

Scalars = Sequence[Scalar]
Row = Mapping[int, Scalar]
Rows = list[list[Scalar]]


@dataclass(frozen=True, slots=True)
class Coordinates:
    """S at a position, a row for each axis, with the entries that are not nought by their column."""

    robot: Skeleton
    S: tuple[Row, ...]
    rotations: Mapping[int, Mat]
    """For the first of the three turns of every quaternion, its rotation."""
    base_velocity: str
    nv: int

    def rates(self, v: Scalars) -> list[Scalar]:
        """S v."""
        return [_dot(row, v) for row in self.S]

    def tau(self, τ: Scalars) -> list[Scalar]:
        """Sᵀ τ."""
        return [_dot(column, τ) for column in self.columns]

    @property
    def columns(self) -> list[Row]:
        return _columns(self.S, self.nv)

    def drift(self, v: Scalars) -> list[Scalar]:
        """Ṡ v."""
        return [_dot(row, v) for row in self.Ṡ(v)]

    def Ṡ(self, v: Scalars, *, axes_turn: bool = True) -> list[Row]:
        """The rate of S while the robot moves at v; of d(S v)/dt, if axes that stand at nought did not turn."""
        rows: list[Row] = [{} for _ in self.S]
        θ̇ = self.rates(v)
        for first, mount in self.robot.mounts:
            R, ω, at = self.rotations[first], Vec(*θ̇[first : first + 3]), _first(self.robot, first)
            turning = -Ė(ω) if axes_turn else NOTHING
            if mount.free and self.base_velocity == "world_aligned":
                turning = (turning - skew(ω)) @ R.T
            _fill(rows, first, at, turning)
            if mount.free and self.base_velocity == "body":
                _fill(rows, first - 3, at - 3, R @ skew(ω))
        return rows


NOTHING = Mat(ZERO, ZERO, ZERO)


def Ė(ω: Vec) -> Mat:
    """How three axes that stand at nought turn each other."""
    return Mat(Vec(0.0, ω.z, 0.0), Vec(-ω.z, 0.0, 0.0), Vec(ω.y, 0.0, 0.0))


def coordinates(robot: Skeleton, q: Scalars, nv: int, base_velocity: str) -> Coordinates:
    """S where the robot is at q."""
    rows: list[Row] = [{bone.rate.index or 0: bone.rate.multiplier} for bone in robot.bones]
    rotations = {first: mount.turned(q) for first, mount in robot.mounts}
    for first, mount in robot.mounts:
        at = _first(robot, first)
        if mount.free and base_velocity == "world_aligned":
            _fill(rows, first, at, rotations[first].T)
        if mount.free and base_velocity == "body":
            _fill(rows, first - 3, at - 3, rotations[first])
    return Coordinates(robot, tuple(rows), rotations, base_velocity, nv)


def _first(robot: Skeleton, bone: int) -> int:
    """The entry of v that an axis begins with which is not another's."""
    return robot.bones[bone].rate.index or 0


def _fill(rows: list[Row], i: int, j: int, block: Mat) -> None:
    """Put a block of three rows and columns at (i, j)."""
    for k, row in enumerate((block.x, block.y, block.z)):
        rows[i + k] = dict(zip(range(j, j + 3), row, strict=True))


def _columns(rows: Sequence[Row], n: int) -> list[Row]:
    return [{i: row[j] for i, row in enumerate(rows) if j in row} for j in range(n)]


def _dot(row: Row, x: Scalars) -> Scalar:
    return _total([x[j] if isinstance(c, float) and c == 1.0 else c * x[j] for j, c in row.items()])


def _total(terms: Scalars) -> Scalar:
    """The sum; that of nothing is nought."""
    return sum(terms[1:], terms[0]) if terms else 0.0


def plus(x: Scalars, y: Scalars) -> list[Scalar]:
    return [a + b for a, b in zip(x, y, strict=True)]


def minus(x: Sequence[Any], y: Sequence[Any]) -> list[Any]:
    return [a - b for a, b in zip(x, y, strict=True)]


def rotors(robot: Skeleton, θ̇: Scalars) -> list[Scalar]:
    """What a text's θ̈ leaves out of dω/dt where a joint with a quaternion has rotors, which feel the latter."""
    felt: list[Scalar] = [0.0] * len(robot.bones)
    for first, _ in robot.mounts:
        ω = Vec(*θ̇[first : first + 3])
        for bone, drift in zip(robot.bones[first : first + 3], Ė(ω) @ ω, strict=True):
            felt[bone.index] = 0.0 if bone.rotor == 0.0 else bone.rotor * drift
    return felt


def losses(robot: Skeleton, θ̇: Scalars, fn: Any, width: float) -> list[Scalar]:
    """The forces that joints need to go on at their rates: damping, and Coulomb friction, which is nought at rest."""
    return [
        _total(list(_lost(bone.damping, bone.friction, x, fn, width))) for bone, x in zip(robot.bones, θ̇, strict=True)
    ]


def _lost(damping: Scalar, friction: Scalar, rate: Scalar, fn: Any, width: float) -> Iterator[Scalar]:
    if damping != 0.0:
        yield damping * rate
    if friction != 0.0:
        yield friction * (rate / fn.sqrt(rate * rate + width * width) if width else sign(rate, fn))


def sign(x: Scalar, fn: Any) -> Scalar:
    """From the scalar's own namespace; Python's has none."""
    return fn.sign(x) if hasattr(fn, "sign") else (x > 0.0) - (x < 0.0)


@dataclass(frozen=True, slots=True)
class Told:
    """A text in the robot's own coordinates, to be called as the text is."""

    text: Text
    quantity: Quantity
    setting: Setting
    nv: int

    def __call__(self, robot: Skeleton, q: Scalars, *vectors: Any, **more: Any) -> Any:
        *given, fn = vectors
        axes = coordinates(robot, q, self.nv, self.setting.base_velocity)
        return TELLING[self.quantity.name](self, axes, q, *given, fn, **more)

    def taken(self, axes: Coordinates, q: Scalars, θ̇: Scalars, fn: Any, f_ext: Sequence[Force] | None) -> list[Scalar]:
        """The joint forces that do not reach the links: what is lost, less what comes from outside."""
        lost = plus(losses(axes.robot, θ̇, fn, self.setting.friction_width), rotors(axes.robot, θ̇))
        if f_ext is None:
            return lost
        links = axes.robot.at(q, fn)
        return minus(lost, joint_forces(links, self.loads(axes, links, f_ext)))

    def loads(self, axes: Coordinates, links: Bodies, f_ext: Sequence[Force]) -> list[Force]:
        known = {frame.name: frame for frame in axes.robot.frames}
        frames = [known[name] for name in self.setting.f_ext_on]
        return on_bodies(axes.robot, links, frames, f_ext, self.setting.f_ext_reference)


def told(text: Text, quantity: Quantity, setting: Setting, robot: Skeleton, nv: int, *, loaded: bool = False) -> Text:
    """A text in the robot's own coordinates, which takes wrenches from outside as `f_ext`.

    Where these coordinates are the axes, and nothing is lost in them nor loads them, it is the text itself.
    """
    return text if _plain(robot) and not loaded else Told(text, quantity, setting, nv)


def _plain(robot: Skeleton) -> bool:
    return not any(
        bone.mount or bone.rate != Place(bone.index) or bone.damping != 0.0 or bone.friction != 0.0
        for bone in robot.bones
    )


Loads = Sequence[Force] | None


def _inverse_dynamics(
    told: Told, axes: Coordinates, q: Scalars, v: Scalars, a: Scalars, fn: Any, f_ext: Loads = None, **more: Any
) -> list[Scalar]:
    θ̇ = axes.rates(v)
    τ = told.text(axes.robot, q, θ̇, plus(axes.rates(a), axes.drift(v)), fn, **more)
    return axes.tau(plus(τ, told.taken(axes, q, θ̇, fn, f_ext)))


def _bias(
    told: Told, axes: Coordinates, q: Scalars, v: Scalars, fn: Any, f_ext: Loads = None, **more: Any
) -> list[Scalar]:
    """The forces of axes that accelerate as they drift."""
    θ̇ = axes.rates(v)
    τ = told.text(axes.robot, q, θ̇, fn, drift=axes.drift(v), **more)
    return axes.tau(plus(τ, told.taken(axes, q, θ̇, fn, f_ext)))


def _gravity_torques(told: Told, axes: Coordinates, q: Scalars, fn: Any, **more: Any) -> Any:
    return axes.tau(told.text(axes.robot, q, fn, **more))


def _mass_matrix(told: Told, axes: Coordinates, q: Scalars, fn: Any) -> Rows:
    """Sᵀ M S."""
    return _congruent(axes, told.text(axes.robot, q, fn))


def _congruent(axes: Coordinates, M: Rows) -> Rows:
    columns = axes.columns
    half = [[_dot(column, row) for column in columns] for row in M]
    whole = [[_dot(column, [row[j] for row in half]) for j in range(axes.nv)] for column in columns]
    return [[whole[min(i, j)][max(i, j)] for j in range(axes.nv)] for i in range(axes.nv)]


def _coriolis_matrix(told: Told, axes: Coordinates, q: Scalars, v: Scalars, fn: Any) -> Rows:
    """Sᵀ (C S + M Ṡ): its double differs from the rate of Sᵀ M S by a skew matrix again."""
    C, M = told.text(axes.robot, q, axes.rates(v), fn), mass_matrix(without_rotors(axes.robot), q, fn)
    rates, of_rotors = _columns(axes.Ṡ(v), axes.nv), axes.Ṡ(v, axes_turn=False)
    half = [
        [_dot(column, C_i) + _dot(rate, M_i) for column, rate in zip(axes.columns, rates, strict=True)]
        for C_i, M_i in zip(C, M, strict=True)
    ]
    for bone, row, rate in zip(axes.robot.bones, half, of_rotors, strict=True):
        for j, entry in rate.items() if bone.rotor != 0.0 else ():
            row[j] = row[j] + bone.rotor * entry
    return [[_dot(column, [row[j] for row in half]) for j in range(axes.nv)] for column in axes.columns]


def without_rotors(robot: Skeleton) -> Skeleton:
    return replace(robot, bones=tuple(replace(bone, rotor=0.0) for bone in robot.bones))


def _forward_dynamics(
    told: Told, axes: Coordinates, q: Scalars, v: Scalars, tau: Scalars, fn: Any, f_ext: Loads = None, **more: Any
) -> list[Scalar]:
    """a = S⁻¹ (θ̈ - Ṡ v), S⁻¹ being Sᵀ; with mimics, from the mass matrix of the robot's own coordinates."""
    if axes.robot.mimics:
        by_newton_euler = replace(told, text=inverse_dynamics)
        bias = _inverse_dynamics(by_newton_euler, axes, q, v, [0.0] * axes.nv, fn, f_ext, **more)
        return _accelerations(told, axes, q, minus(tau, bias), fn)
    return axes.tau(minus(_under_forces(told, axes, q, v, tau, fn, f_ext, **more), axes.drift(v)))


def _accelerations(told: Told, axes: Coordinates, q: Scalars, φ: Scalars, fn: Any) -> list[Scalar]:
    if axes.robot.mimics:
        return solve_udu(*udu(_congruent(axes, mass_matrix(axes.robot, q, fn))), φ)
    return axes.tau(told.text(axes.robot, q, axes.rates(φ), fn))


def _inverse_mass_matrix(told: Told, axes: Coordinates, q: Scalars, fn: Any) -> Rows:
    """S⁻¹ M⁻¹ S⁻ᵀ, S⁻¹ being Sᵀ."""
    return _congruent(axes, told.text(axes.robot, q, fn))


def _under_forces(
    told: Told, axes: Coordinates, q: Scalars, v: Scalars, tau: Scalars, fn: Any, f_ext: Loads = None, **more: Any
) -> Any:
    """A text's answer to the forces that reach the links."""
    θ̇ = axes.rates(v)
    return told.text(axes.robot, q, θ̇, minus(axes.rates(tau), told.taken(axes, q, θ̇, fn, f_ext)), fn, **more)


def _joint_reactions(
    told: Told, axes: Coordinates, q: Scalars, v: Scalars, tau: Scalars, fn: Any, f_ext: Loads = None, **more: Any
) -> list[Force]:
    """Less what the loads themselves carry of all beyond a joint."""
    reactions = _under_forces(told, axes, q, v, tau, fn, f_ext, **more)
    if f_ext is None:
        return reactions
    links = axes.robot.at(q, fn)
    carried = inward(links, to_parent, told.loads(axes, links, f_ext))
    return minus(reactions, carried)


def _at_position(told: Told, axes: Coordinates, q: Scalars, fn: Any, **aim: Any) -> Any:
    """What positions alone determine."""
    return told.text(axes.robot, q, fn, **aim)


def _by_rates(told: Told, axes: Coordinates, q: Scalars, v: Scalars, fn: Any, **aim: Any) -> Any:
    return told.text(axes.robot, q, axes.rates(v), fn, **aim)


def _frame_accelerations(
    told: Told, axes: Coordinates, q: Scalars, v: Scalars, a: Scalars, fn: Any, **aim: Any
) -> list[Motion]:
    return told.text(axes.robot, q, axes.rates(v), plus(axes.rates(a), axes.drift(v)), fn, **aim)


def _times(matrix: Rows, columns: Sequence[Row]) -> Rows:
    """The matrix times S, or times Ṡ."""
    return [[_dot(column, row) for column in columns] for row in matrix]


def _jacobian(told: Told, axes: Coordinates, q: Scalars, fn: Any, **aim: Any) -> Rows:
    """J S, J being any matrix that rates are multiplied by."""
    return _times(told.text(axes.robot, q, fn, **aim), axes.columns)


def _jacobian_rate(told: Told, axes: Coordinates, q: Scalars, v: Scalars, fn: Any, **aim: Any) -> Rows:
    """J̇ S + J Ṡ."""
    by_rate = _times(told.text(axes.robot, q, axes.rates(v), fn, **aim), axes.columns)
    by_axes = _times(jacobian(axes.robot, q, fn, **aim), _columns(axes.Ṡ(v), axes.nv))
    return [plus(*rows) for rows in zip(by_rate, by_axes, strict=True)]


def _operational_space_mobility(told: Told, axes: Coordinates, q: Scalars, fn: Any, **aim: Any) -> Rows:
    """Joints that mimic others move as the robot's own coordinates do, with its mass matrix in these."""
    if not axes.robot.mimics:
        return told.text(axes.robot, q, fn, **aim)
    J, M = jacobian(axes.robot, q, fn, **aim), mass_matrix(axes.robot, q, fn)
    return through_joints(_times(J, axes.columns), _congruent(axes, M))


def _operational_space_inertia(told: Told, axes: Coordinates, q: Scalars, fn: Any, **aim: Any) -> Rows:
    mobility = _operational_space_mobility(told, axes, q, fn, **aim)
    return inverse(mobility) if axes.robot.mimics else mobility


TELLING: Mapping[str, Callable[..., Any]] = {
    "inverse_dynamics": _inverse_dynamics,
    "forward_dynamics": _forward_dynamics,
    "mass_matrix": _mass_matrix,
    "bias": _bias,
    "gravity_torques": _gravity_torques,
    "accelerations": _accelerations,
    "coriolis_matrix": _coriolis_matrix,
    "inverse_mass_matrix": _inverse_mass_matrix,
    "link_accelerations": _under_forces,
    "tip_acceleration": _under_forces,
    "joint_reactions": _joint_reactions,
    "forward_kinematics": _at_position,
    "frame_velocities": _by_rates,
    "frame_accelerations": _frame_accelerations,
    "jacobian": _jacobian,
    "jacobian_rate": _jacobian_rate,
    "operational_space_mobility": _operational_space_mobility,
    "operational_space_inertia": _operational_space_inertia,
    "com": _at_position,
    "com_jacobian": _jacobian,
    "momentum": _by_rates,
    "momentum_matrix": _jacobian,
    "kinetic_energy": _by_rates,
    "potential_energy": _at_position,
}
"""How each quantity is told in a robot's own coordinates."""
