"""Vectors and 3 by 3 tensors over any scalar: floats, arrays, mpmath, SymPy, tracers.

Nothing here looks at a value; zeros and ones that are known beforehand are folded by the scalar itself, if it can.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

Scalar = Any


@dataclass(frozen=True, slots=True)
class Vec:
    """A vector of three components in some axes."""

    x: Scalar
    y: Scalar
    z: Scalar

    __array_ufunc__ = None  # array * Vec is ours to answer, not NumPy's

    def __add__(self, other: Vec) -> Vec:
        return Vec(self.x + other.x, self.y + other.y, self.z + other.z)

    def __sub__(self, other: Vec) -> Vec:
        return Vec(self.x - other.x, self.y - other.y, self.z - other.z)

    def __neg__(self) -> Vec:
        return Vec(-self.x, -self.y, -self.z)

    def __mul__(self, scale: Scalar) -> Vec:
        return Vec(self.x * scale, self.y * scale, self.z * scale)

    __rmul__ = __mul__

    def dot(self, other: Vec) -> Scalar:
        return self.x * other.x + self.y * other.y + self.z * other.z

    def cross(self, other: Vec) -> Vec:
        return Vec(
            self.y * other.z - self.z * other.y,
            self.z * other.x - self.x * other.z,
            self.x * other.y - self.y * other.x,
        )

    def outer(self, other: Vec) -> Mat:
        """The dyad: this vector as a column times the other as a row."""
        return Mat(other * self.x, other * self.y, other * self.z)

    def __iter__(self):
        return iter((self.x, self.y, self.z))


@dataclass(frozen=True, slots=True)
class Mat:
    """A 3 by 3 matrix, held as its three rows."""

    x: Vec
    y: Vec
    z: Vec

    __array_ufunc__ = None

    @property
    def T(self) -> Mat:
        return Mat(
            Vec(self.x.x, self.y.x, self.z.x),
            Vec(self.x.y, self.y.y, self.z.y),
            Vec(self.x.z, self.y.z, self.z.z),
        )

    def __add__(self, other: Mat | Sym) -> Mat:
        return Mat(self.x + other.x, self.y + other.y, self.z + other.z)

    def __sub__(self, other: Mat | Sym) -> Mat:
        return Mat(self.x - other.x, self.y - other.y, self.z - other.z)

    def __neg__(self) -> Mat:
        return Mat(-self.x, -self.y, -self.z)

    def __mul__(self, scale: Scalar) -> Mat:
        return Mat(self.x * scale, self.y * scale, self.z * scale)

    def __matmul__(self, other: Any) -> Any:
        if isinstance(other, Vec):
            return Vec(self.x.dot(other), self.y.dot(other), self.z.dot(other))
        columns = other.T
        return Mat(columns @ self.x, columns @ self.y, columns @ self.z)

    def similar(self, tensor: Any) -> Any:
        """The tensor seen from the axes that this rotation leads to: R S Rᵀ."""
        turned = self @ tensor @ self.T
        return turned.symmetric if isinstance(tensor, Sym) else turned

    @property
    def symmetric(self) -> Sym:
        """The upper triangle of a matrix that is known to be symmetric."""
        return Sym(self.x.x, self.x.y, self.x.z, self.y.y, self.y.z, self.z.z)

    def __iter__(self):
        return iter((self.x, self.y, self.z))

    @property
    def axial(self) -> Vec:
        """The vector w of a skew matrix w×."""
        return Vec(self.z.y, self.x.z, self.y.x)


@dataclass(frozen=True, slots=True)
class Sym:
    """A symmetric 3 by 3 tensor."""

    xx: Scalar
    xy: Scalar
    xz: Scalar
    yy: Scalar
    yz: Scalar
    zz: Scalar

    __array_ufunc__ = None

    @property
    def x(self) -> Vec:
        return Vec(self.xx, self.xy, self.xz)

    @property
    def y(self) -> Vec:
        return Vec(self.xy, self.yy, self.yz)

    @property
    def z(self) -> Vec:
        return Vec(self.xz, self.yz, self.zz)

    @property
    def T(self) -> Sym:
        return self

    def __iter__(self):
        return iter((self.x, self.y, self.z))

    @property
    def full(self) -> Mat:
        return Mat(self.x, self.y, self.z)

    @property
    def trace(self) -> Scalar:
        return self.xx + self.yy + self.zz

    @property
    def entries(self) -> tuple[Scalar, ...]:
        return (self.xx, self.xy, self.xz, self.yy, self.yz, self.zz)

    def __add__(self, other: Sym) -> Sym:
        return Sym(*(a + b for a, b in zip(self.entries, other.entries, strict=True)))

    def __sub__(self, other: Sym) -> Sym:
        return Sym(*(a - b for a, b in zip(self.entries, other.entries, strict=True)))

    def __mul__(self, scale: Scalar) -> Sym:
        return Sym(*(a * scale for a in self.entries))

    def __matmul__(self, other: Any) -> Any:
        return self.full @ other


def dyad(v: Vec, scale: Scalar) -> Sym:
    """scale v vᵀ, of which only the upper triangle is worked out."""
    u = v * scale
    return Sym(u.x * v.x, u.x * v.y, u.x * v.z, u.y * v.y, u.y * v.z, u.z * v.z)


def skew(v: Vec) -> Mat:
    """The matrix v× with (v×)w = v × w."""
    return Mat(Vec(0.0, -v.z, v.y), Vec(v.z, 0.0, -v.x), Vec(-v.y, v.x, 0.0))


def axial_product(A: Mat, S: Sym) -> Vec:
    """The vector of the skew tensor A S - (A S)ᵀ, with the products merged that meet the same entry of S."""
    return Vec(
        A.z.x * S.xy - A.y.x * S.xz + A.z.y * S.yy - A.y.z * S.zz + (A.z.z - A.y.y) * S.yz,
        A.x.y * S.yz - A.z.y * S.xy + A.x.z * S.zz - A.z.x * S.xx + (A.x.x - A.z.z) * S.xz,
        A.y.z * S.xz - A.x.z * S.yz + A.y.x * S.xx - A.x.y * S.yy + (A.y.y - A.x.x) * S.xy,
    )


def diagonal(x: Scalar, y: Scalar, z: Scalar) -> Sym:
    return Sym(x, 0.0, 0.0, y, 0.0, z)


ZERO = Vec(0.0, 0.0, 0.0)
X_AXIS = Vec(1.0, 0.0, 0.0)
Y_AXIS = Vec(0.0, 1.0, 0.0)
Z_AXIS = Vec(0.0, 0.0, 1.0)
ZERO_TENSOR = diagonal(0.0, 0.0, 0.0)
IDENTITY = Mat(X_AXIS, Y_AXIS, Z_AXIS)
