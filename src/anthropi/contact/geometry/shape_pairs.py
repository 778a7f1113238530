"""Contact between the shapes of two links.

A shape is a box or round. A round shape is a segment m ± e with a radius: a sphere or a capsule. Ellipsoids and
cylinders are replaced by a capsule. Contact between two round shapes is at the nearest points of their segments.
Contact between a box and a round shape is at the corners of the box and at spheres along the segment. `boxes.py` has
the contact between two boxes.

    nearest points m₁ + s e₁, m₂ + t e₂ of segments, |s|, |t| ≤ 1, r = m₁ - m₂:                               (1)
        s = (e₁·e₂ e₂·r - e₂² e₁·r) / (e₁² e₂² - (e₁·e₂)²),  t = (s e₁·e₂ + e₂·r) / e₂²,  s = (t e₁·e₂ - e₁·r) / e₁²,
    each clipped to ±1. If the segments are parallel, the first s is 0.
"""

from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.linear import cross, matvec, transpose
from anthropi.algebra.scalar import clip, less, where
from anthropi.algebra.spatial import Transform
from anthropi.contact.geometry.boxes import Block, Side, corners_and_edges
from anthropi.contact.geometry.contacts import Contact
from anthropi.contact.geometry.surfaces import Capsule, Sphere, Surface
from anthropi.contact.material import Material
from anthropi.contact.vectors import dot, unit

__all__ = ["OnLink", "Round", "RoundPair", "meet", "solids"]

PARALLEL_SQUARE = 1e-6  # segments with a smaller squared sine of the angle between them count as parallel


class Round(NamedTuple):
    """A round shape of a link: a segment m ± e (3,) [m] in the link frame with a radius [m]; e is None for a sphere."""

    m: Any
    e: Any
    radius: Any
    pose: Transform

    @property
    def surface(self) -> Surface:
        """Surface of the shape, in the frame `pose`."""
        return Sphere(self.radius) if self.e is None else Capsule(self.radius, 2.0 * _length(self.e))

    @property
    def points(self) -> list[Any]:
        """Centres (3,) [m] of the spheres that stand for the shape in contacts with boxes."""
        return [self.m] if self.e is None else [self.m - self.e, self.m, self.m + self.e]


class RoundPair(NamedTuple):
    """Contact candidate between two round shapes, of links a and b."""

    name: str
    a: int
    b: int
    first: Round
    second: Round
    material: Material
    on: str = ""
    feature: str = ""

    def contact(self, k: Any, pose: Any) -> Contact:
        """Compute the contact at the nearest points of the two segments. Parameters as in `OnWorld.contact`."""
        (m1, e1), (m2, e2) = (_placed(k, i, shape) for i, shape in ((self.a, self.first), (self.b, self.second)))
        s, t = _nearest(m1 - m2, e1, e2)
        p1 = m1 if e1 is None else m1 + s * e1
        p2 = m2 if e2 is None else m2 + t * e2
        d, n = unit(p1 - p2)
        return _contact(self, k, d - (self.first.radius + self.second.radius), n, p1 - self.first.radius * n)


class OnLink(NamedTuple):
    """Contact candidate: a sphere of link a on a surface of link b."""

    name: str
    a: int
    b: int
    point: Any
    radius: Any
    surface: Surface
    pose: Transform
    material: Material
    on: str = ""
    feature: str = ""

    def contact(self, k: Any, pose: Any) -> Contact:
        """Compute the contact of the sphere with the surface of the other link. Parameters as in `OnWorld.contact`."""
        centre = k.position[self.a] + matvec(k.rotation[self.a], self.point)
        there = matvec(transpose(k.rotation[self.b]), centre - k.position[self.b])
        d, inner = self.surface.distance(self.pose.undo_point(there))
        n = matvec(k.rotation[self.b], matvec(self.pose.rotation, inner))
        return _contact(self, k, d - self.radius, n, centre - self.radius * n)


