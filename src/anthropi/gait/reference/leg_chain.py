"""Where are the points of the left foot, for a pelvis and gait angles, and how do they move with each? Floats only.

Thirteen coordinates say where a pelvis and a left leg are (`COORDINATES`, signs as in `gait_angles.py`): the pelvis'
place, its three turns, three of the hip, then knee, dorsiflexion, inversion, flexion of the toes. Each turns about an
axis a through a point o that the coordinates before it have moved, so that a point p beyond it has

    ∂p/∂θ = a × (p - o)                                                        (1)

A right leg is the left one in the mirror.

Footing
-------
Which points of a foot stand on the ground, and how high must the others be? Floats only.

Over the leg's own cycle, foot strike at 0, foot off at s:

    heel     from 0, until it rises                                            (2)
    ball     from foot flat, until the heel rises
    toes     from foot flat to foot off
    others   above the ground; in the middle of swing by a clearance           (3)

While the heel rises the foot rolls over its ball: the toe joint is r above the sole, so that with the foot turned by α
the sole under it goes back by r sin α if the toes lie still. Ball and toes share that way, up to a most of the toes':

    toes forward by d tanh(r sin α / 2d)                                       (4)
    ball up by r (1 - cos α): the toes stay level                              (5)
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from anthropi.algebra import rotation as rot
from anthropi.algebra.linear import matvec
from anthropi.entry import kinematics
from anthropi.errors import InputError
from anthropi.figure.parts import Marker
from anthropi.gait.reference.gait_angles import has_feet, pelvis_axes

__all__ = ["COORDINATES", "EDGE", "POINTS", "FootPoints", "Footing", "LegChain", "leg_chain"]


COORDINATES = (
    "x",
    "y",
    "z",
    "pelvis_tilt",
    "pelvis_obliquity",
    "pelvis_rotation",
    "hip_flexion",
    "hip_adduction",
    "hip_rotation",
    "knee_flexion",
    "ankle_dorsiflexion",
    "ankle_inversion",
    "toe_flexion",
)
POINTS = (
    "sole_heel_in",
    "sole_heel_out",
    "sole_ball_in",
    "sole_ball_out",
    "sole_toe_in",
    "sole_toe_out",
    "heel",
    "toe_tip",
)
ON_TOES = np.array([False, False, False, False, True, True, False, True])


class FootPoints(NamedTuple):
    """Points (frames, 8, 3) [m] in the order of `POINTS`, and their derivatives (frames, 8, 3, 13)."""

    place: np.ndarray
    by: np.ndarray


@dataclass(frozen=True, eq=False)
class LegChain:
    """The left leg of a figure: joints and points as they stand upright.

    axes : the pelvis' laboratory axes. hip, knee, ankle, toe : each joint in the frame before it (3,) [m].
    points : (8, 3), those of the foot and of the toes, each in its own frame. flat : (8, 2) where they stand on the
    ground, seen from below the ankle. height : of the ankle above the sole. leg : from hip to sole.
    """

    axes: np.ndarray
    hip: np.ndarray
    knee: np.ndarray
    ankle: np.ndarray
    toe: np.ndarray
    points: np.ndarray
    flat: np.ndarray
    height: float
    leg: float

    def points_at(self, theta, slopes: bool = True) -> FootPoints:
        """Where the points are for coordinates (frames, 13), and their derivatives (1) if `slopes`."""
        place, turn = theta[:, :3], {name: theta[:, k] for k, name in enumerate(COORDINATES)}
        R, axis, origin = np.broadcast_to(np.eye(3), (len(theta), 3, 3)), [], []

        def hinge(name, letter, sign, at):
            nonlocal R
            axis.append(sign * R[:, :, "xyz".index(letter)])
            origin.append(at)
            R = R @ rot.elementary(letter, sign * turn[name])

        hinge("pelvis_rotation", "z", -1.0, place)
        hinge("pelvis_obliquity", "x", 1.0, place)
        hinge("pelvis_tilt", "y", 1.0, place)
        hip = place + matvec(R, self.axes.T @ self.hip)
        hinge("hip_flexion", "y", -1.0, hip)
        hinge("hip_adduction", "x", -1.0, hip)
        hinge("hip_rotation", "z", -1.0, hip)
        knee = hip + matvec(R, self.knee)
        hinge("knee_flexion", "y", 1.0, knee)
        ankle = knee + matvec(R, self.ankle)
        hinge("ankle_dorsiflexion", "y", -1.0, ankle)
        hinge("ankle_inversion", "x", -1.0, ankle)
        toe = ankle + matvec(R, self.toe)
        foot = R
        hinge("toe_flexion", "y", 1.0, toe)
        on_foot = ankle[:, None] + np.einsum("fij,pj->fpi", foot, self.points)
        on_toes = toe[:, None] + np.einsum("fij,pj->fpi", R, self.points)
        p = np.where(ON_TOES[:, None], on_toes, on_foot)
        by = np.zeros((*p.shape, len(COORDINATES)))
        if not slopes:
            return FootPoints(p, by)
        by[..., :3] = np.eye(3)
        order = (5, 4, 3, *range(6, 13))  # of the hinges among the coordinates
        for k, a, o in zip(order, axis, origin, strict=True):
            by[..., k] = np.cross(a[:, None], p - o[:, None])  # (1)
        by[:, ~ON_TOES, :, 12] = 0.0
        return FootPoints(p, by)


def leg_chain(figure) -> LegChain:
    """The left leg of a human figure with feet and toes."""
    if not has_feet(figure):
        raise InputError(
            f"The reference gait wants a figure with a pelvis as its free root, feet and toes; "
            f'\'{figure.name}\' has not. Use ap.human(detail="standard") or "full".'
        )
    hip, knee, ankle, toe = (
        figure.joints[figure.joint_index(f"l_{n}")].placement.origin for n in ("hip", "knee", "ankle", "toe")
    )
    own = {m.name: m.point for m in figure.markers if isinstance(m, Marker)}
    points = np.array([own[f"l_{name}"] for name in POINTS])
    k = kinematics(figure, figure.neutral())
    over = k.link("l_foot").position
    world = np.array([k.marker(f"l_{name}") for name in POINTS])
    height = float(over[2] - world[:6, 2].min())
    leg = float(k.link("l_thigh").position[2] - world[:6, 2].min())
    return LegChain(pelvis_axes(figure), hip, knee, ankle, toe, points, world[:, :2] - over[:2], height, leg)


ROLL = 0.0030  # d of (4) [m] of a body of 1.75 m
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
        """(2) as (points, 6, 3) of 0 and 1; of a ball that rolls (5) only the height is held."""
        p = (np.asarray(phase)[:, None, None] + EDGE) % 1.0 - EDGE
        heel = np.broadcast_to(p < self.rise, (len(p), 2, 3))
        toes = np.broadcast_to((p >= self.flat) & (p <= self.off + EDGE), (len(p), 2, 3))
        ball = toes & ((p < self.rise) | (np.arange(3) == 2))
        return np.concatenate([heel, ball, toes], axis=1).astype(float)

    def lowest(self, phase) -> np.ndarray:
        """(3): how high a sole must be at least (points,) [m]."""
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
        forward[:, TOES] = np.where(rolling, most * np.tanh(0.5 * r * sine / most), 0.0)  # (4)
        up, cosine = np.zeros((len(phase), 6)), np.sqrt(1.0 - sine * sine)
        up[:, BALL] = np.where(rolling, r * (1.0 - cosine), 0.0)  # (5)
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
