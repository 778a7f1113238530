"""Motions stored as tables: .csv (coordinates or marker positions), .trc (marker positions), .mot (coordinates)."""

from anthropi.formats.motions.tables.reader import read
from anthropi.formats.motions.tables.writer import write

__all__ = ["read", "write"]
