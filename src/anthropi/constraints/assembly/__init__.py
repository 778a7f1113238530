"""Assemblies: bodies that are positioned by constraints between them."""

from anthropi.constraints.assembly.analysis import Analysis, Redundancy
from anthropi.constraints.assembly.assembly import Assembly
from anthropi.constraints.assembly.bodies import Body
from anthropi.constraints.assembly.remaining_motion import Group, RemainingMotion
from anthropi.constraints.assembly.solved import Solved

__all__ = ["Analysis", "Assembly", "Body", "Group", "Redundancy", "RemainingMotion", "Solved"]
