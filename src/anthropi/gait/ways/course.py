"""Random courses: a goal 10 m away, obstacles between, one of which crosses where the walker would be. Floats only."""

from typing import NamedTuple

import numpy as np

from anthropi.gait.ways.outlines import Outline, disc, polygon
from anthropi.gait.ways.path import NoWay
from anthropi.gait.ways.room import path_out, standing_room

__all__ = ["Course", "random_course"]

HALF, MARGIN, NEAR, ROOM = 0.3, 0.25, 0.08, 0.4  # [m] of a way there must be; about start and goal besides


class Course(NamedTuple):
    """start (2,), goal (2,) [m], outlines; the last moves."""

    start: np.ndarray
    goal: np.ndarray
    outlines: list[Outline]


def random_course(seed: int, obstacles: int = 5, far: float = 10.0, speed: float = 1.2) -> Course:
    """Discs and boxes of 0.3 to 1.2 m within 1.2 m of the straight line; start and goal have room, and there is a way.

    The last one goes at 0.3 to 1 m/s so that it meets somebody who walks straight on at `speed`, half way or so.
    """
    rng = np.random.default_rng(seed)
    start, goal = np.zeros(2), np.array([far, 0.0])
    while True:
        found = [_one(rng, k, far) for k in range(obstacles - 1)]
        found.append(_moving(rng, far, speed))
        room = min(min(o.gap(start), o.gap(goal)) for o in found[:-1]) if obstacles > 1 else np.inf
        if room < HALF + ROOM or found[-1].gap(start) < 1.5:
            continue
        try:
            path_out(start, goal, standing_room(goal, found[:-1], HALF, MARGIN, NEAR))
        except NoWay:
            continue
        return Course(start, goal, found)


def _one(rng, k: int, far: float) -> Outline:
    """Something that stands near the line."""
    centre = np.array([rng.uniform(1.5, far - 1.0), rng.uniform(-1.2, 1.2)])
    if rng.random() < 0.5:
        return disc(centre, rng.uniform(0.15, 0.6), name=f"disc {k + 1}")
    turn, size = rng.uniform(0.0, np.pi), rng.uniform(0.15, 0.6, 2)
    x, y = np.array([np.cos(turn), np.sin(turn)]) * size[0], np.array([-np.sin(turn), np.cos(turn)]) * size[1]
    return polygon([centre + x + y, centre - x + y, centre - x - y, centre + x - y], name=f"box {k + 1}")


def _moving(rng, far: float, speed: float) -> Outline:
    """Something that crosses."""
    meets = np.array([rng.uniform(0.35, 0.75) * far, rng.uniform(-0.3, 0.3)])
    way, fast = rng.uniform(0.0, 2.0 * np.pi), rng.uniform(0.3, 1.0)
    velocity = fast * np.array([np.cos(way), np.sin(way)])
    return disc(meets - velocity * (meets[0] / speed + 0.5), rng.uniform(0.2, 0.4), velocity, name="moving")
