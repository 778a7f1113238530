"""How do two boxes touch? Corners and edges of the one at a face of the other, a face that both boxes choose.

A corner alone does not tell which face it came through: of boxes that are flush it lies on two. So the boxes choose.
With the other's middle c in the frame of a box, C its attitude there, h and k the halves of the two sizes:

    along the box's axis i       s = |c_i| - h_i - Σ |C_ij| k_j                                               (1)
    along both edges' i × j      s = (|c × e_i · C_j| - how far both reach) / |e_i × C_j|                     (2)

are how far the boxes are apart, < 0 how deep they are in each other. The face is the one of the largest s (1), where

    s ≥ 2 min(0, the largest s of all 15 axes)                                                                (3)

and the boxes are not deep in each other: what it pushes back is then little, and at most twice what must be. Else it is
the face that the corner is nearest to. A corner that is beside its face by more than a hundredth of a size, or beyond
the box, does not touch.

    an edge x₀ + t d, 0 ≤ t ≤ 1, in a box: max of (∓half - x₀)/d ≤ t ≤ min of (±half - x₀)/d                  (4)
    touches a tenth inside of where it is cut, there as deep as the face says; not where it stands on the face.
"""

from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.linear import matvec, transpose
from anthropi.algebra.scalar import absolute, equal, less, maximum, minimum, sqrt, where
from anthropi.algebra.spatial import Transform
from anthropi.contact.contacts import Contact
from anthropi.contact.geometry.surfaces import Box
from anthropi.contact.material import Material
from anthropi.contact.vectors import dot

__all__ = ["CORNERS", "Block", "Corner", "Edge", "Side", "corners_and_edges"]

CORNERS = tuple((a, b, c) for c in (-0.5, 0.5) for a in (-0.5, 0.5) for b in (-0.5, 0.5))
INSET = 0.1
FLAT = 1e-12  # [m] an edge that rises by less along an axis is never cut there
TIE = 1e-6  # [m]
BESIDE = 0.01  # of the least size: a corner that is beside its face by less still touches
SHALLOW = 0.02  # of the smaller box's largest size: how deep boxes still choose
FLUSH = 0.25  # of the least size: how deep, where faces look at each other
FACING = 0.998  # cosine
PARALLEL = 1e-6  # squared sine of the angle below which two edges have no axis of their own
NEVER = -1e9  # [m]


class Block(NamedTuple):
    """A box of this size in the frame `place` of a link."""

    place: Transform
    size: Any
    radius: float = 0.0

    @property
    def surface(self) -> Box:
        """The same as something to be touched."""
        return Box(self.size)

    @property
    def spots(self) -> list:
        """Its corners, in the link frame."""
        return [self.place.act_point(np.array(s) * np.asarray(self.size)) for s in CORNERS]


class Side(NamedTuple):
    """A box of link `link`; of an obstacle where that is -1, in the obstacle's frame."""

    link: int
    block: Block

    def frame(self, k, place):
        """Attitude (3, 3) and middle (3,) in the world."""
        C, p = (place[0].rotation, place[0].origin) if self.link < 0 else (k.rotation[self.link], k.position[self.link])
        return C @ self.block.place.rotation, p + matvec(C, self.block.place.origin)

    def spot(self, corner):
        """A corner in the frame of the link or obstacle."""
        return self.block.place.act_point(np.array(corner) * np.asarray(self.block.size))


class Face(NamedTuple):
    """Which face of a box, as the two boxes choose it.

    f (3,) : 1 for its axis, else 0. side (3,) : ±1, for all axes. sure : whether (3) holds. middle, axes : where the
    other box is, its half axes (3,) each, in the frame of the first; attitude (3, 3) of that. margin : [m] how far
    beside the face a corner still touches.
    """

    f: Any
    side: Any
    sure: Any
    middle: Any
    axes: Any
    attitude: Any
    margin: Any

    def at(self, x, size):
        """(gap, normal (3,)) of a point x (3,) of the other box, both in the frame of the first."""
        w = absolute(x) - 0.5 * size
        deep = maximum(maximum(w[0], w[1]), w[2])
        own = _first(w, deep)
        f = [where(self.sure, both, one) for both, one in zip(self.f, own, strict=True)]
        side = [where(self.sure, s, where(less(y, 0.0), -1.0, 1.0)) for s, y in zip(self.side, x, strict=True)]
        n = np.array([a * s for a, s in zip(f, side, strict=True)])
        half = dot(f, 0.5 * size)
        d = dot(n, x) - half
        beside = -half - half - d
        for one, y in zip(f, w, strict=True):
            beside = maximum(beside, where(less(0.5, one), NEVER, y))
        return where(less(self.margin, beside), maximum(d, beside), d), n


