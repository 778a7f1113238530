"""Which equations tie turns to turns and turns to slides? Threads and teeth: two more primitives.

    turn        θ = atan2(y · u, x · u)            x, y across the axis on one body, u on the other           (1)
    slide       s = v · (end - start)              v the axis                                                 (2)
    coupled     Φ = wrap(Σ_k a_k θ_k + Σ_k b_k s_k - c, P),  wrap(f, P) = f - P round(f / P)                  (3)
    line        Φ = d · d - (v · d)² - ρ²          the distance ρ of a point from a line                      (4)

A thread repeats itself after a whole turn and teeth after a tooth, so (3) is a function of where the bodies are: with P
the change of f in a turn of any θ_k (or a whole part of it), no count of turns has to be remembered, and bodies that
move without a jump stay on their turn of the thread. (3) is smooth but where it is half a period off.

    dθ = (p db - b dp)/n,  p = x·u, b = y·u, n = p² + b²;   d²θ = (p d²b - b d²p)/n - dθ dn/n                 (5)
"""

import math
from dataclasses import dataclass, field
from typing import Any

from anthropi.algebra.scalar import atan2, maximum, nearest
from anthropi.constraints.features import Direction, Feature, Point
from anthropi.constraints.primitives import Primitive

__all__ = ["Coupled", "LineDistance"]

LEAST = 1e-12  # of n in (5): u along the axis, where no turn can be told


@dataclass(frozen=True, eq=False)
class Coupled(Primitive):
    """Turns and slides in a fixed proportion (3).

    turns : (x, y, u) directions each. slides : (v, start, end) each. weights : of the turns, then of the slides.
    period : P of (3), in the unit of weights times coordinates. equals : c.
    """

    turns: tuple[tuple[Direction, Direction, Direction], ...]
    slides: tuple[tuple[Direction, Point, Point], ...]
    weights: tuple[Any, ...]
    period: Any = 2.0 * math.pi
    equals: Any = 0.0
    name: str = field(default="coupled", kw_only=True)

    def features(self) -> tuple[Feature, ...]:
        """Those of the turns, then those of the slides."""
        return tuple(f for part in (*self.turns, *self.slides) for f in part)

    def value(self, x, t=None):
        """(3)"""
        total = -self.equals
        for k, (a, (f1, f2, f3)) in enumerate(zip(self.weights, _threes(x), strict=True)):
            if k < len(self.turns):
                total = total + a * atan2(_dot(f2, f3), _dot(f1, f3))  # (1)
            else:
                total = total + a * _dot(f1, f3 - f2)  # (2)
        return total - self.period * nearest(total / self.period)

    def gradient(self, x):
        """(5), and d, -v, v for a slide."""
        found = []
        for k, (a, (f1, f2, f3)) in enumerate(zip(self.weights, _threes(x), strict=True)):
            if k < len(self.turns):
                p, b, n = _sides(f1, f2, f3)
                found += [(-a * b / n) * f3, (a * p / n) * f3, (a / n) * (p * f2 - b * f1)]
            else:
                found += [a * (f3 - f2), -a * f1, a * f1]
        return tuple(found)

    def bend(self, x, rates):
        """(5), and 2 v' · d' for a slide."""
        total = 0.0
        for k, (a, (f1, f2, f3), (d1, d2, d3)) in enumerate(zip(self.weights, _threes(x), _threes(rates), strict=True)):
            if k < len(self.turns):
                p, b, n = _sides(f1, f2, f3)
                dp, db = _dot(d1, f3) + _dot(f1, d3), _dot(d2, f3) + _dot(f2, d3)
                dtheta, dn = (p * db - b * dp) / n, 2.0 * (p * dp + b * db)
                total = total + a * (2.0 * (p * _dot(d2, d3) - b * _dot(d1, d3)) / n - dtheta * dn / n)
            else:
                total = total + 2.0 * a * _dot(d1, d3 - d2)
        return total


@dataclass(frozen=True, eq=False)
class LineDistance(Primitive):
    """A point is a distance [m] from a line (4). At distance 0 the gradient vanishes: put it on the line then."""

    v: Direction
    start: Point
    end: Point
    distance: Any
    name: str = field(default="line distance", kw_only=True)

    def features(self):
        """v of unit length, a point of the line, the point."""
        return self.v, self.start, self.end

    def value(self, x, t=None):
        """(4)"""
        v, start, end = x
        d = end - start
        along = _dot(v, d)
        return _dot(d, d) - along * along - self.distance * self.distance

    def gradient(self, x):
        """-2 (v·d) d, and 2 (d - (v·d) v) for the points."""
        v, start, end = x
        d = end - start
        along = _dot(v, d)
        aside = 2.0 * (d - along * v)
        return -2.0 * along * d, -aside, aside

    def bend(self, x, rates):
        """2 (d'·d' - (v'·d + v·d')² - 2 (v·d) v'·d')."""
        (v, start, end), (dv, dstart, dend) = x, rates
        d, dd = end - start, dend - dstart
        slope = _dot(dv, d) + _dot(v, dd)
        return 2.0 * (_dot(dd, dd) - slope * slope - 2.0 * _dot(v, d) * _dot(dv, dd))


def _threes(x):
    return [x[k : k + 3] for k in range(0, len(x), 3)]


def _sides(x, y, u):
    """p, b and n of (5)."""
    p, b = _dot(x, u), _dot(y, u)
    return p, b, maximum(p * p + b * b, LEAST)


def _dot(a, b):
    return (a * b).sum()
