"""Pictures of figures and motions: ray-cast shapes in matplotlib axes, and plots (extra `plots`)."""

from anthropi.pictures.draw import draw, strip
from anthropi.pictures.view import VIEWS, View

__all__ = ["VIEWS", "View", "draw", "strip"]
