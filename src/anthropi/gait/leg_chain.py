"""Where are the points of the left foot, for a pelvis and gait angles, and how do they move with each? Floats only.

Thirteen coordinates say where a pelvis and a left leg are (`COORDINATES`, signs as in `angles.py`): the pelvis' place,
its three turns, three of the hip, then knee, dorsiflexion, inversion, flexion of the toes. Each turns about an axis a
through a point o that the coordinates before it have moved, so that a point p beyond it has

    ∂p/∂θ = a × (p - o)                                                        (1)

A right leg is the left one in the mirror.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from anthropi.algebra import rotation as rot
from anthropi.algebra.linear import matvec
from anthropi.api import kinematics
from anthropi.errors import InputError
from anthropi.figure.parts import Marker
from anthropi.gait.angles import has_feet, pelvis_axes

__all__ = ["COORDINATES", "POINTS", "FootPoints", "LegChain", "leg_chain"]

COORDINATES = ("x", "y", "z", "pelvis_tilt", "pelvis_obliquity", "pelvis_rotation", "hip_flexion", "hip_adduction",
               "hip_rotation", "knee_flexion", "ankle_dorsiflexion", "ankle_inversion", "toe_flexion")  # fmt: skip
POINTS = ("sole_heel_in", "sole_heel_out", "sole_ball_in", "sole_ball_out", "sole_toe_in", "sole_toe_out", "heel",
          "toe_tip")  # fmt: skip
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
        raise InputError(f"The reference gait wants a figure with a pelvis as its free root, feet and toes; "
                         f"'{figure.name}' has not. Use ap.human(detail=\"standard\") or \"full\".")  # fmt: skip
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
