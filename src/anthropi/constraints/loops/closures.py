"""Which equations does a loop hold? Its kind as primitive constraints between its two frames, and the clock's part.

Frame a has origin p_a and axes x_a, y_a, z_a, frame b the same; d = p_b - p_a; c are the loop's numbers:

    point         e · (d - C_a c) = 0 for three axes e   the world's where one side is the world, else a's   (1)
    parallel      x_a · z_b = y_a · z_b = 0              axes z parallel                                     (2)
    orientation   (2) and x_a · y_b = 0                  all axes parallel                                   (3)
    line          x_a · d = y_a · d = 0                  b's origin on a's z                                 (4)
    plane         z_a · d = c                                                                                (5)
    distance      d · d = c²                                                                                 (6)
    angle         x_b · (cos c y_a - sin c x_a) = 0      sin(θ - c), θ the turn of b against a about z       (7)
    hinge (1), (2); slider (3), (4); cylinder (2), (4); planar (2), (5) at 0; weld (1), (3); universal (1), x_a·y_b = 0

Where c is led by functions of time it comes as a *course*: rows c, c', c″, of the numbers of all loops in turn.

Rows
----
What do the loops of a figure lack, in place and in speed? Without Jacobians, from the poses and velocities of links.

Φ(q),   Φ' = J u + drift                                                                          (1)
"""

from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from anthropi.algebra.linear import matvec
from anthropi.algorithms.kinematics import kinematics
from anthropi.algorithms.shapes import algorithm
from anthropi.constraints.driven import Course, Driven, drift_of, driven_distance, driven_turn
from anthropi.constraints.driven import course as course_of
from anthropi.constraints.primitives import Direction, Dot1, Dot2, Point, Primitive, primitives_of
from anthropi.constraints.relative import features_of
from anthropi.errors import InputError, ShapeError, did_you_mean
from anthropi.figure.parts import LOOPS, Loop

__all__ = ["Closure", "closures", "course_at", "drifts", "gaps", "loop_errors", "loop_of", "numbers_of", "speeds"]


@dataclass(frozen=True, eq=False)
class Closure:
    """A loop as a constraint with a name. rows : its primitives. at : frame b's origin, about which its wrench is."""

    name: str
    rows: tuple[Primitive, ...]
    at: Point

    def primitives(self) -> tuple[Primitive, ...]:
        """Its rows."""
        return self.rows


def closures(figure, course=None) -> tuple[Closure, ...]:
    """The loops of a figure. course (3, numbers): their numbers and how these change; by default as the loops say."""
    found, at = [], 0
    for loop in figure.loops:
        n = LOOPS[loop.kind].numbers
        c = np.array(loop.value) if course is None else np.asarray(course)[:, at : at + n]
        at += n
        ends = _Ends(loop, c, course is not None)
        held = _held(loop) if loop.kind == "held" else ROWS[loop.kind](ends)
        rows = tuple(replace(p, name=f"{loop.name}.{k}") for k, p in enumerate(held))
        found.append(Closure(loop.name, rows, Point(loop.link_b, loop.at_b.origin)))
    return tuple(found)


def numbers_of(figure) -> np.ndarray:
    """The numbers of all loops in turn (n,), as they stand."""
    return np.array([c for loop in figure.loops for c in loop.value])


def course_at(figure, functions, t) -> np.ndarray:
    """The course (3, numbers) at a time t [s]. functions : {loop: function of t → its number or numbers}."""
    for name in functions:
        known = [loop.name for loop in figure.loops if loop.value]
        if name not in known:
            hint, listed = did_you_mean(str(name), known), ", ".join(known) or "none"
            raise InputError(f"No loop '{name}' with a number to lead in figure '{figure.name}'.{hint} Loops with "
                             f"numbers: {listed}.")  # fmt: skip
    parts = [np.zeros((3, 0))]
    for loop in figure.loops:
        size = len(loop.value)
        if loop.name not in functions:
            parts.append(np.stack([np.array(loop.value), np.zeros(size), np.zeros(size)]))
            continue
        rows = [np.ravel(np.asarray(x)) for x in course_of(functions[loop.name], t)]
        if len(rows[0]) != size:
            raise ShapeError(f"The function that leads loop '{loop.name}' gives {len(rows[0])} numbers; a {loop.kind} "
                             f"has {size}.")  # fmt: skip
        parts.append(np.stack(rows))
    return np.concatenate(parts, axis=1)


class _Ends:
    """The two frames of a loop as features, and its numbers, led or not."""

    def __init__(self, loop: Loop, c, led: bool):
        self.loop, self.c, self.led = loop, c, led
        self.a, self.b = Point(loop.link_a, loop.at_a.origin), Point(loop.link_b, loop.at_b.origin)

    def axis_a(self, k: int) -> Direction:
        """An axis of frame a."""
        return Direction(self.loop.link_a, self.loop.at_a.rotation[:, k])

    def axis_b(self, k: int) -> Direction:
        """An axis of frame b."""
        return Direction(self.loop.link_b, self.loop.at_b.rotation[:, k])

    def number(self) -> Any:
        """The loop's one number: constant, or a course."""
        return self.c[0] if not self.led else _led(self.c[:, 0])

    def place(self) -> Point:
        """Where b's origin shall be, on a."""
        C, p = self.loop.at_a.rotation, self.loop.at_a.origin
        if self.c.shape[-1] == 0:  # a kind without numbers
            return self.a
        if not self.led:
            return Point(self.loop.link_a, p + matvec(C, self.c))
        value, first, second = (matvec(C, row) for row in self.c)
        return Point(self.loop.link_a, _led((p + value, first, second)))


