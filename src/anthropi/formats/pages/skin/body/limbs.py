"""Shape arms, hands, legs and shoes of a person, as in the standing figure.

Girths are means of ANSUR II (see `trunk`), reduced to a girth of 1:

    thousandths of stature        men     women
    circumference of the thigh    356     378
    circumference of the calf     223     229
    circumference of the forearm  177     162
    circumference of the wrist    100      95
    breadth of the hand            50      48
    breadth of the foot            58      57
"""

from dataclasses import replace
from typing import Any

import numpy as np

from anthropi.figure.human.anthropometry import FINGERS
from anthropi.formats.pages.skin.body.person import Person
from anthropi.formats.pages.skin.body.solids import Blend, ball, cut, join, loft, rod, turn_x
from anthropi.formats.pages.skin.body.trunk import half_hip

__all__ = ["arm", "carried", "finger_chain", "leg", "sole"]

# Rows: s, centre front, centre to the midline, semi-axes front, back, to the midline, outward; the limb hangs down.
DELTOID = 0.20  # share of the upper arm below the shoulder where it is widest; above, it ends in half an ellipsoid
UPPER_ARM = {  # from there to the elbow
    "m": (
        (0.00, -1, 0, 32, 32, 27, 33),
        (0.12, 0, 0, 32, 32, 28, 33),
        (0.28, 1, 0, 31, 30, 28, 30.5),
        (0.45, 2, 0, 30, 28, 27, 27),
        (0.69, 2, 0, 27, 26, 25, 24),
        (0.88, 0, 0, 23, 24, 25, 24.5),
        (1.00, -1, 0, 22, 23, 24.5, 25),
    ),
    "f": (
        (0.00, -1, 0, 28.5, 29, 25, 31),
        (0.12, 0, 0, 28.5, 29, 26, 31),
        (0.28, 1, 0, 27.5, 28.5, 26, 28.5),
        (0.45, 1, 0, 26, 27, 26, 25.5),
        (0.69, 1, 0, 24, 25, 24, 23),
        (0.88, 0, 0, 21, 22.5, 23, 22.5),
        (1.00, -1, 0, 20, 21.5, 22.5, 22.5),
    ),
}
FOREARM = (
    (0.00, -1, 0, 22, 23, 24.5, 25),
    (0.10, 1, 0, 24.5, 23.5, 25.5, 27),
    (0.22, 3, 0, 26, 23.5, 25, 27),
    (0.40, 3, 0, 24.5, 21.5, 22.5, 23.5),
    (0.65, 2, 0, 20.5, 18, 17.5, 18),
    (0.88, 1, 0, 18.5, 16.5, 13.5, 13.5),
    (1.00, 0, 0, 18.5, 17, 12.5, 12.5),
)
BUTTOCK = 0.17  # the same for the thigh below the hip
THIGH = {
    "m": (
        (0.00, 0, -1, 55, 55, 46, 44.5),
        (0.10, 1, -1, 55, 53, 46, 44),
        (0.34, 3, 0, 53, 46, 43, 42),
        (0.58, 3, 0, 46, 39, 38, 38),
        (0.78, 2, 0, 37.5, 34.5, 34, 33.5),
        (0.92, 1, 0, 33.5, 31.5, 32.5, 32),
        (1.00, 1, 0, 32, 30, 31.5, 31.5),
    ),
    "f": (
        (0.00, 0, -2, 56, 60, 48, 53),
        (0.10, 1, -2, 56, 58, 48, 52.5),
        (0.34, 2, -1, 54, 50, 45.5, 47.5),
        (0.58, 2, 0, 46, 41.5, 40, 40.5),
        (0.78, 2, 0, 38, 35.5, 34.5, 34.5),
        (0.92, 1, 0, 33, 31.5, 32, 32),
        (1.00, 1, 0, 31, 30, 31, 31),
    ),
}
SHANK = (
    (0.00, 1, 0, 32, 30, 31.5, 31.5),
    (0.07, 0, 0, 30.5, 30.5, 31, 31),
    (0.16, -1, 0, 28.5, 35, 32.5, 32.5),
    (0.28, -1, 0, 27, 39.5, 34, 33),
    (0.42, -1, 0, 25.5, 37, 31, 30),
    (0.60, 0, 0, 22.5, 28, 25, 24),
    (0.80, 0, 0, 19.5, 21, 20, 19.5),
    (0.92, 0, 0, 19, 21, 20, 20),
    (1.00, 0, 0, 20, 23, 20, 20),
)
SHOE = (  # s from heel to toe, centre up, centre to the midline, semi-axes up, down, to the midline, outward
    (0.00, 14, 0, 30, 16, 18, 18),
    (0.12, 14, 0, 36, 16, 21, 21),
    (0.30, 14, 0, 40, 16, 22, 22.5),
    (0.47, 13, 1, 33, 15, 25, 25.5),
    (0.64, 12, 2, 24, 14, 29, 28),
    (0.78, 11, 2, 19, 13, 30, 28.5),
    (0.90, 11, 3, 16, 13, 27, 26),
    (1.00, 11, 4, 13.5, 13, 20, 20),
)
CURL = {"index": (5, 12, 7), "middle": (7, 15, 9), "ring": (8, 17, 10), "little": (9, 19, 11)}  # [deg] relaxed
CLEARANCE = 21.0  # from the side of the hip to the middle of the wrist: clothes and half a hand
CARRY = (6.0, 24.0)  # least and greatest distance of the wrist's middle from the wrist joint of the figure
JOINTED_CURL = 0.6  # share of it for fingers with joints, whose bones are straight in the neutral pose


