"""Proofs that constraints cannot hold together. Plain floats only.

Not to find a solution proves nothing. An assembly is called impossible only if one of these proofs is found:

- Nothing moves: a constraint refers to fixed bodies alone, and does not hold.                                  (1)
- Identity: numbers y with Σ y_k f_k(x) = 1 at all positions x of the bodies, where the f_k are the equations of the
  constraints and the products of two of them. At a solution all f_k are 0, so there is none (a Nullstellensatz
  certificate of degree two). y is found by least squares at random positions, and checked at others.            (2)
- Reach: points of rigid bodies, coincident points and given distances form a network. Two points are at most as far
  apart as the shortest path between them (polygon inequality). There is no solution if a rigid body, a given distance,
  or a line or plane on which one of the points must lie, keeps them further apart.                              (3)
- Reach across: if axes of the bodies are always parallel, as in planar linkages, the same for the points projected
  along these axes.                                                                                              (4)

(2) decides, for example, two lengths of one rod, parallel and perpendicular directions, or two different positions of
one body; (3) a linkage whose links are too short. Some impossible assemblies have no such proof.
"""

from itertools import combinations
from typing import Any

import numpy as np

from anthropi.constraints.assembly.bodies import Cartesian
from anthropi.constraints.assembly.problem import Problem
from anthropi.constraints.driven import placed_at
from anthropi.constraints.mates.features import axes_of, direction_of, point_of
from anthropi.constraints.mates.mates import Coincident, EqualOrientation, OnLine, Parallel
from anthropi.constraints.primitives import Distance, Dot2, Point

__all__ = ["proof"]

MAX_ROWS = 24  # largest number of equations for which products are tried in (2)
IDENTITY_TOLERANCE = 1e-7  # largest difference from 1 in (2)
MAX_COEFFICIENT = 1e5  # largest |y_k| of (2); larger ones would magnify rounding errors
MAX_POINTS = 200  # largest number of points for (3)
MAX_SINE = 1e-9  # largest sine of directions that count as parallel or perpendicular
MIN_EXCESS = 1e-6  # of (3), relative to the longest distance
ROUNDING = 1e-12  # of (3), relative to the coordinates of the bodies


def proof(problem: Problem, x: Any, tolerance: float = 1e-12) -> str:
    """Return a proof in words that the constraints of a problem cannot hold together, or "" if none is found.

    x : a state of the bodies, which gives the positions of fixed bodies.
    """
    r = problem.residual(x)
    if not problem.n:
        return "the bodies that it refers to are fixed" if not problem.holds(r, tolerance) else ""
    return _identity(problem, x) or _reach(problem, x)


def _identity(problem: Problem, x: Any) -> str:
    """Return a proof by (2), or ""."""
    rng, rows = np.random.default_rng(0), len(problem.rows.primitives)
    pairs = [*combinations(range(rows), 2), *((k, k) for k in range(rows))] if rows <= MAX_ROWS else []
    functions = rows + len(pairs)
    samples = functions + 20
    values = np.array([problem.equations(problem.coordinates.scattered(x, rng)) for _ in range(samples + 10)])
    if pairs:
        first, second = np.array(pairs).T
        values = np.concatenate([values, values[:, first] * values[:, second]], axis=1)
    scale = np.maximum(np.abs(values).max(axis=0), 1e-300)
    known, others = values[:samples] / scale, values[samples:] / scale
    y = np.linalg.lstsq(known, np.ones(samples), rcond=1e-12)[0]
    if not np.abs(y).max() <= MAX_COEFFICIENT or not np.abs(others @ y - 1.0).max() <= IDENTITY_TOLERANCE:
        return ""
    return "a combination of their equations is constant and not zero, wherever the bodies are"


def _reach(problem: Problem, x: Any) -> str:
    """Return a proof by (3) or (4), or ""."""
    if _Network(problem, x).exceeds():
        return "points of their bodies are kept further apart than the others can reach"
    if any(_Network(problem, x, axes).exceeds() for axes in _common_axes(problem, x)):
        return "seen along their parallel axes, points are kept further apart than the others can reach"
    return ""


class _Rigid:
    """Rigid bodies of a problem; fixed bodies and the world count as one body, "", in world coordinates."""

    def __init__(self, problem: Problem, x: Any) -> None:
        self.t, c = problem.t, problem.coordinates
        self.r, self.A = c.poses(x)
        self.number = {name: i for i, name in enumerate(c.names)}
        self.moving = {c.names[i] for i in c.free} if isinstance(c, Cartesian) else set(c.names)

    def of(self, feature: Any) -> tuple[str, np.ndarray]:
        """Return the rigid body of a point or direction, and its coordinates there."""
        v = np.asarray(placed_at(feature, self.t)[0], float)
        if feature.body in self.moving or feature.body == "":
            return feature.body, v
        i = self.number[feature.body]
        return "", self.A[i] @ v + (self.r[i] if isinstance(feature, Point) else 0.0)


def _common_axes(problem: Problem, x: Any) -> list[dict[str, np.ndarray]]:
    """Return sets of directions that constraints make parallel: {body: unit vector}, up to their signs."""
    rigid = _Rigid(problem, x)
    sets: list[dict[str, np.ndarray]] = []
    for c in problem.constraints:
        for pair in _parallel(c):
            ends = dict(rigid.of(d) for d in pair)
            same = [s for s in sets if any(b in s and _along(s[b], v) for b, v in ends.items())]
            apart = [s for s in sets if not any(s is one for one in same)]
            sets = [*apart, {b: v for s in (*same, ends) for b, v in s.items()}]
    return [s for s in sets if len(s) > 1]


