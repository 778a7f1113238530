"""Where is every joint aimed, and how stiffly is it held? Curves over the phase (`aims.py`), and what is added.

    walking   x(φ); x of one who stands is a posture; between, a blend                                            (1)
    strike    knee and ankle that land are aimed elsewhere by `land` from s = 0.8 on, by `pad` e^(-s/0.15) after it,
              and are softer as long                                                                              (2)
    hips      thighs are aimed in the world, under the pelvis as it shall be, turned by `placing.py`              (3)
    short     a leg of 2 l cos(k/2) is shorter by bending its knee k; hip and ankle bend half as much                (5)
    ankle     that stands pushes off late, yields by c·(e_x, e'_x), rolls by c·(e_y, e'_y)                        (4)

Springs and dampers pull there and are taken at the end of each step; those of a hip that stands do not: it holds the
pelvis (`bearing.py`).
"""

import numpy as np

from anthropi.algebra import rotation as rot
from anthropi.algebra.scalar import acos, clip, cos, exp, maximum
from anthropi.gait.walker.aims import MIDDLE, SIDED, basis, on_both_sides, value
from anthropi.gait.walker.now import Now
from anthropi.gait.walker.placing import Placing

__all__ = ["DAMPING", "STIFFNESS", "aims", "targets"]

STIFFNESS = {"clavicle": 100.0, "shoulder": 40.0, "elbow": 20.0, "wrist": 5.0, "toe": 30.0, "lumbar": 600.0,
             "thoracic": 400.0, "neck": 60.0, "head": 60.0}  # [N m/rad]  # fmt: skip
DAMPING = {"clavicle": 5.0, "shoulder": 3.0, "elbow": 1.5, "wrist": 0.3, "toe": 1.0, "lumbar": 40.0, "thoracic": 30.0,
           "neck": 4.0, "head": 4.0, "hip": 35.0, "knee": 20.0, "ankle": 10.0}  # [N m s/rad]  # fmt: skip
STANCE_HIP = 8.0  # [N m s/rad] of the hip that stands
FIRM = (700.0, 60.0)  # [N m/rad], [N m s/rad] of both hips of one who stands
LEG = 0.86  # [m] 2 l of (5), thigh and shank of a body of 1.75 m
PADS, LANDS = 0.15, 0.8  # of a step (2)
PUSHES = 12.0  # [1/cycle] how fast a push-off comes


def aims(now: Now):
    """({joint: coordinates}, rotation vector of the pelvis) (1), (2)."""
    p, own, stand = now.p, basis(now.clock.phase), now.clock.stand
    found = {}
    for name in SIDED:
        rows, rest = p[f"side.{name}"], p[f"stand.{name}"]
        if name == "hip":  # shorter swings where it steps in place
            calmer = np.concatenate([np.ones(1), np.stack([1.0 - now.still * p["slow"][1]] * (len(own) - 1))])
            rows = np.stack([rows[0], rows[1] * calmer, rows[2]])
        for side, x in zip("lr", on_both_sides(rows, own), strict=True):
            found[f"{side}_{name}"] = x + stand * (rest - x)
    lands = clip((now.clock.s - LANDS) / (1.0 - LANDS), 0.0, 1.5)
    for side, stands in (("l", now.clock.left), ("r", 1.0 - now.clock.left)):
        after, before = now.moving * stands * _struck(now), now.moving * (1.0 - stands) * lands
        hip, knee, ankle = before * p["land"]
        found[f"{side}_hip"] = found[f"{side}_hip"] + np.array([0.0, hip, 0.0])
        found[f"{side}_knee"] = found[f"{side}_knee"] + np.array([after * p["pad"][0] + knee])
        found[f"{side}_ankle"] = found[f"{side}_ankle"] + np.array([after * p["pad"][1] + ankle, 0.0])
        found[f"{side}_shoulder"] = p["arms"] * found[f"{side}_shoulder"]
    found |= {name: now.moving * value(p[f"middle.{name}"], own) for name in MIDDLE}
    found["lumbar"] = found["lumbar"] + np.array([0.0, p["lean"], 0.0])
    return found, now.moving * value(p["pelvis"], own) + np.array([0.0, p["tilt"], 0.0])


