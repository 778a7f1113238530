"""The skin of a human figure: a body with face, hands and clothes, made from the figure's own dimensions."""

from anthropi.formats.pages.skin.body.make import body_skin
from anthropi.formats.pages.skin.body.person import is_person

__all__ = ["body_skin", "is_person"]
