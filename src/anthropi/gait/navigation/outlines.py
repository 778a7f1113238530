"""Outlines of obstacles on the ground, now and later, and the gaps between a figure and them.

An outline has a convex core with corners c₁ … c_n (one: a disc; two: a capsule; more: a polygon, counter-clockwise) and
a radius. It contains all points within the radius of the core. Inflating an outline adds to the radius; this is exact,
with round corners. With e_i = c_{i+1} - c_i and a point p:

    d(p) = ± min_i |p - c_i - t e_i|,   t = (p - c_i)·e_i / e_i² within 0 … 1,   negative inside the core         (1)
    gap = d - radius                                                                                              (2)

The core of a moving outline is a function of time: core(t) = core + (t - since) velocity, or any other           (3)

The gap of a whole figure, including arms and feet, is computed from points on its shapes, each with a radius: the
centre of a sphere, five points of the axis of a capsule, surface points of an ellipsoid or box. Heights are ignored, as
in a view from above:

    gap(t) = min over points x of distance(x, obstacle at t) - radius                                             (4)

All functions work on plain floats only; they cannot be recorded on a tape.
"""

import itertools
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from anthropi.algorithms.kinematics import kinematics
from anthropi.contact.geometry.surfaces import Box, Capsule, Sphere
from anthropi.contact.scene import Obstacle
from anthropi.errors import InputError, ShapeError
from anthropi.motion import Motion

__all__ = ["BODY_HEIGHTS", "Outline", "disc", "hull", "outline_of", "outlines_of", "polygon", "skin_gaps", "to_core"]


MIN_AREA = 1e-12  # [m²], avoids divisions by zero
BODY_HEIGHTS = (0.02, 2.0)  # [m] above the ground: lower obstacles are stepped on, higher ones are walked under


@dataclass(frozen=True, eq=False)
class Outline:
    """Outline of an obstacle on the ground. Use `disc` and `polygon` to make outlines.

    Attributes
    ----------
    name : name of the obstacle.
    core : corners of its core (n, 2) [m].
    radius : [m].
    motion : None, a velocity (2,) [m/s], or a function of the time [s] that returns the core (n, 2) (eq. 3).
    since : time at which an outline with a velocity is at `core` [s].
    """

    name: str
    core: Any
    radius: float = 0.0
    motion: Any = None
    since: float = 0.0

    def __post_init__(self) -> None:
        core = np.atleast_2d(_numbers(self.core, self.name, "corners"))
        if core.shape[-1] != 2 or core.ndim != 2:
            raise ShapeError(f"Obstacle '{self.name}' has corners of shape {core.shape}. Give (n, 2) [m].")
        if not 0.0 <= self.radius < np.inf:
            raise InputError(f"Obstacle '{self.name}' has radius {self.radius!r}. Give 0 or more [m].")
        object.__setattr__(self, "core", core)
        if self.motion is None or callable(self.motion):
            return
        velocity = _numbers(self.motion, self.name, "velocity")
        if velocity.shape != (2,):
            raise InputError(f"Obstacle '{self.name}' has velocity {self.motion!r}. Give two numbers [m/s].")
        object.__setattr__(self, "motion", velocity if velocity.any() else None)

    @property
    def moves(self) -> bool:
        """Whether the outline moves."""
        return self.motion is not None

    def at(self, t: Any) -> np.ndarray:
        """Corners of the core (…, n, 2) [m] at times t (…) [s] (eq. 3)."""
        t = np.asarray(t, float)
        if self.motion is None:
            return np.broadcast_to(self.core, (*t.shape, *self.core.shape))
        if callable(self.motion):
            return np.array([self.motion(x) for x in t.ravel()], float).reshape(*t.shape, *self.core.shape)
        return self.core + (t[..., None, None] - self.since) * self.motion

    def gap(self, points: Any, t: Any = 0.0) -> np.ndarray:
        """Gap (…) [m] between points (…, 2) [m] and the outline at times t [s], negative inside (eq. 2)."""
        return to_core(np.asarray(points, float), self.at(t)) - self.radius

    def inflated(self, by: float) -> "Outline":
        """Return the outline enlarged by a margin [m]."""
        return replace(self, radius=self.radius + by)


