"""What ground does an obstacle take, now and later? Floats only.

An outline is a convex core of corners c₁ … c_n (one: a disc; two: a capsule; more: a polygon, counter-clockwise) and a
radius: all points within the radius of the core. Inflating it adds to the radius and stays exact, corners round. With
e_i = c_{i+1} - c_i and a point p:

    d(p) = ± min_i |p - c_i - t e_i|,   t = (p - c_i)·e_i / e_i² within 0 … 1,   minus inside the core           (1)
    gap = d - radius                                                                                             (2)

One that moves has its core as a function of time: core(t) = core + (t - since) velocity, or any other.              (3)

Skin
----
How near did the figure itself come, arms and feet and all, not the disc it is planned by? Floats only.

Every shape of every link is points and a radius: a sphere its centre, a capsule five points of its axis, an ellipsoid
or box points of its surface. Seen from above, all heights count: an obstacle is as tall as the figure.

    gap(t) = min over points x of distance(x, obstacle at t) - radius                                              (3)
"""

import itertools
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from anthropi.algorithms.kinematics import kinematics
from anthropi.contact.geometry.surfaces import Box, Capsule, Sphere
from anthropi.contact.scene import Obstacle
from anthropi.errors import InputError, ShapeError

__all__ = ["BODY", "Outline", "disc", "hull", "outline_of", "outlines_of", "polygon", "skin_gaps", "to_core"]


TINY = 1e-12  # [m²]
BODY = (0.02, 2.0)  # [m] above the ground: what is lower is stepped on, what is higher is walked under


@dataclass(frozen=True, eq=False)
class Outline:
    """What an obstacle takes of the ground: core (n, 2) [m] and radius [m]. `disc` and `polygon` make them.

    motion : None, a velocity (2,) [m/s], or a function t → core (n, 2), its predicted motion (3).
    since : the time [s] at which a velocity has it at `core`.
    """

    name: str
    core: Any
    radius: float = 0.0
    motion: Any = None
    since: float = 0.0

    def __post_init__(self):
        core = np.atleast_2d(_numbers(self.core, self.name, "corners"))
        if core.shape[-1] != 2 or core.ndim != 2:
            raise ShapeError(f"Obstacle '{self.name}' has corners of shape {core.shape}; give (n, 2) [m].")
        if not 0.0 <= self.radius < np.inf:
            raise InputError(f"Obstacle '{self.name}' has radius {self.radius!r}; give 0 or more [m].")
        object.__setattr__(self, "core", core)
        if self.motion is None or callable(self.motion):
            return
        velocity = _numbers(self.motion, self.name, "velocity")
        if velocity.shape != (2,):
            raise InputError(f"Obstacle '{self.name}' has velocity {self.motion!r}; give two numbers [m/s].")
        object.__setattr__(self, "motion", velocity if velocity.any() else None)

    @property
    def moves(self) -> bool:
        """Whether it goes anywhere."""
        return self.motion is not None

    def at(self, t) -> np.ndarray:
        """(3): the core (…, n, 2) at times t (…) [s]."""
        t = np.asarray(t, float)
        if self.motion is None:
            return np.broadcast_to(self.core, (*t.shape, *self.core.shape))
        if callable(self.motion):
            return np.array([self.motion(x) for x in t.ravel()], float).reshape(*t.shape, *self.core.shape)
        return self.core + (t[..., None, None] - self.since) * self.motion

    def gap(self, points, t=0.0) -> np.ndarray:
        """(2): from points (…, 2) at times t to its surface (…) [m]; negative inside."""
        return to_core(np.asarray(points, float), self.at(t)) - self.radius

    def inflated(self, by: float) -> "Outline":
        """Larger by a margin [m] all round."""
        return replace(self, radius=self.radius + by)


def to_core(p, core) -> np.ndarray:
    """(1) from points (…, 2) to cores (…, n, 2)."""
    arms = p[..., None, :] - core
    if core.shape[-2] == 1:
        return np.hypot(arms[..., 0, 0], arms[..., 0, 1])
    edges = np.concatenate([core[..., 1:, :], core[..., :1, :]], -2) - core
    square = np.maximum((edges * edges).sum(-1), TINY)
    t = np.clip((arms * edges).sum(-1) / square, 0.0, 1.0)
    away = arms - t[..., None] * edges
    d = np.sqrt((away * away).sum(-1)).min(-1)
    if core.shape[-2] < 3:
        return d
    left = edges[..., 0] * arms[..., 1] - edges[..., 1] * arms[..., 0]
    return np.where((left > 0.0).all(-1), -d, d)


def disc(centre, radius: float, velocity=None, name: str = "disc", since: float = 0.0) -> Outline:
    """A disc; velocity (2,) [m/s], or a function t → centre (2,)."""
    motion = (lambda t: np.reshape(velocity(t), (1, 2))) if callable(velocity) else velocity
    return Outline(name, np.reshape(_numbers(centre, name, "centre"), (1, -1)), radius, motion, since)


