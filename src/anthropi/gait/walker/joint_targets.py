"""Joint targets of a walker: desired joint coordinates over the gait cycle, and the springs that track them.

The targets of one side and of the middle of the body are Fourier series of the phase φ:

    x(φ) = a₀ + Σ a_n cos 2π n φ + b_n sin 2π n φ,   n = 1 … 6                                                    (1)
    right side: x(φ + ½), with rotations about x and z of ball joints reversed                                    (2)

Cosine and sine of n (φ + ½) are (-1)ⁿ those of n φ. The coefficients are rows (13,) and inputs of the kernel, like
every parameter; `joint_targets_of` fits them to a motion. The targets are modified as follows:

    standing   x blends into a standing posture by clock.stand                                                    (3)
    strike     hip, knee and ankle of the landing leg are moved by `land` from s = 0.8 on. After the strike, knee and
               ankle are moved by `pad` e^(-s/0.15) and are softer for the same time                              (4)
    hips       thighs have targets in the world, relative to the desired pelvis, turned by `foot_placement.py` (1) (5)
    shortening a leg of length 2 l cos(k/2) is shortened by its knee angle k; hip and ankle flex half as much     (6)
    ankle      in stance: push-off late in the step, pitch by c·(e_x, e'_x), roll by c·(e_y, e'_y)                (7)

Springs and dampers are implicit: they act on the state at the end of each step. The hip of the stance leg has no
spring, because it controls the pelvis (`stance_control.py`). All functions except `joint_targets_of` can be recorded
on a tape. The constants are fields of `settings.JointTargetSettings`.
"""

from typing import Any

import numpy as np

from anthropi.algebra import rotation as rot
from anthropi.algebra.scalar import acos, clip, cos, exp, maximum, sin
from anthropi.gait.walker.foot_placement import PlacementTarget
from anthropi.gait.walker.observation import Observation
from anthropi.motion import Motion

__all__ = [
    "HALF_CYCLE",
    "HARMONICS",
    "MIDDLE",
    "MIRROR",
    "SIDED",
    "basis",
    "joint_targets",
    "joint_targets_of",
    "knee_flexion",
    "on_both_sides",
    "spring_targets",
    "value",
]

HARMONICS = 6
SIDED = ("clavicle", "shoulder", "elbow", "wrist", "hip", "knee", "ankle", "toe")
MIDDLE = ("lumbar", "thoracic", "neck", "head")
MIRROR = np.array([-1.0, 1.0, -1.0])  # signs of ball joint coordinates on the right side (2)
HALF_CYCLE = np.array([1.0, *((-1.0) ** n for n in range(1, HARMONICS + 1) for _ in "cs")])  # shifts a basis by ½ (2)
MAX_SOFTENING = 0.9  # largest relative reduction of the stiffness after a strike (4)


def basis(phase: Any, harmonics: int = HARMONICS) -> np.ndarray:
    """Fourier basis (1 + 2 harmonics,) at a phase [cycles]: 1, then cosine and sine of each harmonic (eq. 1)."""
    angle = 2.0 * np.pi * phase
    c, s = cos(angle), sin(angle)
    rows = [(c, s)]
    for _ in range(harmonics - 1):
        a, b = rows[-1]
        rows.append((a * c - b * s, b * c + a * s))
    return np.array([1.0, *(x for row in rows for x in row)])


def value(coefficients: Any, own: np.ndarray) -> np.ndarray:
    """Evaluate the Fourier series (eq. 1) for coefficients (k, 13) and a basis (13,): (k,)."""
    return np.array([(row * own).sum() for row in coefficients])