def to_core(p: Any, core: Any) -> np.ndarray:
    """Distance (…) [m] between points (…, 2) and cores (…, n, 2), negative inside a core (eq. 1)."""
    arms = p[..., None, :] - core
    if core.shape[-2] == 1:
        return np.hypot(arms[..., 0, 0], arms[..., 0, 1])
    edges = np.concatenate([core[..., 1:, :], core[..., :1, :]], -2) - core
    square = np.maximum((edges * edges).sum(-1), MIN_AREA)
    t = np.clip((arms * edges).sum(-1) / square, 0.0, 1.0)
    away = arms - t[..., None] * edges
    d = np.sqrt((away * away).sum(-1)).min(-1)
    if core.shape[-2] < 3:
        return d
    left = edges[..., 0] * arms[..., 1] - edges[..., 1] * arms[..., 0]
    return np.where((left > 0.0).all(-1), -d, d)


def disc(centre: Any, radius: float, velocity: Any = None, name: str = "disc", since: float = 0.0) -> Outline:
    """Make an outline that is a disc.

    Parameters
    ----------
    centre : (2,) [m].
    radius : [m].
    velocity : (2,) [m/s], or a function of the time [s] that returns the centre (2,).
    since : time at which the disc is at `centre` [s].
    """
    motion = (lambda t: np.reshape(velocity(t), (1, 2))) if callable(velocity) else velocity
    return Outline(name, np.reshape(_numbers(centre, name, "centre"), (1, -1)), radius, motion, since)


def polygon(corners: Any, velocity: Any = None, name: str = "polygon", since: float = 0.0) -> Outline:
    """Make an outline that is the convex hull of some corners.

    Parameters
    ----------
    corners : (n, 2) [m].
    velocity : (2,) [m/s], or a function of the time [s] that returns the shift (2,) of the corners.
    since : time at which the polygon is at `corners` [s].
    """
    core = hull(_numbers(corners, name, "corners"))
    motion = (lambda t: core + np.asarray(velocity(t), float)) if callable(velocity) else velocity
    return Outline(name, core, 0.0, motion, since)


def hull(points: Any) -> np.ndarray:
    """Corners (n, 2) of the convex hull of points (m, 2), counter-clockwise (Andrew's monotone chains)."""
    points = np.unique(np.round(np.asarray(points, float), 12), axis=0)  # sorted by x, then y
    if len(points) < 3:
        return points
    chains = []
    for row in (points, points[::-1]):
        chain: list[Any] = []
        for p in row:
            while len(chain) > 1 and _turn(chain[-2], chain[-1], p) <= 1e-12:
                chain.pop()
            chain.append(p)
        chains += chain[:-1]
    return np.array(chains)


def outline_of(obstacle: Obstacle, body: tuple[float, float] = BODY_HEIGHTS) -> Outline | None:
    """Outline of an obstacle of a scene. None if the obstacle is entirely below or above the heights of a body [m]."""
    size = _solid(obstacle)

    def core(t: float) -> np.ndarray:
        pose = obstacle.at(t)[0]
        return (size[0] @ np.asarray(pose.rotation, float).T + np.asarray(pose.origin, float))[:, :2]

    pose = obstacle.at(0.0)[0]
    z = (size[0] @ np.asarray(pose.rotation, float).T + np.asarray(pose.origin, float))[:, 2]
    if not obstacle.moves:
        if z.min() - size[1] > body[1] or z.max() + size[1] < body[0]:
            return None
        return Outline(obstacle.name, hull(core(0.0)), size[1])
    if len(size[0]) == 8:  # a box that may rotate: always use four corners
        return Outline(obstacle.name, _rectangle(core(0.0)), size[1], lambda t: _rectangle(core(t)))
    return Outline(obstacle.name, core(0.0), size[1], core)


