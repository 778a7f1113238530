"""How near did the figure itself come, arms and feet and all, not the disc it is planned by? Floats only.

Every shape of every link is points and a radius: a sphere its centre, a capsule five points of its axis, an ellipsoid
or box points of its surface. Seen from above, all heights count: an obstacle is as tall as the figure.

    gap(t) = min over points x of distance(x, obstacle at t) - radius                                              (1)
"""

import itertools

import numpy as np

from anthropi.algorithms.kinematics import kinematics
from anthropi.gait.ways.outlines import Outline

__all__ = ["skin_gaps"]

SIDES = np.array([x for x in itertools.product((-1.0, 0.0, 1.0), repeat=3) if any(x)])  # 26 directions
ROUND = SIDES / np.sqrt((SIDES * SIDES).sum(-1, keepdims=True))


def skin_gaps(motion, outlines: list[Outline], every: int = 5) -> dict[str, float]:
    """(1): {obstacle: the least gap [m] of a `Motion`}, of every so many frames; negative where it was touched."""
    figure, rows = motion.figure, range(0, len(motion.time), every)
    skin = [
        (i, *_points(shape)) for i, link in enumerate(figure.links) for shape in link.shapes if shape.kind != "mesh"
    ]
    places = []
    for k in rows:
        at = kinematics(figure, motion.q[k])
        places.append(
            np.concatenate([x @ np.asarray(at.rotation[i]).T + np.asarray(at.position[i]) for i, x, _ in skin])
        )
    radius, on = np.concatenate([r for _, _, r in skin]), np.array(places)[..., :2]
    when = np.asarray(motion.time)[list(rows)]
    return {o.name: float(min((o.gap(x, t) - radius).min() for x, t in zip(on, when, strict=True))) for o in outlines}


def _points(shape):
    """Points (n, 3) in the link's frame and their radii (n,)."""
    size, radius = shape.size, 0.0
    if shape.kind == "sphere":
        x, radius = np.zeros((1, 3)), size[0]
    elif shape.kind in ("capsule", "cylinder"):
        x, radius = np.linspace(-0.5, 0.5, 5)[:, None] * np.array([0.0, 0.0, size[1]]), size[0]
    elif shape.kind == "box":
        x = 0.5 * SIDES * np.asarray(size)
    else:
        x = ROUND * np.asarray(size)
    place = shape.placement
    return x @ np.asarray(place.rotation).T + np.asarray(place.origin), np.full(len(x), radius)
