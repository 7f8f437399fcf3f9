"""What README and the documentation show works as they show it."""

from __future__ import annotations

import doctest
import re
import subprocess
import sys
from pathlib import Path

import pytest

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


@pytest.mark.parametrize("script", sorted((HOME / "examples").glob("*.py")), ids=lambda p: p.name)
def test_examples_run(script):
    done = subprocess.run([sys.executable, "-W", "error", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout
