"""A figure in matplotlib axes: shaded shapes, joints as dots, markers, ground; from one or several sides."""

from typing import Any

import numpy as np

from anthropi.errors import MissingExtra, SizeError
from anthropi.pictures.cast import window_around
from anthropi.pictures.paint import paint
from anthropi.pictures.solids import scene_of
from anthropi.pictures.view import view_of

__all__ = ["draw"]

DOT, RING, MARK = "#ffffff", "#222a38", "#f2b134"


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
        raise SizeError(f"draw got q of shape {q.shape}; figure '{figure.name}' has nq = {figure.nq}.")
    several = isinstance(view, list)
    views = [view_of(v) for v in (view if several else [view])]
    scene = scene_of(figure, q, only)
    if ground is None:
        low = min(s.middle[2] - s.reach(np.array([0.0, 0.0, 1.0])) for s in scene.solids)
        ground = bool(-0.05 * scene.size < low < 0.6 * scene.size and figure.gravity.any())
    windows = [_window(scene, one, ground, pixels) for one in views]
    panels = _panels(axes, windows, file is None)
    for panel, one, window in zip(panels, views, windows, strict=True):
        _panel(panel, scene, one, window, joints, markers, ground)
    if file is not None:
        panels[0].figure.savefig(file, dpi=150)
    return panels if several else panels[0]


def _window(scene, view, ground: bool, pixels: int):
    """The part of the picture plane that holds the figure and the ground around it."""
    right, up, into = view.axes()
    reach = np.array(
        [[s.middle @ e + sign * s.reach(e) for e in (right, up)] for s in scene.solids for sign in (-1, 1)]
    )
    low, high = reach.min(0), reach.max(0)
    if ground and into[2] < -1e-3:
        middle, radius = scene.floor()
        flat = radius * np.array([1.0, max(-into[2], 0.02)])
        low = np.minimum(low, np.array([middle @ right, middle @ up]) - flat)
        high = np.maximum(high, np.array([middle @ right, middle @ up]) + flat)
    margin = 0.03 * scene.size
    return window_around(low - margin, high + margin, pixels)


def _panels(axes, windows, shown: bool):
    """One matplotlib axes a window: those given, or new ones, in a window on the screen or apart from it."""
    if axes is not None:
        panels = list(np.atleast_1d(np.asarray(axes, dtype=object)).ravel())
        if len(panels) != len(windows):
            raise SizeError(f"draw got {len(panels)} axes for {len(windows)} views; give one a view.")
        return panels
    try:
        import matplotlib.figure

        new: Any = matplotlib.figure.Figure
        if shown:
            from matplotlib.pyplot import figure as new
    except ImportError as missing:
        raise MissingExtra("matplotlib", "plots", "figure.draw") from missing
    shares = [w.width / w.height for w in windows]
    tall = min(6.0, 15.0 / sum(shares))
    sheet = new(figsize=(tall * sum(shares), tall), layout="constrained")
    return list(sheet.subplots(1, len(windows), width_ratios=shares, squeeze=False)[0])


def _panel(panel, scene, view, window, joints: bool, markers: bool, ground: bool) -> None:
    picture = paint(scene, view, window, ground)
    panel.imshow(picture, extent=window.extent(), origin="lower", interpolation="antialiased", zorder=1)
    if joints:
        at = view.project(scene.joints)
        panel.scatter(at[:, 0], at[:, 1], s=11, c=DOT, edgecolors=RING, linewidths=0.7, alpha=0.9, zorder=3)
    if markers and len(scene.markers):
        at = view.project(scene.markers)
        panel.scatter(at[:, 0], at[:, 1], s=10, c=MARK, edgecolors=RING, linewidths=0.4, zorder=4)
    panel.set_aspect("equal")
    panel.set_axis_off()
