"""Tables of captured motion: .csv of coordinates or of markers, .trc of markers. `read(path, figure, …)`, `write`."""

from anthropi.formats.motions.tables.reader import read
from anthropi.formats.motions.tables.writer import write

__all__ = ["read", "write"]
