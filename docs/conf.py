"""How Sphinx builds these pages."""

from importlib.metadata import version as installed

project = "linkwise"
author = "the linkwise contributors"
copyright = "the linkwise contributors"
version = release = installed("linkwise")

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinxcontrib.bibtex"]
exclude_patterns = ["_build", "generated"]
html_theme = "furo"
html_title = f"linkwise {version}"

myst_enable_extensions = ["amsmath", "colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3

bibtex_bibfiles = ["references.bib"]
bibtex_reference_style = "author_year"

autodoc_member_order = "bysource"
autodoc_typehints = "none"  # the pages speak of quantities; their scalars may be anything
