"""Which curves does a run want at a speed? Key angles over stance and swing, joined smoothly. Floats only.

T. F. Novacheck, The biomechanics of running, Gait & Posture 7 (1998) 77, says of the knee that it bends to about 45° in
the stance of a run and in swing to about 90°, 105° when sprinting (60° walking); that the hip is most extended about
foot off and most flexed in the second half of swing; that the pelvis leans further forward than in walking and hardly
tilts to and fro (all told from memory). The other numbers of `KEYS`, and how they change with the speed v [m/s], are
ours: a model, not a norm. Phases are of stance (0-1) and of swing (1-2).

In stance the ankle follows from the foot's pitch: on the heel, flat, on the ball and toes,

    dorsiflexion = pitch - hip flexion + pelvis tilt + knee flexion                                                (1)

The body flies for t_f and touches for t_c, once a step. It leaves the ground with the velocity w = g t_f / 2 that makes
it fly so long, and while it touches it bounces like a mass on a spring: upwards it accelerates by

    -g in flight,      π w / t_c · sin(π t / t_c) in stance, t since the strike                                    (2)
"""

import numpy as np

from anthropi.gait.curves import cycle_curve
from anthropi.gait.leg_chain import COORDINATES
from anthropi.gait.reference_curves import GaitCurves, footing_phases, in_stance, level_toes

__all__ = ["KEYS", "run_curves"]

GRAVITY = 9.81  # [m/s²]
KEYS = {  # coordinate: (phase of stance and swing, degrees at 3 m/s, degrees more for each m/s)
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
STEADY = {"pelvis_tilt": (16.0, 1.0), "hip_rotation": (-3.0, 0.0)}  # degrees at 3 m/s, more for each m/s
OBLIQUITY, ROTATION, PROGRESSION = 4.0, 4.0, -8.0  # [deg]
LATERAL = 0.008  # [m] from the middle, of 1.75 m


def run_curves(phase, plan, determinants) -> GaitCurves:
    """The curves of a run at phases (points,) [cycles]."""
    every, p, off = np.linspace(0.0, 1.0, 401), np.asarray(phase, float), plan.stance_fraction
    v = plan.velocity * np.sqrt(1.75 / plan.height)  # of a body of 1.75 m, moving likewise
    flat, rise = footing_phases(every, _angles(every, off, v, determinants)["pitch"], off)
    angles = _angles(p, off, v, determinants)
    angles["toe_flexion"] = level_toes(p, angles.pop("pitch"), rise, off)
    angles["ankle_inversion"] = np.zeros(len(p))
    lateral = determinants.scale("lateral") * LATERAL * plan.height / 1.75 * np.cos(2.0 * np.pi * (p - 0.5 * off))
    t = (p % 0.5) * plan.cycle
    bounce = np.pi * 0.5 * GRAVITY * plan.flight / plan.stance * np.sin(np.pi * t / plan.stance)
    lift = np.where(t < plan.stance, bounce, -GRAVITY) * plan.cycle**2  # (2)
    return GaitCurves({name: angles[name] for name in COORDINATES[3:]}, np.full(len(p), np.radians(PROGRESSION)),
                      lateral, flat, rise, lift=lift)  # fmt: skip


def _angles(p, off: float, v: float, determinants) -> dict[str, np.ndarray]:
    """Coordinates and the foot's pitch."""
    found = {}
    for name, keys in KEYS.items():
        times = tuple(off * k if k <= 1.0 else off + (k - 1.0) * (1.0 - off) for k, *_ in keys)
        values = tuple(float(np.radians(at + more * (v - 3.0))) for _, at, more in keys)
        found[name] = cycle_curve(times, values, "smooth")(p)
    found |= {name: np.full(len(p), np.radians(at + more * (v - 3.0))) for name, (at, more) in STEADY.items()}
    standing = found["pitch"] - found["hip_flexion"] + found["pelvis_tilt"] + found["knee_flexion"]  # (1)
    w = in_stance(p, off)
    found["ankle_dorsiflexion"] = w * standing + (1.0 - w) * found["ankle_dorsiflexion"]
    turn = 2.0 * np.pi * (p - 0.5 * off)
    found["pelvis_obliquity"] = determinants.scale("pelvic_tilt") * np.radians(OBLIQUITY) * np.cos(turn)
    found["pelvis_rotation"] = determinants.scale("pelvic_rotation") * np.radians(ROTATION) * np.cos(2.0 * np.pi * p)
    return found
