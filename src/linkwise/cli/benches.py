"""What `bench` measures, shown while it goes on and when it is over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..bench.contenders import MODULES, installed
from ..bench.measuring import QUICKLY, Plan, bench
from ..bench.report import Report
from ..bench.subjects import EXAMPLES, WHEEL, beyond_engines, subject, there
from ..bench.tables import page, tables
from ..bench.targets import verdicts
from ..dynamics import Dynamics
from ..errors import LinkwiseError
from .output import aside, out, show_table, step_by_step


def plan(robots: Sequence[str], *, quick: bool) -> Plan:
    """What is to be measured; robots that there are not, or that cannot move as bodies do, are refused before."""
    for robot in robots:
        Dynamics(subject(robot)).check_masses("forward_dynamics")
    chosen = QUICKLY if quick else Plan()
    return replace(chosen, robots=tuple(robots or filter(there, chosen.robots)))


def measured(chosen: Plan) -> Report:
    """The benchmark, step by step, with a bar on stderr where somebody watches."""
    for engine in (name for name in MODULES if not installed(name)):
        aside.print(f"{engine} is not installed, and left out")
    if gone := [robot for robot in EXAMPLES if not there(robot)]:
        aside.print(f"{WHEEL} is not installed: {', '.join(gone)} left out")
    for robot in chosen.robots:
        if joint := beyond_engines(subject(robot)):
            aside.print(f"{robot}: no engine beside linkwise is given its joint {joint.name!r}", markup=False)
    with bench(chosen) as running:
        step_by_step(running.steps())
        return running.report()


def data(report: Report) -> dict[str, Any]:
    return {**report.data(), "targets": [v.data() for v in verdicts(report)]}


def show(report: Report) -> None:
    for table in tables(report):
        show_table(table.title, table.header, table.rows, left=table.names, whole=range(len(table.header)))
        if table.legend:
            out.print(table.legend.replace("\n", " "), style="dim")


def save(report: Report, path: Path) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(page(report), encoding="utf-8")
    except OSError as error:
        raise LinkwiseError(
            "The tables cannot be written",
            given=f"{path}: {error.strerror}",
            expected="the name of a file that may be written",
            mend="name another one",
        ) from None
    aside.print(f"wrote {path}", markup=False)
