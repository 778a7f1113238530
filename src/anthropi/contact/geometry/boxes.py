"""Contact between two boxes: corners and edges of one box on a face of the other.

The position of a corner alone does not determine which face it passed through: if the boxes are flush, a corner lies on
two faces. The face is therefore chosen once for the pair of boxes. Let c and C be the centre and the rotation of the
other box in the frame of a box, and h and k half the sizes of the two boxes. Then

    along the axis i of the box      s = |c_i| - h_i - Σ |C_ij| k_j                                           (1)
    along the edges' product i × j   s = (|c × e_i · C_j| - half widths of both) / |e_i × C_j|                (2)

are the separations of the boxes, negative where they overlap. The face with the largest s of (1) is used if

    s ≥ 2 min(0, the largest s of all 15 axes)                                                                (3)

and the overlap is small. The correction of the overlap is then small, and at most twice the smallest possible one.
Otherwise the face nearest to the corner is used. A corner is not in contact if it lies outside the edges of the face by
more than a hundredth of the smallest size, or beyond the opposite face.

    an edge x₀ + t d, 0 ≤ t ≤ 1, in a box: max of (∓half - x₀)/d ≤ t ≤ min of (±half - x₀)/d                  (4)

An edge makes contact near each point where it enters or leaves the box, inside it by a tenth of the length between
these points. The gap is the distance between the contact point and the face. An edge at more than 45° to the face makes
no contact.
"""

from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.linear import cross, matvec, transpose
from anthropi.algebra.scalar import Array, absolute, equal, less, maximum, minimum, sqrt, where
from anthropi.algebra.spatial import Transform
from anthropi.contact.geometry.contacts import Contact
from anthropi.contact.geometry.surfaces import Box
from anthropi.contact.material import Material
from anthropi.contact.vectors import dot

__all__ = ["CORNERS", "Block", "Corner", "Edge", "Side", "corners_and_edges"]

CORNERS = tuple((a, b, c) for c in (-0.5, 0.5) for a in (-0.5, 0.5) for b in (-0.5, 0.5))
EDGE_INSET = 0.1  # share of the edge's length inside the box
MIN_RISE = 1e-12  # [m] an edge that changes by less along an axis does not cross the faces of that axis
TIE_TOLERANCE = 1e-6  # [m] smaller differences of separations are ignored
FACE_MARGIN = 0.01  # share of the smallest size; a corner outside its face by less is in contact
TILTED_DEPTH = 0.02  # share of the largest size of the smaller box; (3) is used up to this overlap
FLUSH_DEPTH = 0.25  # share of the smallest size; (3) is used up to this overlap if faces are parallel
FLUSH_COSINE = 0.998  # faces with a larger cosine of the angle between them count as parallel
PARALLEL_SQUARE = 1e-6  # edges with a smaller squared sine of the angle between them have no common normal
NO_OVERLAP = -1e9  # [m] placeholder for a separation that is not used


class Block(NamedTuple):
    """A box-shaped solid of a link.

    pose : of the box's centre in the link frame. size : (3,) [m]. radius : [m] of its corners, 0.
    """

    pose: Transform
    size: Any
    radius: float = 0.0

    @property
    def surface(self) -> Box:
        """Surface of the box, in the frame `pose`."""
        return Box(self.size)

    @property
    def points(self) -> list[Any]:
        """Corners of the box in the link frame, (3,) [m] each."""
        return [self.pose.act_point(np.array(s) * np.asarray(self.size)) for s in CORNERS]


class Side(NamedTuple):
    """One of two boxes in contact, with the number of its link; -1 for an obstacle, whose frame replaces the link's."""

    link: int
    block: Block

    def frame(self, k: Any, pose: Any) -> tuple[Any, Any]:
        """Compute the rotation (3, 3) and the centre (3,) [m] of the box in the world."""
        C, p = (pose[0].rotation, pose[0].origin) if self.link < 0 else (k.rotation[self.link], k.position[self.link])
        return C @ self.block.pose.rotation, p + matvec(C, self.block.pose.origin)

    def corner_point(self, corner: Any) -> Any:
        """Compute the position (3,) [m] of a corner in the frame of the link or obstacle."""
        return self.block.pose.act_point(np.array(corner) * np.asarray(self.block.size))


