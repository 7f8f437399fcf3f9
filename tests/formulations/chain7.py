"""The reference chain of seven joints, two of them sliding, with its numbers in inertial axes.

The files number links from the tip, as the operator report does: link k there is our body 7 - k.
"""

from __future__ import annotations

import csv
import json
import math
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from tests.engines import array, dense

from linkwise.algebra import ArticulatedInertia, Force, Mat, Motion, Placement, Rigid, Sym, Vec
from linkwise.robot.joint import Joint
from linkwise.robot.model import Link, Robot
from linkwise.robot.skeleton import skeleton

FILES = Path(__file__).parent.parent / "reference"
DATA = json.loads((FILES / "chain7.json").read_text())
KINDS = {"R": "revolute", "P": "prismatic"}


def _rigid(row: dict[str, Any]) -> Rigid:
    R0, p0 = row["R0_frame_k_in_frame_kplus1_at_q0"], row["p0_origin_k_in_frame_kplus1_at_q0"]
    return Rigid(Mat(*(Vec(*r) for r in R0)), Vec(*p0))


def _link(i: int, row: dict[str, Any]) -> Link:
    joint = Joint(f"joint{row['k']}", KINDS[row["type"]], Placement((_rigid(row),)), Vec(*row["axis_in_joint_frame"]))
    (xx, xy, xz), (_, yy, yz), (_, _, zz) = row["inertia_about_com_in_link_frame"]
    return Link(
        f"link{row['k']}", i - 1, joint, row["mass"], Vec(*row["com_in_link_frame"]), Sym(xx, xy, xz, yy, yz, zz)
    )


def _robot() -> Robot:
    links = tuple(_link(i, row) for i, row in enumerate(reversed(DATA["chain"]["joints"])))
    tip = Rigid(Mat(*(Vec(*row) for row in np.eye(3).tolist())), Vec(*DATA["chain"]["tip_offset_l10_in_link1_axes"]))
    return Robot("chain7", links, gravity=Vec(0.0, 0.0, -9.8), tip=Placement((tip,)))


def _values() -> dict[str, dict[int, np.ndarray]]:
    """Every quantity's matrix, by its k."""
    entries: dict[str, dict[int, dict[tuple[int, int], float]]] = defaultdict(lambda: defaultdict(dict))
    with (FILES / "chain7.csv").open() as file:
        for row in csv.DictReader(file):
            entries[row["quantity"]][int(row["k"])][int(row["row"]), int(row["col"])] = float(row["value"])
    return {name: {k: _matrix(e) for k, e in by_k.items()} for name, by_k in entries.items()}


def _matrix(entries: dict[tuple[int, int], float]) -> np.ndarray:
    rows, columns = (max(place) + 1 for place in zip(*entries, strict=True))
    return np.array([[entries[i, j] for j in range(columns)] for i in range(rows)])


ROBOT = _robot()
SKELETON = skeleton(ROBOT)
VALUES = _values()
Q, QD, T = (DATA[name][::-1] for name in ("q", "qd", "T"))
AXES: list[np.ndarray] = []
"""Every body's axes in inertial ones."""
for body in SKELETON.at(Q, math):
    AXES.append((AXES[body.parent] if body.parent >= 0 else np.eye(3)) @ dense(body.R.matrix))


def of_links(name: str) -> list[np.ndarray]:
    """A quantity of every link, in our order."""
    return [VALUES[name][k].squeeze() for k in range(7, 0, -1)]


def of_tip(name: str) -> np.ndarray:
    return VALUES[name][0].squeeze()


def of_joints(name: str) -> np.ndarray:
    """A joint-space matrix, or the Jacobian's columns, in our order."""
    matrix = VALUES[name][0]
    return matrix[::-1, ::-1] if len(matrix) == 7 else matrix[:, ::-1]


def inertial(R: np.ndarray, x: Motion | Force | ArticulatedInertia) -> np.ndarray:
    """A quantity in inertial axes: six numbers, or six by six."""
    X = np.kron(np.eye(2), R)
    if isinstance(x, ArticulatedInertia):
        A, B, C = dense(x.A), dense(x.B), dense(x.C)
        return X @ np.block([[A, B], [B.T, C]]) @ X.T
    parts = (x.angular, x.linear) if isinstance(x, Motion) else (x.moment, x.force)
    return X @ np.concatenate([array(part) for part in parts])


def all_inertial(values: Sequence[Motion | Force | ArticulatedInertia]) -> list[np.ndarray]:
    """A quantity of every link."""
    return [inertial(R, x) for R, x in zip(AXES, values, strict=True)]


def tip_wrench() -> Force:
    """f(0), told about the last body's origin in its axes."""
    N, F = (Vec(*(AXES[-1].T @ part).tolist()) for part in np.reshape(DATA["f0"], (2, 3)))
    return Force(N, F).at(SKELETON.tip)
