"""The one exception that linkwise raises about what it was given, and how it warns."""

from __future__ import annotations

import inspect
import warnings


class LinkwiseError(ValueError):
    """Something given to linkwise cannot be used: what was given, what was expected and how to mend it."""

    def __init__(self, what: str, *, given: object, expected: str, mend: str) -> None:
        self.what, self.given, self.expected, self.mend = what, given, expected, mend
        super().__init__(f"{what}\n  given: {given}\n  expected: {expected}\n  to mend it: {mend}")

    def __reduce__(self):
        return _rebuilt, (self.what, self.given, self.expected, self.mend)


def _rebuilt(what: str, given: object, expected: str, mend: str) -> LinkwiseError:
    return LinkwiseError(what, given=given, expected=expected, mend=mend)


def warn(text: str, category: type[Warning]) -> None:
    """A warning that shows the line of whoever called linkwise, however deep within it something was found."""
    frame, level = inspect.currentframe(), 1
    while frame and frame.f_globals.get("__name__", "").startswith("linkwise."):
        frame, level = frame.f_back, level + 1
    warnings.warn(text, category, stacklevel=level)
