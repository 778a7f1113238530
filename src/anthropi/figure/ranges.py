"""How far the joints of a body go, with the source of every row. Floats only.

Rows are for the left side and the neutral pose: upright, arms hanging, thumbs forward. On the right side the axes x and
z of hinges turn their sign, so that the same number is the mirrored pose; balls keep their axes, their limits mirror.
Three rows are a ball, whose limits bound the components of the rotation vector from the neutral pose; two rows are two
turns, one after the other; one row is a hinge.
"""

import math
from typing import NamedTuple

from anthropi.figure.joints import Ball, Composite, Joint, Revolute

__all__ = ["RANGES", "SOURCES", "Range", "joint_of"]

SOURCES = {
    "AAOS": "American Academy of Orthopaedic Surgeons, Joint Motion: Method of Measuring and Recording, 1965; "
    "the values of Norkin & White, Measurement of Joint Motion, appendix",
    "Kapandji": "A. I. Kapandji, The Physiology of the Joints, vols. 1-3",
    "White": "A. A. White, M. M. Panjabi, Clinical Biomechanics of the Spine, 1990, table 2-5",
    "Inman": "V. T. Inman, J. B. Saunders, L. C. Abbott, Observations on the function of the shoulder joint, "
    "J. Bone Joint Surg. 26 (1944) 1",
    "Levangie": "P. K. Levangie, C. C. Norkin, Joint Structure and Function",
    "thesis": "S. M. Loizidou, Dynamic Analysis of Anthropomorphic Manipulators in Computer Animation, 1992, ch. 9: "
    "pelvic rotation and tilt in walking",
    "ours": "a choice of this package",
}


class Range(NamedTuple):
    """One degree of freedom: its name, axis on the left side, limits [deg], what moving to each of them is called."""

    name: str
    axis: str
    low: float
    high: float
    towards_low: str
    towards_high: str
    source: str


