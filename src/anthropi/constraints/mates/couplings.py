"""Couplings of rotations and translations (threads, gear teeth, twist), and the distance of a point from a line.

    turn       θ = atan2(y · u, x · u)               x, y perpendicular to the axis on a, u on b; turns.py    (1)
    slide      s = v · (end - start)                 v the axis                                               (2)
    thread     Φ = wrap(s - p θ - c, 2π p)           screws; racks, with p the radius                         (3)
    teeth      Φ = wrap(n₁ θ₁ + n₂ θ₂ - c, 2π)       gears of n₁ and n₂ teeth                                 (4)
    line       Φ = d · d - (v · d)² - ρ²             the distance ρ of a point from a line                    (5)
    twist      Φ = wrap(τ - c),   τ = atan2(y · x₂ - x · y₂, x · x₂ + y · y₂)    constant-velocity joints     (6)
    coordinates  Φ = q - f(q₀)                       coordinates of two joints of a figure                    (7)

τ is the rotation of frame b about its z axis after the shortest rotation that aligns the z axes; it is undefined where
they are opposite.

wrap(f, P) = f - P round(f / P). A thread repeats after a whole turn and gears repeat after a tooth, so (3) and (4) are
functions of the positions of the bodies alone: no count of turns is stored, and bodies that move continuously stay on
their turn of the thread. Both are smooth except half a period away from a solution.
"""

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from anthropi.algebra.scalar import absolute, atan2, maximum
from anthropi.constraints.primitives import Coordinate, Direction, Point, Primitive
from anthropi.constraints.turns import MIN_SQUARED_PROJECTION, turn, turn_curvature, turn_gradient, wrapped
from anthropi.figure import Coupling, Figure
from anthropi.figure.coupling import coordinate_places

__all__ = ["CoupledCoordinates", "LineDistance", "Teeth", "Thread", "Twist", "coupled_coordinates"]


@dataclass(frozen=True, eq=False)
class Thread(Primitive):
    """Constraint that makes a translation proportional to a rotation (3), such as a screw or a rack.

    x, y, u : directions that measure the rotation (1).
    v, start, end : axis and points that measure the translation (2).
    pitch : [m/rad], not zero. equals : c [m], the translation at θ = 0.
    """

    x: Direction
    y: Direction
    u: Direction
    v: Direction
    start: Point
    end: Point
    pitch: Any
    equals: Any = 0.0
    name: str = field(default="thread", kw_only=True)

    def features(self) -> Any:
        """Return the features x, y, u, v, start, end."""
        return self.x, self.y, self.u, self.v, self.start, self.end

    def value(self, x: Any, t: Any | None = None) -> Any:
        """Return the residual (3): translation minus pitch times rotation, modulo one turn [m]."""
        v, start, end = x[3:]
        slide = _dot(v, end - start) - self.pitch * turn(*x[:3]) - self.equals
        return wrapped(slide, 2.0 * math.pi * absolute(self.pitch))

    def gradient(self, x: Any) -> Any:
        """Return the gradients: -p times that of θ for x, y, u; and d, -v, v for v, start, end."""
        v, start, end = x[3:]
        return (*turn_gradient(x[:3], -self.pitch), end - start, -v, v)

    def curvature(self, x: Any, rates: Any) -> Any:
        """Return the second derivative along the rates: -p times that of θ, plus 2 v' · d'."""
        dv, dstart, dend = rates[3:]
        return 2.0 * _dot(dv, dend - dstart) - self.pitch * turn_curvature(x[:3], rates[:3])


@dataclass(frozen=True, eq=False)
class Teeth(Primitive):
    """Constraint that makes two rotations proportional, like meshing gears (4).

    x, y, u : directions that measure the first rotation (1). x2, y2, u2 : the same for the second rotation.
    n1, n2 : numbers of teeth, whole numbers. equals : c [rad].
    """

    x: Direction
    y: Direction
    u: Direction
    x2: Direction
    y2: Direction
    u2: Direction
    n1: Any
    n2: Any
    equals: Any = 0.0
    name: str = field(default="teeth", kw_only=True)

    def features(self) -> Any:
        """Return the features x, y, u, x2, y2, u2."""
        return self.x, self.y, self.u, self.x2, self.y2, self.u2

    def value(self, x: Any, t: Any | None = None) -> Any:
        """Return the residual n₁ θ₁ + n₂ θ₂ - c, modulo one tooth [rad] (4)."""
        return wrapped(self.n1 * turn(*x[:3]) + self.n2 * turn(*x[3:]) - self.equals, 2.0 * math.pi)

    def gradient(self, x: Any) -> Any:
        """Return the gradients: n₁ and n₂ times those of θ₁ and θ₂."""
        return (*turn_gradient(x[:3], self.n1), *turn_gradient(x[3:], self.n2))

    def curvature(self, x: Any, rates: Any) -> Any:
        """Return the second derivative along the rates: n₁ and n₂ times those of θ₁ and θ₂."""
        return self.n1 * turn_curvature(x[:3], rates[:3]) + self.n2 * turn_curvature(x[3:], rates[3:])


