"""Dress a person: shirt, shorts, shoes and hair are layers of the skin's mesh with their own colours.

Each layer covers the points where a function on the surface is positive. The mesh is cut where it is zero. The left
shoe has the colour of left links in the other views, and the right shoe that of right links.
"""

from typing import Any

import numpy as np

from anthropi.formats.pages.skin.body.head import CHIN
from anthropi.formats.pages.skin.body.person import Person

__all__ = ["COLOURS", "EDGES", "LAYERS", "covers", "rises"]

LAYERS = ("skin", "shirt", "shorts", "l_shoe", "r_shoe", "sole", "hair")
EDGES = ("leg", "sleeve", "hem")  # hems of the shorts, the sleeves and the shirt
COLOURS = {  # sRGB
    "m": {
        "skin": (0.93, 0.76, 0.66),
        "shirt": (0.80, 0.82, 0.85),
        "shorts": (0.45, 0.46, 0.49),
        "hair": (0.34, 0.29, 0.26),
    },
    "f": {
        "skin": (0.95, 0.79, 0.70),
        "shirt": (0.66, 0.55, 0.68),
        "shorts": (0.43, 0.43, 0.47),
        "hair": (0.46, 0.36, 0.30),
    },
}
SHOES = {"l_shoe": (0.36, 0.66, 0.71), "r_shoe": (0.90, 0.57, 0.47), "sole": (0.90, 0.91, 0.92)}
for _colours in COLOURS.values():
    _colours.update(SHOES)

HAIRLINE = (  # front coordinate, height above the chin
    (-70, 30), (-30, 31), (-17, 40), (-12, 56), (-7, 80), (5, 80), (11, 65), (15, 60), (18, 72), (24, 89), (33, 99),
    (46, 105), (60, 108),
)  # fmt: skip
OUTSIDE = -60.0


def covers(p: Person, made: Any, points: np.ndarray, shares: dict[str, np.ndarray]) -> np.ndarray:
    """Return for each vertex and layer a value (n, layers) that is positive where the layer covers the skin."""
    male = p.sex == "m"
    x, y, z = points.T
    arms = sum(w for part, w in shares.items() if part[2:] in ("upper_arm", "forearm", "hand") or part[-1].isdigit())
    legs = sum(shares[f"{s}_{part}"] for s in "lr" for part in ("thigh", "shank", "foot", "toes"))
    on_head = (shares["head"] + shares["neck"] > 0.5) & (z > p.points["cervicale"][2] + 6.0)
    left = y > 0.0
    hip, navel = p.points["l_hip"][2], p.points["navel"][2]
    hem = hip + (0.26 if male else 0.42) * (navel - hip) + 0.04 * x + 9.0 * np.minimum((y / 85.0) ** 2, 1.5)
    found = {name: np.full(len(points), OUTSIDE) for name in LAYERS[1:]}

    below = np.full(len(points), 100.0)  # height above the hem of the shorts
    above = np.full(len(points), 100.0)  # height above the hem of the sleeves
    foot = np.full(len(points), 100.0)
    for name, pose in made.poses.items():
        mine, here = made.sides[name[0]], left if pose.side > 0 else ~left
        q = pose.standing(points)
        if name.endswith("leg"):
            hip, knee = mine.points["l_hip"][2], mine.points["l_knee"][2]
            below = np.where(here, q[:, 2] - (knee + (0.40 if male else 0.58) * (hip - knee)), below)
            top = mine.points["l_ankle"][2] + 17.0 + 0.16 * (q[:, 0] - mine.points["l_ankle"][0])
            shoe = np.where(here & (legs > 0.5), top - q[:, 2], OUTSIDE)
            found[f"{name[0]}_shoe"] = shoe
            foot = np.where(here & (legs > 0.5), q[:, 2], foot)
        else:
            shoulder, elbow = mine.points["l_shoulder"][2], mine.points["l_elbow"][2]
            above = np.where(here & (arms > 0.5), q[:, 2] - (elbow + 0.42 * (shoulder - elbow)), above)
    found["sole"] = 9.0 - foot
    body = (arms < 0.5) & ~on_head
    found["shorts"] = np.where(body, np.minimum(hem - z, below), OUTSIDE)
    side = np.maximum(np.abs(y) - 20.0, 0.0)
    collar = p.points["cervicale"][2]
    if male:
        neckline = collar - 19.0 - 0.36 * x + 0.55 * side - z
        found["shirt"] = np.where(on_head, OUTSIDE, np.minimum(np.minimum(z - hem, neckline), above))
    else:
        neckline = collar - 34.0 - 0.78 * np.maximum(x, -20.0) + 0.95 * side - z
        hole = p.points["l_shoulder"][1] - 13.0 + 0.10 * (collar - 68.0 - z) - np.abs(y)
        hole = np.maximum(hole, 34.0 * (0.12 - arms))
        found["shirt"] = np.where(on_head, OUTSIDE, np.minimum(np.minimum(z - hem, neckline), hole))
    front, high = np.array(HAIRLINE, float).T
    line = CHIN + np.interp(x, front, high) - 0.10 * np.maximum(np.abs(y) - 30.0, 0.0)
    line = line + np.where(
        x > 20.0, (5.0 if male else 2.0) * np.exp(-(((np.abs(y) - 25.0) / 9.0) ** 2)), 0.0
    )  # temples
    line = line + np.where(male, 0.0, 9.0 * np.clip((-20.0 - x) / 20.0, 0.0, 1.0))  # the neck below a knot
    found["hair"] = np.where(on_head, np.maximum(z - line, np.where(x < -58.0, 20.0, OUTSIDE)), OUTSIDE)
    edges = below, above, np.where(body, z - hem, 100.0)  # heights above the hems
    return np.stack([np.full(len(points), 1.0), *(found[name] for name in LAYERS[1:]), *edges], 1)


def rises(p: Person, values: np.ndarray) -> np.ndarray:
    """Return the height (n, layers) of each layer above the skin. values : those of `covers`."""
    named = dict(zip((*LAYERS, *EDGES), values.T, strict=True))
    loose = {"m": 1.0, "f": 0.45}[p.sex]

    def flare(height):
        return loose * np.clip(1.0 - height / 55.0, 0.0, 1.0)

    hair = np.clip(named["hair"] / 20.0, 0.0, 1.0)
    found = np.zeros((len(values), len(LAYERS)))
    found[:, 1] = (2.2 if p.sex == "m" else 1.6) + 2.0 * flare(named["sleeve"]) + 2.4 * flare(named["hem"])
    found[:, 2] = 1.2 + 3.0 * flare(named["leg"])
    found[:, 3] = found[:, 4] = 1.0
    found[:, 5] = 1.2
    found[:, 6] = 0.5 + (4.4 if p.sex == "m" else 4.6) * hair**0.7
    return found