def _contact(pair, k, gap, n, point) -> Contact:
    """Return the contact of a candidate, for its gap [m], normal n (3,) and point (3,) [m] in the world."""
    a, b = pair.a, pair.b
    arm, arm_b = point - k.position[a], point - k.position[b]
    speed = None
    if k.velocity is not None:
        speed = k.velocity[a] + cross(k.angular_velocity[a], arm)
        speed = speed - k.velocity[b] - cross(k.angular_velocity[b], arm_b)
    return Contact(pair.name, a, b, gap, n, point, speed, np.zeros(3), pair.material, arm, arm_b, None, pair.feature)


def _placed(k, i: int, shape: Round):
    """Compute the centre and the half axis (3,) of a round shape of link i in the world."""
    m = k.position[i] + matvec(k.rotation[i], shape.m)
    return m, None if shape.e is None else matvec(k.rotation[i], shape.e)


def _nearest(r, e1, e2):
    """Compute the parameters s and t of the nearest points of two segments, with r = m₁ - m₂ in equation (1)."""
    if e1 is None and e2 is None:
        return 0.0, 0.0
    if e1 is None:
        return 0.0, clip(dot(e2, r) / dot(e2, e2), -1.0, 1.0)
    if e2 is None:
        return clip(-dot(e1, r) / dot(e1, e1), -1.0, 1.0), 0.0
    A, B, E, C, F = dot(e1, e1), dot(e1, e2), dot(e2, e2), dot(e1, r), dot(e2, r)
    det = A * E - B * B
    crossed = less(PARALLEL_SQUARE * A * E, det)
    s = where(crossed, clip((B * F - C * E) / where(crossed, det, 1.0), -1.0, 1.0), 0.0)
    t = clip((B * s + F) / E, -1.0, 1.0)
    return clip((B * t - C) / A, -1.0, 1.0), t


def meet(i: int, j: int, one: Any, other: Any, material: Material, edges: bool) -> list[Any]:
    """List the contact candidates between a solid of link i and a solid of link j."""
    if isinstance(one, Round) and isinstance(other, Round):
        return [RoundPair("", i, j, one, other, material)]
    if isinstance(one, Block) and isinstance(other, Block):
        return corners_and_edges(Side(i, one), Side(j, other), material, edges)
    found: list[Any] = [OnLink("", i, j, s, one.radius, other.surface, other.pose, material) for s in one.points]
    return found + [OnLink("", j, i, s, other.radius, one.surface, one.pose, material) for s in other.points]


def solids(link: Any) -> list[Any]:
    """Convert the shapes of a link to `Block` and `Round`; meshes are left out."""
    return [solid for solid in map(_solid, link.shapes) if solid is not None]


def _solid(shape):
    """Convert a shape to `Block` or `Round`; None for a mesh."""
    X, size = shape.placement, shape.size
    if shape.kind == "box":
        return Block(X, size)
    if shape.kind == "sphere":
        return Round(X.origin, None, size[0], X)
    if shape.kind == "capsule":
        return Round(X.origin, 0.5 * size[1] * X.rotation[:, 2], size[0], X)
    if shape.kind == "cylinder":
        half = 0.5 * size[1] - size[0]
        return Round(X.origin, half * X.rotation[:, 2] if half > 0.0 else None, min(size[0], 0.5 * size[1]), X)
    if shape.kind == "ellipsoid":
        low, middle, high = sorted(size)
        radius, axis = 0.5 * (low + middle), list(size).index(high)
        turn = np.eye(3)[:, [(axis + 1) % 3, (axis + 2) % 3, axis]]
        half = high - radius
        e = half * X.rotation[:, axis] if half > 1e-6 * high else None
        return Round(X.origin, e, radius, Transform(X.rotation @ turn, X.origin))
    return None


def _length(e) -> Any:
    """Compute the length of a vector of plain floats."""
    return float((e * e).sum()) ** 0.5
