"""Contact between two boxes: corners and edges of one on a face of the other, the face chosen by both boxes together.

A corner alone does not determine the face it came through: a corner of flush boxes lies on two. The face is therefore a
choice for the pair. With c the centre of the other box in the frame of a box, C its rotation there, h and k half the
two sizes:

    along the axis i of the box      s = |c_i| - h_i - Σ |C_ij| k_j                                           (1)
    along the edges' product i × j   s = (|c × e_i · C_j| - half widths of both) / |e_i × C_j|                (2)

are the separations of the boxes, negative where they overlap. The face is the one of the largest s of (1), where

    s ≥ 2 min(0, the largest s of all 15 axes)                                                                (3)

and the overlap is small: the correction is then small, and at most twice the least possible. Otherwise it is the face
nearest to the corner. A corner that lies beside its face by more than a hundredth of a size, or beyond the box, is not
in contact.

    an edge x₀ + t d, 0 ≤ t ≤ 1, in a box: max of (∓half - x₀)/d ≤ t ≤ min of (±half - x₀)/d                  (4)

An edge makes contact a tenth inside of each point where it is cut, with the gap of the face there; an edge that stands
on the face does not.
"""

from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.linear import matvec, transpose
from anthropi.algebra.scalar import Array, absolute, equal, less, maximum, minimum, sqrt, where
from anthropi.algebra.spatial import Transform
from anthropi.contact.contacts import Contact
from anthropi.contact.geometry.surfaces import Box
from anthropi.contact.material import Material
from anthropi.contact.vectors import dot

__all__ = ["CORNERS", "Block", "Corner", "Edge", "Side", "corners_and_edges"]

CORNERS = tuple((a, b, c) for c in (-0.5, 0.5) for a in (-0.5, 0.5) for b in (-0.5, 0.5))
EDGE_INSET = 0.1  # of the length of an edge inside the box
MIN_RISE = 1e-12  # [m] an edge that changes by less along an axis is not cut there
TIE_TOLERANCE = 1e-6  # [m]
FACE_MARGIN = 0.01  # of the least size: a corner beside its face by less is in contact
TILTED_DEPTH = 0.02  # of the largest size of the smaller box: overlap up to which (3) is used
FLUSH_DEPTH = 0.25  # of the least size: the same, where faces are parallel
FLUSH_COSINE = 0.998  # cosine of the angle below which faces count as parallel
PARALLEL_SQUARE = 1e-6  # squared sine of the angle below which two edges have no common normal
NO_OVERLAP = -1e9  # [m] stands for a separation that does not count


class Block(NamedTuple):
    """A box of a link: pose of its centre in the link frame, size (3,) [m]."""

    pose: Transform
    size: Any
    radius: float = 0.0

    @property
    def surface(self) -> Box:
        """The box as a surface, in the frame `pose`."""
        return Box(self.size)

    @property
    def points(self) -> list[Any]:
        """Corners in the link frame, (3,) [m] each."""
        return [self.pose.act_point(np.array(s) * np.asarray(self.size)) for s in CORNERS]


class Side(NamedTuple):
    """A box and its link; link -1 for a box obstacle, in the frame of the obstacle."""

    link: int
    block: Block

    def frame(self, k: Any, pose: Any) -> tuple[Any, Any]:
        """Rotation (3, 3) and centre (3,) [m] in the world."""
        C, p = (pose[0].rotation, pose[0].origin) if self.link < 0 else (k.rotation[self.link], k.position[self.link])
        return C @ self.block.pose.rotation, p + matvec(C, self.block.pose.origin)

    def corner_point(self, corner: Any) -> Any:
        """Corner (3,) [m] in the frame of the link or obstacle."""
        return self.block.pose.act_point(np.array(corner) * np.asarray(self.block.size))


