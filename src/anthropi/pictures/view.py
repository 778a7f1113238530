"""Views and panels: an orthographic camera, the window of the picture plane, and the matplotlib axes.

The projection is parallel, so parallel lines stay parallel and lengths can be compared.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from anthropi.errors import InputError, MissingExtra, did_you_mean
from anthropi.pictures.ray_casting import Window, window_around
from anthropi.pictures.shading import paint

__all__ = ["UP", "VIEWS", "View", "grounded", "panels_for", "reach_of", "show", "view_of", "window_of"]


VIEWS = {  # azimuth, elevation [deg] of the camera; (0, 0) is in front of the figure
    "front": (0.0, 4.0),
    "side": (-90.0, 4.0),  # from its right side, so that it faces right
    "back": (180.0, 4.0),
    "three-quarter": (-38.0, 11.0),
    "top": (-90.0, 90.0),
}


@dataclass(frozen=True)
class View:
    """Direction of a camera: azimuth from x towards y, and elevation [deg]."""

    azimuth: float
    elevation: float

    def axes(self) -> np.ndarray:
        """World axes (3, 3) of the picture as rows: right, up, and into the picture."""
        a, e = np.deg2rad(self.azimuth), np.deg2rad(self.elevation)
        into = -np.array([np.cos(a) * np.cos(e), np.sin(a) * np.cos(e), np.sin(e)])
        right = np.array([-np.sin(a), np.cos(a), 0.0])
        return np.stack([right, np.cross(right, into), into])

    def project(self, points: Any) -> np.ndarray:
        """Right, up and depth [m] of world points (…, 3)."""
        return np.asarray(points) @ self.axes().T


def view_of(given: Any) -> View:
    """Return a `View` from a name, (azimuth, elevation) in degrees, or a `View`; raise InputError for unknown names."""
    if isinstance(given, View):
        return given
    if isinstance(given, str):
        if given not in VIEWS:
            raise InputError(
                f"No view '{given}'.{did_you_mean(given, VIEWS)} Views: {', '.join(VIEWS)}; "
                "or give azimuth and elevation in degrees."
            )
        return View(*VIEWS[given])
    azimuth, elevation = given
    return View(float(azimuth), float(elevation))


DOT, RING, MARK = "#ffffff", "#222a38", "#f2b134"
UP = np.array([0.0, 0.0, 1.0])


def grounded(scene: Any, gravity: Any) -> bool:
    """Return whether to show the ground z = 0: if gravity is not 0 and the figure is neither below it nor far above."""
    low = min(s.middle[2] - s.reach(UP) for s in scene.solids)
    return bool(-0.05 * scene.size < low < 0.6 * scene.size and np.any(gravity))


def window_of(scene: Any, view: Any, ground: bool, pixels: int) -> Window:
    """Return the window of the picture plane around the figure and its ground. pixels : along its longer side."""
    right, up, into = view.axes()
    low, high = reach_of(scene.solids, (right, up))
    if ground and into[2] < -1e-3:
        middle, radius = scene.floor()
        flat = radius * np.array([1.0, max(-into[2], 0.02)])
        low = np.minimum(low, np.array([middle @ right, middle @ up]) - flat)
        high = np.maximum(high, np.array([middle @ right, middle @ up]) + flat)
    margin = 0.03 * scene.size
    return window_around(low - margin, high + margin, pixels)


def reach_of(solids: Any, axes: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return the least and the greatest coordinates [m] of solids along axes."""
    ends = np.array([[s.middle @ e + sign * s.reach(e) for e in axes] for s in solids for sign in (-1, 1)])
    return ends.min(0), ends.max(0)


def panels_for(axes: Any, windows: Any, shown: bool, caller: str) -> list[Any]:
    """Return matplotlib axes, one per window: those given, or new ones.

    shown : whether new axes open in a window on the screen. caller : name of the calling function, for error messages.
    """
    if axes is not None:
        panels = list(np.atleast_1d(np.asarray(axes, dtype=object)).ravel())
        if len(panels) != len(windows):
            raise InputError(f"{caller} got {len(panels)} axes for {len(windows)} views; give one per view.")
        return panels
    try:
        import matplotlib.figure

        new: Any = matplotlib.figure.Figure
        if shown:
            from matplotlib.pyplot import figure as new
    except ImportError as missing:
        raise MissingExtra("matplotlib", "plots", caller) from missing
    shares = [w.width / w.height for w in windows]
    tall = min(6.0, 15.0 / sum(shares))
    sheet = new(figsize=(tall * sum(shares), tall), layout="constrained")
    return list(sheet.subplots(1, len(windows), width_ratios=shares, squeeze=False)[0])


def show(panel: Any, scene: Any, view: Any, window: Any, joints: bool, markers: bool, ground: bool) -> None:
    """Draw a scene into matplotlib axes, in metres of the picture plane."""
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
