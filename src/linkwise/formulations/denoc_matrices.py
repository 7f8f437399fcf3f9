"""The matrices of the DeNOC, sections 3 and 4.1 of Saha (1999): N_l and N_d, and the generalized inertia matrix I.
Links, axes and symbols are those of `denoc`.

A tilde marks what belongs to a composite body: a link and all beyond it, joints locked.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..algebra import IDENTITY, RIGIDLY_AT_REST, ZERO, Inertia, Motion, Scalar
from ..robot.skeleton import Skeleton
from ..sweep import inward, outward, toward_base
from .denoc import B, Bᵀ, Coupled, coupled

Rows = list[list[Scalar]]

XYZ = (IDENTITY.x, IDENTITY.y, IDENTITY.z)
UNIT_TWISTS = (*(Motion(e, ZERO) for e in XYZ), *(Motion(ZERO, e) for e in XYZ))


def N_l(robot: Skeleton, q: Sequence[Scalar], fn: Any) -> Rows:
    """The 6n by 6n matrix of the B_ij (17); six rows and six columns a link, in that link's axes."""
    links = coupled(robot, q, fn)
    columns = [outward(links, reached, RIGIDLY_AT_REST, at(links, j, t)) for j in links for t in UNIT_TWISTS]
    return transposed([stacked(column) for column in columns])


def N_d(robot: Skeleton, q: Sequence[Scalar], fn: Any) -> Rows:
    """The 6n by n matrix of the p_i (17); six rows a link, in that link's axes."""
    links = coupled(robot, q, fn)
    return transposed([stacked(at(links, j, j.p_i)) for j in links])


def at(links: Sequence[Coupled], j: Coupled, t: Motion) -> list[Motion]:
    """The generalized twist in which link j has the twist t and the others none."""
    return [t if link is j else RIGIDLY_AT_REST for link in links]


def reached(link: Coupled, before: Motion, own: Motion) -> Motion:
    return B(link, before) + own


def stacked(twists: Sequence[Motion]) -> list[Scalar]:
    return [x for t in twists for x in (*t.angular, *t.linear)]


def transposed(rows: Rows) -> Rows:
    return [list(column) for column in zip(*rows, strict=True)]


def mass_matrix(robot: Skeleton, q: Sequence[Scalar], fn: Any) -> Rows:
    """I = N_dᵀ M̃ N_d (21): i_ij = p_iᵀ M̃_i B_ij p_j (24)."""
    links = coupled(robot, q, fn)
    return elements(links, composite(links))


def composite(links: Sequence[Coupled]) -> list[Inertia]:
    """M̃_i = M_i + B_{i+1,i}ᵀ M̃_{i+1} B_{i+1,i} (23b)."""
    return inward(links, Bᵀ, [link.M_i for link in links])


def elements(links: Sequence[Coupled], M: Sequence[Any]) -> Rows:
    """The symmetric matrix of the p_iᵀ M_i B_ij p_j for j ≤ i, whatever the matrices M_i, as in (24) and (46)."""
    rows = square(len(links))
    for link, M_i in zip(links, M, strict=True):
        i, w = link.index, M_i @ link.p_i
        rows[i][i] = w.dot(link.p_i)
        for below, w_j in toward_base(links, link, Bᵀ, w):
            rows[i][below.index] = rows[below.index][i] = w_j.dot(below.p_i)
    return rows


def square(n: int) -> Rows:
    return [[0.0] * n for _ in range(n)]
