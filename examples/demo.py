"""One robot by every formulation, then compiled: a million states, how fast, how exact, and what is kept."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from importlib.util import find_spec
from timeit import repeat
from typing import Any, NamedTuple

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

import linkwise
from linkwise.bench.truth import Truth
from linkwise.compiled import Facts
from linkwise.counting import Counted, counted
from linkwise.explain import Explanation
from linkwise.formulations import FORMULATIONS
from linkwise.kernel import cache
from linkwise.kernel.threads import available

ROBOT = "puma-560-armstrong-1986"
Q = np.array([0.3, -0.9, 0.6, 0.4, 0.8, -0.5])
V = np.array([0.5, -0.4, 0.7, 1.0, -0.6, 0.2])
A = np.array([1.0, 0.5, -1.0, 2.0, 0.0, -1.5])

MILLION = 10**6
LOOPED, BY_TEXT = 10_000, 200
"""Of the million, as many are enough for what is called in a loop, and for what computes in Python itself."""

TAKES = {"inverse_dynamics": ("q", "v", "a"), "mass_matrix": ("q",), "forward_dynamics": ("q", "v", "tau")}
PINOCCHIO = {"inverse_dynamics": "rnea", "mass_matrix": "crba", "forward_dynamics": "aba"}

console = Console(highlight=False, width=None if sys.stdout.isatty() else 100)
working = Console(stderr=True)

Array = np.ndarray
Function = Callable[..., Array]
Measured = tuple[float, Array] | None
"""Seconds a state, and the results; None where nothing could be measured."""


def main() -> None:
    robot = linkwise.load(ROBOT)
    console.print(f"[bold]{robot.name}[/bold]: {robot.source}")
    for finding in robot.check():
        console.print(f"[dim]{finding}[/dim]")
    by_every_formulation(robot)
    by_the_million(robot)


# Every formulation, on one state


class Answer(NamedTuple):
    """What one formulation gives, and what it takes."""

    formulation: str
    value: Array
    operations: Counted


def by_every_formulation(robot: linkwise.Robot) -> None:
    heading("Every formulation: the same answers in different ways, at different costs")
    show("State", ("", *robot.joint_names), [("q / rad", *Q), ("v / rad/s", *V), ("a / rad/s²", *A)])

    answers = answers_of(robot, "inverse_dynamics", Q, V, A)
    tau = answers[0].value
    show_vectors("Inverse dynamics: torques for these accelerations, N m", robot, answers, decimals=4)

    answers = answers_of(robot, "mass_matrix", Q)
    rows = [(name, *row) for name, row in zip(robot.joint_names, answers[0].value, strict=True)]
    show("Mass matrix, kg m²", ("", *robot.joint_names), rows, decimals=5)
    show_costs(answers)

    answers = answers_of(robot, "forward_dynamics", Q, V, tau)
    show_vectors("Forward dynamics: accelerations under these torques, rad/s²", robot, answers)
    console.print(COSTS)


COSTS = """
[dim]differs: the largest difference from the first row, relative to its largest entry.
as printed: the steps of the paper; rewritten: with regrouped parameters and simpler expressions.
M multiplications and divisions, A additions and subtractions; sine, cosine and constants are free.[/dim]"""


def answers_of(robot: linkwise.Robot, function: str, *arguments: Array) -> list[Answer]:
    """The answers of all formulations that have the function."""
    names = [name for name, row in FORMULATIONS.items() if function in row.functions]
    return [
        Answer(name, getattr(linkwise.Dynamics(robot, name), function)(*arguments), counted(robot, name, function))
        for name in in_progress(names, function)
    ]


def costs(answer: Answer, answers: list[Answer]) -> tuple[str, str, str]:
    reference = answers[0].value
    differs = np.abs(answer.value - reference).max() / np.abs(reference).max()
    return power(differs), str(answer.operations.printed), str(answer.operations.rewritten)


def show_vectors(title: str, robot: linkwise.Robot, answers: list[Answer], decimals: int = 3) -> None:
    rows = [(answer.formulation, *answer.value) for answer in answers]
    show(title, ("by", *robot.joint_names), rows, decimals)
    show_costs(answers)


def show_costs(answers: list[Answer]) -> None:
    rows = [(answer.formulation, *costs(answer, answers)) for answer in answers]
    show("", ("by", "differs", "as printed", "rewritten"), rows)


# Compiled, on a million states


def by_the_million(robot: linkwise.Robot) -> None:
    heading("Compiled: a million states")
    dyn = linkwise.Dynamics(robot)
    with working.status("compiling"):
        explanation = dyn.explain(*TAKES)
    show_code(explanation)

    states, pinocchio = random_states(robot), calls_of_pinocchio(robot)
    runs = [run(dyn, function, states, pinocchio) for function in in_progress(TAKES, "a million states")]
    show_speed(runs)
    show_errors(runs)
    if not pinocchio:
        console.print("\n[dim]Pinocchio is not installed here: make bench installs it, and compares at length.[/dim]")
    show_cache(dyn)


def show_code(explanation: Explanation) -> None:
    """What was compiled: what print(dyn.explain()) shows as well, in fewer columns."""
    rows = [
        (words(f.function), f.formulation, f"{f.M}M {f.A}A", f"{f.code_bytes / 1024:.1f} KiB", made_in(f))
        for f in explanation.functions
    ]
    show("What was compiled", ("", "formulation", "operations", "code", "compiled in"), rows)
    width = explanation.functions[0].width
    console.print(f"[dim]{width} states of float64 at once, {explanation.machine}[/dim]")


def made_in(facts: Facts) -> str:
    return f"{1e3 * facts.seconds:.0f} ms" + (", cached" if facts.from_cache else "")


class Run(NamedTuple):
    """A function of many states: seconds a state, and the same by other means, with their results."""

    function: str
    results: Array
    one_thread: float
    all_threads: float
    text: Measured
    pinocchio: Measured
    alone: float
    """Of a state that comes by itself."""
    pinocchio_alone: float | None
    error: float
    """Against 50 digits."""


def random_states(robot: linkwise.Robot) -> dict[str, Array]:
    rng = np.random.default_rng(0)
    return {name: rng.uniform(-3.0, 3.0, (MILLION, robot.nv)) for name in ("q", "v", "a", "tau")}


def run(dyn: linkwise.Dynamics, name: str, states: dict[str, Array], pinocchio: dict[str, Function]) -> Run:
    function, text = getattr(dyn, name), text_on_floats(dyn, name)
    given = [states[argument] for argument in TAKES[name]]
    results = function(*given)
    state = [rows[0] for rows in given]
    return Run(
        name,
        results,
        one_thread=fastest(lambda: function(*given, out=results, threads=1)) / MILLION,
        all_threads=fastest(lambda: function(*given, out=results)) / MILLION,
        text=looped(text, [rows[:BY_TEXT].tolist() for rows in given]),
        pinocchio=looped(pinocchio[name], [rows[:LOOPED] for rows in given]) if pinocchio else None,
        alone=repeated(function, state),
        pinocchio_alone=repeated(pinocchio[name], state) if pinocchio else None,
        error=Truth(dyn.robot, name, [rows[:BY_TEXT] for rows in given]).error(dyn),
    )


def text_on_floats(dyn: linkwise.Dynamics, name: str) -> Function:
    """The very text that was compiled, as the Python that it is."""
    same = linkwise.Dynamics(dyn.robot, dyn.chosen(name))
    return lambda *state: np.array(same.run_text(name, *state))


def calls_of_pinocchio(robot: linkwise.Robot) -> dict[str, Function]:
    """By the names of our functions; none where it is not installed."""
    if not find_spec("pinocchio"):
        return {}
    from linkwise.bench.in_pinocchio import model, pin

    made = model(robot)
    data = made.createData()
    return {ours: partial(getattr(pin, theirs), made, data) for ours, theirs in PINOCCHIO.items()}


def looped(function: Function, given: Sequence[Sequence[Any]]) -> Measured:
    """A plain loop over states."""
    results: list[Array] = []

    def loop() -> None:
        results[:] = [function(*state).copy() for state in zip(*given, strict=True)]

    return fastest(loop) / len(given[0]), np.array(results)


def repeated(function: Function, state: Sequence[Array]) -> float:
    """Seconds of a single state."""
    return min(repeat("f(*state)", globals={"f": function, "state": state}, number=LOOPED, repeat=3)) / LOOPED


def fastest(call: Callable[[], object]) -> float:
    """Seconds of the fastest of three calls."""
    return min(repeat(call, number=1, repeat=3))


def show_speed(runs: list[Run]) -> None:
    threads = f"{available()}\nthreads"
    header = ("", "text on\nfloats", "Pinocchio", "linkwise", threads, "over\ntext", "over\nPinocchio")
    title = "How fast, in nanoseconds a state: others in a loop, linkwise on the whole array"
    show(title, header, [speeds(r) for r in runs])
    rows = [(words(r.function), ns(r.pinocchio_alone), ns(r.alone), over(r.pinocchio_alone, r.alone)) for r in runs]
    show("The same for a state that comes by itself", ("", "Pinocchio", "linkwise", "over Pinocchio"), rows)


def speeds(r: Run) -> tuple[str, ...]:
    text, pinocchio = (measured and measured[0] for measured in (r.text, r.pinocchio))
    together = r.all_threads if available() > 1 else None
    times = map(ns, (text, pinocchio, r.one_thread, together))
    return (words(r.function), *times, over(text, r.one_thread), over(pinocchio, r.one_thread))


def ns(seconds: float | None) -> str:
    return "" if seconds is None else f"{1e9 * seconds:,.{0 if seconds > 1e-7 else 1}f}"


def over(others: float | None, own: float) -> str:
    return "" if others is None else f"{others / own:,.{0 if others > 10 * own else 1}f} ×"


def show_errors(runs: list[Run]) -> None:
    rows = [
        (words(r.function), difference(r.results, r.text), difference(r.results, r.pinocchio), power(r.error))
        for r in runs
    ]
    header = ("", "text on floats", "Pinocchio", "50 digits")
    show("How exact: the largest differences from others, relative to the largest of a state's results", header, rows)


def difference(results: Array, others: Measured) -> str:
    """Of the states that the others have."""
    if others is None:
        return ""
    theirs = others[1]
    axes = tuple(range(1, theirs.ndim))
    return power((np.abs(results[: len(theirs)] - theirs).max(axes) / np.abs(theirs).max(axes)).max())


def show_cache(dyn: linkwise.Dynamics) -> None:
    """What is there for the next process, and how fast it is there."""
    heading("What is kept")
    where, kept = cache.folder(), cache.entries()
    if not where:
        console.print("No compiled code is kept: LINKWISE_CACHE is off.")
        return
    own = [entry for entry in kept if entry.facts and entry.facts["robot"] == dyn.robot.name]
    size = sum(entry.size for entry in own) / 1024
    console.print(f"{len(own)} functions of this robot, {size:.0f} KiB, in {where}", soft_wrap=True)
    again = fastest(lambda: linkwise.Dynamics(dyn.robot).compile("forward_dynamics"))
    (facts,) = (f for f in dyn.explain().functions if f.function == "forward_dynamics")
    console.print(
        f"Forward dynamics took {1e3 * facts.seconds:.0f} ms to compile; from there it is back in {1e3 * again:.1f} ms."
    )


# Words and tables


def in_progress(names: Iterable[str], doing: str) -> Iterable[str]:
    """The names one by one, with a bar where somebody watches."""
    return track(list(names), description=words(doing), console=working, transient=True)


def heading(text: str) -> None:
    console.print()
    console.rule(f"[bold]{text}[/bold]", align="left")


def show(title: str, header: Sequence[str], rows: Sequence[Sequence[str | float]], decimals: int = 3) -> None:
    """A table, without the columns that nobody has anything in."""
    table = Table(box=None, pad_edge=False, header_style="dim")
    filled = [i for i in range(len(header)) if any(row[i] != "" for row in rows)]
    for i in filled:
        table.add_column(header[i], justify="right" if i else "left", no_wrap=True)
    for row in rows:
        table.add_row(*(cell if isinstance(cell := row[i], str) else written(cell, decimals) for i in filled))
    console.print(f"\n[bold]{title}[/bold]" if title else "")
    console.print(table)


def written(value: float, decimals: int) -> str:
    return f"{round(value, decimals) + 0.0:.{decimals}f}"  # + 0.0: no minus nought


def power(value: float) -> str:
    return f"{value:.0e}" if value else "0"


def words(name: str) -> str:
    return name.replace("_", " ")


if __name__ == "__main__":
    warnings.simplefilter("ignore", linkwise.PhysicalWarning)  # the findings are shown
    main()
