"""Which curves does a walk want, at a speed, with some determinants larger, smaller or off? Floats only.

Angles are the norm's means at the plan's dimensionless speed, those of the pelvis made symmetric. With k the scale of a
determinant (`Determinants.scale`: 1 as it comes, 0 off) and τ its timing,

    pelvis rotation, obliquity   k x(p - τ)                                                                        (1)
    knee                         e + k (x - e), e straight from strike to the extension in late stance (stance
                                 knee), and from there to the next strike (swing knee)                             (2)
    dorsiflexion                 x + (k - 1) w pitch, w 1 in stance and just before it: the sole to the ground     (3)
    pelvis from side to side     `Determinants.lateral_at`                                                         (4)
    pitch = hip flexion - pelvis tilt - knee flexion + dorsiflexion, + toes up                                     (5)

Foot flat is when the pitch first falls below 2°, heel rise when it falls below -2°: at these norms 8 % of the cycle,
and 45 % (very slow) to 27 % (fast). Toes stay level while the heel rises.
"""

from dataclasses import dataclass

import numpy as np

from anthropi.gait.determinants import Determinants
from anthropi.gait.leg_chain import COORDINATES
from anthropi.gait.norms import curve

__all__ = ["FADE", "FLAT", "GaitCurves", "footing_phases", "in_stance", "level_toes", "walk_curves"]

FLAT = np.radians(2.0)  # [rad] pitch at which a foot counts as flat
FADE = 0.1  # [cycles] before strike and after foot off in which (3) comes and goes
SYMMETRY = {"pelvis_tilt": 1.0, "pelvis_obliquity": -1.0, "pelvis_rotation": -1.0}  # half a cycle later


@dataclass(frozen=True, eq=False)
class GaitCurves:
    """What is wanted at phases of the left leg's cycle.

    angles : {coordinate: (points,)} [rad] of `COORDINATES` from the fourth on. progression : of the foot [rad].
    lateral : of the pelvis, to the left [m]. flat, rise : phases of foot flat and heel rise. bound : coordinates that
    shall come out as they are wanted, because a determinant was changed. lift : acceleration upwards [m/cycle²].
    """

    angles: dict[str, np.ndarray]
    progression: np.ndarray
    lateral: np.ndarray
    flat: float
    rise: float
    bound: tuple[str, ...] = ()
    lift: np.ndarray | None = None


def walk_curves(phase, plan, speed: float, determinants: Determinants) -> GaitCurves:
    """The curves of a walk at phases (points,) [cycles] for a dimensionless speed within the norms' reach."""
    every = np.linspace(0.0, 1.0, 401)
    fine = _angles(every, plan, speed, determinants)
    flat, rise = footing_phases(every, fine["pitch"], plan.stance_fraction)
    angles = _angles(phase, plan, speed, determinants)
    angles["toe_flexion"] = level_toes(phase, angles.pop("pitch"), rise, plan.stance_fraction)
    angles["ankle_inversion"] = np.zeros(len(phase))
    changed = {name for name in ("pelvic_rotation", "pelvic_tilt", "stance_knee", "swing_knee", "lateral")
               if determinants.scale(name) != 1.0}  # fmt: skip
    bound = {"pelvic_rotation": "pelvis_rotation", "pelvic_tilt": "pelvis_obliquity", "stance_knee": "knee_flexion",
             "swing_knee": "knee_flexion", "lateral": "y"}  # fmt: skip
    wanted, progression = {name: angles[name] for name in COORDINATES[3:]}, curve("foot_progression", speed).mean(phase)
    held = tuple(sorted({bound[name] for name in changed}))
    return GaitCurves(wanted, progression, determinants.lateral_at(phase, plan), flat, rise, held)


def footing_phases(phase, pitch, off: float) -> tuple[float, float]:
    """Phases of foot flat and of heel rise, from pitches (5) at fine phases; a foot that never tips is flat from 0."""
    tips = np.flatnonzero(pitch[phase < 0.5 * off] > FLAT)
    flat = float(phase[tips[-1] + 1]) if len(tips) else 0.0
    late = np.flatnonzero((phase > flat) & (phase < off) & (pitch < -FLAT))
    return flat, float(phase[late[0]]) if len(late) else off


def level_toes(phase, pitch, rise: float, off: float) -> np.ndarray:
    """Flexion of the toes that keeps them level from heel rise to foot off, and lets go after it."""
    p = np.asarray(phase) % 1.0
    held = np.where(p <= off, 1.0, _smooth((off + FADE - p) / FADE))
    return np.where(p >= rise, np.minimum(pitch, 0.0), 0.0) * held


def in_stance(phase, off: float) -> np.ndarray:
    """1 in stance, 0 in swing, smoothly."""
    q = np.asarray(phase) % 1.0
    return np.where(q <= off, 1.0, np.maximum(_smooth((off + FADE - q) / FADE), _smooth((q - 1.0 + FADE) / FADE)))


def _angles(phase, plan, speed: float, determinants: Determinants) -> dict[str, np.ndarray]:
    """(1)-(3), and the pitch (5) after them."""
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
    """(2)"""
    x = curve("knee_flexion", speed)
    middle = np.linspace(0.2, plan.stance_fraction, 201)
    late = middle[int(np.argmin(x.mean(middle)))]  # extended again
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
