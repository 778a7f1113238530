"""Joint limits of a human, with swing and twist of shoulders and hips from cited ranges (`figure/human/ranges.py`).

The range of a ball joint bounds its rotation vector about x, y and z. Each limit of x and y gives one direction, which
the limb reaches by that rotation alone (adduction and abduction, flexion and extension). The boundary of swing goes
through these four directions. The range of z is the range of twist while the limb hangs down.

A thigh that is raised forward by 90 degrees has a smaller range of twist: 81.7 degrees sitting, 94.8 degrees lying
prone ("Passive hip rotation range of motion: effects of testing position and age in runners and nonrunners", abstract;
Kouyoumdjian and others, Orthop. Traumatol. Surg. Res. 98 (2012) 17, find no significant difference). The range of twist
is reduced by that ratio. For the shoulder the same ratio is used, without a source.
"""

import math
from typing import Any

import numpy as np

from anthropi.algebra import rotation as rot
from anthropi.algebra.scalar import Array
from anthropi.contact.limits.ball_joints import SwingTwist
from anthropi.contact.limits.hard import HardLimits
from anthropi.contact.limits.soft import SoftLimits
from anthropi.errors import InputError, did_you_mean
from anthropi.figure.figure import Figure

__all__ = ["KINDS", "human_limits", "swing_twist_of"]

SWINGING = ("l_shoulder", "r_shoulder", "l_hip", "r_hip")
HANGING = (0.0, 0.0, -1.0)  # direction of arms and legs in the neutral pose, in the frame of the joint
MAX_SWING = math.radians(150.0)  # larger rotations about different axes give nearly the same direction
RAISED_TWIST_RATIO = 81.7 / 94.8  # range of twist of a limb raised forward by 90 degrees, relative to hanging
KINDS = ("soft", "stiff", "hard")


def human_limits(figure: Figure, kind: str = "soft", **options: Any) -> SoftLimits | HardLimits:
    """Make the joint limits of a human: scalar coordinates, and swing and twist of shoulders and hips.

    Parameters
    ----------
    kind : "soft" (springs as compliant as a human body), "stiff" (soft, with a stiff wall past the limit, for implicit
        steps) or "hard" (unilateral constraints).
    options : options of `SoftLimits` or `HardLimits`.

    Raises
    ------
    InputError : unknown kind.
    """
    if kind not in KINDS:
        raise InputError(f"No limits of kind {kind!r}.{did_you_mean(str(kind), KINDS)} Kinds: {', '.join(KINDS)}.")
    joints = dict(options.pop("joints", {}))
    for joint in figure.joints:
        if joint.name in SWINGING and joint.name not in joints and _fits(joint):
            joints[joint.name] = swing_twist_of(joint)
    if kind == "hard":
        return HardLimits(joints, **options)
    return SoftLimits(joints, **({"wall": 3e6} | options if kind == "stiff" else options))


def swing_twist_of(joint: Any, axis: Array = HANGING, twist_ratio: float = RAISED_TWIST_RATIO) -> SwingTwist:
    """Make swing and twist limits from the ranges of the rotation vector of a ball joint.

    axis : (3,) direction of the limb in the neutral pose, ± z. twist_ratio : range of twist of a limb raised forward by
    90 degrees, relative to the neutral pose.
    """
    a = np.asarray(axis, float)
    if not _fits(joint) or abs(a).tolist() != [0.0, 0.0, 1.0]:
        raise InputError(
            f"Joint '{joint.name}' ({joint.kind}) has limits {np.asarray(joint.lower).tolist()} to "
            f"{np.asarray(joint.upper).tolist()}, and its limb has the axis {a.tolist()}. Give a ball joint with "
            f"limits about x and y on both sides of 0, up to {math.degrees(MAX_SWING):.0f} degrees, and the "
            "axis z or -z."
        )
    turns = [end[k] * np.eye(3)[k] for k in (0, 1) for end in (joint.lower, joint.upper)]
    reached = [rot.matrix_from_rotation_vector(turn) @ a for turn in turns]
    low, high = sorted(a[2] * end[2] for end in (joint.lower, joint.upper))
    forward = rot.matrix_from_rotation_vector(np.array([0.0, -math.pi / 2, 0.0])) @ a
    return SwingTwist(a, reached, [(a, low, high), (forward, twist_ratio * low, twist_ratio * high)])


def _fits(joint) -> bool:
    """Whether a joint is a ball joint with limits on both sides of the neutral pose, for all three rotations."""
    if joint.kind not in ("ball", "exponential"):
        return False
    ends = [(float(a), float(b)) for a, b in zip(joint.lower, joint.upper, strict=True)]
    swings = all(-MAX_SWING <= a < -0.05 and 0.05 < b <= MAX_SWING for a, b in ends[:2])
    return swings and -math.pi < ends[2][0] < 0.0 < ends[2][1] < math.pi
