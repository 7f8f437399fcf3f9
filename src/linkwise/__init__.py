"""linkwise: the dynamics of robots by every classical recursive formulation."""

from .dynamics import Dynamics
from .errors import LinkwiseError
from .robot.check import Finding, PhysicalWarning
from .robot.library import library, load
from .robot.model import Joint, Limits, Link, Robot

__all__ = [
    "Dynamics",
    "Finding",
    "Joint",
    "Limits",
    "Link",
    "LinkwiseError",
    "PhysicalWarning",
    "Robot",
    "library",
    "load",
]
