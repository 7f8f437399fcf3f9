"""Which formulation works out which function."""

from __future__ import annotations

from .errors import LinkwiseError
from .formulations import FORMULATIONS, KINEMATICS, Formulation
from .robot.model import BASE, Robot
from .robot.skeleton import skeleton

CHEAPEST = {
    "inverse_dynamics": ("newton-euler",),
    "bias": ("newton-euler",),
    "gravity_torques": ("newton-euler",),
    "mass_matrix": ("composite-body",),
    "forward_dynamics": ("composite-body", "operators"),
    "coriolis_matrix": ("newton-euler",),
    "operational_space_mobility": ("composite-body", "operators"),
    "operational_space_inertia": ("composite-body", "operators"),
}
"""Which formulations can have the fewest operations: "auto" counts these, and takes any other where none is named."""

NEEDS_ITS_OWN_INVERSE = {
    "forward_dynamics", "accelerations", "inverse_mass_matrix",
    "link_accelerations", "tip_acceleration", "joint_reactions",
    "operational_space_mobility", "operational_space_inertia",
}  # fmt: skip
WITH_MIMICS = ("composite-body",)
"""Who can solve for accelerations where joints mimic others: who has the mass matrix, not one axis after another."""

STAND_INS = {
    "bias": "newton-euler",
    "gravity_torques": "newton-euler",
    "coriolis_matrix": "newton-euler",
    "operational_space_mobility": "composite-body",
    "operational_space_inertia": "composite-body",
}
"""What every formulation is asked for, and who answers where it has no text of its own."""


def candidates(robot: Robot, formulation: str, function: str) -> tuple[str, ...]:
    """The names of the formulations to choose from: one, unless the choice is "auto"."""
    if KINEMATICS.text(function):
        return (KINEMATICS.name,)
    able = tuple(row.name for row in offering(robot, formulation, function))
    if not able:
        return (_stand_in(robot, formulation, function),)
    if formulation != "auto":
        return able
    cheapest = tuple(name for name in CHEAPEST.get(function, ()) if name in able) or able[:1]
    return _nearly_cheapest(robot, cheapest) if function == "forward_dynamics" else cheapest


def _nearly_cheapest(robot: Robot, names: tuple[str, ...]) -> tuple[str, ...]:
    """Those that a rough law does not rule out; a law, because to count a long chain takes as long as to compile it.

    Composite bodies pay for every pair of joints of which one carries the other, operators for every joint.
    """
    below = _bodies_below(robot)
    laws = {
        "composite-body": 37 * sum(below) + sum(d * d for d in below) + 166 * len(below),
        "operators": 395 * len(below),
    }
    least = min(laws[name] for name in names)
    return tuple(name for name in names if laws[name] <= 1.25 * least)


def _bodies_below(robot: Robot) -> list[int]:
    """For every moving body, how many carry it."""
    below: list[int] = []
    for bone in skeleton(robot).bones:
        below.append(0 if bone.parent < 0 else below[bone.parent] + 1)
    return below


def _stand_in(robot: Robot, formulation: str, function: str) -> str:
    if function in STAND_INS:
        return STAND_INS[function]
    raise LinkwiseError(
        f"The formulation {formulation!r} has no {function} for {robot.name!r}",
        given=f"formulation={formulation!r}",
        expected="one of " + ", ".join(row.name for row in offering(robot, "auto", function)),
        mend='choose one of these, or formulation="auto"',
    )


def offering(robot: Robot, formulation: str, function: str) -> tuple[Formulation, ...]:
    """Those of the allowed rows that have this function of the robot."""
    rows = tuple(row for row in allowed(robot, formulation) if row.text(function))
    mimics = any(link.joint.mimic for link in robot.links)
    if mimics and function in NEEDS_ITS_OWN_INVERSE:
        return tuple(row for row in rows if row.name in WITH_MIMICS)
    return rows


def allowed(robot: Robot, formulation: str) -> tuple[Formulation, ...]:
    """The rows that a formulation's name allows for a robot."""
    if formulation == "auto":
        return _able(robot)
    row = FORMULATIONS.get(formulation) if isinstance(formulation, str) else None  # pyright: ignore
    if row is None:
        raise LinkwiseError(
            f"There is no formulation {formulation!r}",
            given=repr(formulation),
            expected='"auto" or one of ' + ", ".join(FORMULATIONS),
            mend="choose one of these",
        )
    if row not in _able(robot):
        raise LinkwiseError(
            f"Formulation {formulation!r} is for serial chains of plain joints, and {robot.name!r} {_unlike(robot)}",
            given=f"formulation={formulation!r}",
            expected="for such a robot, one of " + ", ".join(r.name for r in FORMULATIONS.values() if r.trees),
            mend="choose one of these",
        )
    return (row,)


def _able(robot: Robot) -> tuple[Formulation, ...]:
    plain = not _unlike(robot)
    return tuple(row for row in FORMULATIONS.values() if row.trees or plain)


def _unlike(robot: Robot) -> str:
    """What a robot has that is not for formulations of serial chains; nothing if they will do."""
    if fork := _fork(robot):
        return f"branches at {fork}"
    for joint in (link.joint for link in robot.links):
        if joint.mimic or joint.kind.has_quaternion or joint.type == "helical":
            return f"has a {'mimic' if joint.mimic else joint.type} joint, {joint.name!r}"
        if any(x != 0.0 for x in joint.reflected_inertia):
            return f"has a joint with a rotor, {joint.name!r}"
    return ""


def _fork(robot: Robot) -> str:
    """What carries two moving links or more, nothing on a chain; from the parents alone, since symbols have no sums."""
    carrier: list[int] = []
    carrying: set[int] = set()
    for i, link in enumerate(robot.links):
        by = BASE if link.parent == BASE else carrier[link.parent]
        moves = link.joint.kind.nv > 0
        if moves and by in carrying:
            return "the base" if by == BASE else f"link {robot.links[by].name!r}"
        carrying |= {by} if moves else set()
        carrier.append(i if moves else by)
    return ""