def on_both_sides(coefficients: Any, own: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Evaluate the Fourier series for the left side (eq. 1) and the right side (eq. 2), (k,) each."""
    left, right = value(coefficients, own), value(coefficients, own * HALF_CYCLE)
    return left, right * MIRROR if len(coefficients) == 3 else right


def joint_targets_of(motion: Motion, strike: float, cycle: float) -> dict[str, np.ndarray]:
    """Fit the Fourier coefficients (eq. 1) to one cycle of a motion.

    Works on plain floats only; cannot be recorded on a tape.

    Parameters
    ----------
    motion : a walk of a standard human.
    strike : time of a left foot strike [s].
    cycle : duration of the cycle that begins there [s].

    Returns
    -------
    {"side.hip": (3, 13), …, "middle.head": (3, 13), …, "pelvis": (3, 13)}, in joint coordinates.
    """
    figure, phase = motion.figure, (motion.time - strike) / cycle
    here = (phase > -1e-9) & (phase < 1.0 - 1e-9)
    wave = 2.0 * np.pi * np.outer(phase[here], np.arange(1, HARMONICS + 1))
    A = np.concatenate(
        [np.ones((here.sum(), 1)), np.stack([np.cos(wave), np.sin(wave)], -1).reshape(here.sum(), -1)], 1
    )

    def fitted(rows: np.ndarray) -> np.ndarray:
        return np.linalg.lstsq(A, rows, rcond=None)[0].T

    def of(name: str) -> np.ndarray:
        i = figure.joint_index(name)
        return fitted(np.array([figure.joints[i].coordinates(q[figure.q_of[i]]) for q in motion.q[here]]))

    found = {f"side.{name}": of(f"l_{name}") for name in SIDED} | {f"middle.{name}": of(name) for name in MIDDLE}
    return found | {"pelvis": fitted(rot.rotation_vector_from_quaternion(motion.q[here][:, 3:7]))}


def joint_targets(obs: Observation) -> tuple[dict[str, Any], Any]:
    """Compute the targets of all joints, equations (1) to (4).

    Returns
    -------
    {joint name: coordinates}, and the rotation vector (3,) of the desired pelvis relative to the heading.
    """
    p, own, stand = obs.p, basis(obs.clock.phase), obs.clock.stand
    found = {}
    for name in SIDED:
        rows, posture = p[f"side.{name}"], p[f"stand.{name}"]
        if name == "hip":  # shorter swings while stepping in place
            smaller = np.concatenate([np.ones(1), np.stack([1.0 - obs.still * p["slow"][1]] * (len(own) - 1))])
            rows = np.stack([rows[0], rows[1] * smaller, rows[2]])
        for side, x in zip("lr", on_both_sides(rows, own), strict=True):
            found[f"{side}_{name}"] = x + stand * (posture - x)  # (3)
    start = obs.settings.joints.landing_start
    landing = clip((obs.clock.s - start) / (1.0 - start), 0.0, 1.5)
    for side, stance in (("l", obs.clock.left), ("r", 1.0 - obs.clock.left)):
        after, before = obs.moving * stance * _strike_decay(obs), obs.moving * (1.0 - stance) * landing
        hip, knee, ankle = before * p["land"]  # (4)
        found[f"{side}_hip"] = found[f"{side}_hip"] + np.array([0.0, hip, 0.0])
        found[f"{side}_knee"] = found[f"{side}_knee"] + np.array([after * p["pad"][0] + knee])
        found[f"{side}_ankle"] = found[f"{side}_ankle"] + np.array([after * p["pad"][1] + ankle, 0.0])
        found[f"{side}_shoulder"] = p["arms"] * found[f"{side}_shoulder"]
    found |= {name: obs.moving * value(p[f"middle.{name}"], own) for name in MIDDLE}
    found["lumbar"] = found["lumbar"] + np.array([0.0, p["lean"], 0.0])
    return found, obs.moving * value(p["pelvis"], own) + np.array([0.0, p["tilt"], 0.0])


def spring_targets(
    obs: Observation, targets: dict[str, Any], pelvis: Any, placement: PlacementTarget
) -> tuple[Any, Any, Any]:
    """Compute the springs and dampers of all joints except the root, equations (4) to (7).

    Parameters
    ----------
    targets, pelvis : results of `joint_targets`.
    placement : result of `foot_placement.placement_target`.

    Returns
    -------
    Target (nq,), stiffness (nu,) [N m/rad] and damping (nu,) [N m s/rad].
    """
    p, size, moving, settings = obs.p, obs.size, obs.moving, obs.settings.joints
    late = clip((0.5 * obs.clock.s - p["push_from"]) * settings.push_off_rate, 0.0, 1.0)
    climb = p["climb"][2] * maximum(obs.command.rise, 0.0) / size.length  # foot_placement.py (7)
    push = moving * ((p["push"] + climb) * late + p["yield"] @ np.stack([obs.e[0], obs.rate[0]]))  # (7)
    roll = moving * (p["roll"] @ np.stack([obs.e[1], obs.rate[1]]))
    stance = {"l": obs.clock.left * moving, "r": (1.0 - obs.clock.left) * moving}
    flexion = {side: knee_flexion(targets[f"{side}_knee"][0], placement.short[side], settings.leg) for side in "lr"}
    hips = _hips(obs, targets, pelvis, placement, flexion)
    parts, kp, kd = [obs.sense.q[:7]], [0.0] * 6, [0.0] * 6
    for joint in (joint for joint in obs.figure.joints[1:] if joint.nu):  # all but welded links
        side, kind = (joint.name[0], joint.name[2:]) if joint.name[1] == "_" else ("", joint.name)
        if kind == "hip":
            parts.append(hips[side])
            swing, stand, firm = obs.swings[side], obs.clock.stand, settings.standing_hip
            damping, least = settings.damping["hip"], settings.stance_hip_damping
            kp += [size.torque * (p["hip"] * swing + firm[0] * stand)] * 3
            kd += [size.damping * (least + (damping - least) * swing + firm[1] * stand)] * 3
            continue
        x, stiffness = targets[joint.name], p[kind] if kind in ("knee", "ankle", "toe") else settings.stiffness[kind]
        if kind == "knee":
            share = 1.0 - p["climb"][3] * stance[side]  # foot_placement.py (7)
            x = x + moving * p["bend"] + placement.lift * obs.swings[side] + share * flexion[side]
            stiffness = stiffness * (1.0 - clip(p["soft"][0], 0.0, MAX_SOFTENING) * _strike_decay(obs) * stance[side])
        elif kind == "ankle":
            mirror = 1.0 if side == "l" else -1.0
            pitch = p["point"] * moving - stance[side] * push + 0.5 * flexion[side]
            x = x + np.array([pitch, stance[side] * mirror * roll])
            stiffness = stiffness * (1.0 - clip(p["soft"][1], 0.0, MAX_SOFTENING) * _strike_decay(obs) * stance[side])
        parts.append(joint.from_coordinates(x))
        kp += [size.torque * stiffness] * joint.nu
        kd += [size.damping * settings.damping[kind]] * joint.nu
    return np.concatenate(parts), np.array(kp), np.array(kd)


def knee_flexion(knee: Any, short: Any, leg: float) -> Any:
    """Additional knee flexion [rad] that shortens a leg by a given length (eq. 6).

    Parameters
    ----------
    knee : knee angle k [rad].
    short : desired shortening [m].
    leg : length 2 l of thigh and shank [m].
    """
    straight = clip(cos(0.5 * knee), 0.5, 0.9999)
    return 2.0 * (acos(clip(straight - short / leg, 0.2, 0.9999)) - acos(straight))


def _strike_decay(obs: Observation) -> Any:
    """Return a factor that is 1 at a strike and decays with the progress of the step (eq. 4)."""
    return exp(-obs.clock.s / obs.settings.joints.strike_decay)


def _hips(
    obs: Observation, targets: dict[str, Any], pelvis: Any, placement: PlacementTarget, flexion: dict[str, Any]
) -> dict[str, Any]:
    """Target quaternions (4,) of both hips, {side: quaternion} (eq. 5)."""
    desired = rot.quaternion_from_rotation_vector(pelvis)
    aside = rot.quaternion_from_rotation_vector(np.array([placement.aside, 0.0, 0.0]))
    found = {}
    for side in "lr":
        forward = np.array([0.0, -placement.forward - 0.5 * (placement.lift + flexion[side]), 0.0])
        turn = rot.quaternion_product(aside, rot.quaternion_from_rotation_vector(forward))
        thigh = rot.quaternion_product(desired, rot.quaternion_from_rotation_vector(targets[f"{side}_hip"]))
        found[side] = rot.quaternion_product(rot.quaternion_conjugate(obs.pelvis), rot.quaternion_product(turn, thigh))
    return found
