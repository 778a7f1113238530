"""Where and how hard does the ground push each foot? Arrows for pages, of the touches of a motion. Floats only.

p = Σ F_z p_k / Σ F_z,   F = Σ F_k,   over the points k of a side (or of a link that has none)             (1)
"""

import numpy as np

from anthropi.algorithms.kinematics import kinematics
from anthropi.errors import SizeError

__all__ = ["arrows_of"]

LENGTH = 0.8  # [m] of a force as large as the weight


def arrows_of(motion, when) -> np.ndarray:
    """(times, arrows, 6): the point (3,) [m] at which a force acts, and its arrow (3,) [m], none where it is 0."""
    forces, names = motion.channels.get("contact"), motion.metadata.get("touches")
    if forces is None or names is None:
        raise SizeError("Forces are drawn of the channel 'contact' and of metadata 'touches', which this motion lacks: "
                        "record=('contact',).")  # fmt: skip
    figure, q = motion.figure, motion.at(when).q
    found = [kinematics(figure, row) for row in q]
    turns, places = np.array([k.rotation for k in found]), np.array([k.position for k in found])
    marks = {m.name: m for m in figure.markers if hasattr(m, "point")}
    frame = np.clip(np.searchsorted(motion.time, when, side="right") - 1, 0, len(motion) - 1)
    sides: dict[str, list] = {}
    for k, touch in enumerate(names):
        link, _, point = touch.split(" ")[0].partition(".")
        if link in (own.name for own in figure.links):
            sides.setdefault(link[:2] if link[:2] in ("l_", "r_") else link, []).append((k, link, marks.get(point)))
    weight, arrows = figure.mass * float(np.linalg.norm(figure.gravity)), []
    for own in sides.values():
        F = np.array([forces[frame, k] for k, *_ in own])  # (points, times, 3)
        P = np.array([_place(figure, turns, places, link, mark) for _, link, mark in own])
        up = np.maximum(F[..., 2:], 0.0) + 1e-9
        arrows.append(np.concatenate([(up * P).sum(0) / up.sum(0), F.sum(0) * LENGTH / weight], -1))  # (1)
    return np.array(arrows).swapaxes(0, 1) if arrows else np.zeros((len(q), 0, 6))


def _place(figure, turns, places, link: str, mark) -> np.ndarray:
    """A point of a link (times, 3)."""
    i = figure.link_index(link)
    return places[:, i] if mark is None else places[:, i] + turns[:, i] @ mark.point
