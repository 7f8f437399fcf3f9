"""Linear systems with a symmetric matrix, by U D Uᵀ from the last row or by Cholesky's L Lᵀ from the first.

Eliminating from the tip towards the base keeps the zeros of a tree's mass matrix: no entry is filled in.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .vec import Scalar

Rows = Sequence[Sequence[Scalar]]


def udu(matrix: Rows) -> tuple[list[list[Scalar]], list[Scalar]]:
    """U (unit, upper triangular) and the diagonal of D with U D Uᵀ the given symmetric matrix.

    >>> udu([[5.0, 2.0], [2.0, 1.0]])
    ([[1.0, 2.0], [0.0, 1.0]], [1.0, 1.0])
    """
    n = len(matrix)
    left = [[matrix[i][j] for j in range(i + 1)] for i in range(n)]
    U: list[list[Scalar]] = [[1.0 if i == j else 0.0 for j in range(n)] for i in range(n)]
    for k in reversed(range(n)):
        pivot = left[k][k]
        for i in range(k):
            U[i][k] = left[k][i] / pivot
            for j in range(i + 1):
                left[i][j] = left[i][j] - U[i][k] * left[k][j]
    return U, [left[k][k] for k in range(n)]


def solve_unit_upper(U: Rows, right: Sequence[Scalar]) -> list[Scalar]:
    """y with U y = right.

    >>> solve_unit_upper([[1.0, 2.0], [0.0, 1.0]], [7.0, 3.0])
    [1.0, 3.0]
    """
    y = list(right)
    for k in reversed(range(len(y))):
        for i in range(k):
            y[i] = y[i] - U[i][k] * y[k]
    return y


def solve_udu(U: Rows, D: Sequence[Scalar], right: Sequence[Scalar]) -> list[Scalar]:
    """x with U D Uᵀ x = right.

    >>> solve_udu([[1.0, 2.0], [0.0, 1.0]], [1.0, 1.0], [7.0, 3.0])
    [1.0, 1.0]
    """
    n = len(D)
    x = [y / d for y, d in zip(solve_unit_upper(U, right), D, strict=True)]
    for k in range(n):
        for i in range(k):
            x[k] = x[k] - U[i][k] * x[i]
    return x


def cholesky(matrix: Rows, fn: Any) -> list[list[Scalar]]:
    """L, the rows of a lower triangle, with L Lᵀ the given symmetric positive definite matrix.

    >>> import math
    >>> cholesky([[4.0, 2.0], [2.0, 5.0]], math)
    [[2.0], [1.0, 2.0]]
    """
    L: list[list[Scalar]] = []
    for i, row in enumerate(matrix):
        L.append([])
        for j in range(i + 1):
            rest = row[j]
            for k in range(j):
                rest = rest - L[i][k] * L[j][k]
            L[i].append(fn.sqrt(rest) if i == j else rest / L[j][j])
    return L


def solve_cholesky(L: Rows, right: Sequence[Scalar]) -> list[Scalar]:
    """x with L Lᵀ x = right.

    >>> solve_cholesky([[2.0], [1.0, 2.0]], [8.0, 12.0])
    [1.0, 2.0]
    """
    n = len(L)
    x = list(right)
    for i in range(n):
        for k in range(i):
            x[i] = x[i] - L[i][k] * x[k]
        x[i] = x[i] / L[i][i]
    for i in reversed(range(n)):
        for k in range(i + 1, n):
            x[i] = x[i] - L[k][i] * x[k]
        x[i] = x[i] / L[i][i]
    return x
