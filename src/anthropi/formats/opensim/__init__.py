"""OpenSim's tables, .sto and .mot: columns of numbers over time."""

from anthropi.formats.opensim.table import Table, read

__all__ = ["Table", "read"]
