"""What a robot is, how it is described and read, and which of its numbers no body can have."""

from .check import Finding, PhysicalWarning
from .denavit_hartenberg import DHTable
from .joint import Joint, Limits
from .model import Configuration, Link, Robot

__all__ = ["Configuration", "DHTable", "Finding", "Joint", "Limits", "Link", "PhysicalWarning", "Robot"]
