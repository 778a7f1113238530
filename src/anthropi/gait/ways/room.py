"""Which ground is free for a body, which way leads out of a margin, and does an old path still hold? Floats only."""

from itertools import product

import numpy as np

from anthropi.gait.ways.outlines import Outline, to_core
from anthropi.gait.ways.path import NoWay, Path, shortest

__all__ = ["around", "kept", "loops_to", "path_out", "standing_room"]

AWAY = 8  # directions
JOIN = 0.4  # [m] ahead on an old path where a walker joins it again
SHORT = 0.2  # [m] of a goal within a margin one may stop
FIRST, ON = np.radians([0.0, 50.0, -50.0, 100.0, -100.0]), (0.0, 0.5, 1.0, 2.0)  # a turn and [m] before a walk round
GIVE = 0.05  # [m] that an old path may lie within a margin


def standing_room(goal, outlines, half: float, margin: float, near: float) -> list[Outline]:
    """Outlines inflated by half width and margin; NoWay where a body has no room at the goal, `near` [m] included."""
    for o in outlines:
        room = float(to_core(goal, o.core)) - o.radius
        if room < half + near:
            raise NoWay(f"The goal ({goal[0]:.2f}, {goal[1]:.2f}) is {room:.2f} m from obstacle '{o.name}', and a body "
                        f"takes {half + near:g} m to each side. Move the goal.")  # fmt: skip
    return [o.inflated(half + margin) for o in outlines]


def path_out(position, goal, outlines) -> Path:
    """The shortest path; a start or goal within a margin is joined to the nearest free place; margins give way last."""
    start, end = (_nearest(place, outlines) for place in (position, goal))
    if start is None or end is None:  # between two: what holds it gives way
        start, end = position, goal
        rooms = [min(float(to_core(place, o.core)) for place in (start, end)) - 1e-6 for o in outlines]
        outlines = [
            o.inflated(min(0.0, room - o.radius)) for o, room in zip(outlines, rooms, strict=True) if room > 0.0
        ]
    path = shortest(start, end, outlines)
    before, after = ([] if start is position else [position]), ([] if np.hypot(*(end - goal)) < SHORT else [goal])
    return Path.of([*before, *path.points, *after], path.round) if before or after else path


def _nearest(place, outlines):
    """A free place (2,) near a place; None where none is found."""
    for _ in range(8):
        deep = [(o.radius - float(to_core(place, o.core)), k) for k, o in enumerate(outlines)]
        worst, k = max(deep, default=(0.0, 0))
        if worst <= 0.0:
            return place
        place = place + (worst + 1e-6) * _out_of(place, outlines[k].core)
    return None


def kept(path: Path, position, stands) -> Path | None:
    """What is left of a path from a position beside it; None where what stands is in its way."""
    s = np.arange(0.0, path.length + 0.05, 0.05)
    off = path.at(s) - position
    joins = s[(off * off).sum(-1).argmin()] + JOIN
    if joins >= path.length:
        return None
    rest = Path.of([position, path.at(joins), *path.points[path.s > joins]], path.round)
    places = rest.at(np.arange(0.0, rest.length, 0.1))
    for o in stands:
        if (to_core(places, o.core) < o.radius - GIVE).any():
            return None
    return rest


def around(position, stands) -> list[Path]:
    """Straight ways of 2 m to all sides that what stands leaves free."""
    turn = np.arange(AWAY) * (2.0 * np.pi / AWAY)
    ends = position + 2.0 * np.stack([np.cos(turn), np.sin(turn)], -1)
    ways = position + np.linspace(0.1, 1.0, 8)[:, None, None] * (ends - position)
    free = np.ones(AWAY, bool)
    for o in stands:
        room = min(o.radius, float(to_core(position, o.core)))
        free &= (to_core(ways, o.core) >= room - 1e-6).all(0)
    return [Path.of([position, end]) for end in ends[free]]


def loops_to(goal, position, start, told: float, radius: float, longest: float) -> list[Path]:
    """Ways of a turn, straight on, round to a side and to the goal, for one who will be at `start` along `told`.

    No bend is narrower than `radius`, no way longer than `longest` [m].
    """
    found = []
    for first, on in product(FIRST, ON):
        turned, to = _bend(start, told, first, radius), told + first
        begins = turned[-1] + on * np.array([np.cos(to), np.sin(to)])
        for side in (1.0, -1.0):
            off = goal - begins - side * radius * np.array([-np.sin(to), np.cos(to)])
            if (far := float(np.hypot(*off))) <= radius:
                continue
            leaves = np.arctan2(off[1], off[0]) - side * (np.arccos(radius / far) - np.pi / 2.0)  # its tangent's way
            path = Path.of(
                [position, *turned, *_bend(begins, to, side * (side * (leaves - to) % (2.0 * np.pi)), radius), goal]
            )
            if path.length < longest:
                found.append(path)
    return found


def _bend(start, heading: float, angle: float, radius: float) -> np.ndarray:
    """Points (k, 2) of an arc by an angle [rad], + to the left."""
    turns, side = heading + np.linspace(0.0, angle, 2 + int(abs(angle) / 0.2)), np.sign(angle)
    return start + side * radius * np.stack([np.sin(turns) - np.sin(heading), np.cos(heading) - np.cos(turns)], -1)


def _out_of(place, core):
    """The direction (2,) straight out of a core."""
    h = 1e-6
    g = np.array([to_core(place + h * e, core) - to_core(place - h * e, core) for e in np.eye(2)])
    long = np.sqrt(g @ g)
    return g / long if long > h * h else np.array([1.0, 0.0])
