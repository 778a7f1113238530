"""Where does the next foot go, and when? Feedback of the errors of `now.py`.

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
"""

from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.scalar import absolute, clip, less, maximum, where
from anthropi.gait.walker.now import OMEGA, Now, along

__all__ = ["Placing", "hurry", "placing", "settled"]

FURTHEST, INWARD = (0.7, 0.45), 0.08  # [rad] of (1)
HIP, KNEE = 0.9, 0.35  # [m] of a body of 1.75 m: over the foot, above what a bent knee raises
LIMPS = 0.29  # how far before G a foot strikes, over the height of the hip: a long step ends on a foot less far ahead
HASTE = (-0.35, 0.8)  # of (2)
WARY = 0.12  # [m] that a foot is lifted more, nominally, after it scuffed
RAISES, LOWERS = (0.3, 0.8), (0.4, 1.0)  # of s (6)
APART = (0.12, 0.16, 0.35)  # (4): [m] across at least, along at most; [m/s] at most


class Placing(NamedTuple):
    """Turns of thighs forward and aside, more bend of the swinging knee [rad]; how much shorter legs are [m] (6)."""

    forward: Any
    aside: Any
    lift: Any
    short: dict


def placing(now: Now) -> Placing:
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
    return Placing(now.moving * clip(forward, -FURTHEST[0], FURTHEST[0]),
                   clip(now.moving * aside + now.clock.stand * stood, -FURTHEST[1], FURTHEST[1]), lift,
                   _short(now))  # fmt: skip


def _short(now: Now) -> dict:
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


def hurry(now: Now):
    """(2)"""
    point = now.e + now.rate / OMEGA
    x, y = point[0], point[1] * where(less(0.5, now.clock.left), 1.0, -1.0)
    return now.moving * clip(now.p["hurry"] @ np.stack([x, absolute(x), y, absolute(y)]), *HASTE)


def settled(now: Now):
    """(4): 1.0 or 0.0."""
    place, figure = now.sense.kinematics.position, now.figure
    between = place[figure.link_index("l_foot")] - place[figure.link_index("r_foot")]
    ahead, apart = along(now.clock.heading, between) / now.size.length
    good = less(APART[0], apart) & less(absolute(ahead), APART[1]) & less(absolute(now.rate[0]), APART[2])
    return where(good, 1.0, 0.0)
