"""Tables of motion: .csv of coordinates or markers, .trc of markers, .mot of coordinates."""

from anthropi.formats.motions.tables.reader import read
from anthropi.formats.motions.tables.writer import write

__all__ = ["read", "write"]
