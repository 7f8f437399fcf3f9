"""The compiled functions of a robot: what those of its kinematics and of its dynamics have in common."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial, wraps
from types import ModuleType
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import DTypeLike

from .arguments import Array, check_moves_freely, check_one_frame, check_one_tip, extra_input, joint_vectors
from .compiled import Facts, Request, compiled, one_or_two_axes
from .errors import LinkwiseError
from .explain import Explanation
from .kernel.call import function as called_by_arrays
from .kernel.call import made_by
from .kernel.compile import PRECISIONS, Kernel
from .kernel.threads import chosen as number_of_threads
from .quantities import EXTRAS, OF_GEOMETRY, PER_LINK, QUANTITIES
from .robot import given
from .robot.check import refuse_if_massless, warn_if_doubtful
from .robot.model import Robot
from .robot.symbols import symbols_of
from .setting import EFFECTS, setting
from .varying import NOTHING_VARIES, Varying, varying

Frames = str | Sequence[str] | None
"""One frame, several, or all."""

NEEDS_SOUND_MASSES = {
    "forward_dynamics", "inverse_mass_matrix", "operational_space_mobility", "operational_space_inertia", *PER_LINK,
}  # fmt: skip
NEEDS_SOME_MASS = {"com", "com_jacobian", "momentum", "momentum_matrix"}


class Compiled:
    """A function that is compiled when it is first asked for, and is the instance's own from then on.

    What the instance then holds is the call layer's object itself: no line of Python stands before a kernel.
    """

    def __init__(self, described: Callable[..., Array]) -> None:
        self.__doc__, self.__name__, self.__wrapped__ = described.__doc__, described.__name__, described

    def __get__(self, functions: Functions | None, owner: type) -> Any:
        if functions is None:
            return self.__wrapped__
        made = functions.aimed(self.__name__)
        vars(functions)[self.__name__] = made
        return made


Described = TypeVar("Described", bound=Callable[..., Array])


def kernel(described: Described) -> Described:
    """A method whose body is the compiled function of its name."""
    return cast(Described, Compiled(described))


class Functions:
    """The functions of one robot, in one setting: what `Dynamics` and `Kinematics` have in common."""

    def __init__(
        self,
        robot: Robot,
        formulation: str = "auto",
        *,
        dtype: DTypeLike = np.float64,
        parameters: Sequence[str] = (),
        links: Sequence[str] | None = None,
        threads: int | None = None,
        base_velocity: str = "world_aligned",
        effects: Sequence[str] = EFFECTS,
        friction_width: float = 0.0,
        f_ext_on: Sequence[str] | None = None,
        f_ext_reference: str = "world_aligned",
    ) -> None:
        _check_robot(robot)
        self._precision = _precision(dtype)
        self._varying = varying(robot, parameters, links)
        self._setting = setting(robot, base_velocity, effects, friction_width, f_ext_on, f_ext_reference)
        if formulation != "auto":
            making().allowed(self._setting.robot(robot), formulation)
        self.robot = robot
        self.formulation = formulation
        self.dtype = np.dtype(dtype)
        self.threads = None if threads is None else number_of_threads(threads)
        self._options = {
            "dtype": self.dtype,
            "parameters": self._varying.parameters,
            "links": None if links is None else tuple(robot.link_names[i] for i in self._varying.links),
            "threads": self.threads,
            "base_velocity": base_velocity,
            "effects": self._setting.effects,
            "friction_width": friction_width,
            "f_ext_on": None if f_ext_on is None else self._setting.f_ext_on,
            "f_ext_reference": f_ext_reference,
        }
        self._facts: dict[str, Facts] = {}
        self._aimed: dict[tuple[Any, ...], Callable[..., Array]] = {}
        self._doubts_told = False

    def __repr__(self) -> str:
        more = "" if self.dtype == np.float64 else f", dtype={self.dtype}"
        more += f", parameters={list(self._varying.parameters)}" if self._varying.parameters else ""
        joints = list(self.robot.joint_names)
        return f"{type(self).__name__}({self.robot.name!r}, formulation={self.formulation!r}{more}, joints={joints})"

    def __getstate__(self) -> dict[str, Any]:
        return {"robot": self.robot, "formulation": self.formulation, **self._options}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        self.__init__(**state)

    def compile(self, function: str, frames: Frames = None, reference: str | None = None) -> Callable[..., Array]:
        """The compiled function of a name; calling the method of that name does this when it is first needed.

        One that is of frames is of these (of all where they are left out), told in this reference.
        """
        self._check_function(function)
        frames = _lasting(frames)
        request = self.request(function, (), frames, reference)
        made = self._callable(request, partial(self._completed, frames=frames, reference=reference), frames)
        told = in_shape(made, one_or_two_axes(self._facts[request.title].shape), self._shape(request, frames))
        return made_by(told, Functions.aimed, self, function, frames, reference)

    def aimed(self, function: str, frames: Frames = None, reference: str | None = None) -> Callable[..., Array]:
        """The compiled function for these frames in this reference, made when it is first asked for."""
        asked = (function, _lasting(frames), reference)
        try:
            return self._aimed[asked]
        except (KeyError, TypeError):  # a TypeError: names that are none, which is told when they are looked at
            made = self.compile(*asked)
        return self._aimed.setdefault(asked, made)  # another thread's, where that was faster

    def explain(self, *functions: str) -> Explanation:
        """What has been compiled so far, or these functions (which it compiles if need be), and how."""
        for function in functions:
            self._check_function(function)
            self.aimed(function) if QUANTITIES[function].of_frames else getattr(self, function)
        return Explanation(tuple(self._facts.values()))

    def chosen(self, function: str) -> str:
        """The name of the formulation that works out a function."""
        self._check_function(function)
        if function in self._facts:
            return self._facts[function].formulation
        return making().choice(self.request(function))[0]

    def run_text(
        self,
        function: str,
        *state: Sequence[Any],
        fn: Any = math,
        frames: Frames = None,
        reference: str | None = None,
        **more: Any,
    ) -> Any:
        """A formulation's text itself, run once on scalars of any kind whose namespace is `fn`.

        Bodies keep the frames of the robot's description, turned until joint axes are z axes. This reaches what
        arrays cannot hold and what other scalars are needed for: the factors of a decomposition, 50 digits, symbols.

        >>> import linkwise
        >>> arm = linkwise.Dynamics(linkwise.load("planar-3r"), "denoc")
        >>> U, D = arm.run_text("udu_factors", [0.0, 0.5, -0.5])
        >>> len(U), len(D)
        (3, 3)
        """
        request = self.request(function, (), frames, reference)
        return making().run(request, state, fn, **request.aim, **more)

    def request(
        self, function: str, extras: Sequence[str] = (), frames: Frames = None, reference: str | None = None
    ) -> Request:
        """What has to be compiled for a function, of these frames and in this reference, with these further inputs."""
        self._check_extras(function, extras)
        aim = self._aim(function, frames, reference) if function in QUANTITIES else {}
        setting = self._setting if "f_ext" in extras else self._setting.unloaded
        every = (self._precision, tuple(extras), self._varying_in(function), setting)
        return Request(self._robot, function, self.formulation, *every, **aim)

    def _varying_in(self, function: str) -> Varying:
        return NOTHING_VARIES if function in OF_GEOMETRY else self._varying

    def _aim(self, function: str, frames: Frames, reference: str | None) -> dict[str, Any]:
        """Of which frames a function is asked and in which reference, checked; nothing for what has none."""
        quantity = QUANTITIES[function]
        if quantity.of_frames == "one":
            check_one_frame(self.robot, function, frames)
        aim: dict[str, Any] = {"frames": self._frames(frames)} if quantity.of_frames else {}
        if function == "operational_space_inertia":
            check_moves_freely(self.robot, function, *aim["frames"])
        if quantity.references:
            chosen = quantity.references[0] if reference is None else reference
            aim["reference"] = given.one_of(chosen, quantity.references, "reference")
        return aim

    def _frames(self, frames: Frames) -> tuple[str, ...]:
        """The frames that are named, or all."""
        if frames is None:
            return self.robot.frame_names
        known = given.some_of((frames,) if isinstance(frames, str) else frames, self.robot.frame_names, "frames")
        if not known:
            raise LinkwiseError(
                "No frame is named",
                given=f"frames={frames!r}",
                expected="one or more of " + ", ".join(self.robot.frame_names),
                mend="name some, or leave out frames for all",
            )
        return known

    @property
    def _robot(self) -> Robot:
        """The robot with the effects that are taken into account."""
        return self._setting.robot(self.robot)

    def check_masses(self, function: str) -> None:
        """Raise if a function would have no meaning: masses that no body has, or none where there must be some."""
        if self._varying.parameters:
            return
        if function in NEEDS_SOUND_MASSES:
            making().refuse_if_unsound(self._robot)
        if function in NEEDS_SOME_MASS:
            refuse_if_massless(self.robot)

    def _kernel(self, request: Request) -> Kernel:
        if request.function in NEEDS_SOUND_MASSES and not self._doubts_told:
            warn_if_doubtful(self.robot)
            self._doubts_told = True
        made, facts = compiled(request, partial(self.check_masses, request.function))
        self._facts[request.title] = facts
        return made

    def _shape(self, request: Request, frames: Frames) -> tuple[int, ...]:
        """The last axes of results, as callers know them: a single name takes the axis of several frames away."""
        shape = self._facts[request.title].shape
        return shape[1:] if isinstance(frames, str) and QUANTITIES[request.function].of_frames == "several" else shape

    def _callable(self, request: Request, around: Callable[..., Any], frames: Frames) -> Callable[..., Array]:
        return called_by_arrays(
            self._kernel(request),
            told=self._shape(request, frames),
            name=request.function,
            check=self._checked,
            doc=getattr(type(self), request.function).__doc__,
            threads_default=self.threads,
            around=around,
        )

    def _completed(
        self, plain: Callable[..., Array], function: str, frames: Frames, reference: str | None
    ) -> Callable[..., Array]:
        """The function with what may be left out: further inputs, and parameters that are the robot's own."""
        varying = self._varying_in(function)
        own = {p: varying.own(self.robot, p) for p in varying.parameters}
        quantity = QUANTITIES[function]
        vectors = len(quantity.arguments)
        made: dict[tuple[str, ...], Callable[..., Array]] = {(): plain}

        def complete(*given: Any, **named: Any) -> Array:
            found = {name: named.pop(name) for name in quantity.extras if named.get(name) is not None}
            for name in quantity.extras:
                named.pop(name, None)
            extras = tuple(found)
            if extras not in made:
                made[extras] = self._callable(self.request(function, extras, frames, reference), _as_it_is, frames)
            more = own if len(given) <= vectors else {}
            return made[extras](*given[:vectors], *found.values(), *given[vectors:], **{**more, **named})

        return complete if own or quantity.extras else plain

    def _checked(self, function: str, argument: str, given: Any) -> Array:
        if argument in EXTRAS:
            return extra_input(self.robot, function, argument, given, self._setting.core(argument))
        if argument in self._varying.parameters:
            return self._varying.checked(self.robot, function, argument, given)
        return joint_vectors(self.robot, function, argument, given)

    def _check_extras(self, function: str, extras: Sequence[str]) -> None:
        if "tip_wrench" in extras or function == "tip_acceleration":
            check_one_tip(self.robot, f"{function} with a tip_wrench" if "tip_wrench" in extras else function)

    def _check_function(self, function: str) -> None:
        names = [name for name in QUANTITIES if hasattr(type(self), name)]
        if function not in names:
            raise LinkwiseError(
                f"{type(self).__name__} has no such function",
                given=repr(function),
                expected=f"one of {', '.join(names)}",
                mend="choose one of these",
            )


