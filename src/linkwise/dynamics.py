"""`Dynamics`: the functions of a robot's dynamics, on arrays of any shape."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import ModuleType
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from .arguments import Array, check_one_tip, joint_vectors, wrench
from .compiled import Facts, Request, compiled
from .errors import LinkwiseError
from .explain import Explanation
from .kernel.call import function as called_by_arrays
from .kernel.compile import PRECISIONS, Kernel
from .quantities import PER_LINK, QUANTITIES
from .robot.check import warn_if_doubtful
from .robot.model import Robot
from .robot.skeleton import skeleton
from .robot.symbols import symbols_of
from .setting import EFFECTS, setting
from .varying import varying

NEEDS_SOUND_MASSES = {"forward_dynamics", "inverse_mass_matrix", *PER_LINK}


class _Compiled:
    """A function that is compiled when it is first asked for, and is the instance's own from then on.

    What the instance then holds is the call layer's object itself: no line of Python stands before a kernel.
    """

    def __init__(self, described: Callable[..., Array]) -> None:
        self.__doc__, self.__name__, self.__wrapped__ = described.__doc__, described.__name__, described

    def __get__(self, dynamics: Dynamics | None, owner: type) -> Any:
        if dynamics is None:
            return self.__wrapped__
        made = dynamics.compile(self.__name__)
        vars(dynamics)[self.__name__] = made
        return made


Described = TypeVar("Described", bound=Callable[..., Array])


def _kernel(described: Described) -> Described:
    return cast(Described, _Compiled(described))


class Dynamics:
    """The dynamics of one robot: M(q) a + C(q, v) v + gravity = tau.

    Arguments are of shape (…, n), n being `robot.nq` for q and `robot.nv` for v, a and tau, and broadcast as NumPy's
    do; results are (…, n) or (…, n, n) with n = `robot.nv`. Every function is compiled for this robot when it is first
    used, and kept on disk for the next time; it takes `out=` for an array to write to, and `threads=` for how many
    threads share a large batch.

    `formulation` is a name, or "auto" for the fewest operations. `dtype` is that of the arithmetic, float64 or
    float32. With `parameters`, some of "mass", "com" and "inertia" (of all links, or of those in `links`) become
    arguments of every function, by name, with leading axes of their own; left out, they are the robot's.

    `base_velocity` says in which axes the velocity of a free joint is told: "world_aligned", "body" or "mujoco".
    `effects` names what of the joints' drives is taken into account, all if left out: "rotor_inertia", "armature",
    "damping" and "friction". Friction has the sign of the velocity, and is nought at rest; with a `friction_width` w it
    is v/√(v² + w²) instead, which is smooth.

    >>> import linkwise
    >>> arm = linkwise.Dynamics(linkwise.load("planar-3r"))
    >>> arm.gravity_torques([0, 0, 0]).round(3)
    array([44.145, 19.62 ,  4.905])
    """

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
    ) -> None:
        _check_robot(robot)
        self._setting = setting(base_velocity, effects, friction_width)
        if formulation != "auto":
            _making().allowed(self._setting.robot(robot), formulation)
        self.robot = robot
        self.formulation = formulation
        self.dtype = np.dtype(dtype)
        self.threads = threads
        self._precision = _precision(dtype)
        self._options = {
            "dtype": self.dtype,
            "parameters": tuple(parameters),
            "links": links,
            "threads": threads,
            "base_velocity": base_velocity,
            "effects": tuple(effects),
            "friction_width": friction_width,
        }
        self._varying = varying(robot, parameters, links)
        self._facts: dict[str, Facts] = {}

    def __repr__(self) -> str:
        more = "" if self.dtype == np.float64 else f", dtype={self.dtype}"
        more += f", parameters={list(self._varying.parameters)}" if self._varying.parameters else ""
        joints = list(self.robot.joint_names)
        return f"Dynamics({self.robot.name!r}, formulation={self.formulation!r}{more}, joints={joints})"

    def __getstate__(self) -> dict[str, Any]:
        return {"robot": self.robot, "formulation": self.formulation, **self._options}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        self.__init__(**state)

    @_kernel
    def inverse_dynamics(
        self,
        q: ArrayLike,
        v: ArrayLike,
        a: ArrayLike,
        *,
        tip_wrench: ArrayLike | None = None,
        out: Array | None = None,
        threads: int | None = None,
        **parameters: ArrayLike,
    ) -> Array:
        """The joint forces for accelerations a.

        `tip_wrench` (…, 6) is the moment and force that the tip of a chain exerts on what it touches, about the tip
        and in the last moving link's axes.
        """
        ...

    @_kernel
    def forward_dynamics(
        self,
        q: ArrayLike,
        v: ArrayLike,
        tau: ArrayLike,
        *,
        tip_wrench: ArrayLike | None = None,
        out: Array | None = None,
        threads: int | None = None,
        **parameters: ArrayLike,
    ) -> Array:
        """The joint accelerations under the joint forces tau; `tip_wrench` as in inverse dynamics.

        Where the mass matrix has a pivot that is not positive, the accelerations are NaN.
        """
        ...

    @_kernel
    def mass_matrix(
        self, q: ArrayLike, *, out: Array | None = None, threads: int | None = None, **parameters: ArrayLike
    ) -> Array:
        """M(q)."""
        ...

    @_kernel
    def inverse_mass_matrix(
        self, q: ArrayLike, *, out: Array | None = None, threads: int | None = None, **parameters: ArrayLike
    ) -> Array:
        """The inverse of M(q), without M having been made; NaN where a pivot is not positive."""
        ...

    @_kernel
    def coriolis_matrix(
        self,
        q: ArrayLike,
        v: ArrayLike,
        *,
        out: Array | None = None,
        threads: int | None = None,
        **parameters: ArrayLike,
    ) -> Array:
        """A C(q, v) with C v the velocity forces, for which dM/dt - 2 C is skew."""
        ...

    @_kernel
    def bias(
        self,
        q: ArrayLike,
        v: ArrayLike,
        *,
        tip_wrench: ArrayLike | None = None,
        out: Array | None = None,
        threads: int | None = None,
        **parameters: ArrayLike,
    ) -> Array:
        """The joint forces without acceleration: C v + gravity (+ the tip's wrench)."""
        ...

    @_kernel
    def gravity_torques(
        self, q: ArrayLike, *, out: Array | None = None, threads: int | None = None, **parameters: ArrayLike
    ) -> Array:
        """The joint forces that hold the robot still."""
        ...

    @_kernel
    def link_accelerations(
        self,
        q: ArrayLike,
        v: ArrayLike,
        tau: ArrayLike,
        *,
        tip_wrench: ArrayLike | None = None,
        out: Array | None = None,
        threads: int | None = None,
        **parameters: ArrayLike,
    ) -> Array:
        """Angular, then linear acceleration of every moving link's origin under tau, in its own axes: (…, n, 6)."""
        ...

    @_kernel
    def tip_acceleration(
        self,
        q: ArrayLike,
        v: ArrayLike,
        tau: ArrayLike,
        *,
        tip_wrench: ArrayLike | None = None,
        out: Array | None = None,
        threads: int | None = None,
        **parameters: ArrayLike,
    ) -> Array:
        """Angular, then linear acceleration of the tip under tau, in the last moving link's axes: (…, 6)."""
        ...

    @_kernel
    def joint_reactions(
        self,
        q: ArrayLike,
        v: ArrayLike,
        tau: ArrayLike,
        *,
        tip_wrench: ArrayLike | None = None,
        out: Array | None = None,
        threads: int | None = None,
        **parameters: ArrayLike,
    ) -> Array:
        """Moment and force on every moving link through its joint, about its origin, in its axes: (…, n, 6)."""
        ...

    def compile(self, function: str) -> Callable[..., Array]:
        """The compiled function of a name; calling the method of that name does this when it is first needed."""
        kernel = self._kernel(function, tip=False)
        return self._callable(kernel, function, self._completed)

    def explain(self, *functions: str) -> Explanation:
        """What has been compiled so far, or these functions (which it compiles if need be), and how."""
        for function in functions:
            _check_function(function)
            getattr(self, function)
        return Explanation(tuple(self._facts.values()))

    def chosen(self, function: str) -> str:
        """The name of the formulation that works out a function."""
        if function in self._facts:
            return self._facts[function].formulation
        return _making().choice(self._request(function, tip=False))[0]

    def run_text(self, function: str, *state: Sequence[Any], fn: Any = math, **more: Any) -> Any:
        """A formulation's text itself, run once on scalars of any kind whose namespace is `fn`.

        Bodies keep the frames of the robot's description, turned until joint axes are z axes. This reaches what
        arrays cannot hold and what other scalars are needed for: the factors of a decomposition, 50 digits, symbols.

        >>> import linkwise
        >>> arm = linkwise.Dynamics(linkwise.load("planar-3r"), "denoc")
        >>> U, D = arm.run_text("udu_factors", [0.0, 0.5, -0.5])
        >>> len(U), len(D)
        (3, 3)
        """
        return _making().text(self._request(function, tip=False))(
            skeleton(self._setting.robot(self.robot)), *state, fn, **more
        )

    def _request(self, function: str, *, tip: bool) -> Request:
        robot = self._setting.robot(self.robot)
        return Request(robot, function, self.formulation, self._precision, tip, self._varying, self._setting)

    def _kernel(self, function: str, *, tip: bool) -> Kernel:
        _check_function(function)
        if tip or function == "tip_acceleration":
            check_one_tip(self.robot, f"{function} with a tip_wrench" if tip else function)
        if function in NEEDS_SOUND_MASSES:
            warn_if_doubtful(self.robot)
        kernel, facts = compiled(self._request(function, tip=tip), partial(self.check_masses, function))
        self._facts[f"{function} with tip_wrench" if tip else function] = facts
        return kernel

    def check_masses(self, function: str) -> None:
        """Raise if a function would have no meaning: masses that no body has, or none where there must be some."""
        if function in NEEDS_SOUND_MASSES and not self._varying.parameters:
            _making().refuse_if_unsound(self._setting.robot(self.robot))

    def _callable(self, kernel: Kernel, function: str, around: Callable[..., Any]) -> Callable[..., Array]:
        described = getattr(Dynamics, function).__doc__
        return called_by_arrays(
            kernel, name=function, check=self._checked, doc=described, threads_default=self.threads, around=around
        )

    def _completed(self, plain: Callable[..., Array], function: str) -> Callable[..., Array]:
        """The function with what may be left out: the tip's wrench, and parameters that are the robot's own."""
        own = {p: self._varying.own(self.robot, p) for p in self._varying.parameters}
        vectors = len(QUANTITIES[function].arguments)
        at_tip: list[Callable[..., Array]] = []

        def complete(*given: Any, tip_wrench: Any = None, **named: Any) -> Array:
            more = own if len(given) <= vectors else {}
            if tip_wrench is None:
                return plain(*given, **{**more, **named})
            if not at_tip:
                at_tip.append(self._callable(self._kernel(function, tip=True), function, _as_it_is))
            return at_tip[0](*given[:vectors], tip_wrench, *given[vectors:], **{**more, **named})

        return complete if own or QUANTITIES[function].tip else plain

    def _checked(self, function: str, argument: str, given: Any) -> Array:
        if argument == "tip_wrench":
            return wrench(self.robot, function, given)
        if argument in self._varying.parameters:
            return self._varying.checked(self.robot, function, argument, given)
        return joint_vectors(self.robot, function, argument, given)


def _as_it_is(plain: Callable[..., Array], function: str) -> Callable[..., Array]:
    return plain


def _making() -> ModuleType:
    """Formulations, rules and printers, imported when code has to be made: a warm start has no use for them."""
    from . import making

    return making


def _precision(dtype: DTypeLike) -> str:
    for name, known in PRECISIONS.items():
        if known == dtype:
            return name
    raise LinkwiseError(
        "There is no arithmetic of this type",
        given=repr(dtype),
        expected="float64 or float32",
        mend="choose one of the two",
    )


def _check_function(function: str) -> None:
    if not isinstance(vars(Dynamics).get(function), _Compiled):
        names = ", ".join(name for name, value in vars(Dynamics).items() if isinstance(value, _Compiled))
        raise LinkwiseError(
            "Dynamics has no such function",
            given=repr(function),
            expected=f"one of {names}",
            mend="choose one of these",
        )


def _check_robot(robot: Any) -> None:
    if not isinstance(robot, Robot):
        raise LinkwiseError(
            "Dynamics is of a robot",
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
