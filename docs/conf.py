"""How Sphinx builds these pages."""

import re
from importlib.metadata import version as installed
from typing import Any

from docutils.nodes import Text, document, entry

project = "linkwise"
author = "the linkwise contributors"
copyright = "the linkwise contributors"
version = release = installed("linkwise")

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinxcontrib.bibtex"]
exclude_patterns = ["_build", "generated", "measured"]
html_theme = "furo"
html_title = f"linkwise {version}"

myst_enable_extensions = ["amsmath", "colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3

bibtex_bibfiles = ["references.bib"]
bibtex_reference_style = "author_year"

autodoc_member_order = "bysource"
autodoc_preserve_defaults = True  # as they stand in the code
autodoc_typehints = "none"  # the pages speak of quantities; their scalars may be anything


def plain(app: Any, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """Docstrings are plain text with `names` in backticks, not reStructuredText: stars and bars mean themselves."""
    in_example = False
    for i, line in enumerate(lines):
        in_example = bool(line.strip()) and (in_example or line.lstrip().startswith(">>>"))
        if not in_example:
            lines[i] = re.sub(r"`([^`]+)`|([*|])", lambda m: f"``{m[1]}``" if m[1] else "\\" + m[2], line)


NUMBER = re.compile(r"([≤≥] )?[\d.,]+(M \d+A|n - \d+| \S+)")
"""With its unit, or a count of operations."""
UNBROKEN = {ord(" "): "\u00a0", ord("-"): "\u2011"}


def unbroken(app: Any, page: document) -> None:
    """Numbers in tables stay in one line, with what they are numbers of."""
    for cell in page.findall(entry):
        if NUMBER.fullmatch(cell.astext()):
            for text in cell.findall(Text):
                text.parent.replace(text, Text(text.translate(UNBROKEN)))


def setup(app: Any) -> None:
    app.connect("doctree-read", unbroken)
    app.connect("autodoc-process-docstring", plain)
