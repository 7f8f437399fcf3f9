"""From a robot to C99 files: one function of its dynamics, and the header to call it by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from itertools import islice
from math import prod
from os import PathLike
from pathlib import Path
from textwrap import wrap

from .arguments import MEANINGS
from .compiled import Request
from .dynamics import Dynamics
from .errors import LinkwiseError
from .expr import Count, Program, count
from .expr.lower import lowered
from .expr.trigonometry import FAR
from .files import put
from .formulations import QUANTITIES, TABLE
from .functions import NEEDS_SOUND_MASSES, Frames
from .kernel.compile import Signature
from .making import choice
from .printers import c99, c99_names
from .quantities import EXTRAS
from .robot import given
from .robot.check import warn_if_doubtful

FUNCTIONS = tuple(name for name in QUANTITIES if hasattr(Dynamics, name))
"""What can be exported: the functions of `Dynamics`."""


@dataclass(frozen=True, slots=True)
class Exported:
    """The text of two C files, and what they were made with."""

    function: c99.Function
    about: str
    formulation: str
    operations: Count

    @property
    def name(self) -> str:
        return self.function.name

    @property
    def prototype(self) -> str:
        return c99.prototype(self.function)

    @property
    def source(self) -> str:
        return c99.source(self.function, self.about)

    @property
    def header(self) -> str:
        return c99.header(self.function, self.about)

    def write(self, path: str | PathLike[str]) -> tuple[Path, Path]:
        """Put the source into the file of this name and the header beside it, over whatever is there."""
        source = Path(path)
        if source.suffix != ".c":
            raise LinkwiseError(
                "The name of a C file ends in .c, and that of its header in .h",
                given=repr(str(path)),
                expected="a path such as fd.c",
                mend="let the name end in .c",
            )
        header = source.with_suffix(".h")
        put(source, self.source)
        put(header, self.header)
        return source, header


def exported(
    dynamics: Dynamics,
    function: str,
    *,
    name: str | None = None,
    libm: bool = True,
    extras: Sequence[str] = (),
    frames: Frames = None,
    reference: str | None = None,
) -> Exported:
    """A function of `dynamics` as C99: `void name(const double q[n], …, double result[…])`.

    Formulation, float type and parameters that vary are those of `dynamics`. `name` is made of the names of robot and
    function where it is left out. Without `libm` no library is needed, and joint angles beyond 10⁵ rad give NaN. With
    `extras` it takes further inputs: "tip_wrench", "f_ext", "gravity". What is of frames is of those in `frames`, told
    in this `reference`, as the function of that name takes them.

    >>> import linkwise
    >>> arm = linkwise.Dynamics(linkwise.load("planar-3r"))
    >>> exported(arm, "gravity_torques").prototype
    'void planar_3r_gravity_torques(const double q[3], double result[3])'
    """
    given.one_of(function, FUNCTIONS, "function")
    _check_aim(function, frames, reference)
    request = _request(dynamics, function, extras, frames, reference)
    formulation, traced = choice(request)
    signature = request.signature(traced.shape)
    program = lowered(traced.program, request.precision)
    inputs = iter(program.inputs)
    arguments = {x: tuple(islice(inputs, prod(core))) for x, core in zip(signature.names, signature.cores, strict=True)}
    printed = c99.Function(_name(name, request), arguments, program, request.precision, libm)
    operations = count(traced.program)
    about = "\n".join(_about(request, signature, formulation, operations, printed))
    return Exported(printed, about, formulation, operations)


def _request(
    dynamics: Dynamics, function: str, extras: Sequence[str], frames: Frames, reference: str | None
) -> Request:
    """What `dynamics` would compile, with the doubts and refusals that this has."""
    for extra in extras:
        _check_extra(function, extra)
    request = dynamics.request(function, extras, frames, reference)
    if function in NEEDS_SOUND_MASSES:
        warn_if_doubtful(dynamics.robot)
    dynamics.check_masses(function)
    return request


def _about(
    request: Request, signature: Signature, formulation: str, operations: Count, printed: c99.Function
) -> Iterator[str]:
    """What a reader of the files wants to know."""
    robot, varying = request.robot, request.varying
    yield f"linkwise {version('linkwise')}: {request.function} of {robot.name}"
    yield from wrap(robot.source, WIDTH)
    yield ""
    yield f"Formulation: {formulation} ({TABLE[formulation].paper})"
    yield f"Operations as papers count them: {operations}; in this file: {_printed_operations(printed.program)}"
    yield ""
    yield "Units are SI's, angles in radians. What has more than one axis lies row by row."
    yield from wrap(f"{', '.join(QUANTITIES[request.function].arguments)}: {', '.join(robot.joint_names)}", WIDTH)
    if request.frames:
        yield from wrap(f"frames: {', '.join(request.frames)}", WIDTH)
    if request.reference:
        yield f"told in or about: {request.reference}"
    for extra in request.extras:
        yield from wrap(f"{extra}: {MEANINGS[extra]}", WIDTH)
    if "f_ext" in request.extras:
        setting = request.setting
        yield from wrap(f"f_ext: {setting.f_ext_reference}, on {', '.join(setting.f_ext_on)}", WIDTH)
    if varying.parameters:
        links = ", ".join(robot.links[i].name for i in varying.links)
        yield from wrap(f"{', '.join(varying.parameters)}: {links}", WIDTH)
    if "inertia" in varying.parameters:
        yield "inertia: xx, xy, xz, yy, yz, zz about the centre of mass, in link axes"
    yield f"{c99_names.RESULT}: {' x '.join(map(str, signature.result))}"
    yield ""
    yield NEEDS_LIBM if printed.libm else NEEDS_NOTHING
    yield from wrap(FREE_OF_STATE, WIDTH)


WIDTH = 100
"""Of the lines of a comment."""

NEEDS_LIBM = f"To be linked with libm (-lm), which also serves angles beyond {FAR:.0f} rad."
NEEDS_NOTHING = f"No library is needed. Angles beyond {FAR:.0f} rad give NaN."
FREE_OF_STATE = (
    f"All inputs are read before anything is written, so that {c99_names.RESULT} may be one of them. "
    "Nothing is kept between calls, so that any number of threads may call."
)


def _printed_operations(program: Program) -> str:
    """What the machine does, sines and cosines included."""
    found = Counter(node.op for node in program.nodes())
    sums = found["add"] + found["sub"]
    return f"{found['fma']} fma, {sums} sums, {found['mul']} products, {found['div']} quotients"


def _name(name: str | None, request: Request) -> str:
    """The name asked for, or one made of robot, function and frame (if it is a single one)."""
    if name is None:
        of = request.frames if len(request.frames) == 1 else ()
        return c99_names.identifier(" ".join([request.robot.name, request.function, *of]))
    if c99_names.is_identifier(name):
        return name
    raise LinkwiseError(
        "No function of C and C++ can have this name here",
        given=repr(name),
        expected="a letter, then letters, digits and _; no keyword, no function of libm, no name of the file's own",
        mend=f"take {c99_names.identifier(name)!r}",
    )


def _check_aim(function: str, frames: Frames, reference: str | None) -> None:
    quantity = QUANTITIES[function]
    for what, asked, due in (("frames", frames, quantity.of_frames), ("reference", reference, quantity.references)):
        if asked is not None and not due:
            raise LinkwiseError(
                f"{function} has no {what} to be told in",
                given=f"{what}={asked!r}",
                expected=f"{what} for functions that have them, such as jacobian",
                mend=f"leave out {what}",
            )


def _check_extra(function: str, extra: str) -> None:
    given.one_of(extra, EXTRAS, "further input")
    if extra not in QUANTITIES[function].extras:
        raise LinkwiseError(
            f"{function} does not depend on {extra}",
            given=repr(extra),
            expected="for it, one of " + ", ".join(name for name in FUNCTIONS if extra in QUANTITIES[name].extras),
            mend=f"leave out {extra}",
        )
