"""Shortest paths around obstacles, and the other paths that the planner compares.

A shortest path is straight, or goes around corners of inflated outlines: a chain of tangents and arcs. A corner c of an
outline with radius R has a signed radius ρ: ρ = +R if the path keeps the corner on its left, ρ = -R if on its right.
Start and goal have ρ = 0. From a to b, with d = c_b - c_a, its unit vector δ and δ⊥ to its left:

    tangent    n = k δ + √(1 - k²) δ⊥,   k = (ρ_b - ρ_a) / |d|,   from c_a - ρ_a n to c_b - ρ_b n                 (1)
    free       its distance from every core is at least the radius of that outline                                (2)
    arc        on corner b from n_in to n_out, the angle counted in the sense of ρ_b, length R · angle            (3)

The best chain is found by A*: its states are tangents, its heuristic is the straight line to the goal. All functions
work on plain floats only; they cannot be recorded on a tape.
"""

import heapq
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from typing import Any

import numpy as np

from anthropi.errors import InputError
from anthropi.gait.navigation.outlines import Outline, to_core

__all__ = ["NoPath", "Path", "around", "kept", "loops_to", "path_out", "shortest", "standing_room"]


PATH_TOLERANCE = 1e-9  # [m], depth by which a path may enter an outline (2)
ARC_STEP = np.radians(6.0)  # angle between points of an arc; for a radius of 1 m, chords deviate by 1.4 mm


class NoPath(InputError):
    """Raised when no path leads to the goal."""


@dataclass(frozen=True, eq=False)
class Path:
    """A path on the ground.

    Attributes
    ----------
    points : points along the path (n, 2) [m], every 6° on arcs.
    s : length of the path up to each point (n,) [m].
    round : names of the obstacles that it goes around.
    """

    points: np.ndarray
    s: np.ndarray
    round: tuple[str, ...] = ()

    @staticmethod
    def of(points: Any, round: Iterable[str] = ()) -> "Path":
        """Make a path through points (n, 2) [m]."""
        points = np.asarray(points, float)
        steps = np.diff(points, axis=0)
        return Path(points, np.concatenate([[0.0], np.cumsum(np.sqrt((steps * steps).sum(-1)))]), tuple(round))

    @property
    def length(self) -> float:
        """Length of the path [m]."""
        return float(self.s[-1])

    def at(self, s: Any) -> np.ndarray:
        """Point (…, 2) [m] of the path at a length s (…) [m] from its start. Beyond the ends, the nearest end point."""
        return np.stack([np.interp(s, self.s, self.points[:, k]) for k in (0, 1)], -1)


def shortest(start: Any, goal: Any, outlines: Sequence[Outline]) -> Path:
    """Find the shortest path that does not enter any outline.

    Parameters
    ----------
    start, goal : (2,) [m].
    outlines : outlines that are already inflated (`Outline.inflated`), so that the body is a point. Motion is ignored.

    Raises
    ------
    NoPath if start or goal lies inside an outline, or if the outlines block every path to the goal.
    """
    start, goal = _checked_point(start, "start"), _checked_point(goal, "goal")
    cores, radii = [o.core for o in outlines], [o.radius for o in outlines]
    for place, what in ((start, "start"), (goal, "goal")):
        for o in outlines:
            if (deep := o.radius - float(to_core(place, o.core))) > PATH_TOLERANCE:
                raise NoPath(
                    f"The {what} ({place[0]:.2f}, {place[1]:.2f}) lies {deep:.2f} m inside the inflated outline of "
                    f"obstacle '{o.name}'. Move the {what}, or use a smaller margin."
                )
    if _free(start[None], goal[None], cores, radii)[0]:
        return Path.of([start, goal])
    owner = np.repeat(np.arange(len(cores)), [len(c) for c in cores])
    corners = np.concatenate(cores)
    R = np.array(radii)[owner]
    count = len(owner)
    c = np.concatenate([corners, corners, [start, goal]])
    rho = np.concatenate([R, -R, [0.0, 0.0]])
    a, b, n = _tangents(c, rho)
    first, last = a, b  # first and last node of each tangent
    p, q = c[a] - rho[a, None] * n, c[b] - rho[b, None] * n  # (1)
    free = _free(p, q, cores, radii)  # (2)
    first, last, p, q, n = first[free], last[free], p[free], q[free], n[free]
    single = np.array([len(core) == 1 for core in cores])[owner]
    neighbours = [
        [j for j, core in enumerate(cores) if j != owner[k] and to_core(corners[k], core) < R[k] + radii[j]]
        for k in range(count)
    ]

    def arc(i: int, j: int) -> float | None:
        """Angle of the arc from tangent i to tangent j (eq. 3), or None if the arc is not free."""
        node = last[i]
        sign, k = (1.0 if rho[node] > 0.0 else -1.0), node % count
        angle = sign * np.arctan2(n[i, 0] * n[j, 1] - n[i, 1] * n[j, 0], n[i] @ n[j]) % (2.0 * np.pi)
        angle = 0.0 if angle > 2.0 * np.pi - 1e-6 else angle
        if angle > np.pi + 1e-6 and not single[k]:
            return None  # the arc would pass through the outline
        if not neighbours[k]:
            return angle
        points = _arc(c[node], rho[node], n[i], angle, 0.05 / R[k])
        return angle if all((to_core(points, cores[o]) > radii[o] - 1e-6).all() for o in neighbours[k]) else None

    chain = _best(first, last, p, q, goal, rho, arc, 2 * count)
    if chain is None:
        names = ", ".join(o.name for o in outlines)
        raise NoPath(
            f"There is no path from ({start[0]:.2f}, {start[1]:.2f}) to ({goal[0]:.2f}, {goal[1]:.2f}), because the "
            f"obstacles ({names}) block it. Use a smaller margin or another goal, or move an obstacle."
        )
    points, passed = [start], []
    for i, j in pairwise(chain):
        node = last[i]
        passed.append(outlines[owner[node % count]].name)
        points += list(_arc(c[node], rho[node], n[i], arc(i, j), ARC_STEP))
    return Path.of([*points, goal], dict.fromkeys(passed))