class Corner(NamedTuple):
    """A corner of the box `of` that may touch the box `onto`; one of them may be an obstacle's."""

    name: str
    of: Side
    onto: Side
    corner: tuple
    material: Material
    on: str = ""
    feature: str = ""

    @property
    def a(self) -> int:
        """The link that touches."""
        return self.of.link if self.of.link >= 0 else self.onto.link

    @property
    def b(self) -> int:
        """The link touched, -1 for an obstacle."""
        return self.onto.link if self.of.link >= 0 else -1

    def contact(self, k, place) -> Contact:
        """At a face (1) … (3), and how both sides move."""
        face = chosen_face(k, place, self.of, self.onto)
        x = face.middle + sum(2.0 * s * axis for s, axis in zip(self.corner, face.axes, strict=True))
        gap, n = face.at(x, np.asarray(self.onto.block.size))
        return _contact(self, k, place, gap, matvec(face.attitude, n), self.of.spot(self.corner))


class Edge(NamedTuple):
    """Where an edge of the box `of`, between two corners, leaves the box `onto`; end 0 or 1."""

    name: str
    of: Side
    onto: Side
    ends: tuple
    end: int
    material: Material
    on: str = ""
    feature: str = ""

    @property
    def a(self) -> int:
        """The link that touches."""
        return self.of.link

    @property
    def b(self) -> int:
        """The link touched, -1 for an obstacle."""
        return self.onto.link

    def contact(self, k, place) -> Contact:
        """(4)"""
        face = chosen_face(k, place, self.of, self.onto)
        size = np.asarray(self.onto.block.size)
        x, y = (face.middle + sum(2.0 * s * axis for s, axis in zip(corner, face.axes, strict=True))
                for corner in self.ends)  # fmt: skip
        d = y - x
        low, high = 0.0, 1.0
        for start, way, half in zip(x, d, 0.5 * size + TIE, strict=True):
            steep = less(FLAT, absolute(way))
            safe = where(steep, way, 1.0)
            one, other = (-half - start) / safe, (half - start) / safe
            low = maximum(low, where(steep, minimum(one, other), where(less(absolute(start), half), 0.0, 2.0)))
            high = minimum(high, where(steep, maximum(one, other), 1.0))
        width = high - low
        cut = less(0.0, width) & (less(high, 1.0) if self.end else less(0.0, low))
        t = where(cut, high - INSET * width if self.end else low + INSET * width, 0.5)
        gap, n = face.at(x + t * d, size)
        lies = less(2.0 * dot(n, d) * dot(n, d), dot(d, d))
        first, last = (self.of.spot(corner) for corner in self.ends)
        gap = where(cut & lies, gap, 1.0)
        return _contact(self, k, place, gap, matvec(face.attitude, n), first + t * (last - first))


