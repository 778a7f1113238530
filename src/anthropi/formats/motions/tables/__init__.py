"""Motions stored as tables: .csv (coordinates or marker positions), .trc (marker positions), .mot (coordinates)."""

from anthropi.formats.motions.tables.reader import read, read_capture
from anthropi.formats.motions.tables.writer import write

__all__ = ["read", "read_capture", "write"]
