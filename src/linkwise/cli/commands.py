"""The commands, on typer."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path
from typing import Annotated

import typer

from ..bench.subjects import EXAMPLES, subject
from ..counting import COUNTED, counted
from ..dynamics import Dynamics
from ..export import FUNCTIONS as EXPORTED
from ..kernel.compile import PRECISIONS
from ..quantities import EXTRAS, REFERENCES
from ..robot import given
from ..robot.denavit_hartenberg import CONVENTIONS
from ..robot.library import library as shipped
from ..robot.library import load
from ..robot.lint import inspected
from ..robot.manifold import BASE_VELOCITIES
from ..robot.model import Robot
from ..robot.urdf_writing import MAY_BE_LEFT_OUT
from ..setting import EFFECTS
from . import benches, caches, checks, comparisons, conversions, counts, exports, races, robots
from .output import as_json, in_progress, show_table

app = typer.Typer(
    name="linkwise",
    help="Robot dynamics by every classical recursive formulation.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

Json = Annotated[bool, typer.Option("--json", help="Print JSON, for a script to read.")]
ROBOT = "A robot of the library, or the path of a file in TOML, URDF or MJCF."


def _version(wanted: bool) -> None:
    if wanted:
        print(f"linkwise {version('linkwise')}")
        raise typer.Exit


Version = Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")]


@app.callback()
def root(version: Version = False) -> None:
    """Robot dynamics by every classical recursive formulation."""


@app.command()
def library(json: Json = False) -> None:
    """List the robots that come with linkwise, with the source of their numbers."""
    known = [robots.summary(load(name)) for name in shipped()]
    if json:
        as_json(known)
    else:
        show_table("Robots of the library", ("name", "joints", "source"), [tuple(r.values()) for r in known], left=3)


@app.command()
def info(
    robot: Annotated[str, typer.Argument(help=ROBOT)],
    convention: Annotated[
        str, typer.Option(help=f"Of the Denavit–Hartenberg table: {', '.join(CONVENTIONS)}.")
    ] = "modified",
    json: Json = False,
) -> None:
    """Describe a robot: joints, masses, Denavit–Hartenberg table, gravity, physical findings."""
    given.one_of(convention, tuple(CONVENTIONS), "convention")
    loaded = load(robot)
    if json:
        as_json(robots.description(loaded, convention))
    else:
        robots.show(loaded, convention)


@app.command()
def check(
    file: Annotated[str, typer.Argument(help=ROBOT)],
    strict: Annotated[bool, typer.Option("--strict", help="Let warnings fail as errors do.")] = False,
    json: Json = False,
) -> None:
    """Look for mistakes in the file of a robot: exit code 1 if there are errors."""
    findings = inspected(file).findings
    sound = checks.is_sound(findings, strict)
    if json:
        as_json(checks.data(file, findings, sound))
    else:
        checks.show(file, findings)
    raise typer.Exit(0 if sound else 1)


@app.command()
def same(
    one: Annotated[str, typer.Argument(help=ROBOT)],
    other: Annotated[str, typer.Argument(help=ROBOT)],
    rtol: Annotated[float, typer.Option(help="How far apart they may be, relative to what the joints feel.")] = 1e-9,
    json: Json = False,
) -> None:
    """Tell whether two robots are the same machine, and where they first differ: exit code 1 if they do."""
    found = comparisons.made(one, other, rtol)
    if json:
        as_json(comparisons.data(found))
    else:
        comparisons.show(found)
    raise typer.Exit(0 if found else 1)


@app.command()
def convert(
    robot: Annotated[str, typer.Argument(help=ROBOT)],
    output: Annotated[str, typer.Option("--output", "-o", help="The file to write, ending in .toml or .urdf.")],
    leave_out: Annotated[
        list[str] | None,
        typer.Option(help=f"What a URDF need not tell: {', '.join(MAY_BE_LEFT_OUT)}; may be repeated."),
    ] = None,
    json: Json = False,
) -> None:
    """Write a robot in another format, told by the file's ending, or say what that cannot hold."""
    found = conversions.made(robot, output, leave_out or ())
    if json:
        as_json(conversions.data(found))
    else:
        conversions.show(found)


