"""Landmarks and segment inertias of a standing body of given stature, mass and sex.

The standing frame has x forward, y left, z up and its origin on the floor below the middle of the hips. All joints from
the ankles upwards lie in one frontal plane. Only the left part of a pair is stored; the right part is its mirror image.

De Leva's lengths from vertex to ankle, plus the ankle height of Drillis and Contini, do not sum to the stature of
de Leva's subjects (men: 2 % too long). The lengths are multiplied by one factor for each sex so that they do; see
docs/human.md. Works on plain floats only; cannot be recorded on a tape.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from anthropi.algebra.spatial import RigidInertia, box, capsule, cylinder, rigid_sum
from anthropi.figure.human.anthropometry import DE_LEVA, FINGERS, FRACTIONS, LENGTHS, SHARES, SPANS, STATURE

__all__ = ["Body", "body", "mirrored", "remainder", "stretch"]

COLUMN = ("head", "upper_trunk", "middle_trunk", "lower_trunk", "thigh", "shank")  # from vertex to ankle
MIRROR = np.array([1.0, -1.0, 1.0])


@dataclass(frozen=True, eq=False)
class Body:
    """Landmarks [m] and parts of a body in the standing frame.

    points : landmarks by name. parts : `RigidInertia` by name, de Leva's segments and the parts they are divided into.
    height [m], mass [kg]. girth : relative width, 1 for 75 kg at 1.75 m; widths of shapes are proportional to it.
    """

    height: float
    mass: float
    sex: str
    girth: float
    points: dict[str, np.ndarray]
    parts: dict[str, RigidInertia]


def stretch(sex: str) -> float:
    """Return the factor for lengths from vertex to ankle that makes them and the ankle height sum to the stature."""
    column = sum(DE_LEVA[sex][name].length for name in COLUMN)
    return (1.0 - LENGTHS["ankle_height"]) * STATURE[sex] / column


def body(height: float, mass: float, sex: str) -> Body:
    """Return a body of given stature [m], mass [kg] and sex ("m" or "f")."""
    points = _points(height, sex)
    parts = _segments(points, mass, sex)
    girth = float(np.sqrt(mass / height / (75.0 / 1.75)))
    found = Body(height, mass, sex, girth, points, parts)
    _divide(found)
    return found


def _points(height: float, sex: str) -> dict[str, np.ndarray]:
    """Return the landmarks in the standing frame."""
    rows, spans, h = DE_LEVA[sex], SPANS[sex], height
    unit = height / STATURE[sex]  # metres per printed millimetre
    tall = unit * stretch(sex)
    ankle = LENGTHS["ankle_height"] * h
    knee = ankle + tall * rows["shank"].length
    hip = knee + tall * rows["thigh"].length
    navel = hip + tall * rows["lower_trunk"].length
    xiphion = navel + tall * rows["middle_trunk"].length
    shoulder = hip + tall * spans["shoulders"]
    elbow = shoulder - unit * rows["upper_arm"].length
    wrist = elbow - unit * rows["forearm"].length
    foot, aside = unit * rows["foot"].length, LENGTHS["hip_breadth"] * h / 4.0  # hip centres are half of it apart
    out = LENGTHS["shoulder_breadth"] * h / 2.0 - 0.026 * h  # one arm radius inside
    pelvis = aside / 0.36  # distance between the front iliac spines; hip centres are 36 % to each side (Bell 1989)
    at = {
        "hips": (0.0, 0.0, hip),
        "navel": (0.0, 0.0, navel),
        "xiphion": (0.0, 0.0, xiphion),
        "sternum": (0.0, 0.0, hip + tall * spans["sternum"]),
        "shoulders": (0.0, 0.0, shoulder),
        "cervicale": (0.0, 0.0, xiphion + tall * rows["upper_trunk"].length),
        "atlas": (0.0, 0.0, 0.5 * (LENGTHS["eye_height"] + LENGTHS["chin_height"]) * h),
        "vertex": (0.0, 0.0, h),
        "hip": (0.0, aside, hip),
        "knee": (0.0, aside, knee),
        "ankle": (0.0, aside, ankle),
        "heel": (-0.25 * foot, aside, 0.0),
        "toe_joint": (0.48 * foot, aside, 0.30 * ankle),
        "toe_tip": (0.75 * foot, aside, 0.0),
        "clavicle": (0.0, 0.012 * h, hip + tall * spans["sternum"]),
        "shoulder": (0.0, out, shoulder),
        "elbow": (0.0, out, elbow),
        "wrist": (0.0, out, wrist),
        "knuckle": (0.0, out, wrist - unit * spans["knuckle"]),
        "fingertip": (0.0, out, wrist - unit * rows["hand"].length),
        "asis": (0.22 * pelvis, 0.5 * pelvis, hip + 0.30 * pelvis),  # Bell 1989
        "psis": (-0.44 * pelvis, 0.2 * pelvis, hip + 0.36 * pelvis),
    }
    return {name: np.array(point) for name, point in at.items()}


ENDS = {  # the centre of a segment is measured from the first landmark towards the second
    "head": ("vertex", "cervicale"),
    "upper_trunk": ("cervicale", "xiphion"),
    "middle_trunk": ("xiphion", "navel"),
    "lower_trunk": ("navel", "hips"),
    "upper_arm": ("shoulder", "elbow"),
    "forearm": ("elbow", "wrist"),
    "hand": ("wrist", "fingertip"),
    "thigh": ("hip", "knee"),
    "shank": ("knee", "ankle"),
    "foot": ("heel", "toe_tip"),
}


def _segments(points: Any, mass: float, sex: str) -> dict[str, RigidInertia]:
    """Return the inertias of de Leva's segments in the standing frame, with thumbs forward."""
    found = {}
    for name, (a, b) in ENDS.items():
        row, m = DE_LEVA[sex][name], mass * FRACTIONS[sex][name]
        along = points[b] - points[a]
        length = float(np.sqrt(along @ along))
        centre = points[a] + along * (row.centre / 100.0)
        x, y, z = row.sagittal, row.transverse, row.longitudinal
        if name == "foot":  # the foot lies flat: longitudinal axis forward, sagittal axis up
            x, z = z, x
            centre = centre + np.array([0.0, 0.0, 0.5 * points["ankle"][2]])
        if name == "hand":  # thumb forward: the axis through the palm points sideways
            x, y = y, x
        moments = [m * (r / 100.0 * length) ** 2 for r in (x, y, z)]
        found[name] = RigidInertia(m, centre, np.diag(moments))
    return found


