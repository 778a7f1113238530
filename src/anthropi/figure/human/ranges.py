"""Ranges of motion of human joints, with the source of every row and where it was confirmed.

Rows are for the left side, measured from the neutral pose: upright, arms hanging, thumbs forward. On the right side the
axes x and z of hinges change sign, so that the same angle gives the mirrored pose. Ball joints keep their axes, and
their limits are mirrored. Three rows describe a ball joint; they bound the components of the rotation vector from the
neutral pose. Two rows describe two rotations in sequence, and one row describes a hinge.

A row is "confirmed" if its source was read and gives these numbers. It is "confirmed in" a page of `QUOTES` if only
that page, which quotes the source, was read. Otherwise it is "not checked against the source". The second source of a
row was read itself, unless the row says otherwise.
"""

import math
from typing import NamedTuple

from anthropi.figure.joints import Ball, Composite, Joint, Revolute

__all__ = ["QUOTES", "RANGES", "SOURCES", "Range", "joint_of"]

SOURCES = {
    "AAOS": "American Academy of Orthopaedic Surgeons, Joint Motion: Method of Measuring and Recording, 1965",
    "Baumbach": "S. F. Baumbach and others, The influence of knee position on ankle dorsiflexion, BMC Musculoskelet. "
    "Disord. 15 (2014) 246, doi 10.1186/1471-2474-15-246, abstract: weightbearing, knee bent by 75 degrees",
    "Inman": "V. T. Inman, J. B. Saunders, L. C. Abbott, Observations on the function of the shoulder joint, "
    "J. Bone Joint Surg. 26 (1944) 1",
    "Kapandji": "A. I. Kapandji, The Physiology of the Joints, vol. 3, 6th ed., 2008",
    "McGraw": "Range of motion for diarthrodial joints of the body, appendix 1 of a book of McGraw Hill's "
    "AccessPhysiotherapy: accessphysiotherapy.mhmedical.com/content.aspx?bookid=3363&sectionid=279000501",
    "Merck": "Merck Manual, Normal values for range of motion of joints, 2013: the copy at "
    "pdfcoffee.com/download/nilai-normal-untuk-jarak-dari-gerakan-sendi-pdf-free.html",
    "Muscolino": "J. Muscolino, Cervical spine ranges of motion: learnmuscles.com/glossary/"
    "cervical-spine-ranges-of-motion-rom, 80 degrees of turn a side",
    "Panjabi": "M. M. Panjabi and others, Three dimensional movements of the upper cervical spine, Proc. SPIE 1030 "
    "(1989), doi 10.1117/12.950491, abstract: occiput to C1 and C1 to C2, added",
    "ROMetrics": "ROM reference, clinical norms: github.com/Kingto89/ROMetrics.com, lab-motion/ROM_reference.md",
    "Zarins": "B. Zarins and others, Rotational motion of the knee, Am. J. Sports Med. 11 (1983) 152, PubMed 6869656, "
    "abstract: knee bent by 30 to 90 degrees",
    "exedulab": "Shoulder joint anatomy: exedulab.com.au/shoulder-joint-anatomy, 10 to 15 degrees of depression",
    "thesis": "S. M. Loizidou, Dynamic Analysis of Anthropomorphic Manipulators in Computer Animation, 1992, ch. 9: "
    "pelvic rotation and tilt in walking",
    "ours": "a choice of this package",
}
QUOTES = {
    "Brainscape": "flash cards that name AAOS: brainscape.com/flashcards/rom-10504732 (hand), ankle-13004565 (foot)",
    "Kaminoff": "L. Kaminoff, A. Matthews, Yoga Anatomy, 2nd ed., figures 2.23 (after Kapandji, p. 39) and 2.34: "
    "issuhub.com/view/index/3908, pages 45 and 53",
    "Norkin": "C. C. Norkin, D. J. White, Measurement of Joint Motion, appendix A, table A.1, column AAOS: "
    "fadavispt.mhmedical.com, sectionid=158980269",
    "PTTM": "pttm1.passetra.com, AAOS normative range for knee flexion (0 to 135) and extension (up to 10 beyond 0)",
    "Quizgecko": "quizgecko.com/learn/otxv9urxse: Inman's ratio, 120 of the arm's 180 degrees",
    "Takai": "s2takai.sakura.ne.jp/EMO/column/answer/A-10.html: Kapandji's table without his name",
    "WJO": "World J. Orthop. 8 (2017) 21, table 5",
    "notes": "this project's notes of the thesis",
}
NOT_CHECKED = "not checked against the source"


