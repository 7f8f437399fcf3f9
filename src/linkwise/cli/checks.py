"""What `check` tells of a file: every finding with its place and how to mend it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from ..robot.finding import SEVERITIES, Finding
from .output import out
from .robots import counted

STYLES = {"error": "bold red", "warning": "bold yellow", "note": "dim"}


def is_sound(findings: Sequence[Finding], strict: bool) -> bool:
    """Whether there is no error, nor a warning if these count."""
    return not any(f.severity == "error" or (strict and f.severity == "warning") for f in findings)


def data(file: str, findings: Sequence[Finding], sound: bool) -> dict[str, Any]:
    return {"file": file, "sound": sound, "findings": [asdict(finding) for finding in findings]}


def show(file: str, findings: Sequence[Finding]) -> None:
    """A paragraph a finding, its first line as compilers write theirs; notes, which need no mending, in a line."""
    for finding in findings:
        place = f"{file}:{finding.line}" if finding.line else file
        out.print(f"{place}: ", end="", markup=False, soft_wrap=True)
        out.print(f"{finding.severity}: ", end="", style=STYLES[finding.severity])
        out.print(f"{finding.what}: {finding.given}", markup=False, soft_wrap=True)
        if finding.severity != "note":
            out.print(f"  expected: {finding.expected}", markup=False, soft_wrap=True)
            out.print(f"  to mend it: {finding.mend}", markup=False, soft_wrap=True)
    numbers = Counter(finding.severity for finding in findings)
    told = ", ".join(counted(numbers[severity], severity) for severity in SEVERITIES if numbers[severity])
    out.print(f"{file}: {told or 'nothing to say'}", markup=False, soft_wrap=True)