class Face(NamedTuple):
    """Face of a box, as chosen for a pair of boxes.

    f (3,) : 1 for the axis of the face, else 0. side (3,) : ±1 for each axis. agreed : whether (3) holds. centre, axes
    : of the other box, (3,) and half axes (3,) each, in the frame of the first, whose rotation is `rotation` (3, 3).
    margin : [m] distance beside the face up to which a corner is in contact.
    """

    f: Any
    side: Any
    agreed: Any
    centre: Any
    axes: Any
    rotation: Any
    margin: Any

    def at(self, x: Array, size: Array) -> tuple[Any, Any]:
        """Gap [m] and normal (3,) at a point x (3,) of the other box, in the frame of the first."""
        w = absolute(x) - 0.5 * size
        deep = maximum(maximum(w[0], w[1]), w[2])
        own = _first(w, deep)
        f = [where(self.agreed, both, one) for both, one in zip(self.f, own, strict=True)]
        side = [where(self.agreed, s, where(less(y, 0.0), -1.0, 1.0)) for s, y in zip(self.side, x, strict=True)]
        n = np.array([a * s for a, s in zip(f, side, strict=True)])
        half = dot(f, 0.5 * size)
        d = dot(n, x) - half
        outside = -half - half - d
        for one, y in zip(f, w, strict=True):
            outside = maximum(outside, where(less(0.5, one), NO_OVERLAP, y))
        return where(less(self.margin, outside), maximum(d, outside), d), n


class Corner(NamedTuple):
    """Candidate: a corner of the box `of` on the box `onto`; one of the two may be an obstacle."""

    name: str
    of: Side
    onto: Side
    corner: tuple[Any, ...]
    material: Material
    on: str = ""
    feature: str = ""

    @property
    def a(self) -> int:
        """Number of the link that makes contact."""
        return self.of.link if self.of.link >= 0 else self.onto.link

    @property
    def b(self) -> int:
        """Number of the other link, -1 for an obstacle."""
        return self.onto.link if self.of.link >= 0 else -1

    def contact(self, k: Any, pose: Any) -> Contact:
        """Contact of the corner with the face (1)-(3). Parameters as in `OnWorld.contact`."""
        face = chosen_face(k, pose, self.of, self.onto)
        x = face.centre + sum(2.0 * s * axis for s, axis in zip(self.corner, face.axes, strict=True))
        gap, n = face.at(x, np.asarray(self.onto.block.size))
        return _contact(self, k, pose, gap, matvec(face.rotation, n), self.of.corner_point(self.corner))


class Edge(NamedTuple):
    """Candidate: the point where an edge of the box `of`, between two corners, leaves the box `onto`; end 0 or 1."""

    name: str
    of: Side
    onto: Side
    ends: tuple[Any, ...]
    end: int
    material: Material
    on: str = ""
    feature: str = ""

    @property
    def a(self) -> int:
        """Number of the link that makes contact."""
        return self.of.link

    @property
    def b(self) -> int:
        """Number of the other link, -1 for an obstacle."""
        return self.onto.link

    def contact(self, k: Any, pose: Any) -> Contact:
        """Contact of the edge at one of its ends (4). Parameters as in `OnWorld.contact`."""
        face = chosen_face(k, pose, self.of, self.onto)
        size = np.asarray(self.onto.block.size)
        x, y = (
            face.centre + sum(2.0 * s * axis for s, axis in zip(corner, face.axes, strict=True)) for corner in self.ends
        )
        d = y - x
        low, high = 0.0, 1.0
        for start, rise, half in zip(x, d, 0.5 * size + TIE_TOLERANCE, strict=True):
            steep = less(MIN_RISE, absolute(rise))
            safe = where(steep, rise, 1.0)
            one, other = (-half - start) / safe, (half - start) / safe
            low = maximum(low, where(steep, minimum(one, other), where(less(absolute(start), half), 0.0, 2.0)))
            high = minimum(high, where(steep, maximum(one, other), 1.0))
        width = high - low
        cut = less(0.0, width) & (less(high, 1.0) if self.end else less(0.0, low))
        t = where(cut, high - EDGE_INSET * width if self.end else low + EDGE_INSET * width, 0.5)
        gap, n = face.at(x + t * d, size)
        along_face = less(2.0 * dot(n, d) * dot(n, d), dot(d, d))
        first, last = (self.of.corner_point(corner) for corner in self.ends)
        gap = where(cut & along_face, gap, 1.0)
        return _contact(self, k, pose, gap, matvec(face.rotation, n), first + t * (last - first))


