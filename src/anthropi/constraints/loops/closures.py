"""Equations of closed loops: each kind of loop is a set of primitive constraints between its two frames.

Frame a has the origin p_a and the axes x_a, y_a, z_a; frame b likewise; d = p_b - p_a. c are the numbers that define
the loop, such as an offset, a distance or an angle:

    point         e · (d - C_a c) = 0 for three axes e   the world's where one side is the world, else a's   (1)
    parallel      x_a · z_b = y_a · z_b = 0              axes z parallel                                     (2)
    orientation   (2) and x_a · y_b = 0                  all axes parallel                                   (3)
    line          x_a · d = y_a · d = 0                  b's origin on a's z axis                            (4)
    plane         z_a · d = c                                                                                (5)
    distance      d · d = c²                                                                                 (6)
    angle         x_b · (cos c y_a - sin c x_a) = 0      sin(θ - c), θ the angle of b against a about z      (7)
        coupling      q_dof - f(q_source) = 0                a function of one coordinate                     (9)
hinge (1), (2); slider (3), (4); cylinder (2), (4); planar (2), (5) at 0; weld (1), (3); universal (1), x_a·y_b = 0

(2), (3) and (7) are also zero half a turn off. They are the equations of dynamics, where the loops are closed. For
closing loops and for checks, each has an *error* that is zero only at the right pose, with the same value and
derivative there: the rotation vector instead of (2) and (3) (pose_errors.py), wrap(θ - c) instead of (7) (driven.py).
Axes that must be parallel point the same way; angles are compared up to whole turns.

The numbers c may be driven by time: a *course* (3, numbers) contains c, c' and c″ at one instant, for all loops in
order. Residuals and their rates are computed without Jacobians, from the poses and velocities of links:

    Φ(q),   Φ' = J u + drift                                                                                 (8)
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from anthropi.algebra.linear import matvec
from anthropi.algebra.spatial import identity
from anthropi.algorithms.kinematics import Kinematics, kinematics
from anthropi.algorithms.shapes import Array, Number, algorithm
from anthropi.constraints.driven import Course, Driven, DrivenTurn, drift_of, driven_distance, driven_turn
from anthropi.constraints.driven import course as course_of
from anthropi.constraints.loops.pose_errors import AxisError, FrameError
from anthropi.constraints.mates.couplings import coupled_coordinates
from anthropi.constraints.primitives import Direction, Dot1, Dot2, Guide, Point, Primitive, guides_of, primitives_of
from anthropi.constraints.relative import features_of
from anthropi.errors import InputError, ShapeError, did_you_mean
from anthropi.figure import Coupling, Figure
from anthropi.figure.parts import LOOPS, Loop

__all__ = [
    "Closure",
    "closures",
    "course_at",
    "drifts",
    "gaps",
    "loop_errors",
    "loop_of",
    "numbers_of",
    "pose_closures",
    "speeds",
]


@dataclass(frozen=True, eq=False)
class Closure:
    """A loop as a named constraint.

    rows : its primitive constraints, the equations of dynamics. errors : for each row the primitive that is zero only
    at the right pose. extra : further primitives that are zero at the right pose (guides of mates).
    at : origin of frame b, about which the wrench of the loop is given; None for a coupling, whose force is one number.
    """

    name: str
    rows: tuple[Primitive, ...]
    at: Point | None
    errors: tuple[Primitive, ...] = ()
    extra: tuple[Primitive, ...] = ()

    def primitives(self) -> tuple[Primitive, ...]:
        """Return the primitive constraints."""
        return self.rows

    def guides(self) -> tuple[Primitive, ...]:
        """Return the further primitives that are zero at the right pose."""
        return self.extra


def closures(figure: Figure, course: Array | None = None) -> tuple[Closure, ...]:
    """Return the loops of a figure as constraints, with the equations of dynamics.

    course : (3, numbers), value, rate and acceleration of the numbers of all loops; by default they are constant.
    """
    found, at = [], 0
    rows: Any
    errors: Any
    extra: Any
    for loop in figure.loops:
        if isinstance(loop, Coupling):
            row = _named(loop.name, (coupled_coordinates(figure, loop),))
            found.append(Closure(loop.name, row, None, row))  # (9)
            continue
        n = LOOPS[loop.kind].numbers
        c = np.array(loop.value) if course is None else np.asarray(course)[:, at : at + n]
        at += n
        ends = _Ends(loop, c, course is not None)
        if loop.kind == "held":
            errors, extra = _held(loop)
        else:
            errors, extra = (ERRORS if loop.kind in ERRORS else ROWS)[loop.kind](ends), []
        rows = errors if loop.kind not in ERRORS else ROWS[loop.kind](ends)
        rows = [row.sine() if isinstance(row, DrivenTurn) else row for row in rows]
        rows, errors, extra = (_named(loop.name, several) for several in (rows, errors, extra))
        found.append(Closure(loop.name, rows, Point(loop.link_b, loop.at_b.origin), errors, extra))
    return tuple(found)


def pose_closures(figure: Figure, course: Array | None = None) -> tuple[Closure, ...]:
    """Return the loops of a figure as constraints whose equations are zero only at the right pose.

    Their derivatives at closed loops are those of `closures`, row by row; they have no second derivatives.
    """
    return tuple(replace(c, rows=c.errors) for c in closures(figure, course))


def _named(loop: str, primitives: Any) -> tuple[Primitive, ...]:
    """Return primitives with the name of their loop and a number."""
    return tuple(replace(p, name=f"{loop}.{k}") for k, p in enumerate(primitives))


def numbers_of(figure: Figure) -> np.ndarray:
    """Return the numbers (n,) that define the loops (offsets, distances, angles), for all loops in order."""
    return np.array([c for loop in figure.loops for c in loop.value])


def course_at(figure: Figure, functions: Mapping[str, Callable[..., Any]], t: Number) -> np.ndarray:
    """Compute the numbers of all loops and their time derivatives at one time.

    Parameters
    ----------
    functions : {loop: function of time [s] that returns its number or numbers}; those of other loops stay constant.
    t : time [s].

    Returns
    -------
    (3, numbers): value, first and second derivative of the numbers of all loops in order.

    Raises
    ------
    InputError : a name is not that of a loop with numbers. ShapeError : a function returns too many or too few numbers.
    """
    for name in functions:
        known = [loop.name for loop in figure.loops if loop.value]
        if name not in known:
            raise InputError(
                f"No loop '{name}' with a number to drive in figure '{figure.name}'.{did_you_mean(str(name), known)} "
                f"Loops with numbers: {', '.join(known) or 'none'}."
            )
    parts = [np.zeros((3, 0))]
    for loop in figure.loops:
        size = len(loop.value)
        if loop.name not in functions:
            parts.append(np.stack([np.array(loop.value), np.zeros(size), np.zeros(size)]))
            continue
        rows = [np.ravel(np.asarray(x)) for x in course_of(functions[loop.name], t)]
        if len(rows[0]) != size:
            raise ShapeError(
                f"The function that drives loop '{loop.name}' returns {len(rows[0])} numbers; a loop of kind "
                f"'{loop.kind}' has {size}."
            )
        parts.append(np.stack(rows))
    return np.concatenate(parts, axis=1)


class _Ends:
    """The two frames of a loop as features, and its numbers c: (n,) constant, or (3, n) driven."""

    def __init__(self, loop: Loop, c: Array, driven: bool) -> None:
        self.loop, self.c, self.driven = loop, c, driven
        self.a, self.b = Point(loop.link_a, loop.at_a.origin), Point(loop.link_b, loop.at_b.origin)

    def axis_a(self, k: int) -> Direction:
        """Return axis k of frame a."""
        return Direction(self.loop.link_a, self.loop.at_a.rotation[:, k])

    def axis_b(self, k: int) -> Direction:
        """Return axis k of frame b."""
        return Direction(self.loop.link_b, self.loop.at_b.rotation[:, k])

    def axes(self) -> tuple[Any, Any]:
        """Return the axes x, y, z of frame a, and those of frame b."""
        return tuple(self.axis_a(k) for k in range(3)), tuple(self.axis_b(k) for k in range(3))

    def number(self) -> Any:
        """Return the only number of the loop: a constant, or a `Course` if it is driven."""
        return self.c[0] if not self.driven else _instant(self.c[:, 0])

    def place(self) -> Point:
        """Return the point of link a at which the origin of frame b must lie."""
        C, p = self.loop.at_a.rotation, self.loop.at_a.origin
        if self.c.shape[-1] == 0:  # a kind without numbers
            return self.a
        if not self.driven:
            return Point(self.loop.link_a, p + matvec(C, self.c))
        value, first, second = (matvec(C, row) for row in self.c)
        return Point(self.loop.link_a, _instant((p + value, first, second)))


def _instant(rows: Any) -> Course:
    """Return a `Course` with this value, rate and acceleration, whatever the time."""
    value, first, second = rows
    return Course(lambda _: (value, first, second))


def _point(ends: _Ends) -> list[Primitive]:
    """Return the three equations (1): the origin of frame b is at a point of link a."""
    frame = ends.axis_b if ends.loop.link_b == "" else ends.axis_a
    return [Dot2(frame(k), ends.place(), ends.b) for k in range(3)]


def _parallel(ends: _Ends) -> list[Primitive]:
    """Return the two equations (2): the z axes are parallel."""
    return [Dot1(ends.axis_a(k), ends.axis_b(2)) for k in (0, 1)]


def _square(ends: _Ends) -> list[Primitive]:
    """Return the equation x_a · y_b = 0."""
    return [Dot1(ends.axis_a(0), ends.axis_b(1))]


def _line(ends: _Ends) -> list[Primitive]:
    """Return the two equations (4): the origin of frame b is on the z axis of frame a."""
    return [Dot2(ends.axis_a(k), ends.a, ends.b) for k in (0, 1)]


def _plane(ends: _Ends) -> list[Primitive]:
    """Return the equation (5): the origin of frame b is at a given distance from the x-y plane of frame a."""
    across = Dot2(ends.axis_a(2), ends.a, ends.b)
    return [Driven(across, ends.number()) if ends.driven else replace(across, equals=ends.number())]


def _on_plane(ends: _Ends) -> list[Primitive]:
    """Return the equation (5) with c = 0: the origin of frame b is in the x-y plane of frame a."""
    return [Dot2(ends.axis_a(2), ends.a, ends.b)]


def _distance(ends: _Ends) -> list[Primitive]:
    """Return the equation (6): the origins have a given distance."""
    return [driven_distance(ends.a, ends.b, ends.number())]


def _axis_errors(ends: _Ends) -> list[Primitive]:
    """Return the errors of (2): the z axes point the same way."""
    return [AxisError(*ends.axes(), k) for k in (0, 1)]


def _frame_errors(ends: _Ends) -> list[Primitive]:
    """Return the errors of (3): the frames have equal orientation."""
    return [FrameError(*ends.axes(), k) for k in (0, 1, 2)]


def _angle(ends: _Ends) -> list[Primitive]:
    """Return the error of (7): frame b is rotated by a given angle about the z axis of frame a."""
    x, z = ends.axis_a(0), ends.axis_a(2)
    y = Direction(x.body, np.cross(z.along, x.along))  # perpendicular to x to the last digit
    return [driven_turn(ends.axis_b(0), x, y, ends.number())]


def _joined(*parts: Callable[[_Ends], list[Primitive]]) -> Callable[[_Ends], list[Primitive]]:
    """Return a function that joins the equations of several functions."""
    return lambda ends: [row for part in parts for row in part(ends)]


ROWS: dict[str, Callable[[_Ends], list[Primitive]]] = {
    "point": _point,
    "hinge": _joined(_point, _parallel),
    "slider": _joined(_parallel, _square, _line),
    "cylinder": _joined(_parallel, _line),
    "universal": _joined(_point, _square),
    "planar": _joined(_parallel, _on_plane),
    "weld": _joined(_point, _parallel, _square),
    "distance": _distance,
    "line": _line,
    "plane": _plane,
    "parallel": _parallel,
    "orientation": _joined(_parallel, _square),
    "angle": _angle,
}

ERRORS: dict[str, Callable[[_Ends], list[Primitive]]] = {  # kinds whose equations are also zero half a turn off
    "hinge": _joined(_point, _axis_errors),
    "slider": _joined(_frame_errors, _line),
    "cylinder": _joined(_axis_errors, _line),
    "planar": _joined(_axis_errors, _on_plane),
    "weld": _joined(_point, _frame_errors),
    "parallel": _axis_errors,
    "orientation": _frame_errors,
}


def loop_of(constraint: Any, name: str | None = None) -> Loop:
    """Return a loop of kind "held" for any constraint between two links, or a link and the world.

    Parameters
    ----------
    constraint : a mate or primitive constraint whose bodies are links.
    name : of the loop; by default that of the constraint.
    """
    parts = (*(Guide(g) for g in guides_of(constraint)), *primitives_of(constraint))
    features = [f for row in (*primitives_of(constraint), *guides_of(constraint)) for f in row.features()]
    bodies = list(dict.fromkeys(f.body for f in features if f.body))
    if not 1 <= len(bodies) <= 2:
        raise InputError(
            f"A loop connects two links, or a link and the world; constraint '{constraint.name}' refers to "
            f"{', '.join(bodies) or 'the world alone'}."
        )
    ends = dict(zip(reversed(bodies), "ba", strict=False))
    held = tuple(_placed(part, lambda f: f._replace(body=ends.get(f.body, ""))) for part in parts)
    a = next((body for body, end in ends.items() if end == "a"), "")
    return Loop(name or constraint.name, "held", a, identity(), bodies[-1], identity(), held=held)


def _held(loop: Loop) -> tuple[list[Primitive], list[Primitive]]:
    """Return the equations of a loop of kind "held", and its guides, with their features on its links."""
    ends = {"a": (loop.link_a, loop.at_a), "b": (loop.link_b, loop.at_b)}

    def on_link(feature: Any) -> Any:
        if feature.body not in ends:
            return feature
        link, at = ends[feature.body]
        if isinstance(feature, Point):
            return Point(link, at.act_point(np.asarray(feature.at)))
        return Direction(link, matvec(at.rotation, np.asarray(feature.along)))

    every = (primitives_of(loop.held), guides_of(loop.held))
    return tuple([_placed(row, on_link) for row in rows] for rows in every)  # type: ignore[return-value]


def _placed(primitive: Any, move: Callable[[Any], Any]) -> Any:
    """Return a copy of a primitive or guide with `move` applied to its features, and to those of one inside it."""
    changed: dict[str, Any] = {}
    for field in fields(primitive):
        value = getattr(primitive, field.name)
        if isinstance(value, (Point, Direction)):
            changed[field.name] = move(value)
        elif isinstance(value, Primitive):
            changed[field.name] = _placed(value, move)
    return replace(primitive, **changed)


@algorithm(q="nq", course="3*numbers")
def loop_errors(figure: Figure, q: Array, course: Array | None = None) -> dict[str, Any]:
    """Compute the errors of all loops of a figure, which are zero only if the loops are closed at the right pose.

    Parameters
    ----------
    q : (nq,). course : (3, numbers), as in `loop_dynamics`.

    Returns
    -------
    {loop: error of each of its rows [m; m² for a distance; rad for axes, orientations and angles, up to π half a turn
    off]}. For a loop of kind "held", the errors of guides come first.
    """
    k = kinematics(figure, q)
    return {c.name: gaps(figure, k, (*c.guides(), c), q) for c in pose_closures(figure, course)}


def gaps(figure: Figure, k: Kinematics, constraints: Sequence[Any], q: Array) -> Array:
    """Return the residuals Φ (m,) of constraints; k : kinematics of the figure at q, with link poses."""
    still = k._replace(angular_velocity=None)
    rows = primitives_of(constraints)
    return np.array([row.value([m.x for m in features_of(figure, still, row, 0.0, q)], 0.0) for row in rows])


def drifts(figure: Figure, k: Kinematics, constraints: Sequence[Any], q: Array) -> Array:
    """Return the drift ∂Φ/∂t (m,) of constraints (8); k : kinematics of the figure at q, with link poses."""
    still = k._replace(angular_velocity=None)
    rows = primitives_of(constraints)
    return np.array([drift_of(row, features_of(figure, still, row, 0.0, q), 0.0) for row in rows])


def speeds(figure: Figure, k: Kinematics, constraints: Sequence[Any], q: Array, u: Array) -> Array:
    """Return the rates Φ' (m,) of constraints (8); k : kinematics of the figure at q and u, with link velocities."""
    found = []
    for row in primitives_of(constraints):
        moving = features_of(figure, k, row, 0.0, q, u)
        total = row.drift(0.0)[0]
        for g, m in zip(row.gradient([m.x for m in moving]), moving, strict=True):
            total = total + (g * m.rate).sum()
        found.append(total)
    return np.array(found)