def carried(p: Person) -> Person:
    """Return a person whose left arm hangs a little outward from the shoulder, so that forearm and hand clear the hip.

    The bones of the figure hang straight down, and the hips are wider than the shoulder joints are apart. The skin of
    the arm is moved along the axis of the elbow, so that bending the elbow is not affected.
    """
    shoulder, wrist = p.points["l_shoulder"], p.points["l_wrist"]
    hip = p.points["l_hip"][1] + max(row[6] for row in THIGH[p.sex]) * p.wide(1.0)
    out = max(hip, half_hip(p)) + CLEARANCE - wrist[1]
    out = float(np.clip(out, *CARRY)) * (0.5 if p.jointed else 1.0)
    turn = turn_x(np.arctan2(out, shoulder[2] - wrist[2]))
    arms = ("elbow", "wrist", "fingertip", "knuckle", *FINGERS)
    moved = {
        name: shoulder + turn @ (at - shoulder)
        for name, at in p.points.items()
        if name.startswith(tuple(f"l_{part}" for part in arms)) and at.shape
    }
    return replace(p, points=p.points | moved)


def _scaled(rows, w: float):
    table = np.array(rows, float)
    table[:, 3:] *= w
    return table


def arm(p: Person) -> tuple[Blend, Blend]:
    """Return the solids of a left arm to the wrist, and of its hand, in the standing frame."""
    shoulder, elbow, wrist = (p.points[f"l_{name}"] for name in ("shoulder", "elbow", "wrist"))
    fore = p.wide(0.8) * (1.0 if p.sex == "m" else 0.95)
    top = shoulder + DELTOID * (elbow - shoulder)
    cap = float(np.linalg.norm(top - shoulder)) + (9.0 if p.sex == "m" else 11.0) * p.wide(0.4)
    upper = loft(top, elbow, _scaled(UPPER_ARM[p.sex], p.wide(0.9)), (cap, 22.0))
    lower = loft(elbow, wrist, _scaled(FOREARM, fore), (22.0, 10.0))
    return join(3.0, upper, lower), _hand(p)


def finger_chain(p: Person, finger: str) -> np.ndarray:
    """Return the joints and the tip (4, 3) of a finger of the left hand, relaxed."""
    at = np.array([p.points[f"l_{finger}_{k}"] for k in (1, 2, 3, "tip")])
    bones = np.linalg.norm(np.diff(at, axis=0), axis=1)
    if finger == "thumb":
        if p.jointed:
            return at
        away = np.array([(0.60, -0.34, -0.72), (0.44, -0.30, -0.84), (0.34, -0.22, -0.91)])
        away /= np.linalg.norm(away, axis=1, keepdims=True)
    else:
        forearm = p.points["l_wrist"] - p.points["l_elbow"]
        angles = np.deg2rad(np.cumsum(CURL[finger])) * (JOINTED_CURL if p.jointed else 1.0)
        angles = angles - np.arctan2(forearm[1], -forearm[2])
        side = 0.5 * (at[1] - at[0])[0] / bones[0] if not p.jointed else (at[1] - at[0])[0] / bones[0]
        away = np.stack([np.full(3, side), -np.sin(angles), -np.cos(angles)], 1)
        away /= np.linalg.norm(away, axis=1, keepdims=True)
    return at[0] + np.concatenate([np.zeros((1, 3)), np.cumsum(away * bones[:, None], 0)])


