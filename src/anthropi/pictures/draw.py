"""A figure in matplotlib axes: shaded shapes, joints as dots, markers, ground; from one or several sides."""

import numpy as np

from anthropi.errors import ShapeError
from anthropi.pictures.panels import grounded, panels_for, show, window_of
from anthropi.pictures.solids import scene_of
from anthropi.pictures.view import view_of

__all__ = ["draw"]


def draw(
    figure, q=None, *, view="three-quarter", axes=None, only=None, joints=True, markers=False, ground=None, pixels=800,
    file=None,
):  # fmt: skip
    """What does the figure look like in configuration q (nq,), neutral if None?

    Parameters
    ----------
    view : "front", "side", "back", "three-quarter", "top", (azimuth, elevation) in degrees, or a list of these.
    axes : matplotlib axes to draw into, one a view; new ones if None. only : a link; it and what hangs on it is drawn.
    joints, markers : dots at the joints, at the point markers.
    ground : the plane z = 0 with a grid and a shadow; if None, where the figure is not below it.
    pixels : of the picture's longer side. file : where to write the picture, if anywhere; no window is opened then.

    Returns the axes (a list of them if `view` is a list). Shapes of kind "mesh" are drawn as sticks.
    """
    q = figure.neutral() if q is None else np.asarray(q, float)
    if q.shape != (figure.nq,):
        raise ShapeError(f"draw got q of shape {q.shape}; figure '{figure.name}' has nq = {figure.nq}.")
    several = isinstance(view, list)
    views = [view_of(v) for v in (view if several else [view])]
    scene = scene_of(figure, q, only)
    ground = grounded(scene, figure.gravity) if ground is None else ground
    windows = [window_of(scene, one, ground, pixels) for one in views]
    panels = panels_for(axes, windows, file is None, "figure.draw")
    for panel, one, window in zip(panels, views, windows, strict=True):
        show(panel, scene, one, window, joints, markers, ground)
    if file is not None:
        panels[0].figure.savefig(file, dpi=150)
    return panels if several else panels[0]
