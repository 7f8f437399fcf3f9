"""Random robots and states: the one place where tests get them.

Hypothesis draws the structure, so that a failure shrinks to few links without oddities; the numbers come from
NumPy's generator, seeded with one drawn integer. Sizes are those of real arms: metres, kilograms, radians.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from hypothesis import strategies as st

from linkwise.algebra import Mat, Placement, Rigid, Screw, Sym, Turn, Vec
from linkwise.robot.joint import JOINT_TYPES, NO_DRIVE, NO_LIMITS, Drive, Joint, JointType, Limits, Mimic
from linkwise.robot.model import BASE, Configuration, Link, Robot

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


# Joints of every kind

KINDS = tuple(name for name in JOINT_TYPES if name != "fixed")
SIMPLE = tuple(name for name in KINDS if JOINT_TYPES[name].nv == 1)


@dataclass(frozen=True)
class JointPlan:
    """What a joint of any kind and its link are like, before there are numbers."""

    kind: str
    frame: str = "generic"
    axis: str = "general"
    back: int = 0
    """How many links before its predecessor the parent is: 0 all along makes a chain."""
    after_fixed: bool = False
    """Whether a fixed link lies between it and its parent."""
    leader: int | None = None
    """The joint that it mimics."""
    massless: bool = False
    limited: bool = False
    driven: bool = False


def any_joint_robots(
    sizes: tuple[int, int] = (1, 5), *, tree: bool = True, kinds: tuple[str, ...] = KINDS, mimics: bool = True
) -> st.SearchStrategy[Robot]:
    """Chains or trees with joints of these kinds, mimics, drives, limits and named poses; fixed and massless links."""
    return st.builds(build_any, joint_plans(sizes, tree, kinds, mimics), seeds)


def any_joint_cases(
    sizes: tuple[int, int] = (1, 5), *, tree: bool = True, kinds: tuple[str, ...] = KINDS, mimics: bool = True
) -> st.SearchStrategy[tuple[Robot, State]]:
    """Random robots with joints of these kinds, each with a state within its limits."""
    return any_joint_robots(sizes, tree=tree, kinds=kinds, mimics=mimics).flatmap(
        lambda robot: st.builds(any_state, st.just(robot), seeds).map(lambda state: (robot, state))
    )


def any_chain(*kinds: str, seed: int = 0, **plan: object) -> Robot:
    """A given chain of joints of any kind, for tests that want no drawing."""
    return build_any([JointPlan(kind, **plan) for kind in kinds], seed)  # type: ignore[arg-type]


@st.composite
def joint_plans(
    draw: st.DrawFn, sizes: tuple[int, int], tree: bool, kinds: tuple[str, ...], mimics: bool
) -> list[JointPlan]:
    """A plan a joint; those that mimic follow joints that are all before them, or all behind them, in the list.

    What follows a massless link is carried by it in a generic frame and moves in one way, so that M is definite.
    """
    drawn = draw(st.lists(st.sampled_from(kinds), min_size=sizes[0], max_size=sizes[1]))
    massless: list[bool] = []
    for kind, after in zip(drawn, [*drawn[1:], "fixed"], strict=True):
        massless.append({kind, after} <= set(SIMPLE) and not (massless and massless[-1]) and draw(st.booleans()))
    on_massless = [False, *massless][: len(drawn)]
    plans = [draw(_joint_plan(*each)) for each in zip(drawn, [tree] * len(drawn), massless, on_massless, strict=True)]
    backwards = draw(st.booleans())
    for i, plan in enumerate(plans):
        before = range(i + 1, len(plans)) if backwards else range(i)
        leaders = [j for j in before if drawn[j] in SIMPLE] if mimics and plan.kind in SIMPLE else []
        plans[i] = replace(plan, leader=draw(st.none() | st.sampled_from(leaders)) if leaders else None)
    return plans


def _joint_plan(kind: str, tree: bool, massless: bool, on_massless: bool) -> st.SearchStrategy[JointPlan]:
    return st.builds(
        JointPlan,
        kind=st.just(kind),
        frame=st.just("generic") if on_massless else st.sampled_from(("dh", "aligned", "generic")),
        axis=st.sampled_from(("z", "coordinate", "general")),
        back=st.integers(0, 3) if tree and not on_massless else st.just(0),
        after_fixed=st.integers(0, 5).map(lambda k: k == 5),
        massless=st.just(massless),
        limited=st.booleans(),
        driven=st.booleans(),
    )


def build_any(plan: list[JointPlan], seed: int) -> Robot:
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
        body = () if p.massless else _body(rng)
        links.append(Link(f"link{i}", parent, _joint(f"link{i}-joint", p, rng), *body))
    tip = Placement((Rigid(_rotation(rng), _vec(rng, 0.1)),))
    robot = Robot(f"any-{seed}", tuple(links), gravity=_vec(rng, 6.0), tip=tip, source="drawn", notes=("at random",))
    poses = (Configuration(name, tuple(robot.random(rng).tolist())) for name in ("home", "another pose"))
    return replace(robot, configurations=tuple(poses))


def _joint(name: str, plan: JointPlan, rng: np.random.Generator) -> Joint:
    kind = JOINT_TYPES[plan.kind]
    axis = _axis(plan.axis, rng)
    mimic = None
    if plan.leader is not None:
        mimic = Mimic(f"link{plan.leader}-joint", float(rng.uniform(-2.0, 2.0)), float(rng.uniform(-1.0, 1.0)))
    return Joint(
        name,
        kind.name,
        _frame(plan.frame, rng),
        axis,
        limits=_limits(kind, rng) if plan.limited else NO_LIMITS,
        second_axis=_across(axis, rng) if kind.name == "universal" else Vec(1.0, 0.0, 0.0),
        pitch=float(rng.uniform(-0.2, 0.2)) if kind.name == "helical" else 0.0,
        mimic=mimic,
        drive=drive(kind, rng) if plan.driven else NO_DRIVE,
    )


def _across(axis: Vec, rng: np.random.Generator) -> Vec:
    """A direction at 60 to 90 degrees to the axis."""
    u = np.array(list(axis))
    across = np.cross(u, rng.normal(size=3))
    second = across / np.linalg.norm(across) + rng.uniform(-0.5, 0.5) * u
    return Vec(*(second / np.linalg.norm(second)).tolist())


def _limits(kind: JointType, rng: np.random.Generator) -> Limits:
    """Limits that may leave out nought; a quaternion has none."""
    lower = rng.uniform(-2.0, 0.5, kind.nq)
    upper = lower + rng.uniform(0.5, 2.0, kind.nq)
    free = np.array([name.startswith("q") for name in kind.positions])
    bounds = np.where(free, -np.inf, lower), np.where(free, np.inf, upper)
    most = rng.uniform(1.0, 20.0, (2, kind.nv))
    return Limits(*(tuple(map(float, row)) for row in (*bounds, *most)))


def drive(kind: JointType, rng: np.random.Generator) -> Drive:
    """A motor and bearings for every motion; a rotor where there is one motion."""
    felt = rng.uniform(0.01, 0.5, (3, kind.nv))
    rotor = (float(rng.uniform(1e-5, 1e-4)), float(rng.uniform(-80.0, 80.0))) if kind.nv == 1 else (0.0, 1.0)
    return Drive(*rotor, *(tuple(map(float, row)) for row in felt))


def afloat(robot: Robot) -> Robot:
    """The robot on a base of some mass that is free."""
    base = Link("base", BASE, Joint("float", "free"), 3.0, Vec(0.1, -0.2, 0.05), Sym(0.3, 0.02, -0.01, 0.25, 0.03, 0.4))
    carried = (replace(link, parent=link.parent + 1) for link in robot.links)
    return replace(robot, links=(base, *carried), configurations=())


def any_state(robot: Robot, seed: int) -> State:
    """A state of a robot with joints of any kind, within its limits."""
    rng = np.random.default_rng([seed, 1])
    q, (v, a), tau = robot.random(rng), rng.normal(size=(2, robot.nv)), 10 * rng.normal(size=robot.nv)
    return State(q.tolist(), v.tolist(), a.tolist(), tau.tolist())
