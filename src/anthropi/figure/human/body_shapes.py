"""Shapes of the human body for pictures and contact, in the standing frame: capsules, ellipsoids, boxes.

Lengths run from landmark to landmark. Thicknesses are fractions of stature times girth and were chosen by eye.
Works on plain floats only; cannot be recorded on a tape.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from anthropi.algebra.spatial import Transform
from anthropi.figure.human.anthropometry import FINGERS, LENGTHS
from anthropi.figure.human.segments import MIRROR, Body, finger_bones
from anthropi.figure.parts import Shape

__all__ = ["body_shapes", "mirrored_shape"]

TRUNK, LEFT, RIGHT, SKIN = (0.80, 0.83, 0.88), (0.36, 0.66, 0.71), (0.90, 0.57, 0.47), (0.94, 0.81, 0.71)


RODS: dict[str, tuple[Any, ...]] = {  # start, end, radius as a fraction of stature, colour
    "upper_trunk_less_bar": ("xiphion", "shoulders", 0.036, TRUNK),
    "middle_trunk": ("navel", "xiphion", 0.036, TRUNK),
    "lower_trunk_less_bar": ("hips", "navel", 0.036, TRUNK),
    "upper_arm": ("shoulder", "elbow", 0.0200, LEFT),
    "forearm": ("elbow", "wrist", 0.0165, LEFT),
    "thigh": ("hip", "knee", 0.0310, LEFT),
    "shank": ("knee", "ankle", 0.0230, LEFT),
}


def body_shapes(body: Body, part: str, rods: bool = False) -> tuple[Shape, ...]:
    """Return the shapes of a body part (the left part of a pair) in the standing frame.

    rods : whether limbs and trunk are drawn as plain rods.
    """
    if rods and part in RODS:
        start, end, radius, colour = RODS[part]
        return (
            (_limb(body.points[start], body.points[end], radius * body.height * body.girth, colour),) if start else ()
        )
    maker = _MAKERS.get(part) or _MAKERS.get(part.rpartition("_")[0])
    return tuple(maker(body, part)) if maker else ()


def mirrored_shape(shape: Shape) -> Shape:
    """Return a shape mirrored from the left to the right side, y → -y."""
    flip = MIRROR[:, None] * MIRROR
    place = Transform(shape.placement.rotation * flip + 0.0, shape.placement.origin * MIRROR + 0.0)
    colour = RIGHT if shape.colour == LEFT else shape.colour
    return Shape(shape.kind, shape.size, place, shape.name, shape.file, colour)


def _round(centre: Any, semi: Any, colour: Any) -> Shape:
    return Shape("ellipsoid", tuple(float(s) for s in semi), Transform(np.eye(3), np.asarray(centre)), colour=colour)


def _ball(centre: Any, radius: float, colour: Any) -> Shape:
    return Shape("sphere", (float(radius),), Transform(np.eye(3), np.asarray(centre)), colour=colour)


def _box(low: Any, high: Any, colour: Any) -> Shape:
    low, high = np.asarray(low), np.asarray(high)
    size = tuple(float(s) for s in high - low)
    return Shape("box", size, Transform(np.eye(3), 0.5 * (low + high)), colour=colour)


def _limb(a: Any, b: Any, radius: float, colour: Any) -> Shape:
    """Return a capsule whose axis runs from a to b."""
    along = np.asarray(b) - np.asarray(a)
    length = float(np.sqrt(along @ along))
    z = along / length
    x = np.array([1.0, 0.0, 0.0]) if abs(z[0]) < 0.9 else np.array([0.0, 0.0, 1.0])
    y = np.cross(z, x)
    y = y / np.sqrt(y @ y)
    turned = np.stack([np.cross(y, z), y, z], axis=1)
    return Shape("capsule", (float(radius), length), Transform(turned, 0.5 * (a + b)), colour=colour)


def _skull(b: Body, part: str) -> Any:
    h, top = b.height, b.points["vertex"]
    return [
        _round(top + h * np.array([0.004, 0.0, -0.056]), h * np.array([0.056, 0.0435, 0.056]), SKIN),
        _round(top + h * np.array([0.020, 0.0, -0.090]), h * np.array([0.035, 0.0315, 0.041]), SKIN),
    ]


def _neck(b: Body, part: str) -> Any:
    return [_limb(b.points["cervicale"], b.points["atlas"], 0.031 * b.height * b.girth**0.5, SKIN)]


def _thorax(b: Body, part: str) -> Any:
    h, g, p = b.height, b.girth, b.points
    chest = 0.55 * p["xiphion"] + 0.45 * p["cervicale"]
    return [
        _round(chest + h * np.array([0.004, 0.0, -0.016]), h * np.array([0.065 * g, 0.092 * g, 0.094]), TRUNK),
        _limb(p["shoulder"] * np.array([1.0, -0.8, 1.0]), p["shoulder"] * np.array([1.0, 0.8, 1.0]), 0.026 * h, TRUNK),
    ]


def _abdomen(b: Body, part: str) -> Any:
    h, g, p = b.height, b.girth, b.points
    middle = 0.45 * p["xiphion"] + 0.55 * p["navel"]
    return [_round(middle, h * np.array([0.055 * g, 0.079 * g, 0.100]), TRUNK)]


def _pelvis(b: Body, part: str) -> Any:
    h, g, p = b.height, b.girth, b.points
    return [_round(p["hips"] + np.array([0.0, 0.0, 0.026 * h]), h * np.array([0.060 * g, 0.091 * g, 0.064]), TRUNK)]


def _clavicle(b: Body, part: str) -> Any:
    """Return a capsule from the base of the neck to the shoulder, where the clavicle is visible."""
    h, p = b.height, b.points
    start = p["cervicale"] + h * np.array([0.0, 0.020, -0.020])
    return [_limb(start, p["shoulder"] + h * np.array([0.0, -0.022, 0.000]), 0.025 * h, TRUNK)]


def _bar(b: Body, part: str) -> Any:
    h, p = b.height, b.points
    left = p["shoulder" if "shoulder" in part else "hip"]
    radius = h * (0.022 if "shoulder" in part else 0.034)
    inner = left * (np.array([1.0, 0.0, 1.0]) if "half" in part else MIRROR)
    return [_limb(inner, left, radius, LEFT if "half" in part else TRUNK)]


def _upper_arm(b: Body, part: str) -> Any:
    r, p = b.height * b.girth, b.points
    a, c = p["shoulder"], p["elbow"]
    return [
        _round(a + np.array([0.0, 0.0, -0.012 * r]), [0.030 * r, 0.0275 * r, 0.040 * r], LEFT),
        _limb(a, c, 0.0190 * r, LEFT),
        _round(a + 0.44 * (c - a), [0.0275 * r, 0.0255 * r, 0.44 * (a - c)[2]], LEFT),
    ]


def _forearm(b: Body, part: str) -> Any:
    r, p = b.height * b.girth, b.points
    a, c = p["elbow"], p["wrist"]
    return [
        _limb(a, c, 0.0150 * r, LEFT),
        _round(a + 0.36 * (c - a), [0.0240 * r, 0.0225 * r, 0.38 * (a - c)[2]], LEFT),
    ]


def _palm(b: Body, part: str) -> Any:
    """Return an ellipsoid for the palm and a capsule along each bone between the wrist and a finger."""
    bones, wrist, knuckle = finger_bones(b), b.points["wrist"], b.points["knuckle"]
    length = (wrist - knuckle)[2]
    found = [_round(0.45 * wrist + 0.55 * knuckle, [0.40 * length, 0.16 * length, 0.52 * length], SKIN)]
    for name in ("index", "middle", "ring", "little"):
        knuckle, _, radius, _ = bones[f"{name}_1"]
        start = wrist + 0.48 * (knuckle - wrist) * np.array([1.0, 0.0, 0.0]) - np.array([0.0, 0.0, radius])
        found.append(_limb(start, knuckle, 1.25 * radius, SKIN))
    return found


def _hand(b: Body, part: str) -> Any:
    """Return the shapes of the palm, the thumb and straight fingers."""
    bones = finger_bones(b)
    fingers = [_limb(bones[f"{n}_1"][0], bones[f"{n}_3"][1], bones[f"{n}_2"][2], SKIN) for n in FINGERS if n != "thumb"]
    thumb = [shape for k in (1, 2, 3) for shape in _bone(b, f"thumb_{k}")]
    return [*_palm(b, part), *fingers, *thumb]


def _bone(b: Body, part: str) -> Any:
    start, end, radius, _ = finger_bones(b)[part]
    return [_limb(start, end, radius, SKIN)]


def _thigh(b: Body, part: str) -> Any:
    r, p = b.height * b.girth, b.points
    a, c = p["hip"], p["knee"]
    return [
        _limb(a, c, 0.0290 * r, LEFT),
        _round(a + 0.40 * (c - a), [0.0480 * r, 0.0445 * r, 0.55 * (a - c)[2]], LEFT),
    ]


def _shank(b: Body, part: str) -> Any:
    r, p = b.height * b.girth, b.points
    a, c = p["knee"], p["ankle"]
    calf = a + 0.31 * (c - a) - np.array([0.009 * r, 0.0, 0.0])
    return [
        _ball(a, 0.0270 * r, LEFT),
        _limb(a, c, 0.0180 * r, LEFT),
        _round(calf, [0.0300 * r, 0.0280 * r, 0.36 * (a - c)[2]], LEFT),
    ]


def _hindfoot(b: Body, part: str) -> Any:
    h, p = b.height, b.points
    half, sole = 0.5 * LENGTHS["foot_breadth"] * h, 0.011 * h
    heel, joint, ankle = p["heel"], p["toe_joint"], p["ankle"]
    y = ankle[1]
    back = np.array([heel[0] + 0.021 * h, y, 0.021 * h])
    ball = np.array([joint[0] - 0.006 * h, y, 0.012 * h])
    return [
        _round(back, [0.021 * h, 0.019 * h, 0.021 * h], LEFT),
        _round([0.5 * (heel[0] + joint[0]), y, sole], [0.5 * (joint[0] - heel[0]), 0.90 * half, sole], LEFT),
        _round(ball, [0.028 * h, half, 0.012 * h], LEFT),
        _limb(ankle - np.array([0.0, 0.0, 0.006 * h]), ball, 0.0125 * h, LEFT),
    ]


def _toes(b: Body, part: str) -> Any:
    h, p = b.height, b.points
    half, joint, tip = 0.5 * LENGTHS["foot_breadth"] * h, p["toe_joint"], p["toe_tip"]
    middle = [0.5 * (joint[0] + tip[0]) - 0.003 * h, p["ankle"][1], 0.0095 * h]
    return [_round(middle, [0.5 * (tip[0] - joint[0]) + 0.003 * h, 0.92 * half, 0.0095 * h], LEFT)]


_MAKERS: dict[str, Callable[..., Any]] = {
    "skull": _skull, "neck": _neck, "thorax": _thorax, "middle_trunk": _abdomen, "lower_trunk": _pelvis,
    "clavicle": _clavicle, "shoulder_bar": _bar, "hip_bar": _bar, "half_shoulder_bar": _bar, "half_hip_bar": _bar,
    "upper_arm": _upper_arm, "forearm": _forearm, "hand": _hand, "palm": _palm, "thigh": _thigh, "shank": _shank,
    "hindfoot": _hindfoot, "toes": _toes, "thumb": _bone, "index": _bone, "middle": _bone, "ring": _bone,
    "little": _bone, "upper_trunk_less_bar": _thorax, "lower_trunk_less_bar": _pelvis,
}  # fmt: skip
