"""The commands, on typer."""

from __future__ import annotations

from importlib.metadata import version
from typing import Annotated

import typer
from click import Choice

import linkwise
from linkwise.robot.denavit_hartenberg import CONVENTIONS

from . import robots
from .output import as_json, aside, out, table

app = typer.Typer(
    name="linkwise",
    help="Robot dynamics by every classical recursive formulation.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

Json = Annotated[bool, typer.Option("--json", help="Print JSON, for a script to read.")]
ROBOT = "A robot of the library, or the path of its TOML file."


def _version(wanted: bool) -> None:
    if wanted:
        print(f"linkwise {version('linkwise')}")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Show it.")] = False,
) -> None:
    """Robot dynamics by every classical recursive formulation."""


@app.command()
def library(json: Json = False) -> None:
    """List the robots that come with linkwise, with the source of their numbers."""
    known = [robots.summary(linkwise.load(name)) for name in linkwise.library()]
    if json:
        as_json(known)
    else:
        out.print(table("Robots of the library", ("name", "joints", "source"), [r.values() for r in known], left=3))


@app.command()
def info(
    robot: Annotated[str, typer.Argument(help=ROBOT)],
    convention: Annotated[
        str, typer.Option(click_type=Choice(list(CONVENTIONS)), help="Of the Denavit–Hartenberg table.")
    ] = "modified",
    json: Json = False,
) -> None:
    """Describe a robot: joints, masses, Denavit–Hartenberg table, gravity, physical findings."""
    loaded = linkwise.load(robot)
    if json:
        as_json(robots.description(loaded, convention))
    else:
        robots.show(loaded, convention)
