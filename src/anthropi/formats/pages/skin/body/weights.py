"""Weights of a person's skin: with how much of each part of the body a vertex moves.

A limb begins where its solid and that of the trunk meet: with their distances d and e, and the sum of its distances
from a plane through the joint, the share of the limb is a smooth step of (d - e) / 2. Along a limb the share of the
part beyond a joint is a smooth step of the distance from a plane through the joint. The shares are then smoothed along
the surface.
"""

from itertools import pairwise
from typing import Any

import numpy as np

from anthropi.figure.human.anthropometry import FINGERS
from anthropi.formats.pages.skin.body.limbs import finger_chain
from anthropi.formats.pages.skin.body.person import Person
from anthropi.formats.pages.skin.body.solids import evaluate
from anthropi.formats.pages.skin.weights import smoothed

__all__ = ["part_weights"]

PASSES = 10  # of smoothing
REACH = 70.0  # distance up to which the solids of the limbs are compared


def step(x: np.ndarray, half: float) -> np.ndarray:
    """Return 0 below -half, 1 above half, and a smooth step between."""
    t = np.clip(0.5 + 0.5 * x / half, 0.0, 1.0)
    return t * t * (3.0 - 2.0 * t)


def part_weights(p: Person, made: Any, points: np.ndarray, triangles: np.ndarray) -> dict[str, np.ndarray]:
    """Return {part of the body: its share (n,) of each vertex}; the shares of a vertex sum to 1.

    made : the solids in the bind pose. points (n, 3), in thousandths of the stature.
    """
    body = np.minimum(evaluate(made.trunk, points, REACH), evaluate(made.head, points, REACH))
    away = {name: evaluate(limb, points, REACH) for name, limb in made.limbs.items()}
    for name, end in made.ends.items():
        away[name] = np.minimum(away[name], evaluate(end, points, REACH))
    found: dict[str, np.ndarray] = {}
    rest = np.ones(len(points))
    for name, pose in made.poses.items():
        side, kind = name[0], name[2:]
        q = pose.standing(points)
        mine = made.sides[side]
        other = away[f"{'r' if side == 'l' else 'l'}_{kind}"]
        own = points[:, 1] * pose.side > 0.0 if kind == "arm" else away[name] <= other
        others = np.minimum.reduce([body, *(d for limb, d in away.items() if limb[2:] != kind)])
        if kind == "arm":
            share = step(0.5 * (others - away[name]), 24.0) * own * (away[name] < 0.5 * REACH)
            _arm(found, mine, side, q, share)
        else:
            share = _leg_share(p, mine, pose, points, others - away[name]) * own
            _leg(found, mine, side, q, share)
        rest = rest - share
    _trunk(found, p, points, np.maximum(rest, 0.0))
    names = list(found)
    table = np.stack([found[name] for name in names], 1)
    table = smoothed(table / table.sum(1, keepdims=True), triangles, PASSES)
    return dict(zip(names, table.T, strict=True))


def _trunk(found, p: Person, points, rest) -> None:
    x, y, z = points.T
    side = np.abs(y)
    waist = step(z - p.points["navel"][2], 46.0)
    chest = step(z - p.points["xiphion"][2], 46.0)
    base = p.points["cervicale"]
    neck = step(
        0.94 * (z - base[2] - 2.0) + 0.34 * (x + 10.0) * (x > -10.0) - 0.75 * np.maximum(side - 30.0, 0.0), 20.0
    )
    skull = step(0.85 * (z - 893.0) + 0.53 * x, 14.0)
    low = rest * (1.0 - waist)
    found["pelvis"] = low
    found["abdomen"] = rest * waist * (1.0 - chest)
    upper = rest * waist * chest
    found["head"] = upper * neck * skull
    found["neck"] = upper * neck * (1.0 - skull)
    upper = upper * (1.0 - neck)
    tip = p.points["l_shoulder"]
    collar = step(side - 0.55 * tip[1], 34.0) * step(z - (tip[2] - 30.0), 30.0)
    found["thorax"] = upper * (1.0 - collar)
    found["l_clavicle"], found["r_clavicle"] = upper * collar * (y > 0.0), upper * collar * (y <= 0.0)


def _arm(found, p: Person, side: str, q, share) -> None:
    elbow, wrist = p.points["l_elbow"], p.points["l_wrist"]
    fore = step(elbow[2] - q[:, 2] - 0.12 * (q[:, 0] - elbow[0]), 24.0 * p.wide(0.4))
    hand = step(wrist[2] - q[:, 2], 11.0)
    found[f"{side}_upper_arm"] = share * (1.0 - fore)
    found[f"{side}_forearm"] = share * fore * (1.0 - hand)
    whole = share * fore * hand
    if not p.jointed:
        found[f"{side}_hand"] = whole
        return
    chains = {finger: finger_chain(p, finger) for finger in FINGERS}
    gaps = np.stack([_gap(q, chain) for chain in chains.values()])
    nearest = gaps.argmin(0)
    rest = whole
    for f, (finger, chain) in enumerate(chains.items()):
        beyond = whole * (nearest == f)
        for k in (0, 1, 2):
            before = chain[k] - chain[k - 1] if k else chain[1] - chain[0]
            along = before / np.linalg.norm(before) + (chain[k + 1] - chain[k]) / np.linalg.norm(
                chain[k + 1] - chain[k]
            )
            past = step((q - chain[k]) @ (along / np.linalg.norm(along)) - (1.0 if k == 0 else 0.0), 5.0)
            if k:
                found[f"{side}_{finger}_{k}"] = beyond * (1.0 - past)
            else:
                rest = rest - beyond * past
            beyond = beyond * past
        found[f"{side}_{finger}_3"] = beyond
    found[f"{side}_hand"] = np.maximum(rest, 0.0)


def _gap(q, chain):
    """Return the distance of points from the bones of a finger."""
    found = np.full(len(q), np.inf)
    for a, b in pairwise(chain):
        s = np.clip((q - a) @ (b - a) / ((b - a) @ (b - a)), 0.0, 1.0)
        found = np.minimum(found, np.linalg.norm(q - a - s[:, None] * (b - a), axis=1))
    return found


def _leg_share(p: Person, mine: Person, pose, points, apart):
    """Return the share of a leg: below a surface through crotch, groin and the side of the hip."""
    hip = mine.points["l_hip"]
    x, y, z = points.T
    y = y * pose.side
    wide = p.wide(0.5)
    plane = 0.79 * (np.minimum(y, 50.0 * wide) - 35.0) - 0.61 * (z - hip[2] - 1.0) - 0.22 * np.maximum(-x, 0.0)
    plane = plane - 16.0 * (1.0 - np.clip(y / 18.0, 0.0, 1.0))
    return step(plane, 42.0) * step(apart + 34.0, 20.0)


def _leg(found, p: Person, side: str, q, share) -> None:
    knee, ankle, toe = (p.points[f"l_{name}"] for name in ("knee", "ankle", "toe_joint"))
    shank = step(knee[2] - q[:, 2], 30.0 * p.wide(0.4))
    foot = step(ankle[2] + 15.0 - q[:, 2] + 0.25 * (q[:, 0] - ankle[0]), 13.0)
    toes = step(q[:, 0] - toe[0], 13.0)
    found[f"{side}_thigh"] = share * (1.0 - shank)
    found[f"{side}_shank"] = share * shank * (1.0 - foot)
    found[f"{side}_foot"] = share * shank * foot * (1.0 - toes)
    found[f"{side}_toes"] = share * shank * foot * toes
