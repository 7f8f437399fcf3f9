"""The command line: `linkwise library`, `linkwise info`, `linkwise count`."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence

from ..errors import LinkwiseError


def main(args: Sequence[str] | None = None) -> None:
    """Run the command line; what cannot be used ends it with its message on stderr and exit code 2."""
    try:
        from .commands import app
    except ModuleNotFoundError as missing:
        if missing.name not in ("typer", "rich"):
            raise
        sys.exit(f"linkwise: the command line needs {missing.name}: pip install 'linkwise[cli]'")
    try:
        with warnings.catch_warnings():
            warnings.showwarning = _warn
            app(args, prog_name="linkwise")
    except LinkwiseError as error:
        print(f"linkwise: {error}", file=sys.stderr)
        sys.exit(2)


def _warn(message: Warning | str, *_: object) -> None:
    """What is doubtful, without the line of Python that said it."""
    print(f"linkwise: warning: {message}", file=sys.stderr)