def _led(rows) -> Course:
    """Numbers whose course is known at this instant."""
    value, first, second = rows
    return Course(lambda _: (value, first, second))


def _point(ends: _Ends) -> list[Primitive]:
    """(1)"""
    frame = ends.axis_b if ends.loop.link_b == "" else ends.axis_a
    return [Dot2(frame(k), ends.place(), ends.b) for k in range(3)]


def _parallel(ends: _Ends) -> list[Primitive]:
    """(2)"""
    return [Dot1(ends.axis_a(k), ends.axis_b(2)) for k in (0, 1)]


def _square(ends: _Ends) -> list[Primitive]:
    """x_a · y_b = 0"""
    return [Dot1(ends.axis_a(0), ends.axis_b(1))]


def _line(ends: _Ends) -> list[Primitive]:
    """(4)"""
    return [Dot2(ends.axis_a(k), ends.a, ends.b) for k in (0, 1)]


def _plane(ends: _Ends) -> list[Primitive]:
    """(5)"""
    across = Dot2(ends.axis_a(2), ends.a, ends.b)
    return [Driven(across, ends.number()) if ends.led else replace(across, equals=ends.number())]


def _on_plane(ends: _Ends) -> list[Primitive]:
    """(5) at 0"""
    return [Dot2(ends.axis_a(2), ends.a, ends.b)]


def _distance(ends: _Ends) -> list[Primitive]:
    """(6)"""
    return [driven_distance(ends.a, ends.b, ends.number())]


def _angle(ends: _Ends) -> list[Primitive]:
    """(7)"""
    x, z = ends.axis_a(0), ends.axis_a(2)
    y = Direction(x.body, np.cross(z.along, x.along))  # square to x to the last digit
    return [driven_turn(ends.axis_b(0), x, y, ends.number())]


def _of(*parts):
    return lambda ends: [row for part in parts for row in part(ends)]


ROWS = {
    "point": _point,
    "hinge": _of(_point, _parallel),
    "slider": _of(_parallel, _square, _line),
    "cylinder": _of(_parallel, _line),
    "universal": _of(_point, _square),
    "planar": _of(_parallel, _on_plane),
    "weld": _of(_point, _parallel, _square),
    "distance": _distance,
    "line": _line,
    "plane": _plane,
    "parallel": _parallel,
    "orientation": _of(_parallel, _square),
    "angle": _angle,
}


def loop_of(constraint, name: str | None = None) -> Loop:
    """A loop that holds any constraint between two bodies of a figure, or one and the world; `Loop` of kind "held"."""
    from anthropi.algebra.spatial import identity

    rows = primitives_of(constraint)
    bodies = list(dict.fromkeys(f.body for row in rows for f in row.features() if f.body))
    if not 1 <= len(bodies) <= 2:
        raise InputError(f"A loop is between two links, or a link and the world; constraint '{constraint.name}' is "
                         f"about {', '.join(bodies) or 'the world alone'}.")  # fmt: skip
    ends = dict(zip(reversed(bodies), "ba", strict=False))
    held = tuple(_placed(row, lambda f: f._replace(body=ends.get(f.body, ""))) for row in rows)
    a = next((body for body, end in ends.items() if end == "a"), "")
    return Loop(name or constraint.name, "held", a, identity(), bodies[-1], identity(), held=held)


def _held(loop: Loop) -> list[Primitive]:
    """The constraints of a loop of kind "held", their features on its links."""
    ends = {"a": (loop.link_a, loop.at_a), "b": (loop.link_b, loop.at_b)}

    def on_link(feature):
        if feature.body not in ends:
            return feature
        link, at = ends[feature.body]
        if isinstance(feature, Point):
            return Point(link, at.act_point(np.asarray(feature.at)))
        return Direction(link, matvec(at.rotation, np.asarray(feature.along)))

    return [_placed(row, on_link) for row in primitives_of(loop.held)]


def _placed(primitive, move):
    """A primitive with its features, and those of the primitive inside it, moved."""
    changed: dict[str, Any] = {}
    for field in fields(primitive):
        value = getattr(primitive, field.name)
        if isinstance(value, (Point, Direction)):
            changed[field.name] = move(value)
        elif isinstance(value, Primitive):
            changed[field.name] = _placed(value, move)
    return replace(primitive, **changed)


@algorithm(q="nq", course="3*numbers")
def loop_errors(figure, q, course=None):
    """How far are the loops from closed? {loop: its rows' residuals [m, rad; m² for a distance]}"""
    constraints, k = closures(figure, course), kinematics(figure, q)
    return {c.name: gaps(figure, k, (c,)) for c in constraints}


def gaps(figure, k, constraints):
    """Φ (m,), with the poses k known."""
    return np.array([row.value(_places(figure, k, row), 0.0) for row in primitives_of(constraints)])


def drifts(figure, k, constraints):
    """∂Φ/∂t (m,)."""
    still = k._replace(angular_velocity=None)
    return np.array([drift_of(row, features_of(figure, still, row, 0.0), 0.0) for row in primitives_of(constraints)])


def speeds(figure, k, constraints):
    """Φ' (m,), with the velocities in k."""
    found = []
    for row in primitives_of(constraints):
        moving = features_of(figure, k, row, 0.0)
        total = row.drift(0.0)[0]
        for g, m in zip(row.gradient([m.x for m in moving]), moving, strict=True):
            total = total + (g * m.rate).sum()
        found.append(total)
    return np.array(found)


def _places(figure, k, row):
    return [m.x for m in features_of(figure, k._replace(angular_velocity=None), row, 0.0)]
