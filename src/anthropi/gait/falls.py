"""Falls: the definition of a fall for walks, performances, scripts, trials and the studio.

A figure has fallen as soon as

    a link other than its feet touches the ground or the upper side of an obstacle,                              (1)
    or its head is lower than half of its standing height,                                                       (2)
    or a number of its state is not finite.                                                                      (3)

On a plane, (1) uses the exact distance of every shape of a link: with the unit normal n of the plane, the centre c of a
shape and the reach e(-n) of the shape from its centre,

    gap = n·(c - p₀) - e(-n)                                                                                     (4)

On other surfaces it uses the spheres of `contact/geometry/link_spheres.py`. The links with contact markers, "foot" and
"toes" are feet; the head is the link "head", or the highest one of a figure without it. (2) compares the heights of the
link's origin over the ground.

Searches use the narrower `HeightBounds` of the pelvis instead, which a controller can test without a model of the
ground. A walk in which the figure crouches or jumps is then aborted.
"""

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.linear import matvec, transpose
from anthropi.algebra.scalar import absolute, less, less_equal, maximum, minimum, sqrt, where
from anthropi.algorithms.kinematics import kinematics
from anthropi.compiler import build, kernel_for
from anthropi.compiler.cache import digest
from anthropi.compiler.content import KeptByContent, content_key
from anthropi.contact.geometry.features import body_groups, clear_of_feet
from anthropi.contact.geometry.surfaces import Plane
from anthropi.contact.scene import Scene
from anthropi.figure.figure import Figure
from anthropi.motion import Motion
from anthropi.motion.motion import Event
from anthropi.tape import record

__all__ = [
    "SEARCH",
    "Fall",
    "FallDetector",
    "FallSettings",
    "HeightBounds",
    "fall_data",
    "fall_time",
    "upright",
    "with_fall",
]

NO_CONTACT = 1e3  # [m] clearance of feet and of links without shapes
MIN_NORMAL = 0.05  # smallest n_z of the ground in the height of the head
TOP_NORMAL = 0.5  # n_z above which the surface of an obstacle counts as its upper side
FEET = ("foot", "toes")


@dataclass(frozen=True)
class FallSettings:
    """Thresholds of a fall.

    Attributes
    ----------
    head_height : smallest height of the head (2), relative to its standing height.
    clearance : [m] largest distance of a link from the ground that counts as touching (1).
    """

    head_height: float = 0.5
    clearance: float = 0.0


class Fall(NamedTuple):
    """A fall. time : [s]. cause : in words, such as "l_hand touches the ground"."""

    time: float
    cause: str


class FallDetector:
    """Detector of falls of the figure of a scene.

    Parameters
    ----------
    scene : a scene, or a figure, which then stands on the plane z = 0. The scene's own features do not matter.
    settings : thresholds; the default ones if None.
    upright : state q (nq,) of the upright figure, for a figure without a link "head"; its neutral state if None.
    """

    def __init__(self, scene: Scene | Figure, settings: FallSettings | None = None, upright: Any = None) -> None:
        self.settings = settings or FallSettings()
        figure = scene.figure if isinstance(scene, Scene) else scene
        ground, obstacles = (scene.ground, scene.obstacles) if isinstance(scene, Scene) else (Plane(), ())
        self._names = [link.name for link in figure.links]
        self._head, self._standing = _head_of(figure, upright)
        self._figure, self._surroundings = figure, (ground, obstacles)
        self._kernel: Any = None

    def measures(self, q: Any, t: Any = 0.0) -> tuple[np.ndarray, np.ndarray]:
        """Measure the clearance of each link (…, links) [m] and the height of the head (…,) [m] over the ground.

        q : (…, nq). t : (…,) [s], for obstacles that move.
        """
        q = np.asarray(q, float)
        if self._kernel is None:
            self._kernel = _kernel_of(self._figure, *self._surroundings, self._head)
        rows = np.nan_to_num(q.reshape(-1, q.shape[-1]))
        times = np.ascontiguousarray(np.broadcast_to(np.asarray(t, float), q.shape[:-1]).reshape(-1))
        clearance, head = (np.asarray(x) for x in self._kernel(q=rows, t=times))
        return clearance.reshape(*q.shape[:-1], -1), head.reshape(q.shape[:-1])

    def fallen(self, q: Any, t: Any = 0.0) -> np.ndarray:
        """Return a mask (…,) of the states q (…, nq) in which the figure has fallen."""
        clearance, head = self.measures(q, t)
        low = head < self.settings.head_height * self._standing
        return ~np.isfinite(q).all(-1) | low | (clearance.min(-1) <= self.settings.clearance)

    def mask(self, q: Any, ground: Any) -> Any:
        """Return whether the figure has fallen on another ground, at q (nq,). Can be recorded on a tape."""
        clearance, head = _measures(self._figure, ground, self._surroundings[1], self._head, q, 0.0)
        least = clearance[0]
        for one in clearance[1:]:
            least = minimum(least, one)
        return less(head, self.settings.head_height * self._standing) | less_equal(least, self.settings.clearance)

    def first(self, time: Any, q: Any) -> Fall | None:
        """Return the first fall in frames at times (n,) [s] with states q (n, nq), or None."""
        time, q = np.atleast_1d(time), np.atleast_2d(q)
        down = self.fallen(q, time)
        if not down.any():
            return None
        k = int(np.argmax(down))
        return Fall(float(time[k]), self._cause(q[k], float(time[k])))

    def _cause(self, q: np.ndarray, t: float) -> str:
        """Describe a fall in words."""
        if not np.isfinite(q).all():
            return "the state is not finite"
        clearance, head = self.measures(q, t)
        k = int(np.argmin(clearance))
        if clearance[k] <= self.settings.clearance:
            return f"{self._names[k]} touches the ground"
        return f"{self._head} at {float(head):.2f} m, {float(head) / self._standing:.0%} of its standing height"


