"""The surface of a figure: one smooth skin around its solids, carried by its links."""

from anthropi.formats.pages.skin.skin import Skin, make_skin, skin_of

__all__ = ["Skin", "make_skin", "skin_of"]
