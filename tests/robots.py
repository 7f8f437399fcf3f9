"""Random robots and states: the one place where tests get them.

Hypothesis draws the structure, so that a failure shrinks to few links without oddities; the numbers come from
NumPy's generator, seeded with one drawn integer. Sizes are those of real arms: metres, kilograms, radians.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from linkwise.algebra import Mat, Placement, Rigid, Screw, Sym, Turn, Vec
from linkwise.robot.joint import Joint
from linkwise.robot.model import BASE, Link, Robot

JOINTS = {"R": "revolute", "P": "prismatic"}
Style = tuple[tuple[str, ...], tuple[str, ...]]
STYLES: tuple[Style, ...] = (
    (("dh",), ("z",)),
    (("aligned",), ("z", "coordinate")),
    (("dh", "aligned", "generic"), ("z", "coordinate", "general")),
)
"""The frames and the axes that a robot may have: Denavit–Hartenberg's, quarter turns only, or any."""

COORDINATE_AXES = tuple(Vec(*row) for row in (*np.eye(3).tolist(), *(-np.eye(3)).tolist()))
QUARTERS = ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))


@dataclass(frozen=True)
class State:
    """Positions, velocities, accelerations and torques of all joints."""

    q: list[float]
    v: list[float]
    a: list[float]
    tau: list[float]


@dataclass(frozen=True)
class Plan:
    """What one joint and its link are like, before there are numbers."""

    joint: str
    frame: str = "generic"
    axis: str = "z"
    back: int = 0
    """How many links before its predecessor the parent is: 0 all along makes a chain."""
    after_fixed: bool = False
    """Whether a fixed link lies between it and its parent."""
    massless: bool = False


def robots(sizes: tuple[int, int] = (1, 7), *, tree: bool = False, joints: str = "RP") -> st.SearchStrategy[Robot]:
    """Chains or trees with R and P joints in frames of every kind, fixed links and massless intermediate links."""
    return st.builds(build, plans(sizes, tree, joints), seeds)


def cases(
    sizes: tuple[int, int] = (1, 7), *, tree: bool = False, joints: str = "RP"
) -> st.SearchStrategy[tuple[Robot, State]]:
    """Random robots, each with a state."""
    return st.builds(case, plans(sizes, tree, joints), seeds)


seeds = st.integers(0, 2**32 - 1)


@st.composite
def plans(draw: st.DrawFn, sizes: tuple[int, int], tree: bool, joints: str) -> list[Plan]:
    """A plan a joint; what follows a massless link is carried by it in a generic frame, so that M is definite."""
    n = draw(st.integers(*sizes))
    massless = draw(st.sets(st.integers(0, n - 2), max_size=2)) if n > 1 else set()
    style = draw(st.sampled_from(STYLES))
    return [draw(_plan(joints, style, tree, i in massless, i - 1 in massless)) for i in range(n)]


def _plan(joints: str, style: Style, tree: bool, massless: bool, on_massless: bool) -> st.SearchStrategy[Plan]:
    frames, axes = style
    return st.builds(
        Plan,
        joint=st.sampled_from(joints),
        frame=st.just("generic") if on_massless else st.sampled_from(frames),
        axis=st.sampled_from(axes),
        back=st.integers(0, 3) if tree and not on_massless else st.just(0),
        after_fixed=st.integers(0, 5).map(lambda k: k == 5),
        massless=st.just(massless),
    )


def case(plan: list[Plan], seed: int) -> tuple[Robot, State]:
    robot = build(plan, seed)
    return robot, state(robot, seed)


def chain(word: str, seed: int = 0, **plan: object) -> Robot:
    """A given chain of R and P joints, for tests that want no drawing."""
    return build([Plan(letter, **plan) for letter in word], seed)  # type: ignore[arg-type]