def outlines_of(obstacles: Any, body: tuple[float, float] = BODY_HEIGHTS) -> list[Outline]:
    """Outlines of the obstacles of a scene, or of a list of outlines and obstacles.

    Raises InputError if an element of the list is neither. The message names it.
    """
    found = []
    for one in getattr(obstacles, "obstacles", obstacles):
        if not isinstance(one, (Outline, Obstacle)):
            raise InputError(
                f"{one!r} is not an obstacle. Give disc(…), polygon(…), Obstacle(name, surface, pose), or a Scene."
            )
        outline = one if isinstance(one, Outline) else outline_of(one, body)
        if outline is not None:
            found.append(outline)
    return found


def _solid(obstacle: Obstacle) -> tuple[np.ndarray, float]:
    """Corners (n, 3) of an obstacle in its own frame, and a radius around them [m]."""
    surface: Any = obstacle.surface
    if isinstance(surface, Sphere):
        return np.zeros((1, 3)), float(surface.radius)
    if isinstance(surface, Capsule):
        return np.array([[0.0, 0.0, z * float(surface.length)] for z in (-0.5, 0.5)]), float(surface.radius)
    if isinstance(surface, Box):
        signs = np.stack(np.meshgrid([-0.5, 0.5], [-0.5, 0.5], [-0.5, 0.5]), -1).reshape(8, 3)
        return signs * np.asarray(surface.size, float), 0.0
    raise InputError(
        f"Obstacle '{obstacle.name}' is a {type(surface).__name__}, which has no outline on the ground. Give a Box, "
        "Sphere or Capsule, or leave it out of the obstacles."
    )


def _rectangle(points: np.ndarray) -> np.ndarray:
    """Smallest rectangle (4, 2) around points, with one side along their convex hull; corners counter-clockwise."""
    corners = hull(points)
    edges = np.roll(corners, -1, 0) - corners
    along = edges / np.sqrt((edges * edges).sum(-1, keepdims=True))
    best = None
    for u in along:
        frame = np.array([u, [-u[1], u[0]]])
        low, high = (corners @ frame.T).min(0), (corners @ frame.T).max(0)
        area = (high - low).prod()
        if best is None or area < best[0] - MIN_AREA:
            box = np.array([low, [high[0], low[1]], high, [low[0], high[1]]])
            best = area, box @ frame
    return best[1]  # type: ignore[index]


def _turn(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> float:
    """Twice the signed area of the triangle a, b, c."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _numbers(values: Any, name: str, what: str) -> np.ndarray:
    """Return values as a finite array.

    Raises InputError if they are not finite numbers. The message names the obstacle.
    """
    try:
        array = np.asarray(values, float)
    except (TypeError, ValueError, OverflowError):
        array = np.array([np.nan])
    if not array.size or not np.isfinite(array).all():
        raise InputError(f"Obstacle '{name}' has {what} {values!r}. Give finite numbers [m].")
    return array


DIRECTIONS = np.array([x for x in itertools.product((-1.0, 0.0, 1.0), repeat=3) if any(x)])  # 26 directions
UNIT_DIRECTIONS = DIRECTIONS / np.sqrt((DIRECTIONS * DIRECTIONS).sum(-1, keepdims=True))


def skin_gaps(motion: Motion, outlines: list[Outline], every: int = 5) -> dict[str, float]:
    """Smallest gap between a figure and each obstacle during a motion (eq. 4).

    Parameters
    ----------
    every : measure only every n-th frame, with n = `every`.

    Returns
    -------
    {obstacle: [m]}, negative if the figure touched it.
    """
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


def _points(shape: Any) -> tuple[np.ndarray, np.ndarray]:
    """Points (n, 3) that represent a shape in the frame of its link, and their radii (n,) [m]."""
    size, radius = shape.size, 0.0
    if shape.kind == "sphere":
        x, radius = np.zeros((1, 3)), size[0]
    elif shape.kind in ("capsule", "cylinder"):
        x, radius = np.linspace(-0.5, 0.5, 5)[:, None] * np.array([0.0, 0.0, size[1]]), size[0]
    elif shape.kind == "box":
        x = 0.5 * DIRECTIONS * np.asarray(size)
    else:
        x = UNIT_DIRECTIONS * np.asarray(size)
    place = shape.placement
    return x @ np.asarray(place.rotation).T + np.asarray(place.origin), np.full(len(x), radius)