def _hand(p: Person) -> Blend:
    wrist, tip = p.points["l_wrist"], p.points["l_fingertip"]
    size = float(np.linalg.norm(tip - wrist)) / 108.0 * (1.0 if p.sex == "m" else 0.97)
    knuckle = p.points["l_middle_1"] * np.array([0.0, 1.0, 1.0])
    w = p.wide(0.3) * size
    rows = (
        (0.00, 0, 0, 17, 16, 11.5, 11.5),
        (0.30, 1, 1, 21, 20.5, 12.5, 10),
        (0.65, -1, 1, 22.5, 23.5, 12, 9.5),
        (1.00, -3, 0, 22.5, 22, 9.5, 8.5),
    )
    palm = loft(wrist * np.array([0.0, 1.0, 1.0]), knuckle, _scaled(rows, w), (14.0, 7.0))
    parts: list[Any] = [palm]
    for finger in FINGERS:
        chain = finger_chain(p, finger)
        r = float(p.points["l_index_1_radius"]) * p.wide(0.3) * {"thumb": 1.12, "little": 0.90}.get(finger, 1.04)
        bones = [
            rod(a, b, r * first, r * last)
            for a, b, first, last in zip(chain, chain[1:], (1.06, 0.98, 0.90), (0.98, 0.90, 0.72), strict=False)
        ]
        parts.append((join(1.5, *bones), 3.0))
    thenar = ball(wrist + size * np.array([13.0, -6.0, -22.0]), w * np.array([11.0, 9.5, 19.0]))
    heel = ball(wrist + size * np.array([-11.0, -5.0, -24.0]), w * np.array([10.0, 8.0, 20.0]))
    return join(4.0, *parts, (thenar, 8.0), (heel, 8.0))


def leg(p: Person) -> tuple[Blend, Blend]:
    """Return the solids of a left leg to the ankle, and of its shoe, in the standing frame."""
    hip, knee, ankle = (p.points[f"l_{name}"] for name in ("hip", "knee", "ankle"))
    top = hip + BUTTOCK * (knee - hip)
    above = float(np.linalg.norm(top - hip)) + 26.0
    thigh = loft(top, knee, _scaled(THIGH[p.sex], p.wide(1.0)), (above, 26.0))
    calf = p.wide(0.8) * (1.0 if p.sex == "m" else 0.985)
    shank = loft(knee, ankle, _scaled(SHANK, calf), (26.0, 18.0))
    cap = ball(knee + np.array([18.0 * p.wide(0.6), 0.0, 3.0]), np.array([12.0, 15.0, 18.0]) * p.wide(0.6))
    return join(3.0, thigh, shank, (cap, 8.0)), _shoe(p)


def _shoe(p: Person) -> Blend:
    heel, tip, ankle = (p.points[f"l_{name}"] for name in ("heel", "toe_tip", "ankle"))
    size = float(tip[0] - heel[0]) / 148.0
    w = p.wide(0.25) * size
    low = np.array([1.0, 1.0, 0.0])
    table = np.array(SHOE, float)
    table[:, 1:] *= size
    table[:, 4:] *= 0.5 + 0.5 * p.wide(0.5)
    upper = loft(
        heel * low + [15.0 * size, 0, 0], tip * low - [12.0 * size, 0, 0], table, (17 * size, 15 * size), (0, 0, 1)
    )
    collar = rod(ankle - (2.0, 0.0, -12.0), ankle - (1.0, 0.0, 16.0), 22.0 * w, 25.0 * w)
    below = ball((tip + heel) * 0.5 * low - [0, 0, 200.0], (4000.0, 4000.0, 200.0))
    return cut(join(14.0, upper, collar, sole(p)), (below, 3.0))


def sole(p: Person):
    """Return the sole of the left shoe."""
    heel, tip = p.points["l_heel"], p.points["l_toe_tip"]
    size = float(tip[0] - heel[0]) / 148.0
    low, thick = np.array([1.0, 1.0, 0.0]), 11.0 * size
    rows = np.array(SHOE, float)
    rows = np.stack([rows[:, 0], 0 * rows[:, 0], rows[:, 2] * size, thick + 0 * rows[:, 0], thick + 0 * rows[:, 0],
                     (rows[:, 5] + 2.0) * size, (rows[:, 6] + 2.0) * size], 1)  # fmt: skip
    return loft(
        heel * low + [15.0 * size, 0, 0], tip * low - [12.0 * size, 0, 0], rows, (19 * size, 17 * size), (0, 0, 1)
    )
