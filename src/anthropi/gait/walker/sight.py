"""A walker that sees the ground: it chooses where its next foot goes, and knows how high that is. It records.

Where a foot would go by itself is told by the path of G (`now.py` (2)): from the foot that stands

    ahead d(1) - d(0),   across d_y(1) + d_y(0), to the other side                                             (1)

Some shifts about that print are tried. Heights under the heel, the middle, the ball and the toes of a sole there, both
edges: their range r, their mean h; the least of

    (ahead / 0.12 m)² + (aside / 0.05 m)² + (r / 1.5 cm)² + ((h - h of the foot that stands) / 8 cm)²             (2)

is taken at a strike and kept until the next. On its way the foot must pass what is highest between the prints    (3)
"""

from functools import reduce
from typing import Any

import numpy as np

from anthropi.algebra.scalar import cos, less, maximum, minimum, sin, where
from anthropi.gait.walker.now import Now

__all__ = ["Sight", "ground_height"]

ABOVE = 1.0  # [m] over the foot that stands, where the ground is looked at from
AHEAD, ASIDE = (-0.15, -0.1, -0.05, 0.0, 0.05, 0.1, 0.15), (-0.05, 0.0, 0.05)  # [m] of shifts that are tried
SOLE = ((-0.06, 0.03), (-0.06, -0.03), (0.05, 0.04), (0.05, -0.04), (0.18, 0.03), (0.18, -0.03))  # [m] from the ankle
WEIGHS = (0.12, 0.05, 0.015, 0.08)  # [m] (2)
BETWEEN = (0.3, 0.5, 0.7, 0.85)  # of the way (3)
CHOOSES = 0.06  # of a step, in which it may still choose
SEEN = {"see_ahead": 0.0, "see_aside": 0.0, "see_rise": 0.0, "see_top": 0.0}


def ground_height(ground, x, y, z):
    """[m] of the ground under a place at a height z above it."""
    gap, n = ground.distance(np.array([x, y, z]))
    return z - gap / maximum(n[2], 0.1)


class Sight:
    """Eyes of a walker on a ground. ground : a surface with `distance`, as the scene's. memory : what they remember."""

    def __init__(self, ground: Any):
        self.ground = ground
        self.memory = {name: np.array(x) for name, x in SEEN.items()}

    def __call__(self, now: Now, memory):
        """(`Now` with what the walker tells itself, what to remember)."""
        best = self._best(now)
        fresh = less(memory["s"], CHOOSES)
        seen = {name: where(fresh, new, memory[name]) for name, new in zip(SEEN, best, strict=True)}
        ahead, aside, rise, top = seen.values()
        own = now.told._replace(reach=(ahead, aside), rise=rise, lift=now.told.lift + maximum(top, 0.0))
        return now._replace(told=own), seen

    def _best(self, now: Now):
        """(ahead, aside, rise, top) of the least (2)."""
        size, c, s = now.size.length, cos(now.clock.heading), sin(now.clock.heading)
        feet = [now.sense.kinematics.position[now.figure.link_index(f"{side}_foot")] for side in "lr"]
        left = less(0.5, now.clock.left)
        stands, swings, sign = where(left, *feet), where(left, feet[1], feet[0]), where(left, 1.0, -1.0)
        above = stands[2] + ABOVE

        def height(x, y):
            return ground_height(self.ground, x, y, above)

        d, across = now.p["path"][0], now.p["path"][1]
        step = (1.0 - now.still) * d[1:].sum() * size  # (1)
        width = sign * (2.0 * across[0] + across[1:].sum()) * size
        level = height(stands[0], stands[1])
        best: Any = None
        for a in AHEAD:
            for b in ASIDE:
                x, y = step + a * size, width + b * size
                px, py = stands[0] + c * x - s * y, stands[1] + s * x + c * y
                under = [height(px + size * (c * i - s * j), py + size * (s * i + c * j)) for i, j in SOLE]
                low, high = reduce(minimum, under), reduce(maximum, under)
                h = sum(under) / len(under)
                off = (high - low) / (WEIGHS[2] * size), (h - level) / (WEIGHS[3] * size)
                costs = (a / WEIGHS[0]) ** 2 + (b / WEIGHS[1]) ** 2 + off[0] * off[0] + off[1] * off[1]  # (2)
                found = costs, a * size + 0.0 * h, b * size + 0.0 * h, h - level, px, py
                best = found if best is None else _better(best, found)
        _, ahead, aside, rise, px, py = best
        way = [height(swings[0] + w * (px - swings[0]), swings[1] + w * (py - swings[1])) for w in BETWEEN]
        return ahead, aside, rise, reduce(maximum, [*way, level + rise]) - level  # (3)


def _better(old, new):
    wins = less(new[0], old[0])
    return tuple(where(wins, y, x) for x, y in zip(old, new, strict=True))