@dataclass(frozen=True, eq=False)
class LineDistance(Primitive):
    """Constraint on the distance [m] of a point from a line (5).

    v : direction of the line, of unit length. start : a point of the line. end : the point. At distance 0 the gradient
    vanishes; use `OnLine` there.
    """

    v: Direction
    start: Point
    end: Point
    distance: Any
    name: str = field(default="line distance", kw_only=True)

    def features(self) -> Any:
        """Return the features v, start, end."""
        return self.v, self.start, self.end

    def value(self, x: Any, t: Any | None = None) -> Any:
        """Return the residual d · d - (v · d)² - ρ², with d = end - start (5)."""
        v, start, end = x
        d = end - start
        along = _dot(v, d)
        return _dot(d, d) - along * along - self.distance * self.distance

    def gradient(self, x: Any) -> Any:
        """Return the gradients: -2 (v·d) d for v, and ∓2 (d - (v·d) v) for start and end, with d = end - start."""
        v, start, end = x
        d = end - start
        along = _dot(v, d)
        aside = 2.0 * (d - along * v)
        return -2.0 * along * d, -aside, aside

    def curvature(self, x: Any, rates: Any) -> Any:
        """Return the second derivative along the rates: 2 (d'·d' - (v'·d + v·d')² - 2 (v·d) v'·d')."""
        (v, start, end), (dv, dstart, dend) = x, rates
        d, dd = end - start, dend - dstart
        slope = _dot(dv, d) + _dot(v, dd)
        return 2.0 * (_dot(dd, dd) - slope * slope - 2.0 * _dot(v, d) * _dot(dv, dd))


@dataclass(frozen=True, eq=False)
class Twist(Primitive):
    """Constraint on the twist between two frames (6), as in a constant-velocity joint.

    x, y : axes of a frame perpendicular to its shaft. x2, y2 : those of the other frame. equals : c [rad].
    """

    x: Direction
    y: Direction
    x2: Direction
    y2: Direction
    equals: Any = 0.0
    name: str = field(default="twist", kw_only=True)

    def features(self) -> Any:
        """Return the features x, y, x2, y2."""
        return self.x, self.y, self.x2, self.y2

    def value(self, x: Any, t: Any | None = None) -> Any:
        """Return the residual τ - c [rad], from -π to π (6)."""
        a, b, _ = _twist_sides(x)
        return wrapped(atan2(b, a) - self.equals)

    def gradient(self, x: Any) -> Any:
        """Return the gradients of τ with respect to x, y, x2 and y2."""
        x1, y1, x2, y2 = x
        a, b, n = _twist_sides(x)
        c, s = a / n, b / n
        return -c * y2 - s * x2, c * x2 - s * y2, c * y1 - s * x1, -c * x1 - s * y1

    def curvature(self, x: Any, rates: Any) -> Any:
        """Return the second derivative of τ along the rates."""
        (x1, y1, x2, y2), (dx1, dy1, dx2, dy2) = x, rates
        a, b, n = _twist_sides(x)
        da = _dot(dx1, x2) + _dot(x1, dx2) + _dot(dy1, y2) + _dot(y1, dy2)
        db = _dot(dy1, x2) + _dot(y1, dx2) - _dot(dx1, y2) - _dot(x1, dy2)
        slope, dn = (a * db - b * da) / n, 2.0 * (a * da + b * db)
        second = a * (_dot(dy1, dx2) - _dot(dx1, dy2)) - b * (_dot(dx1, dx2) + _dot(dy1, dy2))
        return 2.0 * second / n - slope * dn / n


def _twist_sides(x: Any) -> Any:
    """Return a = x · x₂ + y · y₂, b = y · x₂ - x · y₂ and n = a² + b², not below a small number."""
    x1, y1, x2, y2 = x
    a, b = _dot(x1, x2) + _dot(y1, y2), _dot(y1, x2) - _dot(x1, y2)
    return a, b, maximum(a * a + b * b, MIN_SQUARED_PROJECTION)


@dataclass(frozen=True, eq=False)
class CoupledCoordinates(Primitive):
    """Constraint on two coordinates of joints: q = f(q₀), with f an object like `anthropi.figure.Polynomial` (7).

    dof : q. source : q₀.
    """

    dof: Coordinate
    source: Coordinate
    function: Any
    name: str = field(default="coupling", kw_only=True)

    def features(self) -> Any:
        """Return the features q, q₀."""
        return self.dof, self.source

    def value(self, x: Any, t: Any | None = None) -> Any:
        """Return the residual q - f(q₀) [rad or m]."""
        return x[0][0] - self.function.at(x[1][0])[0]

    def gradient(self, x: Any) -> Any:
        """Return the gradients 1 and -f'(q₀)."""
        return np.ones(1), np.array([-self.function.at(x[1][0])[1]])

    def curvature(self, x: Any, rates: Any) -> Any:
        """Return the second derivative along the rates: -f″(q₀) q₀'²."""
        return -self.function.at(x[1][0])[2] * rates[1][0] * rates[1][0]


def coupled_coordinates(figure: Figure, coupling: Coupling) -> CoupledCoordinates:
    """Return the constraint of a coupling of a figure."""
    (q, u), (q0, u0) = coordinate_places(figure, coupling)
    dof, source = Coordinate(coupling.dof, q, u), Coordinate(coupling.source, q0, u0)
    return CoupledCoordinates(dof, source, coupling.function)


def _dot(a: Any, b: Any) -> Any:
    return (a * b).sum()
