"""One robot by every formulation: the same answers in different ways, at different costs."""

from __future__ import annotations

import sys
import warnings
from typing import NamedTuple

import numpy as np
from rich.console import Console
from rich.table import Table

import linkwise
from linkwise.counting import Counted, counted
from linkwise.formulations import FORMULATIONS

ROBOT = "puma-560-armstrong-1986"
Q = np.array([0.3, -0.9, 0.6, 0.4, 0.8, -0.5])
V = np.array([0.5, -0.4, 0.7, 1.0, -0.6, 0.2])
A = np.array([1.0, 0.5, -1.0, 2.0, 0.0, -1.5])

console = Console(highlight=False, width=None if sys.stdout.isatty() else 100)
working = Console(stderr=True)


class Answer(NamedTuple):
    """What one formulation gives, and what it takes."""

    formulation: str
    value: np.ndarray
    operations: Counted


def main() -> None:
    robot = linkwise.load(ROBOT)
    console.print(f"[bold]{robot.name}[/bold]: {robot.source}")
    for finding in robot.check():
        console.print(f"[dim]{finding}[/dim]")
    show("State", ("", *robot.joint_names), [("q / rad", *Q), ("v / rad/s", *V), ("a / rad/s²", *A)])

    answers = by_every_formulation(robot, "inverse_dynamics", Q, V, A)
    tau = answers[0].value
    show_vectors("Inverse dynamics: torques for these accelerations, N m", robot, answers, decimals=4)

    answers = by_every_formulation(robot, "mass_matrix", Q)
    rows = zip(robot.joint_names, answers[0].value, strict=True)
    show("Mass matrix, kg m²", ("", *robot.joint_names), [(name, *row) for name, row in rows], decimals=5)
    show_costs(answers)

    answers = by_every_formulation(robot, "forward_dynamics", Q, V, tau)
    show_vectors("Forward dynamics: accelerations under these torques, rad/s²", robot, answers)
    console.print(EXPLANATION)


EXPLANATION = """
[dim]differs: the largest difference from the first row, relative to its largest entry.
as printed: the steps of the paper; rewritten: after regrouping the robot's parameters and rewriting expressions.
M multiplications and divisions, A additions and subtractions; sine, cosine and constants are free.[/dim]"""


def by_every_formulation(robot: linkwise.Robot, function: str, *arguments: np.ndarray) -> list[Answer]:
    """The answers of all formulations that have the function."""
    with working.status(function.replace("_", " ")):
        return [
            Answer(
                name,
                getattr(linkwise.Dynamics(robot, formulation=name), function)(*arguments),
                counted(robot, name, function),
            )
            for name, row in FORMULATIONS.items()
            if function in row.functions
        ]


def costs(answer: Answer, answers: list[Answer]) -> tuple[str, str, str]:
    reference = answers[0].value
    differs = np.abs(answer.value - reference).max() / np.abs(reference).max()
    return f"{differs:.0e}" if differs else "0", str(answer.operations.printed), str(answer.operations.rewritten)


def show_vectors(title: str, robot: linkwise.Robot, answers: list[Answer], decimals: int = 3) -> None:
    rows = [(answer.formulation, *answer.value) for answer in answers]
    show(title, ("by", *robot.joint_names), rows, decimals)
    show_costs(answers)


def show_costs(answers: list[Answer]) -> None:
    rows = [(answer.formulation, *costs(answer, answers)) for answer in answers]
    show("", ("by", "differs", "as printed", "rewritten"), rows)


def show(title: str, header: tuple[str, ...], rows: list[tuple[str | float, ...]], decimals: int = 3) -> None:
    table = Table(box=None, pad_edge=False, header_style="dim")
    for i, name in enumerate(header):
        table.add_column(name, justify="right" if i else "left", no_wrap=True)
    for row in rows:
        table.add_row(*(cell if isinstance(cell, str) else written(cell, decimals) for cell in row))
    console.print(f"\n[bold]{title}[/bold]" if title else "")
    console.print(table)


def written(value: float, decimals: int) -> str:
    return f"{round(value, decimals) + 0.0:.{decimals}f}"  # + 0.0: no minus nought


if __name__ == "__main__":
    warnings.simplefilter("ignore", linkwise.PhysicalWarning)  # the findings are shown
    main()
