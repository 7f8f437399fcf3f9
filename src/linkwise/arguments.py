"""What callers give, made into arrays of numbers or refused with the reason."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .errors import LinkwiseError
from .robot.model import BASE, Robot
from .robot.skeleton import skeleton

Array = NDArray[np.float64]


def numbers(function: str, name: str, given: ArrayLike) -> Array:
    try:
        if np.ma.is_masked(given):
            raise TypeError("some are masked")
        array = np.asarray(given)
        if array.dtype.kind not in "biuf":
            raise TypeError(f"it holds {array.dtype}")
        return array.astype(np.float64, copy=False)
    except (TypeError, ValueError) as error:
        raise LinkwiseError(
            f"{function}: {name} is not an array of numbers",
            given=f"{type(given).__name__} {given!r:.80}",
            expected="numbers, nested in lists of equal length or in arrays",
            mend=f"give real numbers ({error})",
        ) from error


def joint_vectors(robot: Robot, function: str, name: str, given: ArrayLike) -> Array:
    array, names = numbers(function, name, given), robot.position_names if name == "q" else robot.velocity_names
    if array.ndim == 0 or array.shape[-1] != len(names):
        raise LinkwiseError(
            f"{function}: {name} has the wrong shape for {robot.name!r}",
            given=f"shape {array.shape}",
            expected=f"(…, {len(names)}), one entry for each joint: {', '.join(names)}",
            mend=f"put the joints on the last axis of {name}",
        )
    return array


def check_one_tip(robot: Robot, asked: str) -> None:
    if not robot.is_chain:
        raise LinkwiseError(
            f"{asked}: {robot.name!r} is a tree, which has no one tip",
            given=f"{len(robot.links)} links that branch",
            expected="a serial chain, in which every link carries the next",
            mend="leave out what tells of the tip",
        )


def check_one_frame(robot: Robot, function: str, frame: object) -> None:
    if not isinstance(frame, str):
        raise LinkwiseError(
            f"{function} is of one frame",
            given=f"frame={frame!r:.80}",
            expected="the name of one of " + ", ".join(robot.frame_names),
            mend=f"write for example frame={robot.frame_names[-1]!r}",
        )


def check_moves_freely(robot: Robot, function: str, frame: str) -> None:
    bodies = skeleton(robot)
    body, rates = bodies.frame(frame).body, set[int | None]()
    while body != BASE:
        rates.add(bodies.bones[body].rate.index)
        body = bodies.bones[body].parent
    if len(rates) < 6:
        raise LinkwiseError(
            f"{function}: frame {frame!r} of {robot.name!r} cannot move in all six directions",
            given=f"{len(rates)} joint velocities between it and the ground",
            expected="six or more",
            mend="invert the rows and columns of operational_space_mobility that the frame can move in",
        )


MEANINGS = {
    "tip_wrench": "three forces, then three moments about the tip, in the last moving link's axes",
    "f_ext": "for each link or frame three forces, then three moments",
    "gravity": "the acceleration of free fall in the axes of the base",
}

MENDS = {"f_ext": "give one for each, or name those that are meant by f_ext_on"}


def extra_input(robot: Robot, function: str, name: str, given: ArrayLike, core: tuple[int, ...]) -> Array:
    """What is given beyond the state."""
    array = numbers(function, name, given)
    if array.shape[max(0, array.ndim - len(core)) :] != core:
        raise LinkwiseError(
            f"{function}: {name} has the wrong shape for {robot.name!r}",
            given=f"shape {array.shape}",
            expected=f"(…, {', '.join(map(str, core))}): {MEANINGS[name]}",
            mend=MENDS.get(name, "put these on the last axes"),
        )
    return array


def batch_shape(function: str, columns: Mapping[str, Array]) -> tuple[int, ...]:
    """The shape that all leading axes broadcast to."""
    try:
        return np.broadcast_shapes(*(column.shape for column in columns.values()))
    except ValueError as error:
        shapes = {name.split("[")[0]: column.shape for name, column in columns.items()}
        raise LinkwiseError(
            f"{function}: the leading axes of the arguments do not broadcast",
            given=", ".join(f"{name} (…) = {shape}" for name, shape in shapes.items()),
            expected="leading axes that are equal, 1 or missing, as NumPy broadcasts",
            mend="give all arguments the same leading axes",
        ) from error
