"""Where does the next foot go, and when? Feedback of the errors of `observation.py`.

forward   a + (c + s d)·(e_x, e'_x),   aside  b + (c + s d)·(e_y, e'_y):  turns [rad] of the swinging thigh in
          the world; stepping in place, forward has gains of its own; legs do not cross                       (1)
hurry     h·(ξ, |ξ|, η, |η|), along and outwards: a step goes faster when the capture point e + e'/ω is off its
          course                                                                                              (2)
lift      the swinging knee bends more in the middle of a step, by (l + lift / 0.35 m) 4 s (1 - s); lift is
              what is told, and 12 cm, nominally, where it is wary                                                 (3)
settled   feet beside each other and apart, and the body hardly moving: then it may stand                     (4)
standing  both thighs turn aside by c·(e_y, e'_y), and as the weight shifts                                   (5)
short     a foot that goes up by `rise` ends on a leg that much shorter, which stretches as it bears; before a
          foothold that is lower the standing leg bends, and stretches as it swings                           (6)
climb     (a, s, b, c) of steps up: a rise ahead of where a foot would go; stretched by s; the foot that is left
          pushes off by b rise more; knees that bear bend less by c of (6), as springs give way               (7)

Sight
-----
A walker that sees the ground: it chooses where its next foot goes, and knows how high that is. It records.

Where a foot would go by itself is told by the path of G (`observation.py` (9)): from the foot that stands

    ahead d(1) - d(0),   across d_y(1) + d_y(0), to the other side                                             (8)

Some shifts about that print are tried. Heights under the heel, the middle, the ball and the toes of a sole there, both
edges: their range r, their mean h; the least of

    (ahead / 0.12 m)² + (aside / 0.05 m)² + (r / 1.5 cm)² + ((h - h of the foot that stands) / 8 cm)²             (9)

is taken at a strike and kept until the next. On its way the foot must pass what is highest between the prints    (3)
"""

from functools import reduce
from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.scalar import absolute, clip, cos, less, maximum, minimum, sin, where
from anthropi.gait.walker.observation import OMEGA, Observation, along

__all__ = ["PlacementTarget", "Sight", "ground_height", "hurry", "placement_target", "settled"]


FURTHEST, INWARD = (0.7, 0.45), 0.08  # [rad] of (1)
HIP, KNEE = 0.9, 0.35  # [m] of a body of 1.75 m: over the foot, above what a bent knee raises
LIMPS = 0.29  # how far before G a foot strikes, over the height of the hip: a long step ends on a foot less far ahead
HASTE = (-0.35, 0.8)  # of (2)
WARY = 0.12  # [m] that a foot is lifted more, nominally, after it scuffed
RAISES, LOWERS = (0.3, 0.8), (0.4, 1.0)  # of s (6)
APART = (0.12, 0.16, 0.35)  # (4): [m] across at least, along at most; [m/s] at most


class PlacementTarget(NamedTuple):
    """Turns of thighs forward and aside, more bend of the swinging knee [rad]; how much shorter legs are [m] (6)."""

    forward: Any
    aside: Any
    lift: Any
    short: dict


def placement_target(now: Observation) -> PlacementTarget:
    """(1), (3), (5)"""
    p, s, told, size = now.p, now.clock.s, now.told, now.size
    x, y = np.stack([now.e[0], now.rate[0]]), np.stack([now.e[1], now.rate[1]])
    out = where(less(0.5, now.clock.left), -1.0, 1.0)
    walk = p["reach"] + out * LIMPS * p["asymmetry"] + (p["forward"][:2] + s * p["forward"][2:]) @ x
    forward = walk + now.still * (p["slow"][0] + p["slow"][2:4] @ x - walk) + told.reach[0] / (HIP * size.length)
    aside = out * (p["spread"] + now.still * p["slow"][4]) + (p["sideways"][:2] + s * p["sideways"][2:]) @ y
    aside = aside + told.reach[1] / (HIP * size.length)
    aside = out * maximum(out * aside, -INWARD)
    stood = p["hold"] @ y - now.clock.shift * p["shift"][1] / HIP
    within = clip(s, 0.0, 1.0)
    forward = forward + p["climb"][0] * maximum(told.rise, 0.0) / (HIP * size.length)  # (7)
    bent = p["lift"] + told.lift / (KNEE * size.length) + now.clock.wary * WARY / KNEE
    lift = now.moving * bent * 4.0 * within * (1.0 - within)  # (3)
    return PlacementTarget(now.moving * clip(forward, -FURTHEST[0], FURTHEST[0]),
                   clip(now.moving * aside + now.clock.stand * stood, -FURTHEST[1], FURTHEST[1]), lift,
                   _short(now))  # fmt: skip