def polygon(corners, velocity=None, name: str = "polygon", since: float = 0.0) -> Outline:
    """The convex hull of corners (n, 2); velocity (2,) [m/s], or a function t → shift (2,) from them."""
    core = hull(_numbers(corners, name, "corners"))
    motion = (lambda t: core + np.asarray(velocity(t), float)) if callable(velocity) else velocity
    return Outline(name, core, 0.0, motion, since)


def hull(points) -> np.ndarray:
    """The corners (n, 2) of the convex hull of points (m, 2), counter-clockwise (Andrew's chains)."""
    points = np.unique(np.round(np.asarray(points, float), 12), axis=0)  # sorted by x, then y
    if len(points) < 3:
        return points
    chains = []
    for row in (points, points[::-1]):
        chain: list = []
        for p in row:
            while len(chain) > 1 and _turn(chain[-2], chain[-1], p) <= 1e-12:
                chain.pop()
            chain.append(p)
        chains += chain[:-1]
    return np.array(chains)


def outline_of(obstacle: Obstacle, body=BODY) -> Outline | None:
    """The ground an obstacle of a scene takes, and how it moves; None where all of it is below or above a body."""
    size = _solid(obstacle)

    def core(t):
        pose = obstacle.at(t)[0]
        return (size[0] @ np.asarray(pose.rotation, float).T + np.asarray(pose.origin, float))[:, :2]

    pose = obstacle.at(0.0)[0]
    z = (size[0] @ np.asarray(pose.rotation, float).T + np.asarray(pose.origin, float))[:, 2]
    if not obstacle.moves:
        if z.min() - size[1] > body[1] or z.max() + size[1] < body[0]:
            return None
        return Outline(obstacle.name, hull(core(0.0)), size[1])
    if len(size[0]) == 8:  # a box that may turn: always four corners
        return Outline(obstacle.name, _four(core(0.0)), size[1], lambda t: _four(core(t)))
    return Outline(obstacle.name, core(0.0), size[1], core)


def outlines_of(things, body=BODY) -> list[Outline]:
    """Outlines of a scene, or of a list of outlines and obstacles."""
    found = []
    for thing in getattr(things, "obstacles", things):
        if not isinstance(thing, (Outline, Obstacle)):
            raise InputError(f"{thing!r} is no obstacle; give disc(…), polygon(…), Obstacle(name, surface, pose), "
                             "or a Scene.")  # fmt: skip
        outline = thing if isinstance(thing, Outline) else outline_of(thing, body)
        if outline is not None:
            found.append(outline)
    return found


def _solid(obstacle):
    """Corners (n, 3) in the obstacle's frame and a radius."""
    surface: Any = obstacle.surface
    if isinstance(surface, Sphere):
        return np.zeros((1, 3)), float(surface.radius)
    if isinstance(surface, Capsule):
        return np.array([[0.0, 0.0, z * float(surface.length)] for z in (-0.5, 0.5)]), float(surface.radius)
    if isinstance(surface, Box):
        signs = np.stack(np.meshgrid([-0.5, 0.5], [-0.5, 0.5], [-0.5, 0.5]), -1).reshape(8, 3)
        return signs * np.asarray(surface.size, float), 0.0
    raise InputError(f"Obstacle '{obstacle.name}' is a {type(surface).__name__}, which has no outline on the ground; "
                     "give a Box, Sphere or Capsule, or leave it out of the way.")  # fmt: skip


def _four(points) -> np.ndarray:
    """The smallest rectangle (4, 2) round points that has a side of their hull, counter-clockwise."""
    corners = hull(points)
    edges = np.roll(corners, -1, 0) - corners
    along = edges / np.sqrt((edges * edges).sum(-1, keepdims=True))
    best = None
    for u in along:
        frame = np.array([u, [-u[1], u[0]]])
        low, high = (corners @ frame.T).min(0), (corners @ frame.T).max(0)
        area = (high - low).prod()
        if best is None or area < best[0] - TINY:
            box = np.array([low, [high[0], low[1]], high, [low[0], high[1]]])
            best = area, box @ frame
    return best[1]  # type: ignore[index]


def _turn(a, b, c) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _numbers(values, name: str, what: str) -> np.ndarray:
    try:
        array = np.asarray(values, float)
    except (TypeError, ValueError):
        array = np.array([np.nan])
    if not array.size or not np.isfinite(array).all():
        raise InputError(f"Obstacle '{name}' has {what} {values!r}; give finite numbers [m].")
    return array


SIDES = np.array([x for x in itertools.product((-1.0, 0.0, 1.0), repeat=3) if any(x)])  # 26 directions
ROUND = SIDES / np.sqrt((SIDES * SIDES).sum(-1, keepdims=True))


def skin_gaps(motion, outlines: list[Outline], every: int = 5) -> dict[str, float]:
    """(3): {obstacle: the least gap [m] of a `Motion`}, of every so many frames; negative where it was touched."""
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
