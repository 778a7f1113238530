"""Ray casting: one parallel ray per pixel, intersected with each solid in closed form.

In the frame of a solid a ray is o + t d:

    ellipsoid   |o/s + t d/s|² = 1                                               (1)
    box         the last of the entries into three slabs before the first exit   (2)
    cylinder    (o_x + t d_x)² + (o_y + t d_y)² = r², |z| ≤ l/2, or a lid        (3)
    capsule     the same tube, or the sphere around either end                   (4)

Solids of one link blend smoothly: normals are weighted by exp(-t/k) near equal depths t (5).
"""

from itertools import groupby
from typing import Any, NamedTuple

import numpy as np

__all__ = ["Window", "cast", "rectangle", "window_around"]


NO_HIT = 1e9  # [m] depth of a ray that meets no solid


class Window(NamedTuple):
    """A rectangle of the picture plane: left and bottom [m], width and height [pixels], pixels per metre."""

    left: float
    bottom: float
    width: int
    height: int
    per_metre: float

    def extent(self) -> tuple[float, float, float, float]:
        """Left, right, bottom, top [m]."""
        return (
            self.left,
            self.left + self.width / self.per_metre,
            self.bottom,
            self.bottom + self.height / self.per_metre,
        )

    def middles(self) -> tuple[np.ndarray, np.ndarray]:
        """Coordinates [m] of the pixel centres along x and y."""
        return (
            self.left + (np.arange(self.width) + 0.5) / self.per_metre,
            self.bottom + (np.arange(self.height) + 0.5) / self.per_metre,
        )


def window_around(low: Any, high: Any, pixels: int) -> Window:
    """Return the window from low to high (2,) [m], with `pixels` along its longer side."""
    size = np.maximum(np.asarray(high) - low, 1e-6)
    per_metre = pixels / size.max()
    width, height = (min(int(np.ceil(s * per_metre)), pixels) for s in size)  # s × pixels / s may round up
    return Window(float(low[0]), float(low[1]), max(width, 1), max(height, 1), float(per_metre))


