"""From a text and a robot to a program: the text is run once, on nodes instead of numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Any, cast

from . import expr
from .algebra import Force, Motion, Vec
from .coordinates import told
from .expr import Graph, Node, Program
from .formulations import Quantity, Text
from .quantities import OF_TRUE_BODIES
from .robot.model import Robot
from .robot.normal_form import khalil_craig, normal_form
from .robot.skeleton import Skeleton, skeleton
from .robot.symbols import Symbol, with_scalars
from .setting import AS_IT_IS, Setting
from .varying import NOTHING_VARIES, Varying

NO_AIM: Mapping[str, Any] = {}


@dataclass(frozen=True, slots=True)
class Traced:
    """A program, and the shape of the array that its outputs fill row by row."""

    program: Program
    shape: tuple[int, ...]


def names(argument: str, n: int) -> tuple[str, ...]:
    """The inputs that are the components of a joint vector."""
    return tuple(f"{argument}[{i}]" for i in range(n))


def trace(
    text: Text,
    quantity: Quantity,
    robot: Robot,
    *,
    normal: bool,
    own_frames: bool = False,
    extras: Sequence[str] = (),
    varying: Varying = NOTHING_VARIES,
    setting: Setting = AS_IT_IS,
    aim: Mapping[str, Any] = NO_AIM,
) -> Traced:
    """The program of a text for one robot, symbols among its constants becoming parameters.

    With `normal`, it is made from the robot's normal form; `own_frames` tells per-body results in the frames that
    the robot's description gives the bodies. The inputs are joint vectors, what is given beyond the state, and
    parameters that vary. `aim` is of which frames and in which reference, where a text has to be told.
    """
    graph = Graph()
    robot = with_scalars(robot, lambda x: graph.parameter(x.name) if isinstance(x, Symbol) else x)
    inputs = [names(argument, robot.nq if argument == "q" else robot.nv) for argument in quantity.arguments]
    further = {name: names(name, prod(setting.core(name))) for name in extras}
    given, more = ([[graph.input(name) for name in vector] for vector in group] for group in (inputs, further.values()))
    beyond = dict(zip(further, more, strict=True))
    if "gravity" in beyond:
        robot = replace(robot, gravity=Vec(*beyond.pop("gravity")))
    bodies = skeleton(varying.put(robot, [graph.input(name) for name in varying.inputs]))
    if normal:
        whole = bool(varying.parameters) or quantity.name in OF_TRUE_BODIES
        bodies = khalil_craig(bodies) if whole else normal_form(bodies)
    wrenches: dict[str, Any] = {}
    if "tip_wrench" in beyond:
        wrenches["tip"] = _wrench_at_tip(bodies, beyond["tip_wrench"])
    if "f_ext" in beyond:
        wrenches["f_ext"] = [_wrench(beyond["f_ext"][i : i + 6]) for i in range(0, len(beyond["f_ext"]), 6)]
    answer = told(text, quantity, setting, bodies, robot.nv, loaded="f_ext" in extras)
    result = answer(bodies, *given, expr, **wrenches, **aim)
    if own_frames:
        result = _told_in_own_frames(bodies, result)
    outputs, shape = _flat(result)
    every_input = (*(name for vector in (*inputs, *further.values()) for name in vector), *varying.inputs)
    return Traced(Program(every_input, tuple(graph.lift(x) for x in outputs)), shape)


def _wrench(x: Sequence[Node]) -> Force:
    """A force, then a moment."""
    return Force(Vec(*x[3:]), Vec(*x[:3]))


def _wrench_at_tip(robot: Skeleton, given: Sequence[Node]) -> Force:
    """The wrench that the tip exerts, given in the last body's own axes about the tip."""
    return _wrench(given).turned(robot.bones[-1].own_frame.rotation).at(robot.tip)


def _told_in_own_frames(robot: Skeleton, result: Any) -> Any:
    """Bodies' motions and wrenches in their own axes; a single one is the last body's."""
    back = [bone.own_frame.rotation.T for bone in robot.bones]
    if isinstance(result, Motion | Force):
        return result.turned(back[-1])
    return [own.turned(R) for own, R, bone in zip(result, back, robot.bones, strict=True) if bone.carries]


def _flat(result: Any) -> tuple[list[Node], tuple[int, ...]]:
    """All scalars of a result in order, and its shape."""
    if isinstance(result, Motion | Force):
        return list(result.components), (6,)
    if isinstance(result, list):
        parts = [_flat(part) for part in cast("list[Any]", result)]
        return [x for scalars, _ in parts for x in scalars], (len(parts), *parts[0][1])
    return [result], ()
