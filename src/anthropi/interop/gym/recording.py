"""Pictures and motions of episodes."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from anthropi.errors import StateError
from anthropi.motion.motion import Motion
from anthropi.pictures.ray_casting import Window
from anthropi.pictures.shading import paint
from anthropi.pictures.solids import scene_of
from anthropi.pictures.view import grounded, view_of

__all__ = ["Camera", "Recording"]


@dataclass(frozen=True)
class Camera:
    """Camera of the pictures of an environment. It follows the first link, so that pictures have one scale.

    Attributes
    ----------
    view : a name such as "side", or (azimuth, elevation) in degrees, as in `figure.draw`.
    width, height : [pixels]. span : [m] height of the picture.
    centre : (3,) [m] point in the middle of the picture, relative to the point of the ground below the first link.
    """

    view: Any = "three-quarter"
    width: int = 320
    height: int = 320
    span: float = 2.4
    centre: tuple[float, float, float] = (0.0, 0.0, 0.9)

    def picture(self, figure: Any, q: Any) -> np.ndarray:
        """Return a picture (height, width, 3) of a figure at q (nq,), in integers from 0 to 255."""
        view, scene = view_of(self.view), scene_of(figure, np.nan_to_num(np.asarray(q, float)))
        moving = next((p for p, j in zip(scene.joints, figure.joints, strict=True) if j.kind == "free"), np.zeros(3))
        middle = view.project(np.array([moving[0], moving[1], 0.0]) + np.asarray(self.centre))
        scale = self.height / self.span
        left, bottom = middle[0] - 0.5 * self.width / scale, middle[1] - 0.5 * self.span
        window = Window(float(left), float(bottom), self.width, self.height, scale)
        found = paint(scene, view, window, grounded(scene, figure.gravity))[::-1]
        alpha = found[..., 3:]
        return np.round(255.0 * (found[..., :3] * alpha + 1.0 - alpha)).clip(0, 255).astype(np.uint8)


class Recording:
    """States of the present episode of one environment."""

    def __init__(self, episodes: Any, row: int) -> None:
        self._episodes, self._row = episodes, row
        self._frames: list[tuple[np.ndarray, np.ndarray]] = []

    def begin(self) -> None:
        """Forget the last episode and keep the present state."""
        self._frames = []
        self.add()

    def add(self) -> None:
        """Keep the present state."""
        sim = self._episodes.simulation
        q, u = (np.reshape(x, (sim.batch, -1))[self._row] for x in (sim.q, sim.u))
        self._frames.append((q.copy(), u.copy()))

    def motion(self) -> Motion:
        """Return the episode as a motion, one frame for each control period."""
        if not self._frames:
            raise StateError("There is no episode yet. Call reset first.")
        q, u = (np.array(x) for x in zip(*self._frames, strict=True))
        time = self._episodes.period * np.arange(len(q))
        return Motion(self._episodes.motion_figure(self._row), time, q, u)
