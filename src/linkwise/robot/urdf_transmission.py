"""What URDF tells of motors in <transmission>: their gear ratio and, where Drake's words are used, their rotor."""

from __future__ import annotations

from .finding import Finding, Findings
from .joint import Drive
from .xml import Element

ROTOR, RATIO, REDUCTION = "drake:rotor_inertia", "drake:gear_ratio", "mechanicalReduction"

SIMPLE = "transmission_interface/SimpleTransmission"
"""What ROS calls the type of one motor on one joint."""


def drives(root: Element, findings: Findings) -> dict[str, Drive]:
    """The drive of each joint that one motor drives alone."""
    found: dict[str, Drive] = {}
    for transmission in root.all("transmission"):
        joints, actuators = list(transmission.all("joint")), list(transmission.all("actuator"))
        if len(joints) != 1 or len(actuators) != 1:
            findings.unused("<transmission> of other than one motor and one joint", transmission.line)
            continue
        for kind in transmission.all("type"):
            if not kind.text.strip().endswith("SimpleTransmission"):
                findings.unused("<type> in <transmission> of one motor and one joint", kind.line)
        name = findings.tried(joints[0].line, "", joints[0].word, "name")
        drive = findings.tried(actuators[0].line, Drive(), _drive, transmission, actuators[0], findings)
        if found.setdefault(name, drive) != drive:
            findings.add(_doubtful(transmission, f"second one for joint {name!r}", "the first is taken"))
    return found


def _drive(transmission: Element, actuator: Element, findings: Findings) -> Drive:
    rotor, ratio = actuator.one(ROTOR), actuator.one(RATIO)
    reduction = _reduction(transmission, actuator)
    inertia = rotor.number("value") if rotor else 0.0
    gears = ratio.number("value") if ratio else reduction
    if reduction not in (1.0, gears):
        findings.add(
            _doubtful(transmission, f"{RATIO} {gears:g} beside {REDUCTION} {reduction:g}", "the first is taken")
        )
    return Drive(inertia, gears)


def _reduction(transmission: Element, actuator: Element) -> float:
    """As ROS has it, in the actuator, or as it once had it, in the transmission; 1 if there is none."""
    told = actuator.one(REDUCTION) or transmission.one(REDUCTION)
    return told.number_inside() if told else 1.0


def _doubtful(element: Element, told: str, taken: str) -> Finding:
    return Finding("warning", f"{element} is not clear", f"{told}; {taken}", "one number", "mend it", line=element.line)
