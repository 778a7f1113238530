"""Where are limbs aimed, over a cycle? Fourier series of joint coordinates, for one side and the middle of the body.

    x(φ) = a₀ + Σ a_n cos 2π n φ + b_n sin 2π n φ,   n = 1 … 6                 (1)
    the right side: x(φ + ½), turns of balls about x and z the other way       (2)

Cosine and sine of n (φ + ½) are (-1)ⁿ those of n φ. Coefficients are rows (13,), kernel inputs like every parameter;
`aims_of` fits them to a motion. All but the fit records.

Aiming
------
Where is every joint aimed, and how stiffly is it held? Curves over the phase (`joint_targets.py`), and what is added.

    walking   x(φ); x of one who stands is a posture; between, a blend                                            (3)
    strike    knee and ankle that land are aimed elsewhere by `land` from s = 0.8 on, by `pad` e^(-s/0.15) after it,
              and are softer as long                                                                              (4)
    hips      thighs are aimed in the world, under the pelvis as it shall be, turned by `foot_placement.py`         (5)
    short     a leg of 2 l cos(k/2) is shorter by bending its knee k; hip and ankle bend half as much                (7)
    ankle     that stands pushes off late, yields by c·(e_x, e'_x), rolls by c·(e_y, e'_y)                        (6)

Springs and dampers pull there and are taken at the end of each step; those of a hip that stands do not: it holds the
pelvis (`stance_control.py`).
"""

import numpy as np

from anthropi.algebra import rotation as rot
from anthropi.algebra.scalar import acos, clip, cos, exp, maximum, sin
from anthropi.gait.walker.foot_placement import PlacementTarget
from anthropi.gait.walker.observation import Observation

__all__ = [
    "DAMPING",
    "HARMONICS",
    "MIDDLE",
    "SIDED",
    "STIFFNESS",
    "basis",
    "joint_targets",
    "joint_targets_of",
    "on_both_sides",
    "spring_targets",
    "value",
]


HARMONICS = 6
SIDED = ("clavicle", "shoulder", "elbow", "wrist", "hip", "knee", "ankle", "toe")
MIDDLE = ("lumbar", "thoracic", "neck", "head")
MIRROR = np.array([-1.0, 1.0, -1.0])  # of a ball's coordinates
TURNED = np.array([1.0, *((-1.0) ** n for n in range(1, HARMONICS + 1) for _ in "cs")])  # (2)


def basis(phase, harmonics: int = HARMONICS):
    """1, and cosine and sine of each harmonic at a phase [cycles] (1 + 2 harmonics,)."""
    angle = 2.0 * np.pi * phase
    c, s = cos(angle), sin(angle)
    rows = [(c, s)]
    for _ in range(harmonics - 1):
        a, b = rows[-1]
        rows.append((a * c - b * s, b * c + a * s))
    return np.array([1.0, *(x for row in rows for x in row)])


def value(coefficients, own):
    """(1) for coefficients (k, 13) and a basis (13,): (k,)."""
    return np.array([(row * own).sum() for row in coefficients])


def on_both_sides(coefficients, own):
    """Left and right (k,) (2)."""
    left, right = value(coefficients, own), value(coefficients, own * TURNED)
    return left, right * MIRROR if len(coefficients) == 3 else right


def joint_targets_of(motion, strike: float, cycle: float) -> dict[str, np.ndarray]:
    """{"side.hip": (3, 13), …, "middle.head": …, "pelvis": …} of a cycle from a left strike on. Floats only."""
    figure, phase = motion.figure, (motion.time - strike) / cycle
    here = (phase > -1e-9) & (phase < 1.0 - 1e-9)
    wave = 2.0 * np.pi * np.outer(phase[here], np.arange(1, HARMONICS + 1))
    A = np.concatenate(
        [np.ones((here.sum(), 1)), np.stack([np.cos(wave), np.sin(wave)], -1).reshape(here.sum(), -1)], 1
    )

    def fitted(rows):
        return np.linalg.lstsq(A, rows, rcond=None)[0].T

    def of(name):
        i = figure.joint_index(name)
        return fitted(np.array([figure.joints[i].coordinates(q[figure.q_of[i]]) for q in motion.q[here]]))

    found = {f"side.{name}": of(f"l_{name}") for name in SIDED} | {f"middle.{name}": of(name) for name in MIDDLE}
    return found | {"pelvis": fitted(rot.rotation_vector_from_quaternion(motion.q[here][:, 3:7]))}


