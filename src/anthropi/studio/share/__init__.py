"""Sharing: a motion as a page, a film, pictures, glTF, BVH and tables. One file a format, and one entry below.

A motion's own files (.npz, .h5) hold all of it and are read back to the same bits; the others are for other eyes.
"""

from anthropi.studio.share.pages import page, show
from anthropi.studio.share.reading import read_shared
from anthropi.studio.share.writers import FORMATS, WRITERS, export

__all__ = ["FORMATS", "WRITERS", "export", "page", "read_shared", "show"]