def chosen_face(k, place, of: Side, onto: Side) -> Face:
    """The face of `onto` that `of` may touch (3). What a pair's candidates share is recorded once."""
    first, second = (of, onto) if of.link > onto.link else (onto, of)
    (A, a), (B, b) = first.frame(k, place), second.frame(k, place)
    C, apart = transpose(B) @ A, a - b  # first in the frame of second
    c, back = matvec(transpose(B), apart), matvec(transpose(A), -apart)
    h, g = 0.5 * np.asarray(second.block.size), 0.5 * np.asarray(first.block.size)
    size = absolute(C)
    on_second = [absolute(c[i]) - h[i] - dot(size[i], g) for i in range(3)]  # (1)
    on_first = [absolute(back[j]) - g[j] - dot(size[:, j], h) for j in range(3)]
    most = _largest([_largest(on_second), _largest(on_first), *_crossed(C, size, c, h, g)])
    s, middle, turn, attitude = (on_second, c, C, B) if onto is second else (on_first, back, transpose(C), A)
    best = _largest(s)
    f, rows = _first(s, best), transpose(size) if onto is first else size
    flat = less(FACING, dot(f, [_largest(row) for row in rows]))
    least = -_largest([-x for x in (*first.block.size, *second.block.size)])
    tilted = SHALLOW * minimum(_largest(list(first.block.size)), _largest(list(second.block.size)))
    deepest = -where(flat, maximum(FLUSH * least, tilted), tilted)
    sure = less(2.0 * minimum(most, 0.0), best + TIE) & less(deepest, best)  # (3)
    side = [where(less(x, 0.0), -1.0, 1.0) for x in middle]
    half = 0.5 * np.asarray(of.block.size)
    return Face(f, side, sure, middle, [turn[:, j] * half[j] for j in range(3)], attitude, BESIDE * least)


def _crossed(C, size, c, h, g) -> list:
    """(2), nine of them; none where edges are parallel."""
    found = []
    for i in range(3):
        i1, i2 = (i + 1) % 3, (i + 2) % 3
        for j in range(3):
            j1, j2 = (j + 1) % 3, (j + 2) % 3
            sine = 1.0 - C[i, j] * C[i, j]
            turned = less(PARALLEL, sine)
            far = absolute(c[i2] * C[i1, j] - c[i1] * C[i2, j])
            reach = h[i1] * size[i2, j] + h[i2] * size[i1, j] + g[j1] * size[i, j2] + g[j2] * size[i, j1]
            found.append(where(turned, (far - reach) / sqrt(where(turned, sine, 1.0)), NEVER))
    return found


def _largest(values):
    most = values[0]
    for value in values[1:]:
        most = maximum(most, value)
    return most


def _first(values, most) -> list:
    """1 for the first that is the largest, else 0."""
    one, two = equal(values[0], most), equal(values[1], most)
    return [where(one, 1.0, 0.0), where(one, 0.0, where(two, 1.0, 0.0)), where(one, 0.0, where(two, 0.0, 1.0))]


def _contact(c, k, place, gap, n, spot) -> Contact:
    """At a spot (3,) in the frame of what the corner or edge belongs to; n out of what it meets."""
    a, b = c.a, c.b
    if c.of.link < 0:
        point = place[0].act_point(spot)
        n, arm = -n, point - k.position[a]
        local = matvec(transpose(k.rotation[a]), arm)
    else:
        arm, local = matvec(k.rotation[a], spot), spot
        point = k.position[a] + arm
    arm_b, frame_speed, speed = None, np.zeros(3), None
    moves = k.velocity is not None
    if b >= 0:
        arm_b = point - k.position[b]
        other = k.velocity[b] + np.cross(k.angular_velocity[b], arm_b) if moves else None
    else:
        other = frame_speed = place[2] + np.cross(place[1], point - place[0].origin)
    if moves:
        speed = k.velocity[a] + np.cross(k.angular_velocity[a], arm) - other
    return Contact(c.name, a, b, gap, n, point, speed, frame_speed, c.material, arm, arm_b, local, c.feature)


def corners_and_edges(one: Side, other: Side, material: Material, edges: bool, on: str = "") -> list:
    """Candidates between two boxes: corners of the one, its edges if asked, corners of the other."""
    found: list[Any] = [Corner("", one, other, s, material, on) for s in CORNERS]
    if edges:
        found += [Edge("", one, other, e, end, material, on) for e in _edges() for end in (0, 1)]
    return found + [Corner("", other, one, s, material, on) for s in CORNERS]


def _edges() -> list:
    """Pairs of corners."""
    return [(a, b) for i, a in enumerate(CORNERS) for b in CORNERS[:i]
            if sum(x != y for x, y in zip(a, b, strict=True)) == 1]  # fmt: skip
