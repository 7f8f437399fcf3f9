"""What README and the documentation show works as they show it."""

from __future__ import annotations

import doctest
import re
import runpy
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from linkwise.cli import main
from linkwise.formulations import FORMULATIONS

HOME = Path(__file__).parents[1]
PAGES = [HOME / "README.md", *sorted((HOME / "docs").rglob("*.md"))]
EXAMPLE = re.compile(r"```python\n(>>>.*?)```", re.DOTALL)


def examples(page: Path) -> str:
    """All examples of a page, one after the other."""
    return "\n".join(EXAMPLE.findall(page.read_text()))


@pytest.mark.parametrize("page", [p for p in PAGES if examples(p)], ids=lambda p: str(p.relative_to(HOME)))
def test_examples_of_the_pages(page):
    test = doctest.DocTestParser().get_doctest(examples(page), {}, page.name, str(page), 0)
    report: list[str] = []
    failed, tried = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=report.append)
    assert tried
    assert not failed, "".join(report)


@pytest.mark.parametrize("page", ["README.md", "docs/guide/formulations.md"])
def test_tables_of_formulations_say_what_is_registered(page):
    """A tick stands where a formulation has the function, and nowhere else."""
    told = {name: (tuple("✓" in cell for cell in cells), robots) for name, _, *cells, robots in table_rows(page)}
    functions = ("inverse_dynamics", "mass_matrix", "coriolis_matrix", "forward_dynamics")
    for name, row in FORMULATIONS.items():
        has = tuple(f in row.functions and (name, f) != IN_ITS_PLACE for f in functions)
        assert told.pop(name) == (has, "trees" if row.trees else "chains")
    assert not told


def table_rows(page: str) -> Iterator[list[str]]:
    """The rows of a page's table, the names bare."""
    for line in (HOME / page).read_text().splitlines():
        name = re.match(r"\| \[?`([a-z-]+)`", line)
        if name:
            yield [name[1], *(cell.strip() for cell in line.split("|")[2:-1])]


IN_ITS_PLACE = ("newton-euler", "coriolis_matrix")
"""Registered there, since every robot has one, but not of its paper."""


def test_what_export_is_shown_to_say_it_says(tmp_path, monkeypatch, capsys):
    command, *shown = re.search(r"\$ linkwise (export .*?)```", C_EXPORT.read_text(), re.DOTALL)[1].splitlines()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit):
        main(command.split())
    assert capsys.readouterr().out.splitlines() == shown


C_EXPORT = HOME / "docs" / "guide" / "c-export.md"


@pytest.mark.parametrize("script", sorted((HOME / "examples").glob("*.py")), ids=lambda p: p.name)
def test_examples_run(script):
    done = subprocess.run([sys.executable, "-W", "error", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout


def test_figures_are_those_that_their_script_draws():
    folder = HOME / "docs" / "figures"
    for name, draw in runpy.run_path(str(folder / "conventions.py"))["FIGURES"].items():
        assert (folder / name).read_text(encoding="utf-8") == str(draw())
