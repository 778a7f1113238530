"""From where a figure is seen: a camera far away, so that parallel lines stay parallel and lengths can be compared."""

from dataclasses import dataclass

import numpy as np

from anthropi.errors import InputError, did_you_mean

__all__ = ["VIEWS", "View", "view_of"]

VIEWS = {  # azimuth, elevation [deg] of the camera; 0, 0 looks the figure in the face
    "front": (0.0, 4.0),
    "side": (-90.0, 4.0),  # from its right: it faces right
    "back": (180.0, 4.0),
    "three-quarter": (-38.0, 11.0),
    "top": (-90.0, 90.0),
}


@dataclass(frozen=True)
class View:
    """A camera: where it stands, azimuth from x towards y and elevation [deg]."""

    azimuth: float
    elevation: float

    def axes(self) -> np.ndarray:
        """Rows: right and up in the picture, and into it, in the world (3, 3)."""
        a, e = np.deg2rad(self.azimuth), np.deg2rad(self.elevation)
        into = -np.array([np.cos(a) * np.cos(e), np.sin(a) * np.cos(e), np.sin(e)])
        right = np.array([-np.sin(a), np.cos(a), 0.0])
        return np.stack([right, np.cross(right, into), into])

    def project(self, points) -> np.ndarray:
        """Right, up and depth [m] of world points (…, 3)."""
        return np.asarray(points) @ self.axes().T


def view_of(given) -> View:
    """A view from its name, from (azimuth, elevation) in degrees, or from a View."""
    if isinstance(given, View):
        return given
    if isinstance(given, str):
        if given not in VIEWS:
            raise InputError(f"No view '{given}'.{did_you_mean(given, VIEWS)} Views: {', '.join(VIEWS)}; "
                             "or give azimuth and elevation in degrees.")  # fmt: skip
        return View(*VIEWS[given])
    azimuth, elevation = given
    return View(float(azimuth), float(elevation))