# parts without a row -------------------------------------------------------------------------------------------------


def remainder(whole: RigidInertia, taken: Any) -> RigidInertia:
    """Return the inertia of a body without some of its parts; remainder and parts sum to the whole."""
    return rigid_sum([whole, *(RigidInertia(-part.mass, part.centre, -part.tensor) for part in taken)])


def mirrored(part: RigidInertia) -> RigidInertia:
    """Return the inertia of a part mirrored by y → -y."""
    flip = MIRROR[:, None] * MIRROR
    return RigidInertia(part.mass, part.centre * MIRROR + 0.0, part.tensor * flip + 0.0)


def rod(a: Any, b: Any, radius: float, mass: float) -> RigidInertia:
    """Return the inertia of a capsule of uniform density from point a to point b."""
    along = np.asarray(b) - np.asarray(a)
    length = float(np.sqrt(along @ along))
    e = along / length
    straight = capsule(radius, length, mass=mass)
    side, lengthwise = straight.tensor[0, 0], straight.tensor[2, 2]
    tensor = side * np.eye(3) + (lengthwise - side) * np.outer(e, e)
    return RigidInertia(mass, 0.5 * (np.asarray(a) + np.asarray(b)), tensor)


def _divide(b: Body) -> None:
    """Add the parts of `SHARES` and the remainders of their segments to `b.parts`."""
    p, parts, h = b.points, b.parts, b.height

    def share(name: str) -> float:
        return parts[SHARES[name].of].mass * SHARES[name].share

    low, high = p["cervicale"], p["atlas"]
    parts["neck"] = cylinder(0.034 * h, high[2] - low[2], mass=share("neck"), centre=0.5 * (low + high))
    parts["skull"] = remainder(parts["head"], [parts["neck"]])

    parts["clavicle"] = rod(p["clavicle"], p["shoulder"], 0.024 * h, share("clavicle"))
    pair = [parts["clavicle"], mirrored(parts["clavicle"])]
    parts["thorax"] = remainder(parts["upper_trunk"], pair)

    for bar, end, radius in (("shoulder_bar", "shoulder", 0.024), ("hip_bar", "hip", 0.035)):
        left, middle = p[end], p[end] * np.array([1.0, 0.0, 1.0])
        half = rod(middle, left, radius * h, 0.5 * share(bar))
        parts[f"half_{bar}"] = half
        parts[bar] = rigid_sum([half, mirrored(half)])
        trunk = SHARES[bar].of
        parts[f"{trunk}_less_bar"] = remainder(parts[trunk], [half, mirrored(half)])

    size = p["toe_tip"][0] - p["toe_joint"][0], 0.85 * LENGTHS["foot_breadth"] * h, p["toe_joint"][2]
    middle = np.array([0.5 * (p["toe_tip"][0] + p["toe_joint"][0]), p["ankle"][1], 0.5 * size[2]])
    parts["toes"] = box(size, mass=share("toes"), centre=middle)
    parts["hindfoot"] = remainder(parts["foot"], [parts["toes"]])

    bones = finger_bones(b)
    volume = {name: r * r * (np.pi * d + 4.0 / 3.0 * np.pi * r) for name, (_, _, r, d) in bones.items()}
    total = sum(volume.values())
    for name, (start, end, radius, _) in bones.items():
        parts[name] = rod(start, end, radius, share("fingers") * volume[name] / total)
    parts["palm"] = remainder(parts["hand"], [parts[name] for name in bones])


def finger_bones(b: Body) -> dict[str, tuple[Any, ...]]:
    """Return start, end, radius and length of every finger bone of the left hand: "thumb_1" … "little_3"."""
    wrist, length = b.points["wrist"], b.points["wrist"][2] - b.points["fingertip"][2]
    found = {}
    for name, finger in FINGERS.items():
        tilt = np.deg2rad(finger.tilt)
        along = np.array([np.sin(tilt), 0.0, -np.cos(tilt)])
        start = wrist + length * np.array([finger.forward, 0.0, -finger.along])
        for k, bone in enumerate(finger.bones, 1):
            end = start + along * (length * bone)
            radius = length * finger.thickness * (1.0, 0.88, 0.76)[k - 1]
            found[f"{name}_{k}"] = (start, end, radius, length * bone)
            start = end
    return found