def build(plan: list[Plan], seed: int) -> Robot:
    """The robot of a plan, with numbers from the seed."""
    rng = np.random.default_rng(seed)
    links: list[Link] = []
    moving: list[int] = []
    for i, p in enumerate(plan):
        parent = moving[i - 1 - p.back] if p.back < i else BASE
        if p.after_fixed:
            links.append(_fixed(f"fixed{i}", parent, rng))
            parent = len(links) - 1
        moving.append(len(links))
        links.append(_moving(f"link{i}", parent, p, rng))
    tip = Placement((Rigid(_rotation(rng), _vec(rng, 0.1)),))
    return Robot(f"random-{seed}", tuple(links), gravity=_vec(rng, 6.0), tip=tip)


def _fixed(name: str, parent: int, rng: np.random.Generator) -> Link:
    return Link(name, parent, Joint(f"{name}-joint", "fixed", _frame("generic", rng)), *_body(rng))


def _moving(name: str, parent: int, plan: Plan, rng: np.random.Generator) -> Link:
    joint = Joint(f"{name}-joint", JOINTS[plan.joint], _frame(plan.frame, rng), _axis(plan.axis, rng))
    return Link(name, parent, joint) if plan.massless else Link(name, parent, joint, *_body(rng))


def _body(rng: np.random.Generator) -> tuple[float, Vec, Sym]:
    """Mass, centre and moments of a cloud of mass: the triangle inequality holds by itself."""
    mass = float(rng.uniform(0.5, 5.0))
    spread = np.diag(rng.uniform(0.04, 0.15, 3) ** 2)
    axes = _matrix(rng)
    cloud = mass * axes @ spread @ axes.T
    moments = np.trace(cloud) * np.eye(3) - cloud
    return mass, _vec(rng, 0.1), Sym(*moments[np.triu_indices(3)].tolist())


def _frame(kind: str, rng: np.random.Generator) -> Placement:
    if kind == "generic":
        return Placement((Rigid(_rotation(rng), _vec(rng, 0.2)),))
    if kind == "dh":
        (α, θ), (a, d) = rng.uniform(-np.pi, np.pi, 2), rng.uniform(-0.4, 0.4, 2)
        return _screws((np.cos(α), np.sin(α)), a, (np.cos(θ), np.sin(θ)), d)
    a, d = rng.choice([0.0, 0.3, -0.2], 2)
    return _screws(rng.choice(QUARTERS), a, rng.choice(QUARTERS), d)


def _screws(about_x: tuple[float, float], a: float, about_z: tuple[float, float], d: float) -> Placement:
    x, z = (Turn(axis, *map(float, cs)) for axis, cs in (("x", about_x), ("z", about_z)))
    return Placement((Screw(x, float(a)), Screw(z, float(d))))


def _axis(kind: str, rng: np.random.Generator) -> Vec:
    if kind == "z":
        return Vec(0.0, 0.0, 1.0)
    if kind == "coordinate":
        return COORDINATE_AXES[rng.integers(6)]
    u = rng.normal(size=3)
    return Vec(*(u / np.linalg.norm(u)).tolist())


def _matrix(rng: np.random.Generator) -> np.ndarray:
    Q, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    return Q * np.linalg.det(Q)


def _rotation(rng: np.random.Generator) -> Mat:
    return Mat(*(Vec(*row) for row in _matrix(rng).tolist()))


def _vec(rng: np.random.Generator, size: float) -> Vec:
    return Vec(*rng.normal(scale=size, size=3).tolist())


def state(robot: Robot, seed: int) -> State:
    """A state at which every term of the equations of motion is of the same order."""
    rng = np.random.default_rng([seed, 1])
    reach = [np.pi if turn else 0.5 for joint in robot.joints for turn in joint.kind.turns]
    n = len(reach)
    q, v, a, tau = rng.uniform(-1, 1, n) * reach, rng.normal(size=n), rng.normal(size=n), 10 * rng.normal(size=n)
    return State(q.tolist(), v.tolist(), a.tolist(), tau.tolist())