RANGES: dict[str, tuple[Range, ...]] = {
    "lumbar": (
        Range("x", "x", -20.0, 20.0, "bend left", "bend right", "Kapandji"),
        Range("y", "y", -35.0, 60.0, "extension", "flexion", "Kapandji"),
        Range("z", "z", -5.0, 5.0, "turn right", "turn left", "Kapandji"),
    ),
    "thoracic": (
        Range("x", "x", -20.0, 20.0, "bend left", "bend right", "Kapandji"),
        Range("y", "y", -25.0, 45.0, "extension", "flexion", "Kapandji"),
        Range("z", "z", -35.0, 35.0, "turn right", "turn left", "Kapandji"),
    ),
    "neck": (
        Range("x", "x", -35.0, 35.0, "bend left", "bend right", "Kapandji, less the head's"),
        Range("y", "y", -45.0, 25.0, "extension", "flexion", "Kapandji, less the head's"),
        Range("z", "z", -32.0, 32.0, "turn right", "turn left", "White, C2 to T1"),
    ),
    "head": (
        Range("x", "x", -10.0, 10.0, "bend left", "bend right", "White, C0 to C2"),
        Range("y", "y", -30.0, 15.0, "extension", "flexion", "White, C0 to C2: 45 in all"),
        Range("z", "z", -45.0, 45.0, "turn right", "turn left", "White, C0 to C2"),
    ),
    "clavicle": (
        Range("protraction", "-z", -25.0, 20.0, "retraction", "protraction", "Levangie"),
        Range("elevation", "x", -10.0, 45.0, "depression", "elevation", "Levangie"),
    ),
    "shoulder": (
        Range("x", "x", -30.0, 120.0, "adduction", "abduction", "Inman; adduction Kapandji"),
        Range("y", "y", -120.0, 60.0, "flexion", "extension", "Inman; extension AAOS"),
        Range("z", "z", -70.0, 90.0, "medial rotation", "lateral rotation", "AAOS"),
    ),
    "elbow": (
        Range("flexion", "-y", 0.0, 150.0, "extension", "flexion", "AAOS"),
        Range("pronation", "-z", -80.0, 80.0, "supination", "pronation", "AAOS"),
    ),
    "wrist": (
        Range("flexion", "-x", -70.0, 80.0, "extension", "flexion", "AAOS"),
        Range("deviation", "y", -20.0, 30.0, "radial deviation", "ulnar deviation", "AAOS"),
    ),
    "hip": (
        Range("x", "x", -30.0, 45.0, "adduction", "abduction", "AAOS"),
        Range("y", "y", -120.0, 30.0, "flexion", "extension", "AAOS"),
        Range("z", "z", -45.0, 45.0, "medial rotation", "lateral rotation", "AAOS"),
    ),
    "knee": (Range("", "y", -5.0, 135.0, "hyperextension", "flexion", "AAOS; hyperextension Kapandji"),),
    "ankle": (
        Range("dorsiflexion", "-y", -50.0, 20.0, "plantarflexion", "dorsiflexion", "AAOS"),
        Range("inversion", "-x", -15.0, 35.0, "eversion", "inversion", "AAOS"),
    ),
    "toe": (Range("", "y", -70.0, 45.0, "extension", "flexion", "AAOS, first toe"),),
    "mcp": (
        Range("flexion", "-x", -45.0, 90.0, "extension", "flexion", "AAOS"),
        Range("deviation", "y", -20.0, 20.0, "towards the thumb", "towards the little finger", "Kapandji"),
    ),
    "pip": (Range("", "-x", 0.0, 100.0, "extension", "flexion", "AAOS"),),
    "dip": (Range("", "-x", 0.0, 90.0, "extension", "flexion", "AAOS"),),
    "thumb_cmc": (
        Range("flexion", "y", -20.0, 15.0, "extension", "flexion", "AAOS"),
        Range("abduction", "-x", 0.0, 70.0, "against the palm", "away from the palm", "AAOS"),
    ),
    "thumb_mcp": (Range("", "y", 0.0, 50.0, "extension", "flexion", "AAOS"),),
    "thumb_ip": (Range("", "y", -20.0, 80.0, "extension", "flexion", "AAOS"),),
    # the thesis' joints, each a ball
    "waist": (
        Range("x", "x", -20.0, 20.0, "bend left", "bend right", "Kapandji, lumbar"),
        Range("y", "y", -60.0, 35.0, "flexion", "extension", "Kapandji, lumbar"),
        Range("z", "z", -5.0, 5.0, "turn right", "turn left", "Kapandji, lumbar"),
    ),
    "girdle": (
        Range("x", "x", -20.0, 20.0, "bend left", "bend right", "Kapandji, thoracic"),
        Range("y", "y", -25.0, 45.0, "extension", "flexion", "Kapandji, thoracic"),
        Range("z", "z", -35.0, 35.0, "turn right", "turn left", "Kapandji, thoracic"),
    ),
    "whole_neck": (
        Range("x", "x", -45.0, 45.0, "bend left", "bend right", "Kapandji"),
        Range("y", "y", -75.0, 40.0, "extension", "flexion", "Kapandji"),
        Range("z", "z", -50.0, 50.0, "turn right", "turn left", "Kapandji"),
    ),
    "whole_shoulder": (
        Range("x", "x", -30.0, 180.0, "adduction", "abduction", "AAOS; adduction Kapandji"),
        Range("y", "y", -180.0, 60.0, "flexion", "extension", "AAOS"),
        Range("z", "z", -70.0, 90.0, "medial rotation", "lateral rotation", "AAOS"),
    ),
    "ball_elbow": (
        Range("x", "x", -5.0, 5.0, "in", "out", "ours"),
        Range("y", "y", -150.0, 0.0, "flexion", "extension", "AAOS"),
        Range("z", "z", -80.0, 80.0, "pronation", "supination", "AAOS"),
    ),
    "ball_knee": (
        Range("x", "x", -5.0, 5.0, "in", "out", "ours"),
        Range("y", "y", -5.0, 135.0, "hyperextension", "flexion", "AAOS; hyperextension Kapandji"),
        Range("z", "z", -30.0, 40.0, "medial rotation", "lateral rotation", "Kapandji, bent knee"),
    ),
    "pelvic": (
        Range("x", "x", -5.0, 5.0, "left side down", "left side up", "thesis"),
        Range("y", "y", -5.0, 5.0, "tilt back", "tilt forward", "ours"),
        Range("z", "z", -4.0, 4.0, "turn right", "turn left", "thesis"),
    ),
}


def joint_of(kind: str, name: str) -> Joint:
    """The joint that a kind's rows describe, on the left side or in the middle; its place is still to be given."""
    rows = RANGES[kind]
    low, high = [math.radians(r.low) for r in rows], [math.radians(r.high) for r in rows]
    if len(rows) == 3:
        return Ball(name=name, lower=low, upper=high)
    if len(rows) == 1:
        return Revolute(name=name, axis=rows[0].axis, lower=low, upper=high)
    turns = zip(rows, low, high, strict=True)
    return Composite(name=name, parts=tuple(Revolute(name=r.name, axis=r.axis, lower=a, upper=b) for r, a, b in turns))
