"""The skin of a figure: one smooth mesh around its solids, which moves with its links."""

from anthropi.formats.pages.skin.skin import Skin, make_skin, skin_of

__all__ = ["Skin", "make_skin", "skin_of"]