def _lasting(frames: Frames) -> Frames:
    """The same frames in what can be gone over more than once."""
    return tuple(frames) if isinstance(frames, Iterable) and not isinstance(frames, str) else frames


def in_shape(call: Callable[..., Any], core: tuple[int, ...], shape: tuple[int, ...]) -> Callable[..., Any]:
    """A function whose results have other last axes than its kernel writes, in the same place in memory."""
    if shape == core:
        return call

    @wraps(call)
    def told(*arguments: Any, out: Array | None = None, **named: Any) -> Any:
        if out is None:
            result = call(*arguments, **named)
            return result.reshape(result.shape[: result.ndim - len(core)] + shape)[()]
        _check_last_axes(out, shape, call.__name__)
        written = out.reshape(out.shape[: out.ndim - len(shape)] + core)
        written.setflags(write=out.flags.writeable)
        call(*arguments, out=written, **named)
        if not np.may_share_memory(written, out):  # no view has these axes: what was written is a copy
            out[...] = written.reshape(out.shape)
        return out

    return told


def _check_last_axes(out: Any, shape: tuple[int, ...], function: str) -> None:
    has = np.shape(out)
    if isinstance(out, np.ndarray) and has[len(has) - len(shape) :] == shape:
        return
    raise LinkwiseError(
        f"{function}: out cannot take the result",
        given=f"an array of shape {has}" if isinstance(out, np.ndarray) else f"{out!r:.80}",
        expected=f"an array whose last axes are {shape}" if shape else "an array of the leading axes' shape",
        mend="give an array of the result's shape, or leave out away",
    )