STIFFNESS = {"clavicle": 100.0, "shoulder": 40.0, "elbow": 20.0, "wrist": 5.0, "toe": 30.0, "lumbar": 600.0,
             "thoracic": 400.0, "neck": 60.0, "head": 60.0}  # [N m/rad]  # fmt: skip
DAMPING = {"clavicle": 5.0, "shoulder": 3.0, "elbow": 1.5, "wrist": 0.3, "toe": 1.0, "lumbar": 40.0, "thoracic": 30.0,
           "neck": 4.0, "head": 4.0, "hip": 35.0, "knee": 20.0, "ankle": 10.0}  # [N m s/rad]  # fmt: skip
STANCE_HIP = 8.0  # [N m s/rad] of the hip that stands
FIRM = (700.0, 60.0)  # [N m/rad], [N m s/rad] of both hips of one who stands
LEG = 0.86  # [m] 2 l of (7), thigh and shank of a body of 1.75 m
PADS, LANDS = 0.15, 0.8  # of a step (4)
PUSHES = 12.0  # [1/cycle] how fast a push-off comes


def joint_targets(now: Observation):
    """({joint: coordinates}, rotation vector of the pelvis) (3), (4)."""
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


def spring_targets(now: Observation, aimed: dict, pelvis, place: PlacementTarget):
    """Target (nq,), kp, kd (nu,) of all joints but the root."""
    p, size, moving = now.p, now.size, now.moving
    late = clip((0.5 * now.clock.s - p["push_from"]) * PUSHES, 0.0, 1.0)
    lifts = p["climb"][2] * maximum(now.told.rise, 0.0) / size.length  # foot_placement.py (7)
    yields = moving * ((p["push"] + lifts) * late + p["yield"] @ np.stack([now.e[0], now.rate[0]]))  # (6)
    rolls = moving * (p["roll"] @ np.stack([now.e[1], now.rate[1]]))
    stands = {"l": now.clock.left * moving, "r": (1.0 - now.clock.left) * moving}
    bends = {side: _knee_flexion(aimed[f"{side}_knee"][0], place.short[side]) for side in "lr"}
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
            stiff = stiff * (1.0 - clip(p["soft"][0], 0.0, 0.9) * _struck(now) * stands[side])  # (4)
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


def _knee_flexion(knee, short):
    """How much more a knee bends for a leg that is shorter [m] (7)."""
    straight = clip(cos(0.5 * knee), 0.5, 0.9999)
    return 2.0 * (acos(clip(straight - short / LEG, 0.2, 0.9999)) - acos(straight))


def _struck(now: Observation):
    """1 at a strike, dying away (4)."""
    return exp(-now.clock.s / PADS)


def _hips(now: Observation, aimed: dict, pelvis, place: PlacementTarget, bends: dict) -> dict:
    """Quaternions of both hips (5)."""
    wanted = rot.quaternion_from_rotation_vector(pelvis)
    aside = rot.quaternion_from_rotation_vector(np.array([place.aside, 0.0, 0.0]))
    found = {}
    for side in "lr":
        forward = np.array([0.0, -place.forward - 0.5 * (place.lift + bends[side]), 0.0])
        turn = rot.quaternion_product(aside, rot.quaternion_from_rotation_vector(forward))
        thigh = rot.quaternion_product(wanted, rot.quaternion_from_rotation_vector(aimed[f"{side}_hip"]))
        found[side] = rot.quaternion_product(rot.quaternion_conjugate(now.pelvis), rot.quaternion_product(turn, thigh))
    return found
