"""Six-dimensional quantities: motions, forces and the inertias between them, moment before force, turn before slide."""

from __future__ import annotations

from dataclasses import dataclass

from .rotation import Rotation
from .vec import ZERO, Mat, Scalar, Sym, Vec, diagonal, skew


@dataclass(frozen=True, slots=True)
class Motion:
    """An angular and a linear part: velocity or acceleration of a frame's origin."""

    angular: Vec
    linear: Vec

    def __add__(self, other: Motion) -> Motion:
        return Motion(self.angular + other.angular, self.linear + other.linear)

    def __sub__(self, other: Motion) -> Motion:
        return Motion(self.angular - other.angular, self.linear - other.linear)

    def __neg__(self) -> Motion:
        return Motion(-self.angular, -self.linear)

    def __mul__(self, scale: Scalar) -> Motion:
        return Motion(self.angular * scale, self.linear * scale)

    def shifted(self, p: Vec) -> Motion:
        """The same rigid motion, told of the point at p instead of the origin."""
        return Motion(self.angular, self.linear + self.angular.cross(p))

    def turned(self, R: Rotation) -> Motion:
        return Motion(R @ self.angular, R @ self.linear)

    @property
    def components(self) -> tuple[Scalar, ...]:
        """All six, the linear ones first, as users are told them."""
        return (*self.linear, *self.angular)


@dataclass(frozen=True, slots=True)
class Force:
    """A moment about a frame's origin and a force: a wrench."""

    moment: Vec
    force: Vec

    def __add__(self, other: Force) -> Force:
        return Force(self.moment + other.moment, self.force + other.force)

    def __sub__(self, other: Force) -> Force:
        return Force(self.moment - other.moment, self.force - other.force)

    def __neg__(self) -> Force:
        return Force(-self.moment, -self.force)

    def __mul__(self, scale: Scalar) -> Force:
        return Force(self.moment * scale, self.force * scale)

    def dot(self, motion: Motion) -> Scalar:
        """The power of this wrench on that motion."""
        return self.moment.dot(motion.angular) + self.force.dot(motion.linear)

    def at(self, p: Vec) -> Force:
        """The same wrench, acting at p, told about the origin."""
        return Force(self.moment + p.cross(self.force), self.force)

    def turned(self, R: Rotation) -> Force:
        return Force(R @ self.moment, R @ self.force)

    @property
    def components(self) -> tuple[Scalar, ...]:
        """All six, the force before the moment, as users are told them."""
        return (*self.force, *self.moment)


@dataclass(frozen=True, slots=True)
class Inertia:
    """Mass, first moment m c and second moments of a rigid body about its frame's origin.

    Any of them may be nought: the regrouped parameters of a normal form have no mass left in them.
    """

    mass: Scalar
    moment: Vec
    tensor: Sym

    def __add__(self, other: Inertia) -> Inertia:
        return Inertia(self.mass + other.mass, self.moment + other.moment, self.tensor + other.tensor)

    def __matmul__(self, a: Motion) -> Force:
        return Force(
            (self.tensor @ a.angular) + self.moment.cross(a.linear),
            a.linear * self.mass - self.moment.cross(a.angular),
        )

    def at(self, p: Vec) -> Inertia:
        """The same body with its frame's origin at p, told about the new origin: parallel axes."""
        h, m = self.moment, self.mass
        lever = h + p * m
        dx = (p.x + p.x) * h.x + (p.x * p.x) * m
        dy = (p.y + p.y) * h.y + (p.y * p.y) * m
        dz = (p.z + p.z) * h.z + (p.z * p.z) * m
        shift = Sym(
            dy + dz,
            -(p.x * h.y + p.y * lever.x),
            -(p.x * h.z + p.z * lever.x),
            dx + dz,
            -(p.y * h.z + p.z * lever.y),
            dx + dy,
        )
        return Inertia(self.mass, lever, self.tensor + shift)

    @property
    def articulated(self) -> ArticulatedInertia:
        """The same inertia as a general one, to which those of bodies beyond joints can be added."""
        return ArticulatedInertia(self.tensor, skew(self.moment), diagonal(self.mass, self.mass, self.mass))

    def turned(self, R: Rotation) -> Inertia:
        return Inertia(self.mass, R @ self.moment, R.similar(self.tensor))


@dataclass(frozen=True, slots=True)
class ArticulatedInertia:
    """A symmetric 6 by 6 inertia [[A, B], [Bᵀ, C]] from motions to forces, as that of a body with joints beyond it."""

    A: Sym
    B: Mat
    C: Sym

    def __add__(self, other: ArticulatedInertia) -> ArticulatedInertia:
        return ArticulatedInertia(self.A + other.A, self.B + other.B, self.C + other.C)

    def __sub__(self, other: ArticulatedInertia) -> ArticulatedInertia:
        return ArticulatedInertia(self.A - other.A, self.B - other.B, self.C - other.C)

    def at(self, p: Vec) -> ArticulatedInertia:
        """The same inertia told about the origin, its own frame's origin being at p."""
        B = self.B + (skew(p) @ self.C)
        return ArticulatedInertia(self.A + _shift(p, self.B, B), B, self.C)

    def turned(self, R: Rotation) -> ArticulatedInertia:
        return ArticulatedInertia(R.similar(self.A), R.similar(self.B), R.similar(self.C))

    def __matmul__(self, a: Motion) -> Force:
        return Force((self.A @ a.angular) + (self.B @ a.linear), (self.B.T @ a.angular) + (self.C @ a.linear))


def _shift(p: Vec, B: Mat, N: Mat) -> Sym:
    """p× Bᵀ - N p×, which is symmetric if N = B + p× C, with like factors gathered: 15 products instead of 24."""
    x, y, z = p
    return Sym(
        y * (B.x.z + N.x.z) - z * (B.x.y + N.x.y),
        z * (N.x.x - B.y.y) + y * B.y.z - x * N.x.z,
        y * (B.z.z - N.x.x) + x * N.x.y - z * B.z.y,
        z * (B.y.x + N.y.x) - x * (B.y.z + N.y.z),
        x * (N.y.y - B.z.z) + z * B.z.x - y * N.y.x,
        x * (B.z.y + N.z.y) - y * (B.z.x + N.z.x),
    )


RIGIDLY_AT_REST = Motion(ZERO, ZERO)
NO_FORCE = Force(ZERO, ZERO)