def targets(now: Now, aimed: dict, pelvis, place: Placing):
    """Target (nq,), kp, kd (nu,) of all joints but the root."""
    p, size, moving = now.p, now.size, now.moving
    late = clip((0.5 * now.clock.s - p["push_from"]) * PUSHES, 0.0, 1.0)
    lifts = p["climb"][2] * maximum(now.told.rise, 0.0) / size.length  # placing.py (7)
    yields = moving * ((p["push"] + lifts) * late + p["yield"] @ np.stack([now.e[0], now.rate[0]]))  # (4)
    rolls = moving * (p["roll"] @ np.stack([now.e[1], now.rate[1]]))
    stands = {"l": now.clock.left * moving, "r": (1.0 - now.clock.left) * moving}
    bends = {side: _bend(aimed[f"{side}_knee"][0], place.short[side]) for side in "lr"}
    hips = _hips(now, aimed, pelvis, place, bends)
    parts, kp, kd = [now.sense.q[:7]], [0.0] * 6, [0.0] * 6
    for joint in now.figure.joints[1:]:
        side, kind = (joint.name[0], joint.name[2:]) if joint.name[1] == "_" else ("", joint.name)
        if kind == "hip":
            parts.append(hips[side])
            swings, stand = now.swings[side], now.clock.stand
            kp += [size.torque * (p["hip"] * swings + FIRM[0] * stand)] * 3
            kd += [size.damping * (STANCE_HIP + (DAMPING["hip"] - STANCE_HIP) * swings + FIRM[1] * stand)] * 3
            continue
        x, stiff = aimed[joint.name], p[kind] if kind in ("knee", "ankle", "toe") else STIFFNESS[kind]
        if kind == "knee":
            firm = 1.0 - p["climb"][3] * stands[side]  # likewise
            x = x + moving * p["bend"] + place.lift * now.swings[side] + firm * bends[side]
            stiff = stiff * (1.0 - clip(p["soft"][0], 0.0, 0.9) * _struck(now) * stands[side])  # (2)
        elif kind == "ankle":
            mirror = 1.0 if side == "l" else -1.0
            x = x + np.array(
                [p["point"] * moving - stands[side] * yields + 0.5 * bends[side], stands[side] * mirror * rolls]
            )
            stiff = stiff * (1.0 - clip(p["soft"][1], 0.0, 0.9) * _struck(now) * stands[side])
        parts.append(joint.from_coordinates(x))
        kp += [size.torque * stiff] * joint.nu
        kd += [size.damping * DAMPING[kind]] * joint.nu
    return np.concatenate(parts), np.array(kp), np.array(kd)


def _bend(knee, short):
    """How much more a knee bends for a leg that is shorter [m] (5)."""
    straight = clip(cos(0.5 * knee), 0.5, 0.9999)
    return 2.0 * (acos(clip(straight - short / LEG, 0.2, 0.9999)) - acos(straight))


def _struck(now: Now):
    """1 at a strike, dying away (2)."""
    return exp(-now.clock.s / PADS)


def _hips(now: Now, aimed: dict, pelvis, place: Placing, bends: dict) -> dict:
    """Quaternions of both hips (3)."""
    wanted = rot.quaternion_from_rotation_vector(pelvis)
    aside = rot.quaternion_from_rotation_vector(np.array([place.aside, 0.0, 0.0]))
    found = {}
    for side in "lr":
        forward = np.array([0.0, -place.forward - 0.5 * (place.lift + bends[side]), 0.0])
        turn = rot.quaternion_product(aside, rot.quaternion_from_rotation_vector(forward))
        thigh = rot.quaternion_product(wanted, rot.quaternion_from_rotation_vector(aimed[f"{side}_hip"]))
        found[side] = rot.quaternion_product(rot.quaternion_conjugate(now.pelvis), rot.quaternion_product(turn, thigh))
    return found
