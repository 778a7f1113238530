"""Kinematics of the left leg in gait angles, with derivatives, and the ground contact of its foot.

Thirteen coordinates (`COORDINATES`, signs as in `gait_angles.py`) define the pose of a pelvis and a left leg: the
position of the pelvis, its three rotations, three rotations of the hip, then knee flexion, dorsiflexion, inversion and
toe flexion. Each rotation is about an axis a through a point o, and the coordinates before it move both. A point p on a
link beyond it has the derivative

    ∂p/∂θ = a × (p - o)                                                        (1)

A right leg is the mirror image of the left. In the leg's own cycle, with foot strike at 0 and foot off at s, the points
of the foot are on the ground during these phases:

    heel     from 0 to heel rise                                               (2)
    ball     from foot flat to heel rise
    toes     from foot flat to foot off
    others   above the ground; in mid-swing by a clearance                     (3)

After heel rise the foot rolls over its ball. The toe joint is at a height r above the sole. If the foot is pitched by α
and the toes do not move, the sole under the joint moves back by r sin α. Ball and toes share this distance, and the
toes move by at most 2d:

    toes forward by d tanh(r sin α / 2d)                                       (4)
    ball up by r (1 - cos α); the toes stay level                              (5)

The functions work on plain floats only.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra import rotation as rot
from anthropi.algebra.linear import matvec
from anthropi.entry import kinematics
from anthropi.errors import InputError
from anthropi.figure.figure import Figure
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
    """Positions of the foot points (frames, 8, 3) [m] in the order of `POINTS`, and their derivatives.

    The derivatives (frames, 8, 3, 13) are with respect to the 13 coordinates.
    """

    place: np.ndarray
    by: np.ndarray


@dataclass(frozen=True, eq=False)
class LegChain:
    """Dimensions of the left leg of an upright figure.

    axes : laboratory axes of the pelvis. hip, knee, ankle, toe : (3,) [m], position of each joint in the frame of the
    link before it. points : (8, 3) [m], points of foot and toes, each in the frame of its link. flat : (8, 2) [m], the
    same points on the ground, relative to the point below the ankle. height : height of the ankle above the sole [m].
    leg : length from hip to sole [m].
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

    def points_at(self, theta: np.ndarray, slopes: bool = True) -> FootPoints:
        """Compute the foot points for coordinates (frames, 13), and their derivatives (1) if `slopes` is True."""
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
        order = (5, 4, 3, *range(6, 13))  # index of each hinge among the coordinates
        for k, a, o in zip(order, axis, origin, strict=True):
            by[..., k] = np.cross(a[:, None], p - o[:, None])  # (1)
        by[:, ~ON_TOES, :, 12] = 0.0
        return FootPoints(p, by)


def leg_chain(figure: Figure) -> LegChain:
    """Return the dimensions of the left leg of a human figure with feet and toes."""
    if not has_feet(figure):
        raise InputError(
            f"A reference gait needs a figure with a pelvis as its free root, feet and toes. Figure '{figure.name}' "
            'does not have them. Use ap.human(detail="standard") or "full".'
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


ROLL_LENGTH = 0.0030  # [m], d of (4) for a body of 1.75 m
EDGE = 0.008  # [cycles], extension of stance before foot strike and after foot off, in which smooth curves come to rest
MAX_PITCH_SINE = 0.999  # largest sine of the foot's pitch
HEEL, BALL, TOES = slice(0, 2), slice(2, 4), slice(4, 6)


@dataclass(frozen=True)
class Footing:
    """Timing of the ground contact of a foot.

    flat, rise, off : phases of foot flat, heel rise and foot off [cycles]. clearance : height of the sole in mid-swing
    [m].
    """

    flat: float
    rise: float
    off: float
    clearance: float

    def standing(self, phase: Any) -> np.ndarray:
        """Return which coordinates of the six sole points are fixed by contact (2): (phases, 6, 3) of 0 and 1.

        While the foot rolls over its ball (5), only the height of the ball is fixed.
        """
        p = (np.asarray(phase)[:, None, None] + EDGE) % 1.0 - EDGE
        heel = np.broadcast_to(p < self.rise, (len(p), 2, 3))
        toes = np.broadcast_to((p >= self.flat) & (p <= self.off + EDGE), (len(p), 2, 3))
        ball = toes & ((p < self.rise) | (np.arange(3) == 2))
        return np.concatenate([heel, ball, toes], axis=1).astype(float)

    def lowest(self, phase: Any) -> np.ndarray:
        """Return the smallest allowed height of the sole (3) at phases (phases,) [m]."""
        s = (np.asarray(phase) % 1.0 - self.off) / (1.0 - self.off)
        return np.where(s > 0.0, self.clearance * np.clip(np.minimum(s, 1.0 - s) / 0.15, 0.0, 1.0), 0.0)

    def prints(
        self, chain: LegChain, place: np.ndarray, by_place: np.ndarray, phase: Any, half_width: float, yaw: float
    ) -> tuple[np.ndarray, np.ndarray]:
        """Compute the contact points of the sole on the ground (phases, 6, 3) and their derivatives (phases, 6, 3, 15).

        The derivatives are with respect to the 13 coordinates, half the step width [m] and the yaw of the footprints
        [rad]. place, by_place : the foot points and their derivatives from `LegChain.points_at`.
        phase : (phases,) [cycles].
        """
        c, s = np.cos(yaw), np.sin(yaw)
        x, y = chain.flat[:6].T
        forward = np.zeros((len(phase), 6))
        rolling = (np.asarray(phase) % 1.0 >= self.rise)[:, None]
        r, most = chain.height + chain.toe[2], ROLL_LENGTH * chain.leg / 0.917
        long = x[2] - x[0]
        pitch = (place[:, HEEL, 2].mean(1) - place[:, BALL, 2].mean(1)) / long
        sine = np.clip(pitch, 0.0, MAX_PITCH_SINE)[:, None]
        forward[:, TOES] = np.where(rolling, most * np.tanh(0.5 * r * sine / most), 0.0)  # (4)
        up, cosine = np.zeros((len(phase), 6)), np.sqrt(1.0 - sine * sine)
        up[:, BALL] = np.where(rolling, r * (1.0 - cosine), 0.0)  # (5)
        x = x + forward
        at = np.stack([x * c - y * s, half_width + x * s + y * c, up], axis=-1)
        turn = (by_place[:, HEEL, 2].mean(1) - by_place[:, BALL, 2].mean(1)) / long  # derivative of the sine
        turn = np.where(rolling & (sine > 0.0) & (sine < MAX_PITCH_SINE), turn, 0.0)
        ahead = 0.5 * r * (1.0 - np.tanh(0.5 * r * sine / most) ** 2) * turn
        by = np.zeros((*at.shape, 15))
        by[:, TOES, 0, :13], by[:, TOES, 1, :13] = (c * ahead)[:, None], (s * ahead)[:, None]
        by[:, BALL, 2, :13] = (r * sine / cosine * turn)[:, None]
        by[..., 1, 13] = 1.0
        by[..., 0, 14], by[..., 1, 14] = -(x * s + y * c), x * c - y * s
        return at, by