Formulation = Annotated[str | None, typer.Option(help="Only of this formulation.")]
Function = Annotated[str | None, typer.Option(help=f"Only of this function: {', '.join(COUNTED)}.")]
FirstAxis = Annotated[str, typer.Option(help="Of generic robots: vertical (along gravity) or general.")]


@app.command()
def count(
    robot: Annotated[str | None, typer.Argument(help=f"{ROBOT} Or a word of R and P for a generic one.")] = None,
    formulation: Formulation = None,
    function: Function = None,
    first_axis: FirstAxis = "vertical",
    json: Json = False,
) -> None:
    """Count operations: of one robot, or, beside the published counts, of the generic revolute robot of n joints."""
    if robot is None:
        _count_laws(formulation, function, first_axis, json)
    else:
        _count_robot(_counted_robot(robot, first_axis), formulation, function, json)


def _counted_robot(word: str, first_axis: str) -> Robot:
    return Robot.generic(word, first_axis) if set(word) <= {"R", "P"} else load(word)


def _count_robot(robot: Robot, formulation: str | None, function: str | None, json: bool) -> None:
    pairs = counts.asked(formulation, function, robot)
    found = [counted(robot, by, what) for what, by in in_progress(pairs, "counting")]
    if json:
        as_json([counts.data(c) for c in found])
        return
    header = ("function", "formulation", counts.PRINTED, counts.REWRITTEN)
    show_table(f"Operations of {robot.name}", header, [counts.row(c) for c in found], left=2)


def _count_laws(formulation: str | None, function: str | None, first_axis: str, json: bool) -> None:
    found: dict[str, list[counts.Line]] = {}
    for what, by in in_progress(counts.asked(formulation, function), "counting"):
        found.setdefault(what, [] if formulation else counts.others(what)).extend(counts.lines(what, by, first_axis))
    if json:
        as_json({what: [line.data for line in lines] for what, lines in found.items()})
        return
    header = ("algorithm", "counted", "n joints", *(f"n = {n}" for n in counts.SIZES))
    for what, lines in found.items():
        rows = [
            (line.algorithm, line.counted, "\n".join(counts.law_in_words(line.law)), *counts.at_sizes(line))
            for line in lines
        ]
        title = f"{what} of the generic revolute robot, first axis {first_axis}"
        show_table(title, header, rows, left=2, whole=(2, 3, 4))


cache = typer.Typer(help="Show the compiled code that is kept on disk, or clear it.", invoke_without_command=True)
app.add_typer(cache, name="cache")


@cache.callback()
def cache_contents(context: typer.Context, json: Json = False) -> None:
    """Show the compiled code that is kept on disk, or clear it."""
    if context.invoked_subcommand and json:
        raise typer.BadParameter("give it after the command", param_hint="--json")
    if context.invoked_subcommand:
        return
    if json:
        as_json(caches.contents())
    else:
        caches.show()


@cache.command("clear")
def cache_clear(json: Json = False) -> None:
    """Remove all compiled code from disk."""
    if json:
        as_json(caches.clear())
    else:
        caches.show_cleared()


