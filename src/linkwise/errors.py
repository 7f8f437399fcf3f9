"""The one exception that linkwise raises about what it was given."""

from __future__ import annotations


class LinkwiseError(ValueError):
    """Something given to linkwise cannot be used: what was given, what was expected and how to mend it."""

    def __init__(self, what: str, *, given: object, expected: str, mend: str) -> None:
        self.what, self.given, self.expected, self.mend = what, given, expected, mend
        super().__init__(f"{what}\n  given: {given}\n  expected: {expected}\n  to mend it: {mend}")

    def __reduce__(self):
        return _rebuilt, (self.what, self.given, self.expected, self.mend)


def _rebuilt(what: str, given: object, expected: str, mend: str) -> LinkwiseError:
    return LinkwiseError(what, given=given, expected=expected, mend=mend)