class Range(NamedTuple):
    """Range of one degree of freedom: name, axis on the left side, limits [deg], name of the movement to each limit.

    source : source of the limits (`SOURCES`). checked : whether they were confirmed there, or in a page of `QUOTES`.
    """

    name: str
    axis: str
    low: float
    high: float
    towards_low: str
    towards_high: str
    source: str
    checked: str


RANGES: dict[str, tuple[Range, ...]] = {
    "lumbar": (
        Range("x", "x", -20.0, 20.0, "bend left", "bend right", "Kapandji", "confirmed in Takai"),
        Range("y", "y", -35.0, 60.0, "extension", "flexion", "Kapandji", "confirmed in Kaminoff"),
        Range("z", "z", -5.0, 5.0, "turn right", "turn left", "Kapandji", "confirmed in Kaminoff, Takai"),
    ),
    "thoracic": (
        Range("x", "x", -20.0, 20.0, "bend left", "bend right", "Kapandji", "confirmed in Takai"),
        Range("y", "y", -25.0, 45.0, "extension", "flexion", "Kapandji", "confirmed in Kaminoff"),
        Range("z", "z", -35.0, 35.0, "turn right", "turn left", "Kapandji", "confirmed in Takai"),
    ),
    "neck": (
        Range("x", "x", -32.8, 32.8, "bend left", "bend right", "Kapandji, less the head's", "confirmed in Takai"),
        Range("y", "y", -43.1, 25.0, "extension", "flexion", "Kapandji, less the head's", "confirmed in Kaminoff"),
        Range("z", "z", -33.9, 33.9, "turn right", "turn left", "Muscolino, less the head's", "confirmed"),
    ),
    "head": (
        Range("x", "x", -12.2, 12.2, "bend left", "bend right", "Panjabi", "confirmed"),
        Range("y", "y", -31.9, 15.0, "extension", "flexion", "Panjabi", "confirmed"),
        Range("z", "z", -46.1, 46.1, "turn right", "turn left", "Panjabi", "confirmed"),
    ),
    "clavicle": (
        Range("protraction", "-z", -15.0, 15.0, "retraction", "protraction", "McGraw", "confirmed"),
        Range("elevation", "x", -10.0, 45.0, "depression", "elevation", "McGraw; depression exedulab", "confirmed"),
    ),
    "shoulder": (
        Range("x", "x", -30.0, 120.0, "adduction", "abduction", "Inman; adduction ROMetrics", "confirmed in Quizgecko"),
        Range(
            "y",
            "y",
            -120.0,
            60.0,
            "flexion",
            "extension",
            "Inman; extension AAOS",
            f"flexion {NOT_CHECKED}; extension confirmed in Norkin",
        ),
        Range("z", "z", -70.0, 90.0, "medial rotation", "lateral rotation", "AAOS", "confirmed in Norkin"),
    ),
    "elbow": (
        Range("flexion", "-y", 0.0, 150.0, "extension", "flexion", "AAOS", "confirmed in Norkin"),
        Range("pronation", "-z", -80.0, 80.0, "supination", "pronation", "AAOS", "confirmed in Norkin"),
    ),
    "wrist": (
        Range("flexion", "-x", -70.0, 80.0, "extension", "flexion", "AAOS", "confirmed in Norkin"),
        Range("deviation", "y", -20.0, 30.0, "radial deviation", "ulnar deviation", "AAOS", "confirmed in Norkin"),
    ),
    "hip": (
        Range("x", "x", -30.0, 45.0, "adduction", "abduction", "Merck; adduction ROMetrics", "confirmed"),
        Range("y", "y", -120.0, 30.0, "flexion", "extension", "ROMetrics", "confirmed"),
        Range("z", "z", -45.0, 45.0, "medial rotation", "lateral rotation", "Merck", "confirmed"),
    ),
    "knee": (
        Range("", "y", -5.0, 135.0, "hyperextension", "flexion", "AAOS; hyperextension ROMetrics", "confirmed in PTTM"),
    ),
    "ankle": (
        Range(
            "dorsiflexion",
            "-y",
            -50.0,
            39.0,
            "plantarflexion",
            "dorsiflexion",
            "AAOS; dorsiflexion Baumbach",
            "confirmed in Brainscape, WJO",
        ),
        Range("inversion", "-x", -15.0, 35.0, "eversion", "inversion", "AAOS", "confirmed in Brainscape, WJO"),
    ),
    "toe": (Range("", "y", -70.0, 45.0, "extension", "flexion", "AAOS, first toe", "confirmed in Brainscape"),),
    "mcp": (
        Range("flexion", "-x", -45.0, 90.0, "extension", "flexion", "AAOS", "confirmed in Brainscape"),
        Range(
            "deviation", "y", -20.0, 20.0, "towards the thumb", "towards the little finger", "ROMetrics", "confirmed"
        ),
    ),
    "pip": (Range("", "-x", 0.0, 100.0, "extension", "flexion", "AAOS", "confirmed in Brainscape"),),
    "dip": (Range("", "-x", 0.0, 90.0, "extension", "flexion", "AAOS", "confirmed in Brainscape"),),
    "thumb_cmc": (
        Range("flexion", "y", -20.0, 15.0, "extension", "flexion", "AAOS", "confirmed in Brainscape"),
        Range(
            "abduction", "-x", 0.0, 70.0, "against the palm", "away from the palm", "AAOS", "confirmed in Brainscape"
        ),
    ),
    "thumb_mcp": (Range("", "y", 0.0, 50.0, "extension", "flexion", "AAOS", "confirmed in Brainscape"),),
    "thumb_ip": (Range("", "y", -20.0, 80.0, "extension", "flexion", "AAOS", "confirmed in Brainscape"),),
    # joints of the thesis, all of them ball joints
    "waist": (
        Range("x", "x", -20.0, 20.0, "bend left", "bend right", "Kapandji, lumbar", "confirmed in Takai"),
        Range("y", "y", -60.0, 35.0, "flexion", "extension", "Kapandji, lumbar", "confirmed in Kaminoff"),
        Range("z", "z", -5.0, 5.0, "turn right", "turn left", "Kapandji, lumbar", "confirmed in Kaminoff, Takai"),
    ),
    "girdle": (
        Range("x", "x", -20.0, 20.0, "bend left", "bend right", "Kapandji, thoracic", "confirmed in Takai"),
        Range("y", "y", -25.0, 45.0, "extension", "flexion", "Kapandji, thoracic", "confirmed in Kaminoff"),
        Range("z", "z", -35.0, 35.0, "turn right", "turn left", "Kapandji, thoracic", "confirmed in Takai"),
    ),
    "whole_neck": (
        Range("x", "x", -45.0, 45.0, "bend left", "bend right", "Kapandji", "confirmed in Takai"),
        Range("y", "y", -75.0, 40.0, "extension", "flexion", "Kapandji", "confirmed in Kaminoff"),
        Range("z", "z", -50.0, 50.0, "turn right", "turn left", "Kapandji", "confirmed in Takai"),
    ),
    "whole_shoulder": (
        Range("x", "x", -30.0, 180.0, "adduction", "abduction", "AAOS; adduction ROMetrics", "confirmed in Norkin"),
        Range("y", "y", -180.0, 60.0, "flexion", "extension", "AAOS", "confirmed in Norkin"),
        Range("z", "z", -70.0, 90.0, "medial rotation", "lateral rotation", "AAOS", "confirmed in Norkin"),
    ),
    "ball_elbow": (
        Range("x", "x", -5.0, 5.0, "in", "out", "ours", "a choice: nothing to check"),
        Range("y", "y", -150.0, 0.0, "flexion", "extension", "AAOS", "confirmed in Norkin"),
        Range("z", "z", -80.0, 80.0, "pronation", "supination", "AAOS", "confirmed in Norkin"),
    ),
    "ball_knee": (
        Range("x", "x", -5.0, 5.0, "in", "out", "ours", "a choice: nothing to check"),
        Range(
            "y", "y", -5.0, 135.0, "hyperextension", "flexion", "AAOS; hyperextension ROMetrics", "confirmed in PTTM"
        ),
        Range("z", "z", -25.0, 45.0, "medial rotation", "lateral rotation", "Zarins", "confirmed"),
    ),
    "pelvic": (
        Range("x", "x", -5.0, 5.0, "left side down", "left side up", "thesis", "confirmed in notes"),
        Range("y", "y", -5.0, 5.0, "tilt back", "tilt forward", "ours", "a choice: nothing to check"),
        Range("z", "z", -4.0, 4.0, "turn right", "turn left", "thesis", "confirmed in notes"),
    ),
}


def joint_of(kind: str, name: str) -> Joint:
    """Return a joint of the given kind with its limits, for the left side or the middle, without placement."""
    rows = RANGES[kind]
    low, high = [math.radians(r.low) for r in rows], [math.radians(r.high) for r in rows]
    if len(rows) == 3:
        return Ball(name=name, lower=low, upper=high)
    if len(rows) == 1:
        return Revolute(name=name, axis=rows[0].axis, lower=low, upper=high)
    turns = zip(rows, low, high, strict=True)
    return Composite(name=name, parts=tuple(Revolute(name=r.name, axis=r.axis, lower=a, upper=b) for r, a, b in turns))
