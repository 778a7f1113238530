"""How far do the shoulders and hips of a human go, as swing and twist? From the cited ranges
(`figure/human/ranges.py`).

The range of a ball bounds its rotation vector about x, y and z. Here each end of x and y becomes a direction the limb
reaches by that turn alone (adduction and abduction, flexion and extension), and the boundary goes through the four;
the range of z is that of twist while the limb hangs. Lifted forward by 90 degrees a thigh turns less about itself:
81.7 degrees in all, sitting, where it is 94.8 lying prone ("Passive hip rotation range of motion: effects of testing
position and age in runners and nonrunners", abstract; Kouyoumdjian and others, Orthop. Traumatol. Surg. Res. 98 (2012)
17, find no significant difference). The range of twist narrows by that ratio; for the shoulder this is our choice.
"""

import math

import numpy as np

from anthropi.algebra import rotation as rot
from anthropi.contact.limits.ball_joints import SwingTwist
from anthropi.contact.limits.hard import HardLimits
from anthropi.contact.limits.soft import SoftLimits
from anthropi.errors import InputError, did_you_mean

__all__ = ["KINDS", "human_limits", "swing_twist_of"]

SWINGING = ("l_shoulder", "r_shoulder", "l_hip", "r_hip")
HANGING = (0.0, 0.0, -1.0)  # arms and legs in the neutral pose, in the joint's frame
FARTHEST = math.radians(150.0)  # beyond, directions of different turns come together
TAUT = 81.7 / 94.8  # of twist, where the limb is lifted forward by 90 degrees
KINDS = ("soft", "stiff", "hard")


def human_limits(figure, kind: str = "soft", **options):
    """The limits of a human: every scalar coordinate, and swing and twist of shoulders and hips.

    kind : "soft" (springs that yield as a body does), "stiff" (a wall past the limit besides, for implicit steps) or
        "hard" (unilateral rows). options : of `SoftLimits` or `HardLimits`.
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


def swing_twist_of(joint, axis=HANGING, taut: float = TAUT) -> SwingTwist:
    """Swing and twist from the ranges of a ball's rotation vector. axis : of the limb in the neutral pose, ± z."""
    a = np.asarray(axis, float)
    if not _fits(joint) or abs(a).tolist() != [0.0, 0.0, 1.0]:
        raise InputError(
            f"Joint '{joint.name}' ({joint.kind}) has limits {np.asarray(joint.lower).tolist()} to "
            f"{np.asarray(joint.upper).tolist()}, its limb the axis {a.tolist()}; wanted a ball with "
            f"limits about x and y on both sides of 0, up to {math.degrees(FARTHEST):.0f} degrees, and the "
            "axis z or -z."
        )
    turns = [end[k] * np.eye(3)[k] for k in (0, 1) for end in (joint.lower, joint.upper)]
    reached = [rot.matrix_from_rotation_vector(turn) @ a for turn in turns]
    low, high = sorted(a[2] * end[2] for end in (joint.lower, joint.upper))
    forward = rot.matrix_from_rotation_vector(np.array([0.0, -math.pi / 2, 0.0])) @ a
    return SwingTwist(a, reached, [(a, low, high), (forward, taut * low, taut * high)])


def _fits(joint) -> bool:
    """Whether it is a ball whose limits are all there, on both sides of the neutral pose."""
    if joint.kind not in ("ball", "exponential"):
        return False
    ends = [(float(a), float(b)) for a, b in zip(joint.lower, joint.upper, strict=True)]
    swings = all(-FARTHEST <= a < -0.05 and 0.05 < b <= FARTHEST for a, b in ends[:2])
    return swings and -math.pi < ends[2][0] < 0.0 < ends[2][1] < math.pi