@app.command()
def export(
    robot: Annotated[str, typer.Argument(help=ROBOT)],
    function: Annotated[str, typer.Argument(help=f"One of {', '.join(EXPORTED)}.")],
    output: Annotated[
        str, typer.Option("--output", "-o", help="The C file, its header being put beside it, or - for stdout.")
    ],
    formulation: Annotated[str, typer.Option(help="A formulation, or auto for the one of the fewest operations.")] = (
        "auto"
    ),
    precision: Annotated[str, typer.Option(help=f"Of all numbers: {', '.join(PRECISIONS)}.")] = "double",
    parameter: Annotated[
        list[str] | None, typer.Option(help="mass, com or inertia as an argument; may be repeated.")
    ] = None,
    link: Annotated[list[str] | None, typer.Option(help="Only this link's; may be repeated.")] = None,
    name: Annotated[str | None, typer.Option(help="Of the C function; made of robot and function if left out.")] = None,
    libm: Annotated[
        bool, typer.Option("--libm/--own-sincos", help="Link libm, or need no library (far angles give NaN).")
    ] = True,
    take: Annotated[
        list[str] | None, typer.Option(help=f"A further input, of {', '.join(EXTRAS)}; may be repeated.")
    ] = None,
    f_ext_on: Annotated[
        list[str] | None, typer.Option(help="A link that f_ext acts on, all if left out; may be repeated.")
    ] = None,
    f_ext_reference: Annotated[str, typer.Option(help=f"What f_ext is told in: {', '.join(REFERENCES)}.")] = (
        REFERENCES[0]
    ),
    frame: Annotated[list[str] | None, typer.Option(help="A frame that it is about; may be repeated.")] = None,
    reference: Annotated[str | None, typer.Option(help="What it is told in: world_aligned, local, spatial …")] = None,
    base_velocity: Annotated[str, typer.Option(help=f"Of free joints: {', '.join(BASE_VELOCITIES)}.")] = (
        BASE_VELOCITIES[0]
    ),
    without: Annotated[
        list[str] | None, typer.Option(help=f"A drive's effect to leave out, of {', '.join(EFFECTS)}; may be repeated.")
    ] = None,
    friction_width: Annotated[float, typer.Option(help="The velocity below which friction is smoothed.")] = 0.0,
    json: Json = False,
) -> None:
    """Write a function of a robot's dynamics or kinematics as one C99 file and its header."""
    exports.check(function, parameter or (), take or (), f_ext_on or ())
    left_out = [given.one_of(effect, EFFECTS, "effect") for effect in without or ()]
    dynamics = Dynamics(
        load(robot),
        formulation,
        dtype=PRECISIONS[given.one_of(precision, tuple(PRECISIONS), "precision")],
        parameters=parameter or (),
        links=link,
        base_velocity=base_velocity,
        effects=[effect for effect in EFFECTS if effect not in left_out],
        friction_width=friction_width,
        f_ext_on=f_ext_on,
        f_ext_reference=f_ext_reference,
    )
    frames = frame[0] if frame and len(frame) == 1 else frame
    found = exports.made(
        dynamics, function, name=name, libm=libm, extras=take or (), frames=frames, reference=reference
    )
    files = exports.put(found, output)
    if json:
        as_json(exports.data(found, files))
    else:
        exports.show(found, files)


MEASURED = f"{ROBOT} Or generic-9r for nine joints, or an example: {', '.join(EXAMPLES)}."


@app.command()
def bench(
    robots: Annotated[
        list[str] | None, typer.Argument(help=f"{MEASURED} Left out: arms, legged robots and chains.")
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Fewer robots, batches and repetitions.")] = False,
    save: Annotated[Path | None, typer.Option(help="Write the tables in Markdown there, too.")] = None,
    json: Json = False,
) -> None:
    """Measure speed: beside Pinocchio and MuJoCo where they are installed, and beside the machine's peak."""
    report = benches.measured(benches.plan(robots or (), quick=quick))
    if save:
        benches.save(report, save)
    if json:
        as_json(benches.data(report))
    else:
        benches.show(report)


@app.command()
def race(
    robot: Annotated[str, typer.Argument(help=MEASURED)],
    quick: Annotated[bool, typer.Option("--quick", help="Fewer repetitions and states.")] = False,
    json: Json = False,
) -> None:
    """Run every formulation against every other: operations, time, and errors against 50 digits."""
    runner = subject(robot)
    found = races.run(runner, quick=quick)
    if json:
        as_json(races.data(found))
    else:
        races.show(runner, found)
