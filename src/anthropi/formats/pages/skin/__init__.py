"""The skin of a figure: one smooth mesh around its solids, which moves with its links."""

from anthropi.formats.pages.skin.body import is_person
from anthropi.formats.pages.skin.skin import Skin, make_skin, skin_of, unpacked_vertices

__all__ = ["Skin", "is_person", "make_skin", "skin_of", "unpacked_vertices"]
