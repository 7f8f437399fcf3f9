"""Files that are written for a user."""

from __future__ import annotations

from pathlib import Path

from .errors import LinkwiseError


def put(path: Path, text: str) -> None:
    """Write a text, over whatever is there."""
    try:
        path.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise LinkwiseError(
            "A file cannot be written",
            given=f"{path}: {error.strerror}",
            expected="a file in a folder that exists and may be written to",
            mend="make the folder, or name another one",
        ) from error
