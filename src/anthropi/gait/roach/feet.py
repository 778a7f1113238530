"""Where are six feet to be, in the frame of a body that is to move by the twist (v, Ω)? Two tripods take turns.

A leg's own phase is φ, or φ + ½ of the other tripod; it swings for the share 1 - β of a cycle (s = 0 … 1), and stands
for β > ½, so that all six stand for a while between two steps. With f cycles a second:

    standing   p' = -(v + Ω × p): one rigid motion for all, no foot drags on another                         (1)
    swinging   from where it left to  home - ½ β/f p'(home)  over the ground, on the plane up·p = -h of the feet
               that stand: a cubic that leaves and lands with the ground's velocity (1)                      (2)
               and above it by 16 s² (1 - s)² times the clearance                                            (3)
    share      of the weight: from tripod to tripod while all six stand; on a tripod ¼, ½, ¼                 (4)

All of it records.
"""

import numpy as np

from anthropi.algebra.scalar import clip, floor, minimum
from anthropi.gait.roach.legs import NAMES

__all__ = ["TRIPOD", "ground_velocity", "home", "part_of", "share", "swing", "swung"]

TRIPOD = np.array([0.5 if name in ("r1", "l2", "r3") else 0.0 for name in NAMES])  # [cycles]
CARRIES = np.array([{"1": 0.25, "2": 0.5, "3": 0.25}[name[1]] for name in NAMES])  # the middle leg has its side alone
AHEAD = np.array([{"1": 1.0, "2": 0.0, "3": -1.0}[name[1]] for name in NAMES])
OUT = np.array([1.0 if name[0] == "l" else -1.0 for name in NAMES])


def home(legs, numbers):
    """Where feet rest (6, 3) [m]: ahead of front legs, behind hind legs, beside middle ones."""
    ahead, out = numbers["home"]
    return np.array([[leg.place.origin[0] + a * ahead, leg.place.origin[1] + o * out, -numbers["height"]]
                     for leg, a, o in zip(legs, AHEAD, OUT, strict=True)])  # fmt: skip


def part_of(phase):
    """What part of its cycle each leg is in (6,), 0 … 1."""
    own = phase + TRIPOD
    return own - floor(own)


def swung(part, stance):
    """How much of its swing is done (6,), 0 … 1."""
    return minimum(part / (1.0 - stance), 1.0)


def share(part, stance):
    """(4) (6,); they add up to 1."""
    both = stance - 0.5  # [cycles] that all six stand
    rises = clip((part - (1.0 - stance)) / both, 0.0, 1.0)
    return CARRIES * minimum(rises, clip((1.0 - part) / both, 0.0, 1.0))


def ground_velocity(v, spin, p):
    """(1) of a place p (3,) in the body's frame [m/s]."""
    return -(v + np.cross(spin, p))


def swing(left, rest, s, v, spin, time, clearance, up, height):
    """Where a swinging foot is to be, and how fast it goes (3,), (3,).

    left : where it left the ground. rest : its home. time : [s] of a swing, and of half a stance. up, height : of the
    body over the plane of the feet that stand.
    """
    lasts, half = time
    back = ground_velocity(v, spin, rest)
    x, y = rest[0] - half * back[0], rest[1] - half * back[1]
    lands = np.stack([x, y, -(height + up[0] * x + up[1] * y) / up[2]])  # (2)
    first, last = ground_velocity(v, spin, left), ground_velocity(v, spin, lands)
    t = 1.0 - s
    place = left + (lands - left) * (s * s * (3.0 - 2.0 * s)) + (first * (s * t * t) - last * (s * s * t)) * lasts
    rate = (lands - left) * (6.0 * s * t / lasts) + first * (t * (1.0 - 3.0 * s)) + last * (s * (3.0 * s - 2.0))
    high = np.array([0.0, 0.0, 1.0]) * clearance
    return place + high * (16.0 * s * s * t * t), rate + high * (32.0 * s * t * (t - s) / lasts)  # (3)
