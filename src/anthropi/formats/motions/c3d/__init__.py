"""C3D files: markers, analog channels, force plates, events and the subject of a recording."""

from anthropi.formats.motions.c3d.reader import read, read_capture
from anthropi.formats.motions.c3d.writer import write

__all__ = ["read", "read_capture", "write"]
