"""How near is a point to a figure, all its solids melted together? Floats only.

Each solid i has a distance d_i, negative inside, and a softness h_i, a share of its own thickness. The surface is

    S = Σ exp(-d_i / h_i) = LEVEL                                              (1)
    distance to it ≈ -H log(S / LEVEL),  H = Σ e_i h_i / S                     (2)
    gradient of S = -Σ e_i ∇d_i / h_i                                          (3)

so that a thin finger keeps its shape beside a trunk that melts into the neck, and the order of solids does not matter.

    ellipsoid  d = k (k - 1) / |x / r²|,  k = |x / r|                          (4)  near enough beside its surface
    capsule    d = |x - nearest point of the axis| - r                         (5)
    box        d as in `contact.surfaces`, its edges rounded by a tenth        (6)
    cylinder   the same in (ρ, z)                                              (7)
"""

from typing import NamedTuple

import numpy as np

__all__ = ["LEVEL", "Lump", "distances", "field", "reached", "thickness"]

LEVEL = 1.35  # a little more than one: what melts together swells, and this takes it back
SOFT = 0.20  # h of the thickness
REACH = 5.0  # in h, beyond which a solid counts for nothing
DEEP = 12.0  # in h: inside is inside
TINY = 1e-12


class Lump(NamedTuple):
    """A solid in the bind pose: kind and size as pictures have them, C (3, 3), middle (3,), its link and colour."""

    kind: str
    size: tuple
    rotation: np.ndarray
    middle: np.ndarray
    link: int
    colour: tuple

    @property
    def soft(self) -> float:
        """h [m] of (1)."""
        return SOFT * thickness(self.kind, self.size)

    def box(self, more: float) -> np.ndarray:
        """(2, 3): the corners of a box around it, and `more` [m] beside."""
        if self.kind == "ellipsoid":
            half = np.linalg.norm(self.rotation * np.asarray(self.size), axis=1)
        elif self.kind == "box":
            half = np.abs(self.rotation * (0.5 * np.asarray(self.size))).sum(1)
        elif self.kind == "sphere":
            half = np.full(3, self.size[0])
        else:
            half = self.size[0] + 0.5 * self.size[1] * np.abs(self.rotation[:, 2])
        return self.middle + np.array([-1.0, 1.0])[:, None] * (half + more)


def thickness(kind: str, size) -> float:
    """The least half breadth of a solid [m]."""
    if kind == "ellipsoid":
        return float(min(size))
    if kind == "box":
        return 0.5 * float(min(size))
    return float(size[0])


def distances(lump: Lump, points):
    """d (…,) and its gradient (…, 3) in the world, of points (…, 3)."""
    C = lump.rotation.astype(points.dtype)
    x = (points - lump.middle.astype(points.dtype)) @ C
    if lump.kind == "ellipsoid":
        r = np.asarray(lump.size, x.dtype)
        k = np.sqrt((x * x / (r * r)).sum(-1)) + TINY
        scaled = x / (r * r)
        k2 = np.sqrt((scaled * scaled).sum(-1)) + TINY
        d = k * (k - 1.0) / k2
        way = scaled / k2[..., None]
    elif lump.kind in ("sphere", "capsule"):
        half = 0.5 * lump.size[1] if lump.kind == "capsule" else 0.0
        near = x.copy()
        near[..., 2] -= np.clip(x[..., 2], -half, half)
        length = np.sqrt((near * near).sum(-1)) + TINY
        d, way = length - lump.size[0], near / length[..., None]
    else:
        d, way = _edged(lump, x)
    return d, way @ C.T


def _edged(lump: Lump, x):
    """(6), (7)."""
    if lump.kind == "box":
        half, w = 0.5 * np.asarray(lump.size, x.dtype), np.abs(x)
    else:
        rho = np.sqrt(x[..., 0] ** 2 + x[..., 1] ** 2)
        half, w = np.array([lump.size[0], 0.5 * lump.size[1]], x.dtype), np.stack([rho, np.abs(x[..., 2])], -1)
    rounding = 0.2 * half.min()
    w = w - (half - rounding)
    out = np.maximum(w, 0.0)
    length = np.sqrt((out * out).sum(-1))
    inside = np.minimum(w.max(-1), 0.0)
    face = np.where(w == w.max(-1, keepdims=True), 1.0, 0.0)
    way = np.where((length > TINY)[..., None], out / np.maximum(length, TINY)[..., None], face)
    if lump.kind != "box":
        flat = x[..., :2] / np.maximum(rho, TINY)[..., None]
        way = np.concatenate([way[..., :1] * flat, way[..., 1:] * np.sign(x[..., 2:])], -1)
    else:
        way = way * np.sign(x)
    return length + inside - rounding, way


def reached(lumps, points, more: float) -> list[np.ndarray]:
    """For each solid, the numbers of the points that it counts for, and of those within `more` [m] of them."""
    found = []
    for lump in lumps:
        (x0, y0, z0), (x1, y1, z1) = lump.box(max(REACH * lump.soft, thickness(lump.kind, lump.size)) + more)
        at = np.flatnonzero((points[:, 2] > z0) & (points[:, 2] < z1))
        x, y = points[at, 0], points[at, 1]
        found.append(at[(x > x0) & (x < x1) & (y > y0) & (y < y1)])
    return found


def field(lumps, points, places):
    """Distance (n,) by (2) and unit normal (n, 3) of points (n, 3) near the surface. places : `reached`."""
    S, H = np.full(len(points), 1e-30), np.zeros(len(points))
    gradient = np.zeros((len(points), 3))
    for lump, at in zip(lumps, places, strict=True):
        d, way = distances(lump, points[at])
        e = np.exp(np.minimum(-d / lump.soft, DEEP))
        S[at] += e
        H[at] += e * lump.soft
        gradient[at] += (e / lump.soft)[:, None] * way
    length = np.linalg.norm(gradient, axis=-1, keepdims=True)
    return -(H / S) * np.log(S / LEVEL), gradient / np.maximum(length, TINY)
