"""Which points of a foot stand on the ground, and how high must the others be? Floats only.

Over the leg's own cycle, foot strike at 0, foot off at s:

    heel     from 0, until it rises                                            (1)
    ball     from foot flat, until the heel rises
    toes     from foot flat to foot off
    others   above the ground; in the middle of swing by a clearance           (2)

While the heel rises the foot rolls over its ball: the toe joint is r above the sole, so that with the foot turned by α
the sole under it goes back by r sin α if the toes lie still. Ball and toes share that way, up to a most of the toes':

    toes forward by d tanh(r sin α / 2d)                                       (3)
    ball up by r (1 - cos α): the toes stay level                              (4)
"""

from dataclasses import dataclass

import numpy as np

from anthropi.gait.leg_chain import LegChain

__all__ = ["EDGE", "Footing"]

ROLL = 0.0030  # d of (3) [m] of a body of 1.75 m
EDGE = 0.008  # [cycles] that a foot stands before its strike and after it leaves: a smooth curve needs them to stop
STEEPEST = 0.999  # sine of the foot's pitch
HEEL, BALL, TOES = slice(0, 2), slice(2, 4), slice(4, 6)


@dataclass(frozen=True)
class Footing:
    """When what of a foot stands. flat, rise, off : phases of foot flat, heel rise, foot off [cycles].

    clearance : of the sole in the middle of swing [m].
    """

    flat: float
    rise: float
    off: float
    clearance: float

    def standing(self, phase) -> np.ndarray:
        """(1) as (points, 6, 3) of 0 and 1; of a ball that rolls (4) only the height is held."""
        p = (np.asarray(phase)[:, None, None] + EDGE) % 1.0 - EDGE
        heel = np.broadcast_to(p < self.rise, (len(p), 2, 3))
        toes = np.broadcast_to((p >= self.flat) & (p <= self.off + EDGE), (len(p), 2, 3))
        ball = toes & ((p < self.rise) | (np.arange(3) == 2))
        return np.concatenate([heel, ball, toes], axis=1).astype(float)

    def lowest(self, phase) -> np.ndarray:
        """(2): how high a sole must be at least (points,) [m]."""
        s = (np.asarray(phase) % 1.0 - self.off) / (1.0 - self.off)
        return np.where(s > 0.0, self.clearance * np.clip(np.minimum(s, 1.0 - s) / 0.15, 0.0, 1.0), 0.0)

    def prints(self, chain: LegChain, place, by_place, phase, half_width: float, yaw: float):
        """Where the sole's points stand (points, 6, 3), and how that changes with the coordinates, half the step width
        and the yaw (points, 6, 3, 15). place, by_place : of the points themselves, as `LegChain.points_at` has them."""
        c, s = np.cos(yaw), np.sin(yaw)
        x, y = chain.flat[:6].T
        forward = np.zeros((len(phase), 6))
        rolling = (np.asarray(phase) % 1.0 >= self.rise)[:, None]
        r, most = chain.height + chain.toe[2], ROLL * chain.leg / 0.917
        long = x[2] - x[0]
        pitch = (place[:, HEEL, 2].mean(1) - place[:, BALL, 2].mean(1)) / long
        sine = np.clip(pitch, 0.0, STEEPEST)[:, None]
        forward[:, TOES] = np.where(rolling, most * np.tanh(0.5 * r * sine / most), 0.0)  # (3)
        up, cosine = np.zeros((len(phase), 6)), np.sqrt(1.0 - sine * sine)
        up[:, BALL] = np.where(rolling, r * (1.0 - cosine), 0.0)  # (4)
        x = x + forward
        at = np.stack([x * c - y * s, half_width + x * s + y * c, up], axis=-1)
        turn = (by_place[:, HEEL, 2].mean(1) - by_place[:, BALL, 2].mean(1)) / long  # of the sine with coordinates
        turn = np.where(rolling & (sine > 0.0) & (sine < STEEPEST), turn, 0.0)
        ahead = 0.5 * r * (1.0 - np.tanh(0.5 * r * sine / most) ** 2) * turn
        by = np.zeros((*at.shape, 15))
        by[:, TOES, 0, :13], by[:, TOES, 1, :13] = (c * ahead)[:, None], (s * ahead)[:, None]
        by[:, BALL, 2, :13] = (r * sine / cosine * turn)[:, None]
        by[..., 1, 13] = 1.0
        by[..., 0, 14], by[..., 1, 14] = -(x * s + y * c), x * c - y * s
        return at, by