def chosen_face(k: Any, pose: Any, of: Side, onto: Side) -> Face:
    """Face of `onto` for contacts of `of` (3). All candidates of a pair share it, and it is recorded once."""
    first, second = (of, onto) if of.link > onto.link else (onto, of)
    (A, a), (B, b) = first.frame(k, pose), second.frame(k, pose)
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
    flat = less(FLUSH_COSINE, dot(f, [_largest(row) for row in rows]))
    least = -_largest([-x for x in (*first.block.size, *second.block.size)])
    tilted = TILTED_DEPTH * minimum(_largest(list(first.block.size)), _largest(list(second.block.size)))
    deepest = -where(flat, maximum(FLUSH_DEPTH * least, tilted), tilted)
    agreed = less(2.0 * minimum(most, 0.0), best + TIE_TOLERANCE) & less(deepest, best)  # (3)
    side = [where(less(x, 0.0), -1.0, 1.0) for x in middle]
    half = 0.5 * np.asarray(of.block.size)
    return Face(f, side, agreed, middle, [turn[:, j] * half[j] for j in range(3)], attitude, FACE_MARGIN * least)


def _crossed(C, size, c, h, g) -> list[Any]:
    """The nine separations (2); `NO_OVERLAP` where edges are parallel."""
    found = []
    for i in range(3):
        i1, i2 = (i + 1) % 3, (i + 2) % 3
        for j in range(3):
            j1, j2 = (j + 1) % 3, (j + 2) % 3
            sine = 1.0 - C[i, j] * C[i, j]
            turned = less(PARALLEL_SQUARE, sine)
            far = absolute(c[i2] * C[i1, j] - c[i1] * C[i2, j])
            reach = h[i1] * size[i2, j] + h[i2] * size[i1, j] + g[j1] * size[i, j2] + g[j2] * size[i, j1]
            found.append(where(turned, (far - reach) / sqrt(where(turned, sine, 1.0)), NO_OVERLAP))
    return found


def _largest(values):
    most = values[0]
    for value in values[1:]:
        most = maximum(most, value)
    return most


def _first(values, most) -> list[Any]:
    """1 for the first of three values that equals the largest, else 0."""
    one, two = equal(values[0], most), equal(values[1], most)
    return [where(one, 1.0, 0.0), where(one, 0.0, where(two, 1.0, 0.0)), where(one, 0.0, where(two, 0.0, 1.0))]


def _contact(c, k, pose, gap, n, local_point) -> Contact:
    """Contact at a point (3,) in the frame of the box `of`; n (3,) points out of the box `onto`."""
    a, b = c.a, c.b
    if c.of.link < 0:
        point = pose[0].act_point(local_point)
        n, arm = -n, point - k.position[a]
        local = matvec(transpose(k.rotation[a]), arm)
    else:
        arm, local = matvec(k.rotation[a], local_point), local_point
        point = k.position[a] + arm
    arm_b, frame_speed, speed = None, np.zeros(3), None
    moves = k.velocity is not None
    if b >= 0:
        arm_b = point - k.position[b]
        other = k.velocity[b] + np.cross(k.angular_velocity[b], arm_b) if moves else None
    else:
        other = frame_speed = pose[2] + np.cross(pose[1], point - pose[0].origin)
    if moves:
        speed = k.velocity[a] + np.cross(k.angular_velocity[a], arm) - other
    return Contact(c.name, a, b, gap, n, point, speed, frame_speed, c.material, arm, arm_b, local, c.feature)


def corners_and_edges(one: Side, other: Side, material: Material, edges: bool, on: str = "") -> list[Any]:
    """Candidates between two boxes: corners of the one, its edges if `edges`, corners of the other."""
    found: list[Any] = [Corner("", one, other, s, material, on) for s in CORNERS]
    if edges:
        found += [Edge("", one, other, e, end, material, on) for e in _edges() for end in (0, 1)]
    return found + [Corner("", other, one, s, material, on) for s in CORNERS]


def _edges() -> list[Any]:
    """Edges as pairs of corners."""
    return [
        (a, b)
        for i, a in enumerate(CORNERS)
        for b in CORNERS[:i]
        if sum(x != y for x, y in zip(a, b, strict=True)) == 1
    ]
