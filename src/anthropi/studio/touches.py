"""Where does a figure touch, and how hard? Points and forces in the world, of a motion that recorded "contact"."""

from typing import NamedTuple

import numpy as np

from anthropi.api import kinematics
from anthropi.motion import Motion

__all__ = ["Touch", "touches_of"]


class Touch(NamedTuple):
    """One place that may touch. name : as recorded. link : its number. point (frames, 3) [m], force (frames, 3) [N]."""

    name: str
    link: int
    point: np.ndarray
    force: np.ndarray


def touches_of(motion: Motion) -> list[Touch]:
    """The touches of a motion that ever bear anything; none if it did not record them."""
    forces, names = motion.channels.get("contact"), motion.metadata.get("touches")
    if forces is None or names is None or forces.ndim != 3 or forces.shape[1] != len(names):
        return []
    figure, k = motion.figure, kinematics(motion.figure, motion.q)
    turns, places = np.asarray(k.rotation), np.asarray(k.position)
    marks = {m.name: m.point for m in figure.markers if hasattr(m, "point")}
    links = {link.name: i for i, link in enumerate(figure.links)}
    found = []
    for column, name in enumerate(names):
        link, _, point = name.split(" ")[0].partition(".")
        if link in links and forces[:, column].any():
            i = links[link]
            found.append(Touch(name, i, places[:, i] + turns[:, i] @ marks.get(point, np.zeros(3)), forces[:, column]))
    return found
