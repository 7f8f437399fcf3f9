"""linkwise: the dynamics of robots by every classical recursive formulation."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .dynamics import Dynamics
    from .errors import LinkwiseError
    from .kernel.cache import CacheWarning
    from .kinematics import Kinematics
    from .robot import quaternions
    from .robot.check import Finding, PhysicalWarning
    from .robot.comparison import Comparison
    from .robot.joint import Drive, Joint, Limits, Mimic
    from .robot.library import library, load
    from .robot.model import Link, Robot

__all__ = [
    "CacheWarning",
    "Comparison",
    "Drive",
    "Dynamics",
    "Finding",
    "Joint",
    "Kinematics",
    "Limits",
    "Link",
    "LinkwiseError",
    "Mimic",
    "PhysicalWarning",
    "Robot",
    "library",
    "load",
    "quaternions",
]

HOME = {
    "CacheWarning": ".kernel.cache",
    "Comparison": ".robot.comparison",
    "Drive": ".robot.joint",
    "Dynamics": ".dynamics",
    "Finding": ".robot.check",
    "Joint": ".robot.joint",
    "Kinematics": ".kinematics",
    "Limits": ".robot.joint",
    "Link": ".robot.model",
    "LinkwiseError": ".errors",
    "Mimic": ".robot.joint",
    "PhysicalWarning": ".robot.check",
    "Robot": ".robot.model",
    "library": ".robot.library",
    "load": ".robot.library",
    "quaternions": ".robot.quaternions",
}
"""Where each public name is at home; it is imported when it is first asked for."""


def __getattr__(name: str) -> Any:
    if name not in HOME:
        raise AttributeError(f"module 'linkwise' has no attribute {name!r}")
    home = import_module(HOME[name], __name__)
    found = getattr(home, name, home)  # some are modules themselves
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return __all__
