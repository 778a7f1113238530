"""Desired curves of walking and running over a cycle, with determinants scaled or off. Works on plain floats only.

Walking. Angles are the means of the norm at the plan's dimensionless speed; those of the pelvis are made symmetric.
With k the scale of a determinant (`Determinants.scale`: 1 by default, 0 off), τ its timing and x the angle in the norm,

    pelvis rotation, obliquity   k x(p - τ)                                                                        (1)
    knee                         e + k (x - e), with e a straight line from strike to the extension in late stance
                                 (stance knee), and from there to the next strike (swing knee)                     (2)
    dorsiflexion                 x + (k - 1) w pitch, w = 1 in stance and just before; turns the sole to the ground (3)
    lateral position of pelvis   `Determinants.lateral_at`                                                         (4)
    pitch = hip flexion - pelvis tilt - knee flexion + dorsiflexion, positive with toes up                         (5)

Foot flat begins at the first pitch below 2°, heel rise at the first below -2°. In the norms this is at 8 % of the
cycle, and at 45 % (very slow) to 27 % (fast). The toes stay level while the heel rises.

Running. Key angles over stance (phase 0-1) and swing (1-2) are joined smoothly. They follow T. F. Novacheck, The
biomechanics of running, Gait & Posture 7 (1998) 77 (not checked against the text). The knee flexes to about 45° in
stance and to about 90° in swing, 105° when sprinting (60° when walking). The hip is most extended near foot off and
most flexed in the second half of swing. The pelvis tilts further forward than in walking and varies little. The other
numbers of `KEYS`, and their change with the speed v [m/s], are our own model, not a norm.

In stance the ankle angle follows from the pitch of the foot, which is on the heel, then flat, then on ball and toes:

    dorsiflexion = pitch - hip flexion + pelvis tilt + knee flexion                                                (6)

In each step the body is in flight for t_f and in contact for t_c. It leaves the ground with the upward velocity
w = g t_f / 2, and in contact it bounces like a mass on a spring. The upward acceleration is

    -g in flight,      π w / t_c · sin(π t / t_c) in stance, t since the strike                                    (7)
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from anthropi.gait.plan.cycle_curves import cycle_curve
from anthropi.gait.plan.determinants import Determinants
from anthropi.gait.reference.leg_chain import COORDINATES
from anthropi.gait.reference.norms import curve

__all__ = [
    "FADE",
    "FLAT",
    "KEYS",
    "GaitCurves",
    "footing_phases",
    "in_stance",
    "level_toes",
    "run_curves",
    "walk_curves",
]


FLAT = np.radians(2.0)  # [rad], pitch below which a foot counts as flat
FADE = 0.1  # [cycles], transition before foot strike and after foot off (3)
SYMMETRY = {"pelvis_tilt": 1.0, "pelvis_obliquity": -1.0, "pelvis_rotation": -1.0}  # sign half a cycle later


@dataclass(frozen=True, eq=False)
class GaitCurves:
    """Desired curves of a gait at given phases of the left leg's cycle.

    angles : {coordinate: (points,)} [rad], the angles of `COORDINATES`. progression : foot progression [rad].
    lateral : lateral position of the pelvis, to the left [m]. flat, rise : phases of foot flat and heel rise [cycles].
    bound : coordinates with a larger weight, because a determinant was changed. lift : upward acceleration of the
    pelvis [m/cycle²].
    """

    angles: dict[str, np.ndarray]
    progression: np.ndarray
    lateral: np.ndarray
    flat: float
    rise: float
    bound: tuple[str, ...] = ()
    lift: np.ndarray | None = None


def walk_curves(phase: Any, plan: Any, speed: float, determinants: Determinants) -> GaitCurves:
    """Compute the desired curves of a walk at phases (points,) [cycles].

    speed : dimensionless speed within `norms.REACH`.
    """
    every = np.linspace(0.0, 1.0, 401)
    fine = _angles(every, plan, speed, determinants)
    flat, rise = footing_phases(every, fine["pitch"], plan.stance_fraction)
    angles = _angles(phase, plan, speed, determinants)
    angles["toe_flexion"] = level_toes(phase, angles.pop("pitch"), rise, plan.stance_fraction)
    angles["ankle_inversion"] = np.zeros(len(phase))
    changed = {
        name
        for name in ("pelvic_rotation", "pelvic_tilt", "stance_knee", "swing_knee", "lateral")
        if determinants.scale(name) != 1.0
    }
    bound = {
        "pelvic_rotation": "pelvis_rotation",
        "pelvic_tilt": "pelvis_obliquity",
        "stance_knee": "knee_flexion",
        "swing_knee": "knee_flexion",
        "lateral": "y",
    }
    desired, progression = (
        {name: angles[name] for name in COORDINATES[3:]},
        curve("foot_progression", speed).mean(phase),
    )
    held = tuple(sorted({bound[name] for name in changed}))
    return GaitCurves(desired, progression, determinants.lateral_at(phase, plan), flat, rise, held)


def footing_phases(phase: np.ndarray, pitch: np.ndarray, off: float) -> tuple[float, float]:
    """Return the phases of foot flat and heel rise from the pitch of the foot (5) at closely spaced phases.

    off : phase of foot off. Foot flat is at 0 if the foot does not strike with the heel.
    """
    tips = np.flatnonzero(pitch[phase < 0.5 * off] > FLAT)
    flat = float(phase[tips[-1] + 1]) if len(tips) else 0.0
    late = np.flatnonzero((phase > flat) & (phase < off) & (pitch < -FLAT))
    return flat, float(phase[late[0]]) if len(late) else off


def level_toes(phase: Any, pitch: np.ndarray, rise: float, off: float) -> np.ndarray:
    """Compute the toe flexion [rad] that keeps the toes level from heel rise to foot off and then decreases to 0."""
    p = np.asarray(phase) % 1.0
    held = np.where(p <= off, 1.0, _smooth((off + FADE - p) / FADE))
    return np.where(p >= rise, np.minimum(pitch, 0.0), 0.0) * held


def in_stance(phase: Any, off: float) -> np.ndarray:
    """Return a weight that is 1 in stance and 0 in swing, with smooth transitions. off : phase of foot off."""
    q = np.asarray(phase) % 1.0
    return np.where(q <= off, 1.0, np.maximum(_smooth((off + FADE - q) / FADE), _smooth((q - 1.0 + FADE) / FADE)))


def _angles(phase, plan, speed: float, determinants: Determinants) -> dict[str, np.ndarray]:
    """Compute the angles (1)-(3) of a walk, and the pitch of the foot (5)."""
    p = np.asarray(phase, float)
    found = {name: curve(name, speed).mean(p) for name in COORDINATES[6:11]}
    for name, sign in SYMMETRY.items():
        own = {"pelvis_obliquity": "pelvic_tilt", "pelvis_rotation": "pelvic_rotation"}.get(name)
        at = p - (determinants[own].timing if own else 0.0)
        x = curve(name, speed)
        found[name] = (determinants.scale(own) if own else 1.0) * 0.5 * (x.mean(at) + sign * x.mean(at + 0.5))  # (1)
    found["knee_flexion"] = _knee(p % 1.0, speed, plan, determinants)  # (2)
    pitch = found["hip_flexion"] - found["pelvis_tilt"] - found["knee_flexion"] + found["ankle_dorsiflexion"]  # (5)
    k, off = determinants.scale("foot_ankle"), plan.stance_fraction
    if k != 1.0:
        w = in_stance(p, off)
        found["ankle_dorsiflexion"] = found["ankle_dorsiflexion"] + (k - 1.0) * w * pitch  # (3)
        pitch = pitch + (k - 1.0) * w * pitch
    return found | {"pitch": pitch}


def _knee(p, speed: float, plan, determinants: Determinants):
    """Compute knee flexion (2)."""
    x = curve("knee_flexion", speed)
    middle = np.linspace(0.2, plan.stance_fraction, 201)
    late = middle[int(np.argmin(x.mean(middle)))]  # phase at which the knee is extended again
    ends = np.array([0.0, late, 1.0])
    straight = np.interp(p, ends, x.mean(ends))
    out = x.mean(p)
    for name, a, b in (("stance_knee", 0.0, late), ("swing_knee", late, 1.0)):
        own, inside = determinants[name], (p >= a) & (p < b)
        if determinants.scale(name) != 1.0 or own.timing:
            at = np.clip(p - own.timing, a, b)
            moved = x.mean(at) - np.interp(at, ends, x.mean(ends))
            out = np.where(inside, straight + determinants.scale(name) * moved, out)
    return out


def _smooth(s):
    s = np.clip(s, 0.0, 1.0)
    return s * s * (3.0 - 2.0 * s)


GRAVITY = 9.81  # [m/s²]
KEYS: dict[Any, Any] = {  # coordinate: (phase of stance and swing, degrees at 3 m/s, change in degrees per m/s)
    "hip_flexion": (
        (0.0, 38, 1),
        (0.25, 37, 1),
        (0.6, 18, 0),
        (1.0, -5, -1),
        (1.22, 8, 1),
        (1.7, 50, 6),
        (1.88, 46, 4),
    ),
    "knee_flexion": (
        (0.0, 12, -1),
        (0.38, 40, 0),
        (0.7, 30, 0),
        (1.0, 14, -2),
        (1.4, 90, 9),
        (1.84, 24, 3),
        (1.97, 10, 0),
    ),
    "ankle_dorsiflexion": ((0.0, 4, 0), (0.5, 22, 0), (1.03, -22, -2), (1.2, -17, 0), (1.55, 2, 0)),
    "pitch": ((0.0, 9, 0), (0.16, 0, 0), (0.38, 0, 0), (0.65, -20, -4), (1.0, -60, -3), (1.6, -25, 0)),
    "hip_adduction": ((0.0, 2, 0), (0.4, 8, 0), (1.0, -2, 0), (1.5, -4, 0)),
}
CONSTANT_ANGLES = {"pelvis_tilt": (16.0, 1.0), "hip_rotation": (-3.0, 0.0)}  # degrees at 3 m/s, change per m/s
RUN_OBLIQUITY, RUN_ROTATION, RUN_PROGRESSION = 4.0, 4.0, -8.0  # [deg]
RUN_LATERAL = 0.008  # [m], amplitude for a body of 1.75 m


def run_curves(phase: Any, plan: Any, determinants: Determinants) -> GaitCurves:
    """Compute the desired curves of a run at phases (points,) [cycles]."""
    every, p, off = np.linspace(0.0, 1.0, 401), np.asarray(phase, float), plan.stance_fraction
    v = plan.velocity * np.sqrt(1.75 / plan.height)  # speed of a dynamically similar body of 1.75 m
    flat, rise = footing_phases(every, _run_angles(every, off, v, determinants)["pitch"], off)
    angles = _run_angles(p, off, v, determinants)
    angles["toe_flexion"] = level_toes(p, angles.pop("pitch"), rise, off)
    angles["ankle_inversion"] = np.zeros(len(p))
    lateral = determinants.scale("lateral") * RUN_LATERAL * plan.height / 1.75 * np.cos(2.0 * np.pi * (p - 0.5 * off))
    t = (p % 0.5) * plan.cycle
    bounce = np.pi * 0.5 * GRAVITY * plan.flight / plan.stance * np.sin(np.pi * t / plan.stance)
    lift = np.where(t < plan.stance, bounce, -GRAVITY) * plan.cycle**2  # (7)
    return GaitCurves(
        {name: angles[name] for name in COORDINATES[3:]},
        np.full(len(p), np.radians(RUN_PROGRESSION)),
        lateral,
        flat,
        rise,
        lift=lift,
    )


def _run_angles(p, off: float, v: float, determinants) -> dict[str, np.ndarray]:
    """Compute the joint angles and the pitch of the foot in a run."""
    found = {}
    for name, keys in KEYS.items():
        times = tuple(off * k if k <= 1.0 else off + (k - 1.0) * (1.0 - off) for k, *_ in keys)
        values = tuple(float(np.radians(at + more * (v - 3.0))) for _, at, more in keys)
        found[name] = cycle_curve(times, values, "smooth")(p)
    found |= {name: np.full(len(p), np.radians(at + more * (v - 3.0))) for name, (at, more) in CONSTANT_ANGLES.items()}
    standing = found["pitch"] - found["hip_flexion"] + found["pelvis_tilt"] + found["knee_flexion"]  # (6)
    w = in_stance(p, off)
    found["ankle_dorsiflexion"] = w * standing + (1.0 - w) * found["ankle_dorsiflexion"]
    turn = 2.0 * np.pi * (p - 0.5 * off)
    found["pelvis_obliquity"] = determinants.scale("pelvic_tilt") * np.radians(RUN_OBLIQUITY) * np.cos(turn)
    found["pelvis_rotation"] = (
        determinants.scale("pelvic_rotation") * np.radians(RUN_ROTATION) * np.cos(2.0 * np.pi * p)
    )
    return found