def _short(now: Observation) -> dict:
    """(6): {side: [m]} of a body of 1.75 m."""
    clock, rise = now.clock, now.told.rise
    up, down = (maximum(x, 0.0) for x in (clock.climbed, -clock.climbed))  # of the foot that stands
    swings = maximum(rise, 0.0) * _over(clock.s, *RAISES) + down * (1.0 - _over(clock.s, 0.0, RAISES[0]))
    stands = maximum(-rise, 0.0) * _over(clock.s, *LOWERS)
    stands = stands + up * (1.0 - _over(clock.s, 0.0, maximum(now.p["climb"][1], 0.1)))  # (7)
    left, scale = less(0.5, clock.left), now.moving / now.size.length
    return {"l": scale * where(left, stands, swings), "r": scale * where(left, swings, stands)}


def _over(s, begins, ends):
    """0 before, 1 after, a line between."""
    return clip((s - begins) / (ends - begins), 0.0, 1.0)


def hurry(now: Observation):
    """(2)"""
    point = now.e + now.rate / OMEGA
    x, y = point[0], point[1] * where(less(0.5, now.clock.left), 1.0, -1.0)
    return now.moving * clip(now.p["hurry"] @ np.stack([x, absolute(x), y, absolute(y)]), *HASTE)


def settled(now: Observation):
    """(4): 1.0 or 0.0."""
    place, figure = now.sense.kinematics.position, now.figure
    between = place[figure.link_index("l_foot")] - place[figure.link_index("r_foot")]
    ahead, apart = along(now.clock.heading, between) / now.size.length
    good = less(APART[0], apart) & less(absolute(ahead), APART[1]) & less(absolute(now.rate[0]), APART[2])
    return where(good, 1.0, 0.0)


ABOVE = 1.0  # [m] over the foot that stands, where the ground is looked at from
AHEAD, ASIDE = (-0.15, -0.1, -0.05, 0.0, 0.05, 0.1, 0.15), (-0.05, 0.0, 0.05)  # [m] of shifts that are tried
SOLE = ((-0.06, 0.03), (-0.06, -0.03), (0.05, 0.04), (0.05, -0.04), (0.18, 0.03), (0.18, -0.03))  # [m] from the ankle
WEIGHS = (0.12, 0.05, 0.015, 0.08)  # [m] (9)
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

    def __call__(self, now: Observation, memory):
        """(`Now` with what the walker tells itself, what to remember)."""
        best = self._best(now)
        fresh = less(memory["s"], CHOOSES)
        seen = {name: where(fresh, new, memory[name]) for name, new in zip(SEEN, best, strict=True)}
        ahead, aside, rise, top = seen.values()
        own = now.told._replace(reach=(ahead, aside), rise=rise, lift=now.told.lift + maximum(top, 0.0))
        return now._replace(told=own), seen

    def _best(self, now: Observation):
        """(ahead, aside, rise, top) of the least (9)."""
        size, c, s = now.size.length, cos(now.clock.heading), sin(now.clock.heading)
        feet = [now.sense.kinematics.position[now.figure.link_index(f"{side}_foot")] for side in "lr"]
        left = less(0.5, now.clock.left)
        stands, swings, sign = where(left, *feet), where(left, feet[1], feet[0]), where(left, 1.0, -1.0)
        above = stands[2] + ABOVE

        def height(x, y):
            return ground_height(self.ground, x, y, above)

        d, across = now.p["path"][0], now.p["path"][1]
        step = (1.0 - now.still) * d[1:].sum() * size  # (8)
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
                costs = (a / WEIGHS[0]) ** 2 + (b / WEIGHS[1]) ** 2 + off[0] * off[0] + off[1] * off[1]  # (9)
                found = costs, a * size + 0.0 * h, b * size + 0.0 * h, h - level, px, py
                best = found if best is None else _better(best, found)
        _, ahead, aside, rise, px, py = best
        way = [height(swings[0] + w * (px - swings[0]), swings[1] + w * (py - swings[1])) for w in BETWEEN]
        return ahead, aside, rise, reduce(maximum, [*way, level + rise]) - level  # (3)


def _better(old, new):
    wins = less(new[0], old[0])
    return tuple(where(wins, y, x) for x, y in zip(old, new, strict=True))