def fall_time(motion: Motion, scene: Scene | Figure | None = None, settings: FallSettings | None = None) -> np.ndarray:
    """Time of the first fall of each rollout of a motion.

    Parameters
    ----------
    motion : one rollout or a batch.
    scene : scene of the motion; if None, its figure on the plane z = 0.

    Returns
    -------
    (…,) [s], NaN where the figure does not fall.
    """
    down = FallDetector(motion.figure if scene is None else scene, settings).fallen(motion.q, motion.time)
    return np.where(down.any(-1), motion.time[np.argmax(down, -1)], np.nan)


def fall_data(fall: Fall | None) -> dict[str, Any]:
    """Return a fall as metadata: fell, fall_time [s] and fall_cause, both None without a fall."""
    if fall is None:
        return {"fell": False, "fall_time": None, "fall_cause": None}
    return {"fell": True, "fall_time": round(fall.time, 6), "fall_cause": fall.cause}


def with_fall(motion: Motion, fall: Fall | None) -> Motion:
    """Return a motion whose metadata state whether and when the figure fell; a fall is also an event "fall"."""
    events = motion.events
    if fall is not None:
        events = tuple(sorted((*events, Event(fall.time, "fall", 0, fall.cause)), key=lambda event: event.time))
    return motion.changed(events=events, metadata=motion.metadata | fall_data(fall))


# measures, recorded on a tape

_kernels = KeptByContent(16)


def _kernel_of(figure: Figure, ground: Any, obstacles: Any, head: str) -> Any:
    """Return the kernel (q, t) → clearance of each link, height of the head."""
    parts = figure, ground, obstacles, head

    def trace():
        return record(lambda q, t: _measures(*parts, q, t), q=figure.neutral(), t=np.zeros(()))

    def make():
        key = content_key(parts)
        return build(trace(), opt="tiers") if key is None else kernel_for(digest("falls", key), trace, opt="tiers")

    return _kernels.find(parts, make)


def _measures(figure: Figure, ground: Any, obstacles: Any, head: str, q: Any, t: Any) -> tuple[Any, Any]:
    """Clearance (links,) [m] and height of the head [m]. Can be recorded."""
    k = kinematics(figure, q)
    surfaces = [(ob.surface, ob.at(t)[0]) for ob in obstacles]
    surfaces += [] if ground is None or isinstance(ground, Plane) else [(ground, None)]
    spheres = {group.link: clear_of_feet(figure, group) for group in body_groups(figure)} if surfaces else {}
    feet, found = _feet_of(figure), []
    for i, link in enumerate(figure.links):
        gaps = [NO_CONTACT]
        if link.name not in feet:
            if isinstance(ground, Plane):
                gaps += [_plane_gap(ground, k.position[i], k.rotation[i], shape) for shape in link.shapes]
            for surface, pose in surfaces:
                gaps += _sphere_gaps(surface, pose, k, i, spheres.get(link.name))
        clearance = gaps[0]
        for gap in gaps[1:]:
            clearance = minimum(clearance, gap)
        found.append(clearance)
    if ground is None:
        return np.array(found), NO_CONTACT
    distance, normal = ground.distance(k.position[figure.link_index(head)])
    return np.array(found), distance / maximum(normal[2], MIN_NORMAL)  # height, measured along the vertical


