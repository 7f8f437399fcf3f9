"""Two arms small enough to be written down, with a symbol for every number."""

from __future__ import annotations

from typing import Any

import sympy

from linkwise.algebra import Placement, Screw, Sym, Turn, Vec
from linkwise.robot.joint import Joint
from linkwise.robot.model import Link, Robot
from linkwise.robot.skeleton import Skeleton, skeleton

m0, m1, r0, r1, d, I0, I1, g = sympy.symbols("m0 m1 r0 r1 d I0 I1 g", positive=True)
q0, q1, v0, v1, a0, a1 = sympy.symbols("q0 q1 v0 v1 a0 a1")
q, v, a = (q0, q1), (v0, v1), (a0, a1)


def arm(kinds: tuple[str, str]) -> Skeleton:
    """Two links on vertical axes, d apart; each centre of mass lies on its link's x axis."""
    across = Placement((Screw(Turn("x", 1.0, 0.0), d),))
    joints = (Joint("joint0", kinds[0]), Joint("joint1", kinds[1], across))
    masses = ((m0, r0, I0), (m1, r1, I1))
    links = (
        Link(f"link{i}", i - 1, joint, m, Vec(r, 0.0, 0.0), Sym(0.0, 0.0, 0.0, 0.0, 0.0, Izz))
        for i, (joint, (m, r, Izz)) in enumerate(zip(joints, masses, strict=True))
    )
    return skeleton(Robot("-".join(kinds), tuple(links), gravity=Vec(0.0, 0.0, -g)))


PLANAR = arm(("revolute", "revolute"))
LIFT = arm(("prismatic", "revolute"))
"""A turntable on a lift."""

cross = m1 * d * r1
M01 = I1 + m1 * r1**2 + cross * sympy.cos(q1)
M11 = I1 + m1 * r1**2
PLANAR_MASS_MATRIX = [[I0 + m0 * r0**2 + m1 * d**2 + 2 * M01 - M11, M01], [M01, M11]]
PLANAR_BIAS = [-cross * sympy.sin(q1) * (2 * v0 * v1 + v1**2), cross * sympy.sin(q1) * v0**2]
PLANAR_TORQUES = [M[0] * a0 + M[1] * a1 + c for M, c in zip(PLANAR_MASS_MATRIX, PLANAR_BIAS, strict=True)]
LIFT_MASS_MATRIX = [[m0 + m1, 0], [0, M11]]
LIFT_TORQUES = [(m0 + m1) * (a0 + g), M11 * a1]


def same(ours: Any, known: Any) -> bool:
    """Whether two lists or matrices of expressions are equal."""
    return sympy.simplify(sympy.nsimplify(sympy.Matrix(ours) - sympy.Matrix(known))).is_zero_matrix