def _along(u: np.ndarray, v: np.ndarray) -> bool:
    return bool(np.abs(np.cross(u, v)).max() < MAX_SINE)


class _Network:
    """Points of bodies with their exact, largest and least distances (3).

    axes : {body: unit vector}, directions that are always parallel. If given, points are projected along them (4).
    """

    def __init__(self, problem: Problem, x: Any, axes: dict[str, np.ndarray] | None = None) -> None:
        self.rigid, self.axes = _Rigid(problem, x), axes
        self.far = float(np.abs(self.rigid.r).max(initial=0.0))
        self.nodes: dict[tuple[str, tuple[float, ...]], int] = {}
        self.exact: list[tuple[int, int, float]] = []
        self.largest: list[tuple[int, int, float]] = []
        self.offsets: list[tuple[int, str, np.ndarray, np.ndarray]] = []
        for c in problem.constraints:
            for a, b in _coincident(c):
                self.join(a, b, 0.0)
            for point, axis in _on_line(c):
                body, along = self.rigid.of(direction_of(axis))
                if axes is not None and body in axes and _along(axes[body], along):
                    self.join(point, point_of(axis), 0.0)
            for p in c.primitives():
                if type(p) is Distance:
                    self.join(p.start, p.end, float(p.distance))
            self.guide([p for p in c.primitives() if type(p) is Dot2])

    def node(self, point: Point) -> int | None:
        """Return the number of a point; None if its body has no axis along which to project it."""
        body, at = self.rigid.of(point)
        if self.axes is not None:
            if body not in self.axes:
                return None
            at = at - self.axes[body] * (self.axes[body] @ at)
        return self.nodes.setdefault((body, tuple(float(c) for c in at)), len(self.nodes))

    def join(self, a: Point, b: Point, distance: float) -> None:
        """Add two points with a given distance, which is the largest one if they are projected."""
        i, j = self.node(a), self.node(b)
        if i is not None and j is not None:
            (self.exact if self.axes is None or distance == 0.0 else self.largest).append((i, j, distance))

    def guide(self, rows: list[Dot2]) -> None:
        """Add a point that constraints keep on a line or plane of a body."""
        groups: dict[Any, list[Dot2]] = {}
        for p in rows:
            end = self.node(p.end)
            if p.v.body == p.start.body and p.v.body and end is not None and self._across(p.v):
                groups.setdefault((id(p.start.at), end), []).append(p)
        for (_, end), several in groups.items():
            body, start = self.rigid.of(several[0].start)
            V = np.array([self.rigid.of(p.v)[1] for p in several])
            if np.abs(V @ V.T - np.eye(len(V))).max() < MAX_SINE:
                self.offsets.append((end, body, V, V @ start + np.array([float(p.equals) for p in several])))

    def _across(self, direction: Any) -> bool:
        """Return whether a direction is perpendicular to the axis of the projection, and so is not changed by it."""
        if self.axes is None:
            return True
        body, v = self.rigid.of(direction)
        return body in self.axes and abs(float(self.axes[body] @ v)) < MAX_SINE

    def exceeds(self) -> bool:
        """Return whether two points are kept further apart than the shortest path between them (Floyd–Warshall)."""
        n, keys = len(self.nodes), list(self.nodes)
        if not n or n > MAX_POINTS:
            return False
        exact = self.exact + [
            (i, j, float(np.linalg.norm(np.subtract(keys[i][1], keys[j][1]))))
            for i, j in combinations(range(n), 2)
            if keys[i][0] == keys[j][0]
        ]
        least = [
            (end, j, float(np.linalg.norm(V @ np.array(keys[j][1]) - offset)))
            for end, own, V, offset in self.offsets
            for j in range(n)
            if keys[j][0] == own
        ]
        reach = np.full((n, n), np.inf)
        np.fill_diagonal(reach, 0.0)
        for i, j, d in exact + self.largest:
            reach[i, j] = reach[j, i] = min(reach[i, j], d)
        for k in range(n):
            reach = np.minimum(reach, reach[:, k : k + 1] + reach[k])
        size = max((d for _, _, d in exact + least), default=0.0)
        return any(d - reach[i, j] > MIN_EXCESS * size + ROUNDING * self.far for i, j, d in exact + least)


def _every(constraint: Any) -> list[Any]:
    """Return a constraint and the constraints of which it is composed."""
    parts: Any = getattr(constraint, "parts", tuple)()
    return [constraint, *(one for part in parts for one in _every(part))]


def _coincident(constraint: Any) -> list[tuple[Point, Point]]:
    """Return the pairs of points that a constraint makes coincident."""
    return [(point_of(c.a), point_of(c.b)) for c in _every(constraint) if isinstance(c, Coincident)]


def _on_line(constraint: Any) -> list[tuple[Point, Any]]:
    """Return the points that a constraint keeps on a line, with the line."""
    return [(point_of(c.a), c.b) for c in _every(constraint) if isinstance(c, OnLine)]


def _parallel(constraint: Any) -> list[tuple[Any, Any]]:
    """Return the pairs of directions that a constraint makes parallel."""
    every = _every(constraint)
    pairs = [(direction_of(c.a), direction_of(c.b)) for c in every if isinstance(c, Parallel)]
    frames = [zip(axes_of(c.a), axes_of(c.b), strict=True) for c in every if isinstance(c, EqualOrientation)]
    return pairs + [pair for several in frames for pair in several]