def _tangents(c: np.ndarray, rho: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Tangents (eq. 1) between all signed corners, without those into the start or out of the goal.

    Returns the first and last nodes (m,) and the normals n (m, 2).
    """
    count = len(c)
    d = c[None] - c[:, None]
    distance = np.sqrt((d * d).sum(-1))
    difference = rho[None] - rho[:, None]
    good = distance > np.maximum(np.abs(difference), PATH_TOLERANCE)
    good[:, count - 2] = good[count - 1] = False
    a, b = np.nonzero(good)
    delta = d[a, b] / distance[a, b][:, None]
    k = (difference[a, b] / distance[a, b])[:, None]
    return a, b, k * delta + np.sqrt(1.0 - k * k) * np.stack([-delta[:, 1], delta[:, 0]], -1)


def _free(p: np.ndarray, q: np.ndarray, cores: list[np.ndarray], radii: list[float]) -> np.ndarray:
    """Mask (m,) of the segments p → q (m, 2) that do not enter any outline (eq. 2)."""
    free = np.ones(len(p), bool)
    for core, radius in zip(cores, radii, strict=True):
        some = np.nonzero(free)[0]
        free[some] = _segment_distance(p[some], q[some], core) >= radius - PATH_TOLERANCE
    return free


def _segment_distance(p: np.ndarray, q: np.ndarray, core: np.ndarray) -> np.ndarray:
    """Distance (m,) [m] between segments p → q and a core (n, 2); 0 or less if they enter it."""
    segment = (q - p)[:, None]
    arms = core - p[:, None]
    t = np.clip((arms * segment).sum(-1) / np.maximum((segment * segment).sum(-1), 1e-18), 0.0, 1.0)
    away = arms - t[..., None] * segment
    d = np.minimum(np.sqrt((away * away).sum(-1)).min(-1), np.minimum(to_core(p, core), to_core(q, core)))
    if len(core) == 1:
        return d
    beyond = np.roll(core, -1, axis=0)
    edges, sides = beyond - core, segment[..., 0] * arms[..., 1] - segment[..., 1] * arms[..., 0]
    back, ahead = (
        edges[:, 0] * (x[:, None, 1] - core[:, 1]) - edges[:, 1] * (x[:, None, 0] - core[:, 0]) for x in (p, q)
    )
    crosses = ((sides * np.roll(sides, -1, axis=-1) < 0.0) & (back * ahead < 0.0)).any(-1)
    return np.where(crosses, np.minimum(d, 0.0), d)


def _arc(c: np.ndarray, rho: float, n: np.ndarray, angle: Any, grain: float) -> np.ndarray:
    """Points (k, 2) of an arc around corner c, starting at the normal n (eq. 3), every `grain` [rad]."""
    turns = np.sign(rho) * np.linspace(0.0, angle, 2 + int(angle / grain))
    cos, sin = np.cos(turns), np.sin(turns)
    return c - rho * np.stack([cos * n[0] - sin * n[1], sin * n[0] + cos * n[1]], -1)


def _best(
    first: np.ndarray,
    last: np.ndarray,
    p: np.ndarray,
    q: np.ndarray,
    goal: np.ndarray,
    rho: np.ndarray,
    arc: Any,
    start: int,
) -> list[int] | None:
    """Find the best chain of tangents from the node `start` to the goal `start + 1` by A*; None if there is none.

    Arcs are evaluated only when their tangent is taken from the queue.
    """
    long, left = np.sqrt(((q - p) ** 2).sum(-1)), np.sqrt(((goal - q) ** 2).sum(-1))
    out: dict[int, list[int]] = {}
    for i, node in enumerate(first):
        out.setdefault(int(node), []).append(i)
    queue = [(long[i] + left[i], 0.0, i, -1) for i in out.get(start, [])]
    heapq.heapify(queue)
    before: dict[int, int] = {}
    while queue:
        total, to_here, i, parent = heapq.heappop(queue)
        if i in before:
            continue
        if parent >= 0:
            angle = arc(parent, i)
            if angle is None:
                continue
            exact = to_here + abs(rho[last[parent]]) * angle
            if exact + long[i] + left[i] > total + PATH_TOLERANCE:
                heapq.heappush(queue, (exact + long[i] + left[i], exact, i, -2 - parent))
                continue
        before[i] = parent if parent >= -1 else -2 - parent
        if last[i] == start + 1:
            chain = [i]
            while before[chain[-1]] >= 0:
                chain.append(before[chain[-1]])
            return chain[::-1]
        for j in out.get(int(last[i]), []):
            if j not in before:
                here = to_here + long[i]
                heapq.heappush(queue, (here + long[j] + left[j], here, j, i))
    return None


def _checked_point(p: Any, what: str) -> np.ndarray:
    """Check a point (2,) and return it as an array.

    Raises InputError if it is not two finite numbers.
    """
    p = np.asarray(p, float)
    if p.shape != (2,) or not np.isfinite(p).all():
        raise InputError(f"The {what} is {p.tolist()}. Give two finite numbers [m].")
    return p


ESCAPE_DIRECTIONS = 8
JOIN_DISTANCE = 0.4  # [m]; a walker beside an old path joins it again this far ahead
MAX_GOAL_SHIFT = 0.2  # [m]; a path to a goal within a margin may end this far from it
LOOP_TURNS, LOOP_STRAIGHTS = (
    np.radians([0.0, 50.0, -50.0, 100.0, -100.0]),
    (0.0, 0.5, 1.0, 2.0),
)  # turn [rad] and straight part [m] before a loop
KEPT_TOLERANCE = 0.05  # [m], depth by which an old path may lie within a margin


def standing_room(goal: Any, outlines: Sequence[Outline], half: float, margin: float, near: float) -> list[Outline]:
    """Inflate outlines by the half width of a body and a margin [m].

    Raises NoPath if there is no room at the goal for a body with a gap `near` [m] around it.
    """
    for o in outlines:
        room = float(to_core(goal, o.core)) - o.radius
        if room < half + near:
            raise NoPath(
                f"The goal ({goal[0]:.2f}, {goal[1]:.2f}) is {room:.2f} m from obstacle '{o.name}', but a body needs "
                f"{half + near:g} m to each side. Move the goal."
            )
    return [o.inflated(half + margin) for o in outlines]


def path_out(position: np.ndarray, goal: np.ndarray, outlines: Sequence[Outline]) -> Path:
    """Find the shortest path between a start and a goal that may lie within the margin of an obstacle.

    Such a point is joined to the nearest free point. If none is found, the margins are reduced.
    """
    start, end = (_nearest(place, outlines) for place in (position, goal))
    if start is None or end is None:  # the point is between two outlines: reduce those that cover it
        start, end = position, goal
        rooms = [min(float(to_core(place, o.core)) for place in (start, end)) - 1e-6 for o in outlines]
        outlines = [
            o.inflated(min(0.0, room - o.radius)) for o, room in zip(outlines, rooms, strict=True) if room > 0.0
        ]
    path = shortest(start, end, outlines)
    before, after = (
        ([] if start is position else [position]),
        ([] if np.hypot(*(end - goal)) < MAX_GOAL_SHIFT else [goal]),
    )
    return Path.of([*before, *path.points, *after], path.round) if before or after else path


def _nearest(place: np.ndarray, outlines: Sequence[Outline]) -> np.ndarray | None:
    """Find a point (2,) near a given point that lies outside all outlines; None if there is none."""
    for _ in range(8):
        deep = [(o.radius - float(to_core(place, o.core)), k) for k, o in enumerate(outlines)]
        worst, k = max(deep, default=(0.0, 0))
        if worst <= 0.0:
            return place
        place = place + (worst + 1e-6) * _out_of(place, outlines[k].core)
    return None


def kept(path: Path, position: np.ndarray, stands: Sequence[Outline]) -> Path | None:
    """Return the rest of an old path from a position beside it; None if a standing outline covers it."""
    s = np.arange(0.0, path.length + 0.05, 0.05)
    off = path.at(s) - position
    joins = s[(off * off).sum(-1).argmin()] + JOIN_DISTANCE
    if joins >= path.length:
        return None
    rest = Path.of([position, path.at(joins), *path.points[path.s > joins]], path.round)
    places = rest.at(np.arange(0.0, rest.length, 0.1))
    for o in stands:
        if (to_core(places, o.core) < o.radius - KEPT_TOLERANCE).any():
            return None
    return rest


def around(position: np.ndarray, stands: Sequence[Outline]) -> list[Path]:
    """Straight paths of 2 m in all directions that standing outlines leave free."""
    turn = np.arange(ESCAPE_DIRECTIONS) * (2.0 * np.pi / ESCAPE_DIRECTIONS)
    ends = position + 2.0 * np.stack([np.cos(turn), np.sin(turn)], -1)
    rays = position + np.linspace(0.1, 1.0, 8)[:, None, None] * (ends - position)
    free = np.ones(ESCAPE_DIRECTIONS, bool)
    for o in stands:
        room = min(o.radius, float(to_core(position, o.core)))
        free &= (to_core(rays, o.core) >= room - 1e-6).all(0)
    return [Path.of([position, end]) for end in ends[free]]


def loops_to(
    goal: np.ndarray, position: np.ndarray, start: np.ndarray, heading: float, radius: float, longest: float
) -> list[Path]:
    """Paths with a loop: a turn, a straight part, an arc to either side, and a straight line to the goal.

    Parameters
    ----------
    goal, position : (2,) [m].
    start, heading : point (2,) [m] and direction [rad] at which the loop begins.
    radius : radius of its arcs [m].
    longest : largest length of a path [m].
    """
    found = []
    for first, on in product(LOOP_TURNS, LOOP_STRAIGHTS):
        turned, to = _arc_points(start, heading, first, radius), heading + first
        begins = turned[-1] + on * np.array([np.cos(to), np.sin(to)])
        for side in (1.0, -1.0):
            off = goal - begins - side * radius * np.array([-np.sin(to), np.cos(to)])
            if (distance := float(np.hypot(*off))) <= radius:
                continue
            leaves = np.arctan2(off[1], off[0]) - side * (
                np.arccos(radius / distance) - np.pi / 2.0
            )  # direction of the tangent
            path = Path.of(
                [
                    position,
                    *turned,
                    *_arc_points(begins, to, side * (side * (leaves - to) % (2.0 * np.pi)), radius),
                    goal,
                ]
            )
            if path.length < longest:
                found.append(path)
    return found


def _arc_points(start: np.ndarray, heading: float, angle: float, radius: float) -> np.ndarray:
    """Points (k, 2) of an arc with a radius [m] and an angle [rad], positive to the left."""
    turns, side = heading + np.linspace(0.0, angle, 2 + int(abs(angle) / 0.2)), np.sign(angle)
    return start + side * radius * np.stack([np.sin(turns) - np.sin(heading), np.cos(heading) - np.cos(turns)], -1)


def _out_of(place: np.ndarray, core: np.ndarray) -> np.ndarray:
    """Unit vector (2,) that points straight out of a core."""
    h = 1e-6
    g = np.array([to_core(place + h * e, core) - to_core(place - h * e, core) for e in np.eye(2)])
    long = np.sqrt(g @ g)
    return g / long if long > h * h else np.array([1.0, 0.0])