def _as_it_is(plain: Callable[..., Array], function: str) -> Callable[..., Array]:
    return plain


def making() -> ModuleType:
    """Formulations, rules and printers, imported when code has to be made: a warm start has no use for them."""
    from . import making

    return making


def _precision(dtype: DTypeLike) -> str:
    with suppress(TypeError):  # what NumPy knows no type by either
        for name, known in PRECISIONS.items():
            if known == dtype:
                return name
    raise LinkwiseError(
        "There is no arithmetic of this type",
        given=repr(dtype),
        expected="float64 or float32",
        mend="choose one of the two",
    )


def _check_robot(robot: Any) -> None:
    if not isinstance(robot, Robot):
        raise LinkwiseError(
            "Functions are of a robot",
            given=f"{type(robot).__name__} {robot!r:.80}",
            expected="a linkwise.Robot",
            mend='load one by its name or file: Dynamics(linkwise.load("puma-560-armstrong-1986"))',
        )
    symbols = symbols_of(robot)
    if symbols:
        raise LinkwiseError(
            f"{robot.name!r} has symbols in the place of numbers",
            given=", ".join(symbol.name for symbol in symbols[:5]) + (", …" if len(symbols) > 5 else ""),
            expected="numbers, which arrays can be worked out with",
            mend="count its operations (linkwise.counting.counted), or put numbers in the place of its symbols",
        )
    if robot.nv == 0:
        raise LinkwiseError(
            f"No joint of {robot.name!r} moves",
            given=f"{len(robot.links)} links on fixed joints",
            expected="at least one joint that moves",
            mend="give a joint a type other than fixed",
        )