class Face(NamedTuple):
    """Face of a box on which the corners and edges of another box make contact.

    Attributes
    ----------
    f : (3,) 1 for the axis of the face, else 0.
    side : (3,) ±1 for each axis, the side on which the other box is.
    agreed : whether the face is used for the whole pair of boxes (equation (3) of this module); otherwise each point
        uses the face nearest to it.
    centre, axes : (3,) centre and three half axes (3,) of the other box, in the frame of the box.
    rotation : (3, 3) rotation of the box in the world.
    margin : [m] distance outside the edges of the face up to which a corner is in contact.
    """

    f: Any
    side: Any
    agreed: Any
    centre: Any
    axes: Any
    rotation: Any
    margin: Any

    def at(self, x: Array, size: Array) -> tuple[Any, Any]:
        """Compute gap [m] and normal (3,) at a point x (3,) of the other box, in the frame of the box with the face."""
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
    """Contact candidate: a corner of the box `of` on the box `onto`. One of the two may be an obstacle."""

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
        """Compute the contact of the corner with a face of the other box. Parameters as in `OnWorld.contact`."""
        face = chosen_face(k, pose, self.of, self.onto)
        x = face.centre + sum(2.0 * s * axis for s, axis in zip(self.corner, face.axes, strict=True))
        gap, n = face.at(x, np.asarray(self.onto.block.size))
        return _contact(self, k, pose, gap, matvec(face.rotation, n), self.of.corner_point(self.corner))


class Edge(NamedTuple):
    """Contact candidate: an edge of the box `of`, near the point where it enters or leaves the box `onto`.

    ends : the two corners of the edge. end : 0 where the edge enters the box, 1 where it leaves it.
    """

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
        """Compute the contact of the edge near one end of its part inside the box, by equation (4) of this module.

        Parameters as in `OnWorld.contact`.
        """
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
    """Choose the face of the box `onto` for contacts of the box `of`, by equation (3) of this module.

    All candidates of a pair of boxes use the same face, which is recorded once on a tape.
    """
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
    """Compute the nine separations of equation (2); `NO_OVERLAP` for parallel edges."""
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
    """Return the largest of some numbers, which may be recorded scalars."""
    most = values[0]
    for value in values[1:]:
        most = maximum(most, value)
    return most


def _first(values, most) -> list[Any]:
    """Return (3,): 1 for the first of three values that equals `most`, 0 for the others."""
    one, two = equal(values[0], most), equal(values[1], most)
    return [where(one, 1.0, 0.0), where(one, 0.0, where(two, 1.0, 0.0)), where(one, 0.0, where(two, 0.0, 1.0))]


def _contact(c, k, pose, gap, n, local_point) -> Contact:
    """Return the contact of candidate c at a point (3,) in the link frame of its box `of`.

    n : (3,) normal in the world, out of the box `onto`.
    """
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
        other = k.velocity[b] + cross(k.angular_velocity[b], arm_b) if moves else None
    else:
        other = frame_speed = pose[2] + cross(pose[1], point - pose[0].origin)
    if moves:
        speed = k.velocity[a] + cross(k.angular_velocity[a], arm) - other
    return Contact(c.name, a, b, gap, n, point, speed, frame_speed, c.material, arm, arm_b, local, c.feature)


def corners_and_edges(one: Side, other: Side, material: Material, edges: bool, on: str = "") -> list[Any]:
    """List the contact candidates between two boxes.

    They are the corners of the first box, its edges if `edges` is true, and the corners of the other box.
    """
    found: list[Any] = [Corner("", one, other, s, material, on) for s in CORNERS]
    if edges:
        found += [Edge("", one, other, e, end, material, on) for e in _edges() for end in (0, 1)]
    return found + [Corner("", other, one, s, material, on) for s in CORNERS]


def _edges() -> list[Any]:
    """List the twelve edges of a box as pairs of corners."""
    return [
        (a, b)
        for i, a in enumerate(CORNERS)
        for b in CORNERS[:i]
        if sum(x != y for x, y in zip(a, b, strict=True)) == 1
    ]
