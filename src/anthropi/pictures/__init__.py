"""Pictures of figures, rays cast at their shapes, in matplotlib axes (extra `plots`); motions as strips."""

from anthropi.pictures.draw import draw, strip
from anthropi.pictures.view import VIEWS, View

__all__ = ["VIEWS", "View", "draw", "strip"]