def _plane_gap(plane: Plane, position: Any, rotation: Any, shape: Any) -> Any:
    """Distance of a shape from a plane [m], by equation (4)."""
    X, size = shape.placement, [float(x) for x in shape.size]
    n = np.asarray(plane.normal)
    d = matvec(transpose(np.asarray(X.rotation, float)), matvec(transpose(rotation), n))
    centre = plane.distance(position + matvec(rotation, np.asarray(X.origin, float)))[0]
    if shape.kind == "sphere":
        return centre - size[0]
    if shape.kind == "capsule":
        return centre - (size[0] + 0.5 * size[1] * absolute(d[2]))
    if shape.kind == "cylinder":
        return centre - (size[0] * sqrt(d[0] * d[0] + d[1] * d[1] + 1e-18) + 0.5 * size[1] * absolute(d[2]))
    if shape.kind == "box":
        return centre - 0.5 * sum(s * absolute(x) for s, x in zip(size, d, strict=True))
    if shape.kind == "ellipsoid":
        return centre - sqrt(sum(s * s * (x * x) for s, x in zip(size, d, strict=True)))
    return NO_CONTACT


def _sphere_gaps(surface: Any, pose: Any, k: Any, i: int, group: Any) -> list[Any]:
    """Distances of the spheres of link i from a surface [m]; `NO_CONTACT` beside an obstacle."""
    found: list[Any] = []
    for point, radius in () if group is None else zip(group.points, (float(r) for r in group.radii), strict=True):
        centre = k.position[i] + matvec(k.rotation[i], point)
        gap, normal = surface.distance(centre if pose is None else pose.undo_point(centre))
        up = normal[2] if pose is None else matvec(pose.rotation, normal)[2]
        found.append(where(less(TOP_NORMAL, up), gap - radius, NO_CONTACT))
    return found


def _feet_of(figure: Figure) -> set[str]:
    """Names of the links that may stand on the ground."""
    marked = {m.link for m in figure.markers if "sole" in m.name and hasattr(m, "point")}
    return marked | {link.name for link in figure.links if link.name.rpartition("_")[2] in FEET}


def _head_of(figure: Figure, upright: Any = None) -> tuple[str, float]:
    """Name of the head, and height of the head above the lowest point of the feet [m], neutral or upright."""
    heads = [link.name for link in figure.links if link.name.rpartition("/")[2] == "head"]
    k = kinematics(figure, figure.neutral() if heads or upright is None else np.asarray(upright, float))
    heights = {link.name: float(k.position[i][2]) for i, link in enumerate(figure.links)}
    head = heads[0] if heads else max(heights, key=lambda name: heights[name])
    soles = [
        float(heights[m.link] + (np.asarray(k.rotation[figure.link_index(m.link)], float) @ m.point)[2])
        for m in figure.markers
        if "sole" in m.name and hasattr(m, "point")
    ]
    return head, heights[head] - min(soles or heights.values())


# bounds of searches


@dataclass(frozen=True)
class HeightBounds:
    """Bounds of the height of the pelvis within which a search follows a walk, relative to its standing height."""

    min_height: float = 0.8
    max_height: float = math.inf


SEARCH = HeightBounds(0.8, 1.15)
"""Rollouts of a search: a walk that crouches or jumps is not worth following."""


def upright(height: Any, standing: Any, bounds: HeightBounds = SEARCH) -> Any:
    """Mask of heights within bounds; False where a height is not a number. Records.

    Parameters
    ----------
    height : height of the pelvis over the ground [m], a number or an array.
    standing : height of the pelvis of the standing figure [m].
    """
    high = less(bounds.min_height * standing, height)
    return high if math.isinf(bounds.max_height) else high & less(height, bounds.max_height * standing)
