"""What a benchmark found as tables, for the terminal and for the documentation: ratios first, then times."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ..kernel.threads import available
from .compiling import Compiled
from .contenders import FUNCTIONS, LOOP, MUJOCO, POOL
from .report import Report, machine
from .targets import Verdict, ratio, verdicts

Row = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A title, the names of the columns, rows of words; the first columns are names, the others numbers."""

    title: str
    header: Row
    rows: tuple[Row, ...]
    names: int = 1
    legend: str = ""

    def markdown(self) -> Iterator[str]:
        yield from (f"### {self.title}", "")
        for cells in (self.header, ("---",) * self.names + ("--:",) * (len(self.header) - self.names), *self.rows):
            yield f"| {' | '.join(cells)} |"
        yield from ("", self.legend, "") if self.legend else ("",)


def tables(report: Report) -> Iterator[Table]:
    yield _targets(list(verdicts(report)))
    for function in FUNCTIONS:
        yield _one_core(report, function)
    if available() > 1:
        for function in FUNCTIONS:
            yield _all_cores(report, function)
    yield _compiled(report)
    if report.agreements:
        yield _agreements(report)
    yield _machine()


def page(report: Report) -> str:
    """The tables in Markdown."""
    return "\n".join(line for table in tables(report) for line in table.markdown()).rstrip() + "\n"


def _targets(found: Sequence[Verdict]) -> Table:
    rows = [
        (v.what, v.robot, words(v.function), f"{size(v.reached)} {v.unit}", _asked(v), "yes" if v.met else "no")
        for v in found
    ]
    return Table("Reached and asked", ("what", "robot", "function", "reached", "asked", "met"), tuple(rows), names=3)


def _asked(v: Verdict) -> str:
    return f"{'≤' if v.at_most else '≥'} {size(v.asked)} {v.unit}"


ONE_CORE = """loop, pool, MuJoCo: how many times longer it takes to call Pinocchio in a loop; Pinocchio's own loop over
a batch; MuJoCo. float32: how many times longer float64 takes. peak: the share of all the fused products that a core
can do. ns: nanoseconds a state."""


def _one_core(report: Report, function: str) -> Table:
    header = ("robot", "states", "loop", "pool", "MuJoCo", "peak", "ns", "GFLOP/s", "float32", "peak", "ns")
    rows: list[Row] = []
    for robot, batch in _cases(report, function):
        ns = report.ns(robot, function, batch)
        others = [times(ratio(report.ns(robot, function, batch, by), ns)) for by in (LOOP, POOL, MUJOCO)]
        rows.append((robot, f"{batch:,}", *others, *_own(report, robot, function, batch, 1)))
    return Table(f"{words(function).capitalize()} on one core", header, tuple(rows), legend=_once(ONE_CORE, function))


ALL_CORES = """one core: how many times longer that takes. pool: how many times longer Pinocchio's threads take. The
rest as above, the peak being that of all cores together."""


def _all_cores(report: Report, function: str) -> Table:
    header = ("robot", "states", "one core", "pool", "peak", "ns", "GFLOP/s", "float32", "peak", "ns")
    rows: list[Row] = []
    for robot, batch in _cases(report, function):
        ns, alone = (report.ns(robot, function, batch, threads=t) for t in (available(), 1))
        if ns:
            pool = report.ns(robot, function, batch, POOL, threads=available())
            ratios = (times(ratio(alone, ns)), times(ratio(pool, ns)))
            rows.append((robot, f"{batch:,}", *ratios, *_own(report, robot, function, batch, available())))
    title = f"{words(function).capitalize()} on {available()} cores"
    return Table(title, header, tuple(rows), legend=_once(ALL_CORES, function))


def _once(legend: str, function: str) -> str:
    """With the first of several tables alone."""
    return legend if function == FUNCTIONS[0] else ""


def _own(report: Report, robot: str, function: str, batch: int, threads: int) -> Iterator[str]:
    """Peak, time and rate of float64; ratio, peak and time of float32."""
    asked = (robot, function, batch)
    ns, single = (report.ns(*asked, precision=p, threads=threads) for p in ("double", "single"))
    peak, peak_single = (report.share(*asked, p, threads) for p in ("double", "single"))
    yield from (share(peak), size(ns), size(report.gflops(*asked, "double", threads)))
    yield from (times(ratio(ns, single)), share(peak_single), size(single))


COMPILED = """cold: to trace, rewrite and compile. warm: with the code on disk. first: until a process has its first
function, LLVM's import included, cold and warm. operations: of a state, a fused product being two. at best: the share
of the peak that they would have if nothing but arithmetic took time; not all of it is fused products."""


def _compiled(report: Report) -> Table:
    header = ("robot", "function", "cold", "warm", "first, cold", "first, warm", "operations", "at best", "code")
    rows = [(c.robot, _precisely(c.facts.function, c.facts.precision), *_costs(c)) for c in report.compiled]
    return Table("Compilation", header, tuple(rows), names=2, legend=COMPILED)


def _costs(c: Compiled) -> Iterator[str]:
    yield from (f"{size(1e3 * seconds)} ms" for seconds in (c.cold, c.warm, c.first, c.first_warm))
    yield from (f"{c.facts.flops:,}", share(c.at_best), f"{c.facts.code_bytes / 1024:,.1f} KiB")


AGREEMENT = """The largest difference from somebody else's results over 1,024 states, beside the largest number of
the state. What MuJoCo takes for no body it is not compared in."""


def _agreements(report: Report) -> Table:
    found = {(a.robot, a.by, a.function): f"{a.differs:.0e}" for a in report.agreements}
    pairs = dict.fromkeys((a.robot, a.by) for a in report.agreements)
    rows = [(*pair, *(found.get((*pair, f), "") for f in FUNCTIONS)) for pair in pairs]
    return Table("Agreement", ("robot", "with", *map(words, FUNCTIONS)), tuple(rows), names=2, legend=AGREEMENT)


def _machine() -> Table:
    known = tuple((name, f"{value}") for name, value in machine().items() if value is not None)
    return Table("Measured on", ("what", "which"), known, names=2)


def _precisely(function: str, precision: str) -> str:
    return words(function) + (", float32" if precision == "single" else "")


def _cases(report: Report, function: str) -> Iterable[tuple[str, int]]:
    return ((robot, batch) for robot in report.robots for batch in report.batches(robot, function))


def words(function: str) -> str:
    return function.replace("_", " ")


def times(value: float | None) -> str:
    return f"{size(value)} ×" if value else ""


def share(value: float | None) -> str:
    return f"{100 * value:.0f} %" if value else ""


def size(value: float | None) -> str:
    """Three digits of a number, or all that stand before the point.

    >>> size(0.1234), size(12.34), size(123.4), size(12345.6), size(None)
    ('0.123', '12.3', '123', '12,346', '')
    """
    if value is None:
        return ""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