def cast(solids: Any, axes: Any, window: Window, smoothing: float = 0.0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Find the nearest solid at each pixel by casting one ray per pixel.

    Parameters
    ----------
    solids : solids in world coordinates; those of one link must follow each other.
    axes : (3, 3) axes of the view: right, up, into the picture.
    smoothing : [m] depth over which solids of one link blend (5).

    Returns
    -------
    depth (h, w) [m], inf where no solid is hit; normal (h, w, 3); number of the solid (h, w), -1 for none.
    """
    shape = (window.height, window.width)
    depth, normal, seen = np.full(shape, np.inf), np.zeros((*shape, 3)), np.full(shape, -1)
    for _, group in groupby(enumerate(solids), key=lambda pair: pair[1].link):
        pairs = list(group)
        rows, columns = rectangle([solid for _, solid in pairs], axes, window)
        if rows.start >= rows.stop or columns.start >= columns.stop:
            continue
        t, n, which = _link(pairs, axes, window, rows, columns, smoothing)
        nearer = t < depth[rows, columns]
        depth[rows, columns] = np.where(nearer, t, depth[rows, columns])
        normal[rows, columns] = np.where(nearer[..., None], n, normal[rows, columns])
        seen[rows, columns] = np.where(nearer, which, seen[rows, columns])
    return depth, normal, seen


def _link(pairs, axes, window: Window, rows: slice, columns: slice, smoothing: float):
    """Depth, normal and number of the nearest solid of one link, in a rectangle of the window."""
    right, up, into = axes
    x, y = window.middles()
    plane = x[columns][None, :, None] * right + y[rows][:, None, None] * up
    first = np.full(plane.shape[:2], NO_HIT)
    normal, which = np.zeros(plane.shape), np.full(plane.shape[:2], -1)
    for number, solid in pairs:
        up_to, along = rectangle([solid], axes, window)
        part = _within(up_to, rows), _within(along, columns)
        t, n = _HITS[solid.kind]((plane[part] - solid.middle) @ solid.rotation, into @ solid.rotation, solid.size)
        t, n, before = np.minimum(t, NO_HIT), n @ solid.rotation.T, first[part]
        nearest = np.minimum(before, t)
        if smoothing:  # (5), scaled so that the nearest solid has weight 1
            old, new = np.exp((nearest - before) / smoothing), np.exp((nearest - t) / smoothing)
            normal[part] = normal[part] * old[..., None] + n * new[..., None]
        else:
            normal[part] = np.where((t < before)[..., None], n, normal[part])
        which[part] = np.where(t < before, number, which[part])
        first[part] = nearest
    return np.where(first < NO_HIT, first, np.inf), _unit(normal), which


def rectangle(solids: Any, axes: Any, window: Window) -> tuple[slice, slice]:
    """Rows and columns of the window that the solids can cover."""
    x, y = window.middles()
    ends = [[s.middle @ e + sign * s.reach(e) for e in axes[:2]] for s in solids for sign in (-1, 1)]
    (left, low), (right, high) = np.min(ends, axis=0), np.max(ends, axis=0)
    return _between(y, low, high), _between(x, left, right)


def _within(part: slice, whole: slice) -> slice:
    """Return a slice of the picture relative to a slice that contains it."""
    return slice(part.start - whole.start, part.stop - whole.start)


def _between(x, low: float, high: float) -> slice:
    return slice(int(np.searchsorted(x, low)), int(np.searchsorted(x, high)))


def _first_root(a, b, c):
    """Smaller root of a t² + 2 b t + c = 0; inf where there is none."""
    inside = b * b - a * c
    root = (-b - np.sqrt(np.maximum(inside, 0.0))) / a
    return np.where(inside >= 0.0, root, np.inf)


def _unit(n):
    return n / np.maximum(np.linalg.norm(n, axis=-1, keepdims=True), 1e-12)


def _at(o, d, t):
    return o + np.where(np.isfinite(t), t, 0.0)[..., None] * d


def _ellipsoid(o, d, size):
    """Depth and normal on an ellipsoid (1)."""
    s = np.asarray(size if len(size) == 3 else (size[0],) * 3, float)
    e, f = o / s, d / s
    t = _first_root(f @ f, e @ f, (e * e).sum(-1) - 1.0)
    return t, _unit(_at(o, d, t) / (s * s))


def _box(o, d, size):
    """Depth and normal on a box (2)."""
    half = np.asarray(size, float) / 2.0
    d = np.where(np.abs(d) < 1e-12, 1e-12, d)
    enter = (-np.sign(d) * half - o) / d
    leave = (np.sign(d) * half - o) / d
    t = enter.max(-1)
    face = np.eye(3)[enter.argmax(-1)]
    return np.where(t <= leave.min(-1), t, np.inf), -face * np.sign(d)


def _tube(o, d, radius: float, half: float):
    """Depth and normal on the side of a cylinder along z."""
    a = max(d[0] * d[0] + d[1] * d[1], 1e-18)
    b = o[..., 0] * d[0] + o[..., 1] * d[1]
    t = _first_root(a, b, o[..., 0] ** 2 + o[..., 1] ** 2 - radius * radius)
    t = np.where(np.abs(_at(o, d, t)[..., 2]) <= half, t, np.inf)
    return t, _unit(_at(o, d, t) * np.array([1.0, 1.0, 0.0]))


def _cylinder(o, d, size):
    """Depth and normal on a cylinder (3)."""
    radius, length = size
    t, n = _tube(o, d, radius, length / 2.0)
    if abs(d[2]) > 1e-12:
        side = -np.sign(d[2])
        lid = (side * length / 2.0 - o[..., 2]) / d[2]
        on = _at(o, d, lid)
        lid = np.where(on[..., 0] ** 2 + on[..., 1] ** 2 <= radius * radius, lid, np.inf)
        n = np.where((lid < t)[..., None], np.array([0.0, 0.0, side]), n)
        t = np.minimum(t, lid)
    return t, n


def _capsule(o, d, size):
    """Depth and normal on a capsule (4)."""
    radius, length = size
    t, n = _tube(o, d, radius, length / 2.0)
    for end in (-length / 2.0, length / 2.0):
        s, m = _ellipsoid(o - np.array([0.0, 0.0, end]), d, (radius,))
        n = np.where((s < t)[..., None], m, n)
        t = np.minimum(t, s)
    return t, n


_HITS = {"ellipsoid": _ellipsoid, "sphere": _ellipsoid, "box": _box, "cylinder": _cylinder, "capsule": _capsule}
